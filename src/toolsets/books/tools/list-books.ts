import * as v from 'valibot';
import { treatEmptyStringAsAbsent } from '../../../toolset/argument.ts';
import { createListResult, listPageFields, ResultListPage } from '../answer/page.ts';
import { defineBookTool } from '../library/book-tool.ts';
import type { Library } from '../library/library.ts';
import { PagedListCache } from '../library/list-cache.ts';
import { BookId, CursorArgument, LimitArgument } from '../model/arguments.ts';
import { compareCodePoints, removeBookPrefixOfKey } from '../model/key.ts';
import { createMissingBookFailure } from '../model/refusal.ts';
import { AssetStructure, buildAssetStructure, buildContentStructure, ContentStructure } from '../model/structure.ts';

const structures = ['none', 'content', 'assets', 'all'] as const;
type Structure = (typeof structures)[number];

const Book = v.strictObject({
  book_id: v.string(),
  storage_backend: v.string(),
  error: v.optional(v.string()),
  content: v.optional(ContentStructure),
  assets: v.optional(AssetStructure),
  is_partial: v.optional(v.boolean()),
});
type Book = v.InferInput<typeof Book>;

export const listBooks = defineBookTool({
  name: 'list_books',
  title: 'List books',
  description:
    'Returns the books of the library; with include_structure also their parts, chapters and lessons ("content"), their assets ("assets": images, slides, videos, audio, other) or both ("all"). Start here.',
  input: v.strictObject({
    include_structure: v.optional(v.pipe(v.picklist(structures), treatEmptyStringAsAbsent()), 'none'),
    book_id: v.optional(v.pipe(BookId, treatEmptyStringAsAbsent(), v.description('Only this book'))),
    limit: v.optional(LimitArgument),
    after: v.optional(CursorArgument),
  }),
  output: v.strictObject({
    result: v.array(Book),
    ...listPageFields,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  about: ({ book_id: book }) => ({ book }),
  async run({ library, signal }, args) {
    const { include_structure, book_id, limit, after = '' } = args;
    const books = (await library.files.books()).filter(book => book_id === undefined || book === book_id);
    if (book_id !== undefined && books.length === 0) throw createMissingBookFailure(book_id);
    const [lastBook = '', ...lastFile] = after.split('/');
    const known = await lists.get(library, args, async () => new Map());
    const page = new ResultListPage<Book>({ limit });
    let next: string | undefined;
    let last = after;
    for (const book of books) {
      const isCutHere = lastFile.length > 0 && book === lastBook;
      if (compareCodePoints(book, lastBook) <= 0 && !isCutHere) continue;
      signal.throwIfAborted();
      const contents =
        known.get(book) ?? (await contentsOf(library, book, include_structure, book_id === undefined, signal));
      known.clear();
      const lastPath = isCutHere ? lastFile.join('/') : '';
      const paths = contents.paths.filter(path => compareCodePoints(path, lastPath) > 0);
      const rest = { ...contents, paths, isPartial: isCutHere };
      const added = addBook(page, library.storage.backend, rest, include_structure);
      if (added === 'all') last = book;
      else {
        next = added === undefined ? last : `${book}/${added}`;
        known.set(book, contents);
        break;
      }
    }
    return { answer: createListResult(page, { total: books.length, what: 'books', next }) };
  },
});

/** Caches the file list of a book that did not fit on the page, because the next page needs it. */
const lists = new PagedListCache<Map<string, Contents>>(known => {
  let count = 0;
  for (const { paths } of known.values()) count += paths.length;
  return count;
});

interface Contents {
  book: string;
  /** The paths of the book's files, sorted. */
  paths: string[];
  unreadable: string[];
  isOpen: boolean;
  /** True if the first files of the book are on an earlier page. */
  isPartial?: boolean;
}

async function contentsOf(
  { files }: Library,
  book: string,
  structure: Structure,
  isOneOfMany: boolean,
  signal: AbortSignal,
): Promise<Contents> {
  const contents: Contents = { book, paths: [], unreadable: [], isOpen: true };
  if (structure === 'none') return contents;
  // A book that cannot be read is skipped in a list of many books.
  const entries = await files.baseFiles(book, isOneOfMany, signal);
  if (entries === undefined) return { ...contents, isOpen: false };
  for (const { key, kind, unreadable } of entries) {
    if (unreadable !== undefined) contents.unreadable.push(key);
    else if (kind === 'file' && isShown(removeBookPrefixOfKey(book, key), structure))
      contents.paths.push(removeBookPrefixOfKey(book, key));
  }
  return contents;
}

function isShown(path: string, structure: Structure): boolean {
  return structure === 'all' || path.startsWith(structure === 'content' ? 'content/' : 'static/');
}

/**
 * Adds a book to the page. Returns 'all' if the book fits, and undefined if it does not. If the page is empty, adds as
 * many files of the book as fit, and returns the last of them.
 */
function addBook(
  page: ResultListPage<Book>,
  backend: string,
  contents: Contents,
  structure: Structure,
): string | undefined {
  if (page.add(itemOf(backend, contents, structure, contents.paths.length))) return 'all';
  if (page.items.length > 0) return undefined;
  let [fitting, tooMany] = [1, contents.paths.length];
  while (tooMany - fitting > 1) {
    const middle = (fitting + tooMany) >> 1;
    if (page.hasRoomFor(itemOf(backend, contents, structure, middle))) fitting = middle;
    else tooMany = middle;
  }
  page.add(itemOf(backend, contents, structure, fitting));
  return contents.paths[fitting - 1];
}

function itemOf(backend: string, contents: Contents, structure: Structure, count: number): Book {
  const { book, unreadable, isOpen } = contents;
  const paths = contents.paths.slice(0, count);
  const base = { book_id: book, storage_backend: backend };
  if (!isOpen) return { ...base, error: 'It cannot be opened.' };
  const shownClosed = `${unreadable.slice(0, 10).join(', ')}${unreadable.length > 10 ? ', …' : ''}`;
  return {
    ...base,
    ...(unreadable.length > 0 && { error: `Cannot be opened: ${shownClosed}` }),
    ...(['content', 'all'].includes(structure) && { content: buildContentStructure(paths) }),
    ...(['assets', 'all'].includes(structure) && { assets: buildAssetStructure(paths) }),
    ...((contents.isPartial === true || count < contents.paths.length) && { is_partial: true }),
  };
}
