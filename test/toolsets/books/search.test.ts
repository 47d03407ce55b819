import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { book, chapter, lessonKey, openSample, part, type Sample } from './sample.ts';
import { errorOf, listOf, objectOf } from './support/answer.ts';

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
  const put = (name: string, text: string): void => sample.library.put(`books/${book}/${name}`, text);
  put('book.yaml', 'title: Sample\n');
  put('.keep', '');
  put('.git/config', 'secret');
  sample.library.put('books/other-book/content/01-P/01-C/01-a.md', 'TODO other\n');
});
afterAll(() => sample[Symbol.dispose]());

const base = `books/${book}`;

describe('glob_search', () => {
  const glob = async (pattern: string, args: Record<string, unknown> = {}) =>
    objectOf(await sample.call('glob_search', { book_id: book, pattern, ...args }))['result'];

  it.each([
    ['content/**/*.summary.md', [`${base}/${chapter}/01-intro.summary.md`]],
    ['*.md', []],
    ['*', [`${base}/.keep`, `${base}/book.yaml`]],
    ['book.yaml', [`${base}/book.yaml`]],
    ['./book.yaml', [`${base}/book.yaml`]],
    ['content/*', [`${base}/content/README.md`]],
    ['content/*/README.md', [`${base}/${part}/README.md`]],
    ['**/0[12]-{bye,one}.md', [`${base}/${part}/02-End/01-bye.md`, `${base}/content/02-Extra/01-Only/01-one.md`]],
    ['static/{img,images}/*.pn?', [`${base}/static/images/two.png`, `${base}/static/img/one.png`]],
    ['static/**/{1..3}*.png', []],
    ['CONTENT/**', []],
    ['!content/**', []],
    ['#content', []],
    ['users/**', []],
    ['**/users/**', []],
    ['**/*ada*/**', []],
    ['.git/**', []],
    ['[', []],
    ['nothing/**', []],
  ])('finds with %s', async (pattern, found) => {
    expect(await glob(pattern)).toEqual(found);
  });

  it('sorts what it finds, and finds every file of the book itself', async () => {
    const all = await glob('**');
    if (!Array.isArray(all)) throw new Error('not a list');
    expect(all).toEqual(all.map(String).sort((one, other) => (one < other ? -1 : 1)));
    expect(all).toContain(lessonKey);
    expect(all.some(key => String(key).includes('/users/'))).toBe(false);
  });

  it('matches inside each book when it looks in all', async () => {
    const found = await glob('content/**/01-*.md', { all_books: true });
    expect(found).toContain('books/other-book/content/01-P/01-C/01-a.md');
    expect(found).toContain(lessonKey);
    expect(await glob('content/**', { book_id: 'no-such-book' })).toEqual([]);
  });

  it.each(['../**', 'content/../../**', '/etc/*', '/**', '..', 'a/..', './../x'])('refuses %s', async pattern => {
    expect(errorOf(await sample.call('glob_search', { book_id: book, pattern }))['code']).toBe('INVALID_PATH');
  });

  it.each(['', 'x'.repeat(256)])('refuses a pattern of %j', async pattern => {
    expect(errorOf(await sample.call('glob_search', { book_id: book, pattern }))['code']).toBe('VALIDATION');
  });

  it.each(['a*'.repeat(127), '*a'.repeat(127), '+(a|aa)'.repeat(20), '**/'.repeat(80), '['.repeat(255)])(
    'is not held up by %s',
    async pattern => {
      sample.library.put(`${base}/static/audio/${'a'.repeat(200)}`, 'x');
      expect(await glob(pattern)).toBeInstanceOf(Array);
    },
    3000,
  );

  it('takes a thousand alternatives', async () => {
    expect(await glob('{book,{1..999}}.yaml')).toEqual([`${base}/book.yaml`]);
  });

  it.each(['{1..1001}', '{a,b}'.repeat(10), '{1..999999999}', '{a,b}'.repeat(51), 'x{1..1000}{a,b}'])(
    'refuses %s instead of trying some of its alternatives',
    async pattern => {
      expect(errorOf(await sample.call('glob_search', { book_id: book, pattern }))).toMatchObject({
        code: 'VALIDATION',
        message: expect.stringContaining('more than 1000 alternatives'),
      });
    },
    3000,
  );
});

describe('grep_search', () => {
  const grep = async (pattern: string, args: Record<string, unknown> = {}) =>
    listOf(await sample.call('grep_search', { book_id: book, pattern, ...args }));

  it('gives file, line and text, sorted, and not what belongs to users', async () => {
    expect(await grep('TODO')).toEqual([
      { file_path: `${base}/${chapter}/02-more.md`, line_number: 3, matched_line: 'TODO: tell more' },
      { file_path: `${base}/content/02-Extra/01-Only/01-one.md`, line_number: 2, matched_line: 'TODO later' },
    ]);
    expect(await grep('Ada|Bob')).toEqual([]);
    expect(await grep('TODO other')).toEqual([]);
    expect(await grep('TODO other', { all_books: true })).toHaveLength(1);
    expect(await grep('TODO', { book_id: 'no-such-book' })).toEqual([]);
  });

  it.each([
    ['(?i)todo LATER', 1],
    ['^# (?P<title>One|Bye)$', 2],
    ['(?<=TODO: )tell', 1],
    ['(?=TODO)TODO(?!:)', 1],
    ['(l)\\1', 3],
    ['(?P<twice>l)(?P=twice)', 3],
    ['(?i)(?=todo later)', 1],
    ['\\bHello\\b', 1],
    ['one$\\Z', 0],
    ['reader\\.\\s*\\Z', 1],
    ['Hello.*\\n', 0],
    ['(?=\\A)# Bo', 1],
    ['\\\\Z', 0],
    ['^\\pL+: ', 1],
    ['(?=.)\\p{Lu}ODO', 2],
    ['\\pL(?=ello)', 2],
    ['^# .(?=ye)', 1],
    ['TODO\\:(?= tell)', 1],
    ['[\\:\\-](?= tell)', 1],
  ])('understands %s', async (pattern, count) => {
    expect(await grep(pattern)).toHaveLength(count);
  });

  it('counts lines as editors do', async () => {
    sample.library.put('books/lines-book/content/01-P/01-C/01-a.md', 'a\u2028a\u0085a\u000ba\fa\nb\r\nc\rHERE  \n');
    expect(await grep('HERE', { book_id: 'lines-book' })).toEqual([
      { file_path: 'books/lines-book/content/01-P/01-C/01-a.md', line_number: 4, matched_line: 'HERE' },
    ]);
  });

  it('says that there is more only when there is', async () => {
    sample.library.put('books/many-book/content/01-P/01-C/01-a.md', 'hit\n'.repeat(5));
    const many = { book_id: 'many-book' };
    expect(await grep('hit', { ...many, max_results: 5 })).toHaveLength(5);
    const cut = await grep('hit', { ...many, max_results: 4 });
    expect(cut).toHaveLength(5);
    expect(cut[4]).toMatchObject({ warning: 'truncated' });
    sample.library.put('books/many-book/content/01-P/01-C/02-a.md', 'hit\n');
    expect((await grep('hit', { ...many, max_results: 5 }))[5]).toMatchObject({ warning: 'truncated' });
  });

  it('counts what it could not read', async () => {
    const folder = path.join(sample.library.root, 'books/odd-book/content');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'latin.md'), Buffer.from([0x68, 0x69, 0xe9]));
    symlinkSync('/etc/hostname', path.join(folder, 'leak.md'));
    expect(await grep('.', { book_id: 'odd-book' })).toEqual([
      { warning: 'skipped', message: expect.stringContaining('2 files or folders could not be read') },
    ]);
  });

  it('counts a folder that is too deep to be opened, as glob_search does', async () => {
    sample.library.put(`books/deep-book/content${'/x'.repeat(70)}/01-a.md`, 'TODO');
    const warning = { warning: 'skipped', message: expect.stringMatching(/^1 .*books\/deep-book\/content\/x/) };
    expect(await grep('TODO', { book_id: 'deep-book' })).toEqual([warning]);
    expect(listOf(await sample.call('glob_search', { book_id: 'deep-book', pattern: '**' }))).toEqual([warning]);
  });

  it('sees whole characters, also where it looks around', async () => {
    sample.library.put('books/sign-book/content/01-P/01-C/01-a.md', '\ufeff# Title\n😀x\n');
    const lines = async (pattern: string): Promise<unknown[]> =>
      (await grep(pattern, { book_id: 'sign-book' })).map(hit => hit['line_number']);
    expect(await lines('^# Title')).toEqual([1]);
    expect(await lines('^.x')).toEqual([2]);
    expect(await lines('^.(?=x)')).toEqual([2]);
  });

  it('shows of a long line the part with the match', async () => {
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

  it.each(['[[:alpha:]]+(?=\\d)', '(?=a)\\Qa\\E', '(?=a)\\a', '(?=a)[[:^space:]]'])(
    'refuses %s, which would mean something else with lookaround',
    async pattern => {
      expect(errorOf(await sample.call('grep_search', { book_id: book, pattern }))['message']).toContain(
        'invalid_regex',
      );
    },
  );

  it.runIf(process.platform === 'linux')(
    'lets other calls in while a line takes long, and stops when it is cancelled',
    async () => {
      // What the pattern makes of this has a new state at every letter.
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

  it.each(['(a', '[z-a]', '*', 'a{2,1}', '(?<=a', '\\'])('refuses %s, which is no pattern', async pattern => {
    const error = errorOf(await sample.call('grep_search', { book_id: book, pattern }));
    expect(error).toMatchObject({ error: 'ValidationError', message: expect.stringContaining('invalid_regex') });
  });

  it.each([0, 1001, 1.5, -1, '5'])('refuses max_results %j', async max_results => {
    const error = errorOf(await sample.call('grep_search', { book_id: book, pattern: 'x', max_results }));
    expect(error).toMatchObject({ code: 'VALIDATION', message: expect.stringContaining('"max_results"') });
  });

  it('is not held up by patterns that explode elsewhere', async () => {
    sample.library.put('books/slow-book/content/01-P/01-C/01-a.md', `${'a'.repeat(5000)}!\n`);
    for (const pattern of ['(a+)+$', '(a|aa)+$', '(a*)*b', '(.*a){20}$', '(a{1,30}){1,30}$']) {
      expect(await grep(pattern, { book_id: 'slow-book' })).toEqual([]);
    }
  });

  it('stops a pattern that needs backtracking and explodes, and says so', async () => {
    const slow = { book_id: 'slow-book', pattern: '(?=a)(a+)+$' };
    expect(errorOf(await sample.call('grep_search', slow))['message']).toContain('too slow');
    sample.library.put('books/slow-book/content/01-P/01-C/00-first.md', 'aaa\n');
    const partial = await grep(slow.pattern, { book_id: 'slow-book' });
    expect(partial).toEqual([
      { file_path: 'books/slow-book/content/01-P/01-C/00-first.md', line_number: 1, matched_line: 'aaa' },
      { warning: 'timeout', message: expect.stringContaining('01-a.md') },
    ]);
    expect(await grep('TODO')).toHaveLength(2);
  });
});

describe('list_books', () => {
  const list = async (args: Record<string, unknown> = {}) => listOf(await sample.call('list_books', args));

  it('gives the folders that are books, sorted', async () => {
    sample.library.put('books/Bad_Book/content/x.md', 'x');
    sample.library.put('books/zz', 'a file');
    symlinkSync(path.join(sample.library.root, 'books', book), path.join(sample.library.root, 'books', 'a-link'));
    const ids = (await list()).map(item => item['book_id']);
    expect(ids).toContain(book);
    expect(ids).not.toContain('Bad_Book');
    expect(ids).not.toContain('zz');
    expect(ids).not.toContain('a-link');
    expect(ids).toEqual(ids.toSorted((one, other) => (String(one) < String(other) ? -1 : 1)));
    expect((await list())[0]).toEqual({ book_id: ids[0], storage_backend: 'fs' });
  });

  it('gives the structure of one book', async () => {
    expect(await list({ book_id: book, include_structure: 'all' })).toEqual([
      {
        book_id: book,
        storage_backend: 'fs',
        content: {
          parts: [
            {
              id: '01-Basics',
              files: ['README.md'],
              chapters: [
                { id: '01-Start', lessons: ['01-intro.md', '01-intro.summary.md', '02-more.md', 'README.md'] },
                { id: '02-End', lessons: ['01-bye.md'] },
              ],
            },
            { id: '02-Extra', chapters: [{ id: '01-Only', lessons: ['01-one.md'] }] },
          ],
        },
        assets: { images: ['one.png', 'two.png'], slides: ['deck/a.pdf'], videos: [], audio: [expect.any(String)] },
      },
    ]);
    const [content] = await list({ book_id: book, include_structure: 'content' });
    expect(Object.keys(content ?? {})).toEqual(['book_id', 'storage_backend', 'content']);
    const [assets] = await list({ book_id: book, include_structure: 'assets' });
    expect(Object.keys(assets ?? {})).toEqual(['book_id', 'storage_backend', 'assets']);
    expect(await list({ book_id: 'no-such-book' })).toEqual([]);
  });
});

it('list_books is empty in a library without books', async () => {
  using empty = await openSample();
  const { rmSync } = await import('node:fs');
  rmSync(path.join(empty.library.root, 'books'), { recursive: true });
  expect(listOf(await empty.call('list_books', {}))).toEqual([]);
});
