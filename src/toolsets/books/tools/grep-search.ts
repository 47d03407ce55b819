import * as v from 'valibot';
import { loose } from '../../../argument.ts';
import { Failure } from '../../../failure.ts';
import { defineTool } from '../../../toolset.ts';
import { type Door, perform } from '../io/book-tool.ts';
import type { Library } from '../io/library.ts';
import { type LineFinder, openLineFinder } from '../io/search/line-finder.ts';
import type { LineHit } from '../io/search/line-messages.ts';
import { searchedBooks, searchedEntries } from '../io/store/books.ts';
import type { Entry, Storage } from '../io/store/storage.ts';
import { maxTextBytes } from '../io/store/text-file.ts';
import { BookId, Switch } from '../model/arguments.ts';
import { bookKey } from '../model/key.ts';
import { refusal } from '../model/refusal.ts';
import { listAnswer } from '../text.ts';

const Item = v.looseObject({
  file_path: v.optional(v.string()),
  line_number: v.optional(v.number()),
  matched_line: v.optional(v.string()),
  warning: v.optional(v.string()),
  message: v.optional(v.string()),
});
type Item = v.InferInput<typeof Item>;

export const grepSearch = defineTool({
  name: 'grep_search',
  title: 'Search text',
  description:
    'Returns the lines of Markdown files that match a regular expression (RE2 syntax, case-sensitive; (?i) ignores case): file_path, line_number from 1, matched_line. One hit per line; a line beyond 1,000 characters is cut around its match, with …. A last item with "warning" says when there is more, or what could not be read. Users\' own versions are not searched.',
  input: v.strictObject({
    book_id: BookId,
    pattern: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(500, 'must have 500 characters at most'),
    ),
    all_books: v.optional(v.pipe(Switch, v.description('Searches every book; book_id is then not used')), false),
    max_results: v.optional(
      v.pipe(
        v.number(),
        loose(),
        v.integer('must be a whole number'),
        v.minValue(1, 'must be 1 or more'),
        v.maxValue(1000, 'must be 1000 or less'),
      ),
      100,
    ),
  }),
  output: v.strictObject({
    result: v.array(Item),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id, pattern, all_books, max_results }, door: Door, call) {
    const task = { operation: 'grep_search', book: all_books ? undefined : book_id };
    return await perform(door, call, task, async library => {
      const books = await searchedBooks(library.storage, book_id, all_books);
      return await library.searches.take(call.signal, async () => {
        const finder = await openLineFinder(pattern, call.signal);
        try {
          const { items, isComplete } = await search(library, books, finder, max_results, call.signal);
          return { answer: listAnswer(items), status: isComplete ? 'success' : 'partial' };
        } finally {
          await finder.close();
        }
      });
    });
  },
});

async function search(
  { storage }: Library,
  books: readonly string[],
  finder: LineFinder,
  limit: number,
  signal: AbortSignal,
): Promise<{ items: Item[]; isComplete: boolean }> {
  const items: Item[] = [];
  const skipped: string[] = [];
  const partial = (warning: string, message: string): { items: Item[]; isComplete: boolean } => ({
    items: [...items, { warning, message }],
    isComplete: false,
  });
  for (const book of books) {
    const entries = await searchedEntries(storage, book, books.length > 1);
    if (entries === undefined) skipped.push(bookKey(book));
    const searched = (entries ?? []).filter(({ key, closed }) => key.endsWith('.md') || closed !== undefined);
    // One more than asked for, to know whether there is more.
    for await (const { key, hits } of hitsIn(storage, searched, finder, limit + 1)) {
      signal.throwIfAborted();
      if (hits === 'stopped') {
        if (!finder.isLinear && items.length === 0) throw tooSlow(key);
        return partial('timeout', `The search took too long and was stopped in ${key}.`);
      }
      if (hits === 'noText') skipped.push(key);
      for (const { number, shown } of hits === 'noText' ? [] : hits) {
        if (items.length === limit) {
          return partial(
            'truncated',
            `There are more than ${limit} matches. Use a narrower pattern or raise max_results.`,
          );
        }
        items.push({ file_path: key, line_number: number, matched_line: shown });
      }
    }
  }
  if (skipped.length === 0) return { items, isComplete: true };
  return partial(
    'skipped',
    `${skipped.length} files or folders could not be read as text, the first is ${skipped[0]}.`,
  );
}

interface FileHits {
  key: string;
  hits: LineHit[] | 'noText' | 'stopped';
}

/** Reads one file while the thread is still at the one before. */
async function* hitsIn(
  storage: Storage,
  entries: readonly Entry[],
  finder: LineFinder,
  limit: number,
): AsyncGenerator<FileHits> {
  let before: { key: string; hits: Promise<FileHits['hits']> } | undefined;
  for (const entry of entries) {
    const bytes = await bytesOf(storage, entry);
    if (before !== undefined) yield { key: before.key, hits: await before.hits };
    // It has gone since it was listed.
    if (bytes === undefined) before = undefined;
    else before = { key: entry.key, hits: bytes === 'noText' ? Promise.resolve(bytes) : finder.find(bytes, limit) };
  }
  if (before !== undefined) yield { key: before.key, hits: await before.hits };
}

async function bytesOf(storage: Storage, { key, kind }: Entry): Promise<Buffer | 'noText' | undefined> {
  if (kind !== 'file') return 'noText';
  try {
    return (await storage.read(key, maxTextBytes))?.bytes;
  } catch (error) {
    if (error instanceof Failure) return 'noText';
    throw error;
  }
}

function tooSlow(key: string): Failure {
  return refusal('ValidationError', `The pattern is too slow: it was stopped in ${key} before it had found anything.`, {
    suggestion: 'Leave out lookaround and backreferences: then every pattern takes linear time.',
  });
}
