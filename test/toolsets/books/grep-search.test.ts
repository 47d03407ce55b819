import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longTimeoutsModule } from '../../support/program.ts';
import { book, chapter, openSampleWith, type Sample } from './sample.ts';
import { errorOf, listOf, notesOf, objectOf } from './support/answer.ts';
import { connect } from './support/client.ts';
import { isFolder } from './support/place.ts';

let sample: Sample;
beforeAll(async () => {
  // The time limits are long, so that no search exceeds them on a busy machine.
  sample = await openSampleWith([longTimeoutsModule]);
  sample.library.put('books/other-book/content/01-P/01-C/01-a.md', 'TODO other\n');
});
afterAll(async () => await sample[Symbol.asyncDispose]());

const base = `books/${book}`;

describe('grep_search', () => {
  const grep = async (pattern: string, args: Record<string, unknown> = {}) =>
    listOf(await sample.call('grep_search', { book_id: book, pattern, ...args }));

  test('returns file, line number and text of matching lines, sorted and without the files of users', async () => {
    expect(await grep('TODO')).toEqual([
      { file_path: `${base}/${chapter}/02-more.md`, line_number: 3, matched_line: 'TODO: tell more' },
      { file_path: `${base}/content/02-Extra/01-Only/01-one.md`, line_number: 2, matched_line: 'TODO later' },
    ]);
    expect(await grep('Ada|Bob')).toEqual([]);
    expect(await grep('TODO other')).toEqual([]);
    expect(await grep('TODO other', { all_books: true })).toHaveLength(1);
  });

  test.each([
    ['(?i)todo LATER', 1],
    ['^# (?P<title>One|Bye)$', 2],
    ['\\bHello\\b', 1],
    ['one$\\Z', 0],
    ['reader\\.\\s*\\Z', 1],
    ['Hello.*\\n?', 1],
    ['Hello[^\\n]*', 1],
    ['\\\\Z', 0],
    ['^\\pL+: ', 1],
    ['\\p{Lu}ODO', 2],
    ['TODO\\:', 1],
    ['(?i)todo l', 1],
  ])('supports the pattern %s', async (pattern, count) => {
    expect(await grep(pattern)).toHaveLength(count);
  });

  test('returns matched lines without invisible characters, and counts the removed ones', async () => {
    const hidden = 'vis\u200bible \u202eesrever\u202c \u{e0049}\u{e0067}end, می\u200cخواهم\n';
    sample.library.put('books/hidden-book/content/01-P/01-C/01-a.md', `${hidden}nothing to remove, visible\n`);
    const result = await sample.call('grep_search', { book_id: 'hidden-book', pattern: 'vis' });
    expect(listOf(result).map(hit => hit['matched_line'])).toEqual([
      'visible esrever end, می\u200cخواهم',
      'nothing to remove, visible',
    ]);
    expect(notesOf(result)).toEqual([
      '5 invisible characters were removed from the matched lines; read_content returns the exact text.',
    ]);
    const cut = await sample.call('grep_search', { book_id: 'hidden-book', pattern: 'vis', max_results: 1 });
    expect(notesOf(cut)).toEqual([expect.stringContaining('next ones'), expect.stringMatching(/^5 invisible/)]);
    const exact = await sample.call('read_content', { book_id: 'hidden-book', path: 'content/01-P/01-C/01-a.md' });
    expect(objectOf(exact)['content']).toContain(hidden);
  });

  test('counts lines as text editors do', async () => {
    sample.library.put('books/lines-book/content/01-P/01-C/01-a.md', 'a\u2028a\u0085a\u000ba\fa\nb\r\nc\rHERE  \n');
    expect(await grep('HERE', { book_id: 'lines-book' })).toEqual([
      { file_path: 'books/lines-book/content/01-P/01-C/01-a.md', line_number: 4, matched_line: 'HERE' },
    ]);
  });

  test('states that there are more matching lines only if this is true', async () => {
    sample.library.put('books/many-book/content/01-P/01-C/01-a.md', 'hit\n'.repeat(5));
    const many = { book_id: 'many-book' };
    expect(await grep('hit', { ...many, max_results: 5 })).toHaveLength(5);
    const cut = await grep('hit', { ...many, max_results: 4 });
    expect(cut).toHaveLength(5);
    expect(cut[4]).toMatchObject({ warning: 'truncated' });
    sample.library.put('books/many-book/content/01-P/01-C/02-a.md', 'hit\n');
    expect((await grep('hit', { ...many, max_results: 5 }))[5]).toMatchObject({ warning: 'truncated' });
  });

  test('states the number of files that cannot be read', async () => {
    const latin = Buffer.from([0x68, 0x69, 0xe9]);
    for (const name of ['one', 'two']) sample.library.put(`books/odd-book/content/${name}.md`, latin);
    expect(await grep('.', { book_id: 'odd-book' })).toEqual([
      { warning: 'skipped', message: expect.stringContaining('2 files or folders could not be read') },
    ]);
  });

  test.runIf(isFolder)('searches no symbolic links and states their number', async () => {
    sample.library.put('books/link-book/content/a.md', 'hit');
    symlinkSync('/etc/hostname', path.join(sample.library.root, 'books/link-book/content/leak.md'));
    const warning = { warning: 'skipped', message: expect.stringMatching(/^1 .*leak\.md/) };
    expect(await grep('[a-z]', { book_id: 'link-book' })).toEqual([
      expect.objectContaining({ line_number: 1 }),
      warning,
    ]);
  });

  test.runIf(isFolder)('counts a folder that is nested too deeply as unreadable', async () => {
    sample.library.put(`books/deep-book/content${'/x'.repeat(70)}/01-a.md`, 'TODO');
    const warning = { warning: 'skipped', message: expect.stringMatching(/^1 .*books\/deep-book\/content\/x/) };
    expect(await grep('TODO', { book_id: 'deep-book' })).toEqual([warning]);
    expect(listOf(await sample.call('glob_search', { book_id: 'deep-book', pattern: '**' }))).toEqual([warning]);
  });

  test('matches `.` with complete Unicode characters', async () => {
    sample.library.put('books/sign-book/content/01-P/01-C/01-a.md', '\ufeff# Title\n😀x\n');
    const lines = async (pattern: string): Promise<unknown[]> =>
      (await grep(pattern, { book_id: 'sign-book' })).map(hit => hit['line_number']);
    expect(await lines('^# Title')).toEqual([1]);
    expect(await lines('^.x')).toEqual([2]);
  });

  test('returns the part of a long line that contains the match', async () => {
    const long = `  ${'y'.repeat(4999)}😀NEEDLE😀${'z'.repeat(3000)}`;
    sample.library.put(
      'books/wide-book/content/01-P/01-C/01-a.md',
      `${long}\n  ${'x'.repeat(1000)}\nNEEDLE${'x'.repeat(995)}\n`,
    );
    const [first, second] = await grep('NEEDLE', { book_id: 'wide-book' });
    const shown = String(first?.['matched_line']);
    expect(shown).toMatch(/^…y+😀NEEDLE😀z+…$/);
    expect(shown.length).toBe(1002);
    expect(String(second?.['matched_line'])).toBe(`NEEDLE${'x'.repeat(994)}…`);
    expect((await grep('^ *x{1000}$', { book_id: 'wide-book' }))[0]).toMatchObject({ matched_line: 'x'.repeat(1000) });
    for (let cut = 0; cut < 4; cut++) {
      sample.library.put('books/wide-book/content/01-P/01-C/01-a.md', `${'y'.repeat(cut)}${'😀'.repeat(2000)}NEEDLE`);
      const [hit] = await grep('NEEDLE', { book_id: 'wide-book' });
      expect(String(hit?.['matched_line'])).toMatch(/^…y*(?:😀)+NEEDLE$/u);
    }
  });

  test('supports escapes inside and outside of character classes', async () => {
    const lines = ['x^y', '(P<n', '(<n', '\\Z here', '\\z there', 'q\u2028x end', 'α:b', 'a]b'];
    sample.library.put('books/odd-signs/content/01-P/01-C/01-a.md', lines.join('\n'));
    const found = async (pattern: string): Promise<unknown[]> =>
      (await grep(pattern, { book_id: 'odd-signs' })).map(hit => hit['matched_line']);
    expect(await found('\\Q\\Z\\E')).toEqual(['\\Z here']);
    expect(await found('[:;]b')).toEqual(['α:b']);
    expect(await found('\\p{Greek}:')).toEqual(['α:b']);
    expect(await found('q.x end')).toEqual(['q\u2028x end']);
    expect(await found('(?m)^x end')).toEqual([]);
    expect(await found('[a\\]]b')).toEqual(['a]b']);
    expect(await found('[\\^]y')).toEqual(['x^y']);
  });

  test('returns the same result for each of twenty searches that are requested at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, async () => await grep('TODO')));
    expect(all.map(found => found.length)).toEqual(Array.from({ length: 20 }, () => 2));
  });

  test.each(['(?<=TODO: )tell', 'TODO(?!:)', '(l)\\1', '(?P<twice>l)(?P=twice)'])(
    'rejects the lookaround or backreference in %s, which linear-time matching does not support',
    async pattern => {
      const { message, suggestion } = errorOf(await sample.call('grep_search', { book_id: book, pattern }));
      expect(message).toContain('lookaround and backreferences are not supported');
      expect(suggestion).toContain('RE2');
    },
  );

  test.runIf(process.platform === 'linux')(
    'does not block other calls while it searches a very long line, and stops when it is cancelled',
    async () => {
      // The text gives the automaton of the search pattern a new state at each letter.
      let bits = 1;
      const letters = Array.from({ length: 4_000_000 }, () => {
        bits = (bits * 1_103_515_245 + 12_345) % 2_147_483_648;
        return bits % 65_536 < 32_768 ? 'a' : 'b';
      });
      sample.library.put('books/ab-book/content/01-P/01-C/01-a.md', letters.join(''));
      const { client, pid } = sample.connection;
      const threads = (): number => readdirSync(`/proc/${pid}/task`).length;
      await grep('TODO');
      const before = threads();
      const cancel = new AbortController();
      const params = { name: 'grep_search', arguments: { book_id: 'ab-book', pattern: '[ab]*a[ab]{100}[c-z]' } };
      const slow = client.callTool(params, undefined, { signal: cancel.signal }).catch(() => 'cancelled');
      await client.ping();
      expect(await grep('TODO')).toHaveLength(2);
      expect(threads()).toBeGreaterThan(before);
      cancel.abort();
      expect(await slow).toBe('cancelled');
      await expect.poll(threads).toBe(before);
    },
  );

  test.each(['(a', '[z-a]', '*', 'a{2,1}', '(?<=a', '\\'])('rejects the invalid pattern %s', async pattern => {
    const error = errorOf(await sample.call('grep_search', { book_id: book, pattern }));
    expect(error).toMatchObject({ error: 'ValidationError', message: expect.stringContaining('invalid_regex') });
  });

  test.each([0, 1001, 1.5, -1, '05'])('rejects the invalid value %j of max_results', async max_results => {
    const error = errorOf(await sample.call('grep_search', { book_id: book, pattern: 'x', max_results }));
    expect(error).toMatchObject({ code: 'VALIDATION', message: expect.stringContaining('"max_results"') });
  });

  test('returns quickly for patterns that make backtracking engines take exponential time', async () => {
    sample.library.put('books/slow-book/content/01-P/01-C/01-a.md', `${'a'.repeat(5000)}!\n`);
    for (const pattern of ['(a+)+$', '(a|aa)+$', '(a*)*b', '(.*a){20}$', '(a{1,30}){1,30}$']) {
      expect(await grep(pattern, { book_id: 'slow-book' })).toEqual([]);
    }
  });

  test('continues a search that timed out until it is complete', async () => {
    // The clock of this server advances by 40 seconds each time it is read, and its timers end immediately.
    for (let file = 0; file < 40; file++) {
      const text = `needle ${file}\n${'x'.repeat(10)}`;
      sample.library.put(`books/long-search/content/01-P/01-C/${String(file).padStart(2, '0')}-a.md`, text);
    }
    const hasty = await connect({
      args: ['--toolsets', 'books', '--books-root', sample.library.root],
      preload: [path.resolve(import.meta.dirname, 'support/search-timeout.cjs')],
    });
    const found: unknown[] = [];
    let timeouts = 0;
    for (let after: unknown, page = 0; page < 60; page++) {
      const args = { book_id: 'long-search', pattern: 'needle', ...(after !== undefined && { after }) };
      const result = await hasty.call('grep_search', args);
      const hits = listOf(result);
      found.push(...hits.flatMap(hit => hit['matched_line'] ?? []));
      if (hits.some(hit => hit['warning'] === 'timeout')) timeouts++;
      after = objectOf(result)['next_after'];
      if (after === undefined) break;
    }
    await hasty.close();
    expect(timeouts).toBeGreaterThanOrEqual(5);
    expect(found).toEqual(Array.from({ length: 40 }, (_, file) => `needle ${file}`));
  });

  test('returns pages across all books in the order of their keys', async () => {
    for (const name of ['abc', 'abc-d', 'abc0']) {
      sample.library.put(`books/${name}/content/01-P/01-C/01-a.md`, 'ordered needle\n'.repeat(2));
    }
    const args = { book_id: 'abc', pattern: 'ordered needle', all_books: true, max_results: 1 };
    const files: unknown[] = [];
    for (let after: unknown, page = 0; page < 10; page++) {
      const result = await sample.call('grep_search', { ...args, ...(after !== undefined && { after }) });
      files.push(...listOf(result).flatMap(hit => hit['file_path'] ?? []));
      after = objectOf(result)['next_after'];
      if (after === undefined) break;
    }
    const keys = ['abc-d', 'abc', 'abc0'].map(name => `books/${name}/content/01-P/01-C/01-a.md`);
    expect(files).toEqual(keys.flatMap(key => [key, key]));
  });

  test('searches .mdx files and states the number of files that it does not search', async () => {
    const folder = 'books/mdx-book/content/01-P/01-C';
    sample.library.put(`${folder}/01-a.mdx`, '<Tabs>needle</Tabs>\n');
    sample.library.put(`${folder}/picture.png`, 'needle');
    sample.library.put(`${folder}/.keep`, '');
    sample.library.put('books/mdx-book/static/img/needle.png', 'needle');
    const result = await sample.call('grep_search', { book_id: 'mdx-book', pattern: 'needle' });
    expect(listOf(result)).toMatchObject([{ file_path: `${folder}/01-a.mdx` }]);
    expect(notesOf(result)).toEqual([
      '1 file beside the lessons is not Markdown and not in this answer; glob_search lists them.',
    ]);
  });
});
