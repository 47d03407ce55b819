import { appendFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openToolset } from '../../../../src/toolset/toolset.ts';
import { oj } from '../../../../src/toolsets/oj/index.ts';
import { joinFirstNames } from '../../../../src/toolsets/oj/io/collection/lookup.ts';
import { openCollectionFiles } from '../../../../src/toolsets/oj/io/collection/open-collection.ts';
import {
  checkLines,
  checkLinesUntil,
  connectToProblems,
  fileWith,
  folderWith,
  jsonLines,
  records,
  rejectionOf,
} from './support.ts';

describe('--problems with a JSON file', () => {
  test.each([
    ['JSON Lines', jsonLines()],
    ['JSON Lines with empty lines, CRLF and a byte order mark', `\ufeff\n${jsonLines().replaceAll('\n', '\r\n\r\n')}`],
    ['JSON Lines without a final newline', jsonLines().trimEnd()],
    ['a compact JSON array', JSON.stringify(records)],
    ['an indented JSON array', JSON.stringify(records, null, 2)],
  ])('serves all problems of a file in the format: %s', async (_, content) => {
    const { call } = await connectToProblems(fileWith(content, 'problems.data'));
    expect((await call('get_platform_status')).text).toContain('| club | 1 | 1 | 0 |\n| school | 2 | 0 | 0 |');
    const { text } = await call('get_problem', { source: 'school', id: '1B' });
    expect(text).toMatch(/^# Bridge Toll\n\n- Source: school \| ID: 1B [^]*Find the cheapest path over bridges\.$/);
  });

  test('serves a record that is larger than the read buffer', async () => {
    const large = { source: 's', id: 'large', title: 'x', content: `${'\\ "é'.repeat(1_000_000)} end` };
    for (const content of [
      jsonLines([records[0], large, records[1]]),
      JSON.stringify([records[0], large, records[1]]),
    ]) {
      const { call } = await connectToProblems(fileWith(content));
      expect((await call('get_problem', { source: 's', id: 'large' })).text).toContain('\\ "é\\ "é');
      expect((await call('get_problem', { source: 'school', id: '1B' })).text).toContain('# Bridge Toll');
    }
  });

  test('combines the files of several paths into one collection', async () => {
    const [first, ...others] = records;
    const { call } = await connectToProblems([fileWith(jsonLines([first])), fileWith(JSON.stringify(others))]);
    expect((await call('list_problems', { source: 'school' })).text).toContain('2 problems in total.');
  });
});

describe('--problems at start', () => {
  const valid = '{"source":"s","id":"1"}';
  test.each([
    ['a line without a source', `${valid}\n\n{"id":"2"}`, 'line 3: "source" is missing.'],
    ['a line without an id', '{"source":"s","content":"{\\"id\\":\\"2\\"}"}', 'line 1: "id" is missing.'],
    ['a field in capitals', `${valid}\n{"Source":"s","ID":"2"}`, 'line 2: "source" is missing, but there is "Source".'],
    ['names without quotation marks', `${valid}\n{source:"s",id:"2"}`, 'line 2: the record is not valid JSON.'],
    ['an id that is a number', `${valid}\n{"source":"s","id":2}`, 'line 2: "id" must be a string.'],
    ['a line that is not JSON', `${valid}\nhello`, 'line 2: expected a JSON object.'],
    [
      'a truncated line',
      `${valid}\n{"source":"s","id":"2","title":"x\n{"source":"s","id":"3"}`,
      'line 2: the JSON object does not end on its line.',
    ],
    ['text after an object', `${valid} ${valid}`, 'line 1: unexpected text after the JSON object.'],
    ['a duplicate', `${valid}\n${valid}`, 'line 2: the problem s/1 is also in FILE, line 1.'],
    ['an array of numbers', '[1]', 'line 1, record 1: expected a JSON object.'],
    ['an array that does not end', `[\n${valid},\n`, 'line 3, record 2: the JSON array does not end.'],
    ['an array without a comma', `[${valid}\n${valid}]`, 'line 2, record 2: expected a comma or the end of the array.'],
    ['a record of an array on one line', `[${valid},{"source":"s"}]`, 'line 1, record 2: "id" is missing.'],
    [
      'a duplicate in an array',
      `[${valid},${valid}]`,
      'line 1, record 2: the problem s/1 is also in FILE, line 1, record 1.',
    ],
    ['an empty id', `${valid}\n{"source":"s","id":" "}`, 'line 2: "id" must not be empty.'],
    ['an empty source', `${valid}\n{"source":"","id":"2"}`, 'line 2: "source" must not be empty.'],
    ['an id with a space', '{"source":"s","id":"2 "}', 'line 1: "id" must not begin or end with white space.'],
    ['an id that no tool accepts', '{"source":"s","id":".."}', 'line 1: "id" must not be "..".'],
    [
      'a comma before the end of an array',
      `[\n${valid},\n]`,
      'line 3, record 2: a comma precedes the end of the array.',
    ],
    ['two arrays', `[${valid}]\n[${valid}]`, 'line 2: unexpected text after the JSON array.'],
  ])('rejects %s with file and line', async (_, content, message) => {
    const file = fileWith(content);
    expect(await rejectionOf(file)).toBe(`${file}, ${message.replace('FILE', file)}`);
  });

  test('lists all errors in the order of their lines, also in records with a valid source and id', async () => {
    const lines = [
      '{"source":"s","id":"1","content":"$a \\le b$"}',
      valid,
      '{"source":"s"}',
      'hello',
      'world',
      '{"source":"s","id":"3","tags":"x"}',
      '{"source":"s","id":" 4"}',
    ];
    const file = fileWith(lines.join('\n'));
    expect((await rejectionOf(file)).split('\n')).toEqual([
      expect.stringMatching(/, line 1: the record is not valid JSON: Bad escaped character /),
      `${file}, line 2: the problem s/1 is also in ${file}, line 1.`,
      `${file}, line 3: "id" is missing.`,
      `${file}, line 4: expected a JSON object.`,
      `${file}, line 6: "tags" must be a list, got the string "x"`,
      `${file}, line 7: "id" must not begin or end with white space.`,
    ]);
    expect(() => openCollectionFiles([file])).toThrow(
      expect.objectContaining({ hint: expect.stringMatching(/written twice.*change its source or id.*A record is/) }),
    );
  });

  test('lists all errors of an array up to the one that hides the end of a record', async () => {
    const file = fileWith(`[{"id":"1"},\n${valid},\n{"source":"s"},\n7,\n{"id":"2"}]`);
    expect((await rejectionOf(file)).split('\n')).toEqual([
      `${file}, line 1, record 1: "source" is missing.`,
      `${file}, line 3, record 3: "id" is missing.`,
      `${file}, line 4, record 4: expected a JSON object.`,
    ]);
  });

  test.each([
    [20, []],
    [21, ['1 more error is not listed.']],
    [25, ['5 more errors are not listed.']],
  ])('lists at most 20 of %i errors and the number of the others', async (count, others) => {
    const file = fileWith('{"source":"s"}\n'.repeat(count));
    const lines = (await rejectionOf(file)).split('\n');
    expect(lines.slice(19)).toEqual([`${file}, line 20: "id" is missing.`, ...others]);
  });

  test.each([
    ['an object around the array', '{"problems": []}'],
    ['single quotation marks', "[{'source': 's', 'id': '1'}]"],
    ['an object on several lines', '{\n"source": "s",\n"id": "1"\n}'],
  ])('shows a valid record in the hint for %s', (_, content) => {
    expect(() => openCollectionFiles([fileWith(content)])).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('{"source": "club", "id": "1"}') }),
    );
  });

  test.each([
    ['a line that is not an object', 'hello', 'expected a JSON object.'],
    ['a line that is not in UTF-8', Buffer.from('{"id":"\xff"}', 'latin1'), 'the text is not in UTF-8.'],
    ['a truncated line', `{"source":"s"\n${valid}`, 'the JSON object does not end on its line.'],
    ['text after an object', `${valid} ${valid}`, 'unexpected text after the JSON object.'],
    ['a line without an id', '{"source":"s"}', '"id" is missing.'],
  ])('rejects %s with its line at the end of a long file', async (_, content, message) => {
    const file = fileWith(`${valid}${'\n'.repeat(5_000_000)}`);
    appendFileSync(file, content);
    expect(await rejectionOf(file)).toContain(`${file}, line 5000001: ${message}`);
  });

  test.each([
    ['an empty file', '', ': the file is empty.'],
    ['an empty array', ' [ ] ', ': the collection has no problems.'],
    ['another format', '<html>', ': the file has no supported format.'],
  ])('rejects %s with its path', async (_, content, message) => {
    const file = fileWith(content);
    expect(await rejectionOf(file)).toBe(file + message);
  });

  test('rejects a line that is not in UTF-8 with file and line', async () => {
    const file = fileWith('');
    writeFileSync(file, Buffer.from(`${valid}\n{"source":"s","id":"2","title":"\u00e9"}`, 'latin1'));
    expect(await rejectionOf(file)).toBe(`${file}, line 2: the text is not in UTF-8.`);
  });

  test('rejects a path that does not exist', async () => {
    const file = path.join(folderWith({}), 'missing.jsonl');
    expect(await rejectionOf(file)).toBe(`${file}: the path does not exist.`);
  });

  test('rejects the problems that are also in another file', async () => {
    const [one, other] = [fileWith(jsonLines()), fileWith(jsonLines(records.slice(0, 2)))];
    expect((await rejectionOf(one, other)).split('\n')).toEqual([
      `${other}, line 1: the problem school/1A is also in ${one}, line 1.`,
      `${other}, line 2: the problem school/1B is also in ${one}, line 2.`,
    ]);
  });
});

describe('a problem file that changes after the start', () => {
  const lampRow = { source: 'school', id: '1A' };

  test('is served with its old content when it is replaced by another file', async () => {
    const file = fileWith(jsonLines());
    const { call } = await connectToProblems(file);
    writeFileSync(`${file}.new`, jsonLines([{ ...lampRow, title: 'Other' }]));
    renameSync(`${file}.new`, file);
    expect((await call('get_problem', lampRow)).text).toContain('# Lamp Row');
  });

  test.each([
    ['source', '"school"', '"schoom"'],
    ['id', '"1A"', '"1Z"'],
  ])(
    'causes a tool error when only the %s of a record differs, and not the size and date of the file',
    async (_, from, to) => {
      const file = fileWith(jsonLines());
      const date = new Date(1_700_000_000_000);
      utimesSync(file, date, date);
      const { call } = await connectToProblems(file);
      writeFileSync(file, jsonLines().replaceAll(from, to));
      utimesSync(file, date, date);
      expect(await call('get_problem', lampRow)).toMatchObject({
        isError: true,
        texts: [`${file} has changed since the server was started.`, expect.stringContaining('restart oj-mcp')],
      });
    },
  );

  test('causes a tool error when its content is changed in place', async () => {
    const file = fileWith(jsonLines());
    const { call } = await connectToProblems(file);
    appendFileSync(file, '\n');
    expect(await call('get_problem', lampRow)).toMatchObject({
      isError: true,
      texts: [`${file} has changed since the server was started.`, expect.stringContaining('restart oj-mcp')],
    });
  });
});

test('a search after a change of the file in place is an error and not an empty result', async () => {
  const file = fileWith(jsonLines());
  const { call } = await connectToProblems(file);
  appendFileSync(file, '\n');
  const text = `${file} has changed since the server was started.`;
  expect(await call('find_similar_problems', { query: 'lamp' })).toMatchObject({
    isError: true,
    texts: [text, expect.anything()],
  });
  expect(await call('list_problems', { source: 'school' })).toMatchObject({
    isError: true,
    texts: [text, expect.anything()],
  });
});

describe('an invalid or unusual record of a problem file', () => {
  const content = jsonLines([records[0], { source: 's', id: 'bad', tags: 'x' }]);

  test('causes a tool error with file and line when it is requested', async () => {
    const file = fileWith(content);
    const { call } = await connectToProblems(file);
    expect(await call('get_problem', { source: 's', id: 'bad' })).toMatchObject({
      isError: true,
      text: `${file}, line 2: "tags" must be a list, got the string "x"`,
    });
  });

  test.each([
    ['on one line', undefined, 1],
    ['with indentation', 2, 11],
  ])('is named by its line and its number in an array %s', async (_, indent, line) => {
    const file = fileWith(JSON.stringify([records[1], { source: 's', id: 'bad', tags: 'x' }], undefined, indent));
    const { call } = await connectToProblems(file);
    expect(await call('get_problem', { source: 's', id: 'bad' })).toMatchObject({
      isError: true,
      text: `${file}, line ${line}, record 2: "tags" must be a list, got the string "x"`,
    });
  });

  test('is reported by --check if its samples or its Chinese fields are invalid', async () => {
    const file = fileWith(
      jsonLines([
        { source: 's', id: '1', samples: {} },
        { source: 's', id: '2', content_cn: 5 },
      ]),
    );
    expect(await checkLines(file)).toEqual([
      '✓ 2 problems from files: 2 in "s"',
      `✗ ${file}, line 1: "samples" must be a list, got an object`,
      `✗ ${file}, line 2: "content_cn" must be a string, got the number 5`,
      '✗ 2 of 2 records are invalid',
      '✓ no record has a statement',
    ]);
  });

  test('is not reported after the time limit of --check, and the check states how many records it has read', async () => {
    expect(await checkLinesUntil(AbortSignal.abort(), fileWith(jsonLines()))).toEqual([
      '✓ 3 problems from files: 1 in "club", 2 in "school"',
      '✓ only 1 of 3 records were read within the time limit of the check; all of them are valid',
    ]);
  });

  test('is reported by --check, which parses every record', async () => {
    const file = fileWith(`${content}{"source":"s","id":"3","title":nul}\n`);
    expect(await checkLines(file)).toEqual([
      '✓ 3 problems from files: 2 in "s", 1 in "school"',
      `✗ ${file}, line 2: "tags" must be a list, got the string "x"`,
      `✗ ${file}, line 3: the record is not valid JSON: Unexpected token '}', ..."title":nul}" is not valid JSON.`,
      '✗ 2 of 3 records are invalid',
      `✓ 2 records without a statement, the first in ${file}, line 2`,
    ]);
  });

  test('is reported by --check if its date has another form than YYYY-MM-DD', async () => {
    const file = fileWith('{"source":"s","id":"1","date":"01.02.2026"}\n');
    expect(await checkLines(file)).toContain(
      `✗ ${file}, line 1: "date" must be YYYY-MM-DD, got the string "01.02.2026"`,
    );
  });

  test.each([
    [
      'a single backslash',
      '"title":"a \\le b"',
      'Bad escaped character in JSON, 35 characters after the start of the record.',
    ],
    ['a comma before the end of a list', '"tags":[1,]', `Unexpected token ']', ...""tags":[1,]}" is not valid JSON.`],
  ])('is reported by --check with the position of %s', async (_, field, reason) => {
    const file = fileWith(`{"source":"s","id":"1",${field}}\n`);
    const [, line] = await checkLines(file);
    expect(line).toBe(`✗ ${file}, line 1: the record is not valid JSON: ${reason}`);
  });

  test('causes a warning of --check if the backslash of a LaTeX command was parsed as a JSON escape sequence', async () => {
    const text = (statement: string, id: string): string => `{"source":"s","id":"${id}","content":"${statement}"}\n`;
    const file = fileWith(
      text('a \\\\times b,\\n\\tif (x) next', '1') + text('$a \\times b$', '2') + text('$\\frac12$', '3'),
    );
    expect(await checkLines(file)).toEqual([
      '✓ 3 problems from files: 3 in "s"',
      '✓ every record is valid',
      `✓ 2 records with a control character in place of a LaTeX command, the first in ${file}, line 2`,
    ]);
  });

  test('causes a warning of --check if no record in the file has a statement', async () => {
    const file = fileWith(jsonLines([{ source: 's', id: '1', statement: 'Add two numbers.' }]));
    expect(await checkLines(file)).toEqual([
      '✓ 1 problem from files: 1 in "s"',
      '✓ every record is valid',
      '✓ no record has a statement',
    ]);
  });
});

describe('a record that is not valid JSON', () => {
  const invalid = '{"source":"school","id":"9","content":"$a \\le b$"}\n';
  const note =
    /^1 record is invalid and was not searched, the first: .*, line 1: the record is not valid JSON: .* In JSON a backslash is written twice, as in "\$a \\\\le b\$"\. The user can list all of them with --check\.$/;

  test.each([
    ['find_similar_problems', { query: 'lamp' }, 'Lamp Row'],
    ['find_similar_problems', { source: 'school', id: '1A' }, 'Lamp Graph'],
    ['list_problems', { source: 'school' }, 'Lamp Row'],
    ['list_tags', { source: 'school' }, 'greedy'],
  ])('is named in a note of %s with the other results for %j', async (tool, args, found) => {
    const { call } = await connectToProblems(fileWith(invalid + jsonLines()));
    const { isError, texts } = await call(tool, args);
    expect(isError).toBe(false);
    expect(texts).toEqual([expect.stringContaining(found), expect.stringMatching(note)]);
  });

  test('does not prevent other problems from being found, and is an error when it is requested', async () => {
    const { call } = await connectToProblems(fileWith(invalid + jsonLines()));
    expect(await call('resolve_problem', { query: 'lamp-row' })).toMatchObject({ isError: false });
    const texts = [expect.stringContaining('line 1: the record is not valid JSON'), expect.stringContaining('twice')];
    expect(await call('get_problem', { source: 'school', id: '9' })).toMatchObject({ isError: true, texts });
    expect(await call('resolve_problem', { query: 'school:9' })).toMatchObject({ isError: true, texts });
  });
});

describe('the warnings of --check about missing and misspelled fields', () => {
  const hintsFor = async (list: readonly unknown[]) => {
    const open = await openToolset(oj, { problems: [fileWith(jsonLines(list))] }, { isDemo: false });
    onTestFinished(() => open.close());
    const warnings: string[] = [];
    for await (const { isWarning, line, hint } of open.check(new AbortController().signal))
      if (isWarning === true) warnings.push(`${line.replace(/in \/.*,/, 'in FILE,')} → ${hint}`);
    return warnings;
  };

  test('state the number of records without a statement and the first place', async () => {
    const list = [{ content: 'x' }, {}, { content: '' }].map((fields, index) => ({
      source: 's',
      id: String(index),
      ...fields,
    }));
    expect(await hintsFor(list)).toEqual([
      expect.stringMatching(/^2 records without a statement, the first in FILE, line 2 → The statement is the field /),
    ]);
  });

  test.each([
    ['Content', 'content'],
    ['contents', 'content'],
    ['tag', 'tags'],
    ['sample', 'samples'],
    ['titel', 'title'],
    ['dificulty', 'difficulty'],
  ])('name the known field for %s', async (name, known) => {
    const list = [
      { source: 's', id: '1', content_cn: 'x', [name]: 'x' },
      { source: 's', id: '2', content_cn: 'x', [name]: 'x' },
    ];
    expect(await hintsFor(list)).toEqual([
      `2 records with the unknown field "${name}", the first in FILE, line 1 → Did you mean "${known}"?`,
    ]);
  });

  test('are not printed for fields of a backend, other unknown fields, and fields next to the known one', async () => {
    const fields = { category: 'a', problem_index: 'A', similar_questions: [], author: 'b', statement: 'c', uid: 7 };
    expect(await hintsFor([{ source: 's', id: '1', content: 'x', Content: 'x', ...fields }])).toEqual([]);
  });
});

describe('the hint for an unknown problem', () => {
  test.each([
    ['was changed', (file: string) => appendFileSync(file, '{"source":"school","id":"2C"}\n')],
    [
      'was replaced',
      (file: string) => {
        writeFileSync(`${file}.new`, jsonLines());
        renameSync(`${file}.new`, file);
      },
    ],
  ])('names the file that %s after the start', async (_, change) => {
    const file = fileWith(jsonLines());
    const { call } = await connectToProblems(file);
    const hintOf = async (): Promise<string> =>
      (await call('get_problem', { source: 'school', id: '2C' })).texts.join('\n');
    expect(await hintOf()).not.toContain('has changed');
    change(file);
    expect(await hintOf()).toContain(`${file} has changed since the server was started. The user can restart oj-mcp`);
  });
});

test.each([
  ['little-endian', (text: Buffer) => text],
  ['big-endian', (text: Buffer) => text.swap16()],
])('--problems with a file in UTF-16 (%s) is rejected with this reason', async (_, order) => {
  const file = fileWith('');
  writeFileSync(file, order(Buffer.from(`\ufeff${jsonLines()}`, 'utf16le')));
  expect(await rejectionOf(file)).toContain('the text is in UTF-16');
});

test('joinFirstNames lists twenty names', () => {
  const names = Array.from({ length: 22 }, (_, index) => `n${index}`);
  const listed = names.slice(0, 20).join(', ');
  expect([20, 21, 22].map(count => joinFirstNames(names.slice(0, count)))).toEqual([
    listed,
    `${listed} and 1 more`,
    `${listed} and 2 more`,
  ]);
});
