import * as v from 'valibot';
import { removeInvisibleCharacters } from '../../../text/invisible.ts';
import { createListResult, fillListPage, listPageFields, ResultListPage } from '../answer/page.ts';
import { defineBookTool } from '../library/book-tool.ts';
import type { Library } from '../library/library.ts';
import { PagedListCache } from '../library/list-cache.ts';
import { BookId, BooleanArgument, CursorArgument, LimitArgument } from '../model/arguments.ts';
import { createGlobMatcher } from '../model/glob.ts';
import { compareCodePoints, storageKeyOfBook } from '../model/key.ts';

const Skipped = v.strictObject({ warning: v.string(), message: v.string() });
type Found = string | v.InferInput<typeof Skipped>;

const lists = new PagedListCache<FoundKeys>(({ found }) => found.length);

export const globSearch = defineBookTool({
  name: 'glob_search',
  title: 'Find files by name',
  description:
    "Returns the full keys (books/<book>/…) of files whose path inside the book matches a pattern, sorted. * stays within a folder, ** crosses folders; also ?, [abc] and {a,b}. A pattern that begins with books/ is matched against the full key. A last item with 'warning' says what could not be looked into. Users' own versions are not searched. To search the text of lessons use grep_search.",
  input: v.strictObject({
    book_id: BookId,
    pattern: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(255, 'must have 255 characters at most'),
      v.description('Such as content/**/*.summary.md'),
    ),
    all_books: v.optional(
      v.pipe(BooleanArgument, v.description('Searches every book; book_id is then not used')),
      false,
    ),
    limit: v.optional(LimitArgument),
    after: v.optional(CursorArgument),
  }),
  output: v.strictObject({
    result: v.array(v.union([v.string(), Skipped])),
    ...listPageFields,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  about: ({ book_id, all_books }) => ({ book: all_books ? undefined : book_id }),
  async run({ library, signal }, args) {
    const { book_id, pattern, all_books, limit, after = '' } = args;
    const list = await lists.get(library, args, async () => {
      const matches = await createGlobMatcher(pattern, all_books ? undefined : book_id);
      return await search(library, all_books ? undefined : book_id, matches, signal, after);
    });
    const { found, unreadable } = list;
    const page = new ResultListPage<Found>({ limit });
    const next = await fillListPage(page, found.slice(firstBehind(found, after)), String, after);
    if (unreadable.length > 0 && next === undefined) {
      const message = `${unreadable.length} unreadable folders or files with invalid names were left out; the first is ${removeInvisibleCharacters(unreadable[0] ?? '')}.`;
      page.addLast({ warning: 'skipped', message });
    }
    const total = list.isComplete ? found.length : undefined;
    const answer = createListResult(page, { total, what: 'files', next });
    return { answer, status: unreadable.length === 0 ? 'success' : 'partial' };
  },
});

interface FoundKeys {
  /** The keys that match the pattern, sorted. */
  found: string[];
  /** The keys of folders and files that cannot be read. */
  unreadable: string[];
  /** False if the list starts after a cursor instead of the first key. */
  isComplete: boolean;
}

async function search(
  { files }: Library,
  book: string | undefined,
  matches: (key: string) => boolean,
  signal: AbortSignal,
  after: string,
): Promise<FoundKeys> {
  const list: FoundKeys = { found: [], unreadable: [], isComplete: after === '' };
  for (const name of await files.searchedBooks(book, after)) {
    signal.throwIfAborted();
    const entries = await files.baseFiles(name, book === undefined, signal, after);
    if (entries === undefined) list.unreadable.push(storageKeyOfBook(name));
    for (const { key, kind, unreadable } of entries ?? []) {
      if (unreadable !== undefined) list.unreadable.push(key);
      else if (kind === 'file' && matches(key)) list.found.push(key);
    }
  }
  return list;
}

/** Returns the index of the first key after the cursor. */
function firstBehind(keys: readonly string[], after: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareCodePoints(keys[middle] ?? '', after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
