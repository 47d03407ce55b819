import { describe, expect, test } from 'vitest';
import {
  createListResult,
  createNextPageNote,
  createObjectResult,
  createOtherFilesNote,
  exceedsResponseLimit,
  fillListPage,
  ResultListPage,
} from '../../../src/toolsets/books/answer/page.ts';

/** The size of this item in a response is 2n + 10: its JSON, its JSON as a string, and two commas. */
const textOf = (length: number): string => 'x'.repeat(length);
/** The longest text for which the response has at most 9.5 MiB, without the 64 KiB for its frame. */
const longest = (9.5 * 1024 * 1024 - 65_536 - 10) / 2;

function addAll(page: ResultListPage<string>, texts: readonly string[]): boolean[] {
  return texts.map(text => page.add(text));
}

describe('ResultListPage', () => {
  test('ends at 50,000 characters, which include quotation marks and commas', () => {
    const page = new ResultListPage<string>({});
    expect(addAll(page, [textOf(24_997), textOf(24_998), textOf(24_997), ''])).toEqual([true, false, true, false]);
    expect([page.count, page.text.length]).toEqual([2, 50_001]);
  });

  test('ends at the limit of the caller, and then not at 50,000 characters', () => {
    const page = new ResultListPage<string>({ limit: 2 });
    expect(addAll(page, [textOf(60_000), 'a', 'b'])).toEqual([true, true, false]);
    expect(page.hasRoomFor('b')).toBe(false);
  });

  test('has no item that makes the response larger than 9.5 MiB', () => {
    const page = new ResultListPage<string>({ isWhole: true });
    expect(addAll(page, [textOf(longest + 1)])).toEqual([false]);
    expect(page.hasRoomFor(textOf(longest))).toBe(true);
    expect(addAll(page, [textOf(longest / 2 - 1_000), textOf(longest / 2 + 1_000)])).toEqual([true, false]);
    expect(addAll(page, [textOf(Math.floor(longest / 2) + 995), 'a'])).toEqual([true, false]);
  });

  test('contains a last item, for which the caller has reserved space, but does not count it', () => {
    const page = new ResultListPage<string>({ limit: 1 });
    page.add('a');
    page.addLast('b');
    expect([page.items, page.count, page.text]).toEqual([['a', 'b'], 1, '["a","b"]']);
  });
});

test.each([
  [longest + 1, false],
  [longest + 2, true],
])('a text of %i characters exceeds the limit of a response: %s', (length, isTooLarge) => {
  expect(exceedsResponseLimit(textOf(length), length)).toBe(isTooLarge);
  expect(exceedsResponseLimit(textOf(length), 10)).toBe(false);
});

test('createObjectResult rejects an object that takes more than 9.5 MiB in a response', () => {
  const largest = (9.5 * 1024 * 1024 - 8) / 2;
  expect(createObjectResult(textOf(largest)).text).toHaveLength(largest + 2);
  expect(() => createObjectResult(textOf(largest + 1))).toThrow('The result would have 10 MiB');
  expect(createObjectResult({ a: 1 }, { notes: ['note'], links: [] })).toEqual({
    text: '{"a":1}',
    structured: { a: 1 },
    notes: ['note'],
    links: [],
  });
});

test('fillListPage returns the cursor of the last item on the page if the list has more items', async () => {
  const fill = async (items: string[], limit: number, isAsync: boolean): Promise<unknown> => {
    const page = new ResultListPage<string>({ limit });
    async function* generate(): AsyncGenerator<string> {
      yield* items;
    }
    const next = await fillListPage(page, isAsync ? generate() : items, item => `after ${item}`, 'start');
    return [page.items, next];
  };
  for (const isAsync of [true, false]) {
    expect(await fill(['a', 'b', 'c'], 2, isAsync)).toEqual([['a', 'b'], 'after b']);
    expect(await fill(['a', 'b'], 2, isAsync)).toEqual([['a', 'b'], undefined]);
    expect(await fill(['a', 'b'], 0, isAsync)).toEqual([[], 'start']);
    expect(await fill([], 0, isAsync)).toEqual([[], undefined]);
  }
});

test('the result of a list states the number of items and the cursor of the next page', () => {
  const page = new ResultListPage<string>({});
  page.add('a');
  expect(createListResult(page, { what: 'files' })).toEqual({ text: '["a"]', structured: { result: ['a'] } });
  const note =
    'These are 1 of 3 files, and not the last: call again with "after": "n" for the next ones, and with "limit" for more at once.';
  expect(createListResult(page, { what: 'files', total: 3, next: 'n', notes: ['other'] })).toEqual({
    text: '["a"]',
    structured: { result: ['a'], total: 3, next_after: 'n' },
    notes: [note, 'other'],
  });
  expect(createNextPageNote(2, { what: 'lines', next: 'n', moreBy: 'max' })).toContain('These are 2 lines, and');
  expect([0, 1, 2].map(createOtherFilesNote)).toEqual([
    [],
    ['1 file beside the lessons is not Markdown and not in this answer; glob_search lists them.'],
    ['2 files beside the lessons are not Markdown and not in this answer; glob_search lists them.'],
  ]);
});
