import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSample, type Sample } from './sample.ts';
import { notesOf, objectOf, textOf } from './support/answer.ts';
import { sha256 } from './support/library.ts';

const big = 'big-book';
const limit = 50_000;
const lessons = 1200;
const nameOf = (n: number): string =>
  `content/0${n % 4}-Part/0${n % 9}-Chapter/${String(n % 100).padStart(2, '0')}-a-lesson-with-a-long-name-${n}.md`;

let sample: Sample;
beforeAll(async () => {
  sample = await openSample();
  for (let n = 0; n < lessons; n++) sample.library.put(`books/${big}/${nameOf(n)}`, `# ${n}\nneedle ${n}\n`);
  for (let n = 0; n < 300; n++) sample.library.put(`books/${big}/static/img/picture-${n}.png`, `${n}`);
  for (let n = 0; n < 900; n++) sample.library.put(`books/${big}/content/wrong ${n}/x.md`, 'x');
});
afterAll(async () => await sample[Symbol.asyncDispose]());

type Args = Record<string, unknown>;

/** Requests all pages of a result and checks the size and the note of each page. */
async function pagesOf(tool: string, args: Args): Promise<Args[]> {
  const pages: Args[] = [];
  const isCut = !('limit' in args) && (args['scope'] === undefined || args['metadata_only'] === true);
  for (let after: unknown; pages.length < 100; ) {
    const result = await sample.call(tool, { book_id: big, ...args, ...(after !== undefined && { after }) });
    const page = objectOf(result);
    expect(textOf(result).length).toBeLessThanOrEqual(isCut ? limit + 1000 : Number.POSITIVE_INFINITY);
    pages.push(page);
    after = page['next_after'];
    const words = notesOf(result).join(' ');
    if (after === undefined) return pages;
    expect(words).toContain(JSON.stringify(after));
    expect(words).toMatch(/"after"/);
  }
  throw new Error('no end');
}

const lists = (pages: readonly Args[], name = 'result'): unknown[] =>
  pages.flatMap(page => (Array.isArray(page[name]) ? page[name] : []));

describe('a result list above the page size', () => {
  test.each([
    ['glob_search', { pattern: '**' }, lessons + 300 + 900],
    ['list_assets', {}, 300],
    ['read_content', { scope: 'book', metadata_only: true }, lessons + 900],
  ])('is returned in pages by %s without missing or duplicate items', async (tool, args, count) => {
    const pages = await pagesOf(tool, args);
    expect(pages.length).toBeGreaterThan(1);
    const items = lists(pages);
    expect(items).toHaveLength(count);
    expect(new Set(items.map(item => JSON.stringify(item))).size).toBe(count);
    expect(new Set(pages.map(page => page['total']))).toEqual(new Set([count]));
    const [whole] = await pagesOf(tool, { ...args, limit: 10_000 });
    expect(whole?.['result']).toEqual(items);
    const tens = await pagesOf(tool, { ...args, limit: 700 });
    expect(lists(tens)).toEqual(items);
  });

  test('is returned completely by read_content if the call has no limit', async () => {
    const whole = await pagesOf('read_content', { scope: 'book' });
    expect(whole.map(page => lists([page]).length)).toEqual([lessons + 900]);
  });

  test('ends at the requested number of matching lines, and the next page continues in the same file', async () => {
    sample.library.put('books/long-book/content/01-P/01-C/01-a.md', 'hit\n'.repeat(500));
    const long = { book_id: 'long-book', pattern: 'hit' };
    const first = await sample.call('grep_search', { ...long, max_results: 130 });
    expect(notesOf(first).join(' ')).toMatch(/^These are 130 hits, .* and with "max_results" for more at once[.]$/);
    const numbers = lists(await pagesOf('grep_search', { ...long, max_results: 130, limit: undefined })).map(
      hit => Object(hit)['line_number'] as unknown,
    );
    expect(numbers.filter(number => number !== undefined)).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
  });

  test('ends at 50,000 characters for matching lines of a search', async () => {
    sample.library.put('books/wide-book/content/01-P/01-C/01-a.md', `${'x'.repeat(999)}\n`.repeat(90));
    const pages = await pagesOf('grep_search', { book_id: 'wide-book', pattern: 'x' });
    expect(pages.length).toBeGreaterThan(1);
    expect(lists(pages).filter(hit => 'line_number' in Object(hit))).toHaveLength(90);
  });

  test('divides the structure of a book in list_books if it is too large for a page', async () => {
    const pages = await pagesOf('list_books', { include_structure: 'all' });
    const files = (kind: 'lessons' | 'images'): unknown[] => {
      const found: unknown[] = [];
      JSON.stringify(pages, (key, value: unknown) => {
        if (key === kind && Array.isArray(value)) found.push(...value);
        return value;
      });
      return found;
    };
    expect(new Set(files('lessons')).size).toBeGreaterThanOrEqual(lessons);
    expect(files('lessons')).toHaveLength(lessons);
    expect(files('images')).toHaveLength(300);
  });
});

describe('validate_book', () => {
  test('groups equal problems of a folder and returns the problems of all folders in pages', async () => {
    const book_id = 'same-book';
    for (let n = 0; n < 40; n++) sample.library.put(`books/${book_id}/content/01-P/01-C/lesson_${n}.md`, 'x');
    const [one] = await pagesOf('validate_book', { book_id });
    expect(one).toMatchObject({
      summary: { warning_count: 40 },
      warnings: [{ path: 'content/01-P/01-C/', count: 40, message: expect.stringContaining('40 files') }],
    });
    const pages = await pagesOf('validate_book', {});
    expect(pages.length).toBeGreaterThan(1);
    expect(new Set(lists(pages, 'errors').map(item => Object(item)['path'] as unknown)).size).toBe(900);
    expect(pages[0]).toMatchObject({ summary: { error_count: 900 } });
  });
});

describe('delta_build', () => {
  const since = '2020-01-01T00:00:00Z';

  test('returns the time and the manifest hash only with the last page, so that no change between two pages is lost', async () => {
    const first = objectOf(await sample.call('delta_build', { book_id: big, since, limit: 1000 }));
    expect(first).not.toHaveProperty('server_time');
    expect(first).not.toHaveProperty('manifest_hash');
    const edited = nameOf(7);
    await sample.call('write_content', {
      book_id: big,
      path: edited,
      content: 'edited in between',
      expected_hash: sha256('# 7\nneedle 7\n'),
    });
    const rest = await pagesOf('delta_build', { since, after: first['next_after'] });
    const pages = [first, ...rest];
    const seen = new Set(lists(pages, 'changed_files').map(item => String(Object(item)['path'])));
    const last = pages.at(-1) ?? {};
    const next = objectOf(await sample.call('delta_build', { book_id: big, since: last['server_time'] }));
    expect(lists([next], 'changed_files').map(item => Object(item)['path'] as unknown)).toEqual([edited]);
    seen.add(edited);
    expect(seen.size).toBe(lessons + 300 + 900);
    const target = { since: last['server_time'], target_manifest_hash: last['manifest_hash'] };
    expect(objectOf(await sample.call('delta_build', { book_id: big, ...target }))['manifest_delta']).toMatchObject({
      status: 'changed',
      changed_files: [
        { path: edited, sha256: sha256('edited in between'), previous_sha256: sha256('# 7\nneedle 7\n') },
      ],
    });
  });

  test('returns pages of 50,000 characters, also of deleted files and differences from a manifest', async () => {
    const pages = await pagesOf('delta_build', { since, target_manifest_hash: '0'.repeat(64) });
    expect(lists(pages, 'changed_files')).toHaveLength(lessons + 300 + 900);
    const differing = pages.flatMap(page => lists([Object(page['manifest_delta'])], 'changed_files'));
    expect(differing).toHaveLength(lessons + 300 + 900);
    expect(pages.slice(0, -1).every(page => !('server_time' in page))).toBe(true);
    expect(pages.at(-1)).toHaveProperty('server_time');
  });

  test('rejects a cursor that it did not return', async () => {
    const result = await sample.call('delta_build', { book_id: big, since, after: 'content/x.md' });
    expect(result).toMatchObject({ isError: true });
  });
});
