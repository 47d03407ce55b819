import { describe, expect, test } from 'vitest';
import { connectToProblems, fileWith, jsonLines, records } from './support.ts';

const connectToRecords = async (list: readonly unknown[] = records) =>
  await connectToProblems(fileWith(jsonLines(list)));

describe('the published tools and instructions for a problem collection', () => {
  const publishedFor = async (list: readonly unknown[]) => {
    const { client } = await connectToRecords(list);
    const { tools } = await client.listTools();
    const properties = tools.flatMap(({ inputSchema }) => Object.entries(inputSchema.properties ?? {}));
    const descriptions = properties.flatMap(([name, property]) =>
      name.startsWith('source') && 'description' in property ? [String(property.description)] : [],
    );
    return { instructions: client.getInstructions() ?? '', descriptions, tools };
  };

  test('name the sources of the collection', async () => {
    const { instructions, descriptions } = await publishedFor(records);
    expect(instructions).toContain(
      "The problems, also the daily one, are from the user's files. Sources: club, school.",
    );
    expect(descriptions).toHaveLength(6);
    for (const description of descriptions) expect(description).toMatch(/\. Here only: club, school$/);
  });

  test('refer to get_platform_status if the names of the sources are long', async () => {
    const many = Array.from({ length: 50 }, (_, index) => ({ source: `source-${index}`, id: '1' }));
    const { instructions, descriptions } = await publishedFor(many);
    expect(instructions).toMatch(/Sources: see get_platform_status\.$/);
    expect(descriptions[0]).toMatch(/\. Here only: see get_platform_status$/);
  });

  test('contain no control characters, invisible characters or lone surrogates of the sources', async () => {
    const { descriptions } = await publishedFor([{ source: 'a\nb\u200bc\ud800d', id: '1' }]);
    expect(descriptions[0]).toMatch(/\. Here only: a b c d$/);
  });
});

describe('get_problem on a problem collection', () => {
  test.each([
    ['an id that differs only in case', 'school', '1a', 'Did you mean "1A" of school?'],
    ['a source that differs only in case', 'School', '1A', 'Did you mean "1A" of school?'],
    [
      'an unknown id',
      'school',
      '9',
      'Ids are matched exactly: for a link or a slug use resolve_problem, for a title find_similar_problems.',
    ],
    ['an unknown source', 'leetcode', '1', 'Sources of this collection: club, school.'],
  ])('returns [404] with a hint for %s', async (_, source, id, hint) => {
    const { call } = await connectToRecords();
    expect(await call('get_problem', { source, id })).toMatchObject({
      isError: true,
      texts: ['[404] Not Found: problem not found', hint],
    });
  });
});

describe('the field "samples" of a record', () => {
  const pair = { input: '1 2\n', output: '3\n' };
  const sections = '\n\n## Sample 1\n\nInput:\n\n```\n1 2\n```\n\nOutput:\n\n```\n3\n```';
  const shown = async (fields: object) => {
    const { call } = await connectToProblems(fileWith(jsonLines([{ source: 'uni', id: '1', ...fields }])), {
      'oj-extras': undefined,
    });
    const { text } = await call('get_problem', { source: 'uni', id: '1' });
    expect((await call('resolve_problem', { query: 'uni:1' })).text).toBe(text);
    return text.slice(text.indexOf('---\n\n') + 5);
  };

  test.each([
    ['HTML', '<p>Add two numbers.</p>', 'Add two numbers.'],
    ['Markdown', 'Add two numbers.', 'Add two numbers.'],
    ['no statement', null, 'No description available.'],
    [
      'another sample in the statement',
      '<h3>Sample Input</h3><pre>4</pre><h3>Sample Output</h3><pre>5</pre>',
      '```\n5\n```',
    ],
  ])('is shown by get_problem and resolve_problem after %s', async (_, content, end) => {
    expect(await shown({ content, samples: [pair] })).toMatch(new RegExp(`${end}${sections}$`));
  });

  test.each([
    ['HTML', '<h3>Sample Input</h3><pre>1 2</pre><h3>Sample Output</h3><pre>3</pre>'],
    ['Markdown', '## Input\n\n```\n1 2\n```\n\n## Output\n\n```\n3\n```'],
  ])('is not repeated by get_problem if the statement in %s has the same sample', async (_, content) => {
    const text = await shown({ content, samples: [pair] });
    expect(text.match(/1 2/g)).toHaveLength(1);
    expect(text).not.toContain('## Sample 1');
  });

  test('is shown unchanged with its explanation', async () => {
    const sample = { input: '<b>`` ``` &lt; $x$\n\n', output: ' \\\t', explanation: 'Trivial.' };
    expect(await shown({ content: 'Add.', samples: [sample] })).toContain(
      `Input:\n\n\`\`\`\`\n${sample.input}\`\`\`\`\n\nOutput:\n\n\`\`\`\n${sample.output}\n\`\`\`\n\nExplanation: Trivial.`,
    );
  });

  test('is ignored by get_samples in favor of the statement if it is an empty array', async () => {
    const content = '<h3>Sample Input</h3><pre>1</pre><h3>Sample Output</h3><pre>2</pre>';
    const { call } = await connectToRecords([{ source: 'uni', id: '1', content, samples: [] }]);
    expect((await call('get_samples', { source: 'uni', id: '1' })).structured).toEqual({
      samples: [{ input: '1', output: '2' }],
      from: 'statement',
    });
  });
});

describe('resolve_problem on a problem collection', () => {
  test.each([
    ['a prefixed id', 'school:1A'],
    ['a prefixed id in lower case', 'School:1a'],
    ['a prefix with a slash', 'school/1A'],
    ['a prefixed slug', 'school:lamp-row'],
    ['a slug', 'Lamp-Row'],
    ['a bare id', '1A'],
    ['a bare id in lower case', '1a'],
    ['the link of the record', 'https://judge.example/contest/1/problem/A'],
    ['the link without scheme and with a query', 'www.judge.example/contest/1/problem/A/?lang=en#x'],
    ['another link form of the same problem', 'https://judge.example/problemset/problem/1/a'],
  ])('finds a problem by %s', async (_, query) => {
    const { call } = await connectToRecords();
    expect((await call('resolve_problem', { query })).text).toContain('- Source: school | ID: 1A |');
  });

  test.each([
    ['an unknown slug', 'nothing'],
    ['an unknown link', 'https://judge.example/contest/2/problem/A'],
    ['an unknown id of a source', 'school:9'],
  ])('returns an error with a hint for %s', async (_, query) => {
    const { call } = await connectToRecords();
    expect(await call('resolve_problem', { query })).toMatchObject({
      isError: true,
      texts: [
        `problem not found: ${query}`,
        'Use a link of a problem, a slug, or source and id as in "club:id"; find_similar_problems searches titles. Sources of this collection: club, school.',
      ],
    });
  });

  test.each([
    ['x1', 'b'],
    ['X1', 'a'],
    ['y1', 'c'],
    ['c:X1', 'c'],
    ['slug', 'd'],
    ['c:y1', 'c'],
    ['d:slug', 'd'],
    ['A:x1', 'a'],
  ])('prefers the exact id to other cases, and an id to a slug: %s', async (query, source) => {
    const { call } = await connectToRecords([
      { source: 'a', id: 'X1', title: 'One' },
      { source: 'b', id: 'x1', title: 'Two' },
      { source: 'c', id: 'Y1', slug: 'x1', title: 'Three' },
      { source: 'd', id: 'z', slug: 'slug', title: 'Four' },
    ]);
    expect((await call('resolve_problem', { query })).text).toContain(`- Source: ${source} |`);
  });

  test('returns an error with the candidates if the id is ambiguous', async () => {
    const { call } = await connectToRecords([
      { source: 'a', id: '1' },
      { source: 'b', id: '1' },
    ]);
    expect((await call('resolve_problem', { query: '1' })).texts[1]).toBe('Several problems match: a:1, b:1.');
  });
});

describe('find_similar_problems on a problem collection', () => {
  const similarities = (text: string) =>
    Array.from(text.matchAll(/\| (\d+\.\d)% \|/g), ([, percent]) => Number(percent));

  test('returns the problems with words of the query, most similar first', async () => {
    const { call } = await connectToRecords();
    const { text } = await call('find_similar_problems', { query: 'the Lamps of a graph' });
    expect(text).toContain('Query: the Lamps of a graph (words used: lamp graph)\n');
    expect(text).toMatch(/\| 1 \| club \| x \| Lamp Graph \|[^]*\| 2 \|/);
    for (const similarity of similarities(text)) expect(similarity).toBeLessThan(100);
  });

  test.each([
    ['only as given if it consists of the words used', { query: 'Lamp graph' }, 'Lamp graph'],
    ['only as given if it has no words for a search', { query: 'all of them' }, 'all of them'],
    ['as source, id and title of a given problem', { source: 'club', id: 'x' }, 'club/x Lamp Graph (words used: '],
  ])('shows the query %s', async (_, args, query) => {
    const { call } = await connectToRecords();
    const { text } = await call('find_similar_problems', args);
    expect(`${text.split('\n')[2]}\n`).toContain(query.endsWith(' ') ? `Query: ${query}` : `Query: ${query}\n`);
  });

  test.each([
    ['a query', { query: 'lamp' }],
    ['a problem', { source: 'club', id: 'x' }],
  ])(
    'returns [404] with the sources if "source_filter" matches no source of the collection, for %s',
    async (_, args) => {
      const { call } = await connectToRecords();
      expect(await call('find_similar_problems', { ...args, source_filter: 'leetcode, School' })).toMatchObject({
        isError: true,
        texts: [
          '[404] Not Found: the collection has no source leetcode, School',
          'Sources of this collection: club, school.',
        ],
      });
    },
  );

  test.each([
    ['a query', { query: 'lamp' }],
    ['a problem', { source: 'club', id: 'x' }],
  ])('names the unknown sources in a "source_filter" that also has a known one, for %s', async (_, args) => {
    const { call } = await connectToRecords();
    const found = await call('find_similar_problems', { ...args, source_filter: 'leetcode, school,' });
    expect(found.isError).toBeFalsy();
    expect(found.texts.at(-1)).toContain(
      'The collection has no source leetcode. Sources of this collection: club, school.',
    );
    const known = await call('find_similar_problems', { ...args, source_filter: 'club, school' });
    expect(known.texts.join('\n')).not.toContain('has no source');
  });

  test('suggests other words and not a higher limit if a source in "source_filter" has no hits', async () => {
    const { call } = await connectToRecords();
    const args = { query: 'toll', source_filter: 'leetcode,club' };
    expect((await call('find_similar_problems', args)).text).toContain('No hits: rephrase the topic in "query".');
  });

  test("finds a problem if the query is a part of the problem's Chinese title", async () => {
    const { call } = await connectToRecords();
    expect((await call('find_similar_problems', { query: '请找灯图问题' })).text).toContain('| 1 | club | x |');
  });

  test.each([
    ['cn', '最短路径', 'shortest path'],
    ['en', 'shortest path', '最短路径'],
  ])('searches the statement that --oj-language %s shows', async (language, query, other) => {
    const statements = { content: 'Find the shortest path.', content_cn: '求最短路径。' };
    const list = [...records, { source: 'club', id: 'y', title: 'Roads', title_cn: '道路', ...statements }];
    const { call } = await connectToProblems(fileWith(jsonLines(list)), { 'oj-language': language });
    expect((await call('find_similar_problems', { query })).text).toContain('| club | y |');
    expect((await call('find_similar_problems', { query: other })).text).not.toContain('| club | y |');
  });

  test('finds a problem by words after many links at the start of its statement', async () => {
    const links = Array.from(
      { length: 8 },
      (_, index) => `[${index}](https://judge.example/${'translated/'.repeat(12)}${index}.pdf)`,
    );
    const content = `Read it in ${links.join(', ')}.\n\nAlex runs a cinema and wants to maximise his profit.`;
    const { call } = await connectToRecords([...records, { source: 'club', id: 'y', title: 'Alex', content }]);
    expect((await call('find_similar_problems', { query: 'profit of a cinema' })).text).toContain('| 1 | club | y |');
    expect((await call('find_similar_problems', { query: 'translated pdf' })).text).toContain('No hits');
  });

  test('finds a problem if its title consists of stop words', async () => {
    const { call } = await connectToRecords([...records, { source: 'club', id: 'y', title: 'Once Again...' }]);
    expect((await call('find_similar_problems', { query: 'once again' })).text).toContain('| 1 | club | y |');
  });

  test('returns the problems that are similar to a given problem, but not the problem itself', async () => {
    const { call } = await connectToRecords();
    const { text } = await call('find_similar_problems', { source: 'club', id: 'x' });
    expect(text).not.toContain('| club |');
    expect(text).toContain('| 1 | school |');
  });

  test('returns the similarity 100.0% only for equal texts', async () => {
    const twin = { ...records[0], id: 'twin', source: 'club' };
    const almost = { ...records[0], id: 'almost', source: 'club', content: `${records[0]?.content}<p>more</p>` };
    const { call } = await connectToRecords([...records, almost, twin]);
    const { text } = await call('find_similar_problems', { source: 'school', id: '1A' });
    expect(text).toMatch(/\| 1 \| club \| twin \| Lamp Row \| Easy \| 100\.0% \|/);
    expect(similarities(text).filter(similarity => similarity === 100)).toHaveLength(1);
  });

  test.each([
    ['limit', { limit: 1 }, 1],
    ['source_filter', { source_filter: ' school ' }, 1],
    ['threshold', { threshold: 0.99 }, 0],
  ])('applies the argument %s', async (_, args, count) => {
    const { call } = await connectToRecords();
    const { text } = await call('find_similar_problems', { query: 'lamp', ...args });
    expect(similarities(text)).toHaveLength(count);
  });

  test('returns [404] for an unknown problem', async () => {
    const { call } = await connectToRecords();
    expect((await call('find_similar_problems', { source: 'school', id: '9' })).text).toBe(
      '[404] Not Found: problem not found',
    );
  });
});

describe('get_daily_challenge on a problem collection', () => {
  test('returns [404] for a collection without dates', async () => {
    const { call } = await connectToRecords();
    expect(await call('get_daily_challenge', { date: '2026-01-01' })).toMatchObject({
      isError: true,
      text: '[404] Not Found: the collection has no daily challenge of leetcode.com for 2026-01-01',
    });
  });

  test('returns the record with the requested date and domain', async () => {
    const daily = (domain: string) => ({ source: 'd', id: domain, title: domain, date: '2026-01-01', domain });
    const { call } = await connectToRecords([daily('com'), daily('cn')]);
    expect((await call('get_daily_challenge', { date: '2026-01-01', domain: 'cn' })).text).toContain('# cn');
    expect((await call('get_daily_challenge', { date: '2026-01-02', domain: 'cn' })).text).toBe(
      '[404] Not Found: the collection has no daily challenge of leetcode.cn for 2026-01-02',
    );
  });
});

describe('the note of get_daily_challenge that the problem is not the one of LeetCode', () => {
  test.each([
    ['is added to a record of another source', 'club', 1],
    ['is not added to a record of LeetCode', 'leetcode', 0],
  ])('%s', async (_, source, count) => {
    const { call } = await connectToRecords([{ source, id: '1', title: 'Lamps', date: '2026-01-01' }]);
    const { texts } = await call('get_daily_challenge', { date: '2026-01-01' });
    expect(texts.filter(text => text.includes('it is not the one of LeetCode.'))).toHaveLength(count);
  });
});

describe('list_tags on a problem collection', () => {
  test('returns the tags of one source in lower case', async () => {
    const { call } = await connectToRecords();
    expect((await call('list_tags', { source: 'school' })).text).toContain('\n\narrays, graphs, greedy');
  });

  test('returns [404] with the sources for an unknown source', async () => {
    const { call } = await connectToRecords();
    expect((await call('list_tags', { source: 'x' })).texts).toEqual([
      '[404] Not Found: the collection has no source x',
      'Sources of this collection: club, school.',
    ]);
  });
});
