import * as v from 'valibot';
import { removeInvisibleCharacters } from '../../../text/invisible.ts';
import { acceptConvertibleTypes } from '../../../toolset/argument.ts';
import { createListResult, createOtherFilesNote, maxResultSizeMetadata, ResultListPage } from '../answer/page.ts';
import { type BookToolContext, type BookToolResult, defineBookTool } from '../library/book-tool.ts';
import { PagedListCache } from '../library/list-cache.ts';
import { BookId, BooleanArgument, CursorArgument } from '../model/arguments.ts';
import { compareCodePoints, isBookSortedBeforeKey, storageKeyOfBook } from '../model/key.ts';
import { isMarkdownPath, isNonTextContentFile } from '../model/path.ts';
import { type FileHits, findMatchingLines } from '../search/file-hits.ts';
import { type LineFinder, startLineFinder } from '../search/line-finder.ts';
import type { StorageEntry } from '../storage/file-storage.ts';

const Hit = v.strictObject({
  file_path: v.optional(v.string()),
  line_number: v.optional(v.pipe(v.number(), v.integer())),
  matched_line: v.optional(v.string()),
  warning: v.optional(v.string()),
  message: v.optional(v.string()),
});
type Hit = v.InferInput<typeof Hit>;

const output = v.strictObject({ result: v.array(Hit), next_after: v.optional(v.string()) });

const standardResults = 100;

const lists = new PagedListCache<SearchedBooks>(({ entries }) => {
  let count = 0;
  for (const files of entries.values()) count += files?.length ?? 0;
  return count;
});

export const grepSearch = defineBookTool({
  name: 'grep_search',
  title: 'Search text',
  description:
    'Returns the lines of Markdown files (.md, .mdx) that match a regular expression (RE2 syntax, case-sensitive; (?i) ignores case): file_path, line_number from 1, matched_line. One hit per line; a line beyond 1,000 characters is cut around its match, with …. A last item with "warning" says when there is more, or what could not be read. Users\' own versions are not searched.',
  input: v.strictObject({
    book_id: BookId,
    pattern: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(500, 'must have 500 characters at most'),
    ),
    all_books: v.optional(
      v.pipe(BooleanArgument, v.description('Searches every book; book_id is then not used')),
      false,
    ),
    max_results: v.optional(
      v.pipe(
        v.number(),
        acceptConvertibleTypes(),
        v.integer('must be a whole number'),
        v.minValue(1, 'must be 1 or more'),
        v.maxValue(1000, 'must be 1000 or less'),
        v.description('Left out: 100, or 50,000 characters'),
      ),
    ),
    after: v.optional(CursorArgument),
  }),
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  meta: maxResultSizeMetadata,
  about: ({ book_id, all_books }) => ({ book: all_books ? undefined : book_id }),
  async run(context, args): Promise<BookToolResult<typeof output>> {
    const { library, signal } = context;
    return await library.searchSlots.run(signal, async () => {
      const files = await lists.get(library, args, async () => await listBooks(context, args));
      const finder = await startLineFinder(args.pattern, signal);
      try {
        return await new Search(context, finder, args).run(files);
      } finally {
        await finder.close();
      }
    });
  },
});

interface SearchArgs {
  book_id: string;
  all_books: boolean;
  max_results?: number | undefined;
  after?: string | undefined;
}

/** The books that are searched, and their files as far as they were listed. */
interface SearchedBooks {
  names: string[];
  /** The key of the file at which the search continues. */
  after: string;
  entries: Map<string, StorageEntry[] | undefined>;
}

async function listBooks(
  { library: { files } }: BookToolContext,
  { all_books, book_id, after }: SearchArgs,
): Promise<SearchedBooks> {
  const { key } = readCursor(after);
  const names = await files.searchedBooks(all_books ? undefined : book_id, key);
  return { names, after: key, entries: new Map() };
}

interface Cursor {
  key: string;
  /** The number of the last line that was shown, or infinity if the file was searched completely. */
  line: number;
}

/** Parses a cursor: `key:line` continues after a line of a file, `key` alone after the file. */
function readCursor(after = ''): Cursor {
  const [, key = after, line] = /^(.*):(\d{1,9})$/s.exec(after) ?? [];
  return { key, line: line === undefined ? Number.POSITIVE_INFINITY : Number(line) };
}

/** One call of the search, and the matching lines that it has found so far. */
class Search {
  readonly #context: BookToolContext;
  readonly #finder: LineFinder;
  readonly #args: SearchArgs;
  readonly #limit: number;
  readonly #page: ResultListPage<Hit>;
  readonly #start: Cursor;
  readonly #skipped: string[] = [];
  #otherFiles = 0;
  /** The cursor at which the next page starts. */
  #next: string | undefined;
  /** The number of invisible characters that were removed from matching lines. */
  #removed = 0;

  constructor(context: BookToolContext, finder: LineFinder, args: SearchArgs) {
    this.#context = context;
    this.#finder = finder;
    this.#args = args;
    this.#limit = args.max_results ?? standardResults;
    this.#page = new ResultListPage({ limit: args.max_results });
    this.#start = readCursor(args.after);
  }

  async run(books: SearchedBooks): Promise<BookToolResult<typeof output>> {
    for (const name of books.names) {
      if (isBookSortedBeforeKey(name, this.#start.key)) continue;
      const entries = await this.#entriesOf(name, books);
      if (entries === undefined) this.#skipped.push(storageKeyOfBook(name));
      const end = await this.#searchFiles((entries ?? []).filter(entry => this.#isSearched(entry)));
      if (end !== undefined) return end;
    }
    const notes = [...this.#removedNote(), ...createOtherFilesNote(this.#otherFiles)];
    if (this.#skipped.length === 0) return { answer: createListResult(this.#page, { what: 'hits', notes }) };
    const count = this.#skipped.length;
    const first = removeInvisibleCharacters(this.#skipped[0] ?? '');
    return this.#ended('skipped', `${count} files or folders could not be read as text, the first is ${first}.`, notes);
  }

  async #entriesOf(name: string, { entries, after }: SearchedBooks): Promise<StorageEntry[] | undefined> {
    if (entries.has(name)) return entries.get(name);
    const { library, signal } = this.#context;
    signal.throwIfAborted();
    // The listing starts with a key that is shorter than that of the cursor, because the file of the cursor may have
    // more matching lines.
    const start = after.slice(0, -1);
    const found = await library.files.baseFiles(name, this.#args.all_books, signal, start);
    entries.set(name, found);
    return found;
  }

  #isSearched({ key, unreadable }: StorageEntry): boolean {
    const { key: start, line } = this.#start;
    const order = compareCodePoints(key, start);
    if (order < 0 || (order === 0 && line === Number.POSITIVE_INFINITY)) return false;
    if (unreadable !== undefined || isMarkdownPath(key)) return true;
    if (isNonTextContentFile(key)) this.#otherFiles++;
    return false;
  }

  /**
   * Searches files until the page is full. The search finds one more match than the page can show, to know whether
   * there is a next page.
   */
  async #searchFiles(entries: readonly StorageEntry[]): Promise<BookToolResult<typeof output> | undefined> {
    const { library, signal } = this.#context;
    for await (const { key, hits } of findMatchingLines(library.storage, entries, signal, this.#find)) {
      signal.throwIfAborted();
      if (hits === 'stopped') return this.#timedOut(key);
      if (hits === 'noText') this.#skipped.push(key);
      for (const { number, shown, removed } of hits === 'noText' ? [] : hits) {
        const isFull = this.#page.items.length === this.#limit;
        const hit = { file_path: key, line_number: number, matched_line: shown };
        if (isFull || !this.#page.add(hit)) {
          const count = isFull ? `more than ${this.#limit} matches` : 'more matches than fit into an answer';
          const message = `There are ${count}. Use a narrower pattern, continue with "after", or raise max_results.`;
          return this.#ended('truncated', message, this.#removedNote(), this.#next);
        }
        this.#next = `${key}:${number}`;
        this.#removed += removed;
      }
      this.#next = key;
    }
    return undefined;
  }

  readonly #find = async (key: string, bytes: Buffer): Promise<FileHits> =>
    await this.#finder.find(bytes, this.#limit + 1, key === this.#start.key ? this.#start.line : 0);

  /**
   * Creates the result after the time limit. The result has no cursor if no file was searched completely, because the
   * next call would stop at the same file.
   */
  #timedOut(key: string): BookToolResult<typeof output> {
    const message = `The search took too long and was stopped in ${removeInvisibleCharacters(key)}.`;
    const advice = this.#next === undefined ? 'Use a simpler pattern.' : 'Continue with "after".';
    return this.#ended('timeout', `${message} ${advice}`, this.#removedNote(), this.#next);
  }

  #removedNote(): string[] {
    if (this.#removed === 0) return [];
    const characters = this.#removed === 1 ? 'character was' : 'characters were';
    return [
      `${this.#removed} invisible ${characters} removed from the matched lines; read_content returns the exact text.`,
    ];
  }

  #ended(warning: string, message: string, notes: string[], next?: string): BookToolResult<typeof output> {
    this.#page.addLast({ warning, message });
    const rest = next === undefined ? { notes: [message, ...notes] } : { next, moreBy: 'max_results', notes };
    return { answer: createListResult(this.#page, { what: 'hits', ...rest }), status: 'partial' };
  }
}
