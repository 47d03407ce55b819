import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OpenedToolset } from '../../../src/toolset/toolset.ts';
import { firstChainHash, JournalState } from '../../../src/toolsets/books/model/journal.ts';
import { JournalRecordChain } from '../../../src/toolsets/books/model/record-chain.ts';
import { segmentOf, sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';
import { callBooks, openBooks } from './support/open-books.ts';

const chapter = 'content/01-Part/01-Chapter';

let library: TemporaryLibrary;
let opened: OpenedToolset;
beforeAll(async () => {
  library = temporaryLibrary('memory');
  // All files of "abc-d" come before those of "abc", because "-" comes before "/".
  for (const book of ['abc', 'abc-d', 'abd']) {
    for (const name of ['01-a.md', '02-b.md', '03-c.mdx', '04-d.txt', '01-same.md'])
      library.put(`books/${book}/${chapter}/${name}`, `# ${name}\nneedle\nhay\nneedle ${book}\n`, 1_600_000_000_000);
    library.put(`books/${book}/${chapter}/02-C/deep.md`, 'needle', 1_600_000_001_000);
    library.put(`books/${book}/content/README.md`, 'hay', 1_600_000_001_000);
    for (const name of ['a.png', 'b/c.png', 'd.png'])
      library.put(`books/${book}/static/img/${name}`, name, 1_600_000_002_000);
    library.put(`books/${book}/static/videos/e.mp4`, 'e', 1_600_000_003_000);
    library.put(`books/${book}/users/ada/${chapter}/02-b.md`, 'needle of ada', 1_600_000_004_000);
    library.put(`books/${book}/users/ada/${chapter}/09-own.md`, 'needle of ada', 1_600_000_004_000);
  }
  opened = await openBooks(library.root, { 'books-extras': true });
});
afterAll(async () => {
  await opened.close();
  library[Symbol.dispose]();
});

type Result = Readonly<Record<string, unknown>>;

const listIn = (result: Result, ...fields: readonly string[]): unknown[] =>
  fields.flatMap(field => {
    const list = field.split('.').reduce<unknown>((value, name) => Object(value)[name], result);
    return Array.isArray(list) ? list : [];
  });

/** Requests all pages. With `isNew`, another server answers each request, so that no list is cached. */
async function pagesOf(tool: string, args: object, isNew: boolean): Promise<Result[]> {
  const pages: Result[] = [];
  for (let after: unknown; pages.length < 100; ) {
    const own = isNew ? await openBooks(library.root, { 'books-extras': true }) : opened;
    const page = await callBooks(own, tool, { ...args, ...(after !== undefined && { after }) });
    if (isNew) await own.close();
    pages.push(page);
    after = page['next_after'];
    if (after === undefined) return pages;
  }
  throw new Error('the last page is missing');
}

const since = '2020-01-01T00:00:00Z';
const lists: [tool: string, args: Record<string, unknown>, count: number, fields: string[], sizeName?: string][] = [
  ['glob_search', { book_id: 'abc', pattern: '**' }, 11, ['result']],
  ['glob_search', { book_id: 'abc', pattern: '**/*.md', all_books: true }, 15, ['result']],
  ['glob_search', { book_id: 'abc', pattern: 'none' }, 0, ['result']],
  ['list_assets', { book_id: 'abc' }, 4, ['result']],
  ['list_assets', { book_id: 'abc', asset_type: 'images' }, 3, ['result']],
  ['read_content', { book_id: 'abc', path: '', scope: 'book', metadata_only: true }, 6, ['result']],
  ['read_content', { book_id: 'abc', path: '', scope: 'book', user_id: 'ada' }, 7, ['result']],
  ['read_content', { book_id: 'abc', path: `${chapter}/`, scope: 'chapter', metadata_only: true }, 4, ['result']],
  ['list_books', {}, 3, ['result']],
  ['list_books', { include_structure: 'all' }, 3, ['result']],
  ['validate_book', { book_id: 'abc' }, 5, ['errors', 'warnings']],
  ['validate_book', { book_id: 'abc', include_warnings: false }, 1, ['errors', 'warnings']],
  ['delta_build', { book_id: 'abc', since, user_id: 'ada' }, 13, ['changed_files', 'deleted_files']],
  [
    'delta_build',
    { book_id: 'abc', since, target_manifest_hash: '0'.repeat(64) },
    22,
    ['changed_files', 'deleted_files', 'manifest_delta.changed_files', 'manifest_delta.deleted_files'],
  ],
];

test.each(lists)(
  'the pages of %s with %j are slices of its %i items for each page size',
  async (tool, args, count, fields) => {
    const whole = listIn(await callBooks(opened, tool, args), ...fields);
    expect(whole).toHaveLength(count);
    for (let limit = 1; limit <= count + 1; limit += limit > 1 && count > 6 ? 9 : 1) {
      const pages = await pagesOf(tool, { ...args, limit }, limit === 2);
      expect([limit, pages.length]).toEqual([limit, Math.max(1, Math.ceil(count / limit))]);
      for (const field of fields)
        expect(pages.flatMap(page => listIn(page, field))).toEqual(listIn(await callBooks(opened, tool, args), field));
      expect(pages.slice(0, -1).every(page => listIn(page, ...fields).length === limit)).toBe(true);
    }
  },
);

test.each([
  [{ pattern: '^needle', all_books: true }, 27],
  [{ pattern: 'none' }, 0],
])('the pages of grep_search with %j are slices of its %i matches', async (args, count) => {
  const call = { book_id: 'abc', ...args };
  const hitsOf = (page: Result): unknown[] =>
    listIn(page, 'result').filter(hit => Object(hit)['warning'] === undefined);
  const whole = hitsOf(await callBooks(opened, 'grep_search', call));
  expect(whole).toHaveLength(count);
  for (const limit of [9, count].filter(size => size > 0)) {
    const pages = await pagesOf('grep_search', { ...call, max_results: limit }, limit === 9);
    expect(pages.flatMap(hitsOf)).toEqual(whole);
    expect([limit, pages.length]).toEqual([limit, Math.max(1, Math.ceil(count / limit))]);
  }
});

test.each([200, 201])('the history of a file with %i changes lists the newest 200', async count => {
  using own = temporaryLibrary('memory');
  const path = `${chapter}/01-a.md`;
  const facts = {
    kind: 'external',
    agent: 'ada',
    operation: 'external',
    path,
    user: '__base__',
    status: 'success',
  } as const;
  const chain = new JournalRecordChain({ state: new JournalState(), chain: firstChainHash }, 'abc', 'fs', 1000);
  chain.add(Array.from({ length: count }, (_, index) => ({ ...facts, prev: null, new: sha256(`${index + 1}`) })));
  own.put(`books/abc/${path}`, `${count}`);
  own.put(segmentOf('abc'), chain.bytes);
  const server = await openBooks(own.root, { 'books-extras': true });
  const { total, changes } = await callBooks(server, 'get_history', { book_id: 'abc', path });
  await server.close();
  const listed = listIn({ changes }, 'changes').map(item => Object(item)['hash']);
  expect([total, listed.length, listed[0], listed.at(-1)]).toEqual([
    count,
    200,
    sha256(`${count}`),
    sha256(`${count - 199}`),
  ]);
});
