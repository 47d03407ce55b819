import * as v from 'valibot';
import { Failure } from '../../../failure.ts';
import { defineTool } from '../../../toolset.ts';
import { baseFilesOf, searchedBooks } from '../io/books.ts';
import type { Library } from '../io/library.ts';
import { type Door, perform } from '../io/perform.ts';
import { createLineFinder, type LineFinder } from '../io/regex.ts';
import { readText } from '../io/text-file.ts';
import { BookId } from '../model/arguments.ts';
import { refusal } from '../model/refusal.ts';
import { listAnswer, shownLine } from '../text.ts';

/** A search of everything a library should have takes a fraction of this. */
const deadlineMs = 10_000;
/** How long other calls may have to wait for the search. */
const breathMs = 25;

export const grepSearch = defineTool({
  name: 'grep_search',
  title: 'Search text',
  description:
    'Returns the lines of Markdown files that match a regular expression (RE2 syntax, case-sensitive; (?i) ignores case): file_path, line_number from 1, matched_line. One hit per line. A last item with "warning" says when there is more, or when a file could not be read. Users\' own versions are not searched.',
  input: v.strictObject({
    book_id: BookId,
    pattern: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(500, 'must have 500 characters at most'),
    ),
    all_books: v.optional(v.pipe(v.boolean(), v.description('Searches every book; book_id is then not used')), false),
    max_results: v.optional(
      v.pipe(
        v.number(),
        v.integer('must be a whole number'),
        v.minValue(1, 'must be 1 or more'),
        v.maxValue(1000, 'must be 1000 or less'),
      ),
      100,
    ),
  }),
  output: v.strictObject({
    result: v.array(
      v.looseObject({
        file_path: v.optional(v.string()),
        line_number: v.optional(v.number()),
        matched_line: v.optional(v.string()),
        warning: v.optional(v.string()),
        message: v.optional(v.string()),
      }),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id, pattern, all_books, max_results }, door: Door, call) {
    const task = { operation: 'grep_search', book: all_books ? undefined : book_id };
    return await perform(door, call, task, async library => {
      const finder = await createLineFinder(pattern);
      try {
        const books = await searchedBooks(library.storage, book_id, all_books);
        const { items, isComplete } = await search(library, books, finder, max_results, call.signal);
        return { answer: listAnswer(items), status: isComplete ? 'success' : 'partial' };
      } finally {
        await finder.close();
      }
    });
  },
});

async function search(
  { storage }: Library,
  books: readonly string[],
  finder: LineFinder,
  limit: number,
  signal: AbortSignal,
): Promise<{ items: object[]; isComplete: boolean }> {
  const started = performance.now();
  const items: object[] = [];
  const skipped: string[] = [];
  let breath = started;
  const partial = (warning: string, message: string): { items: object[]; isComplete: boolean } => ({
    items: [...items, { warning, message }],
    isComplete: false,
  });
  for (const book of books) {
    for (const { key, kind } of await baseFilesOf(storage, book)) {
      if (!key.endsWith('.md')) continue;
      if (performance.now() - breath > breathMs) {
        await new Promise(resolve => setImmediate(resolve));
        breath = performance.now();
      }
      signal.throwIfAborted();
      if (performance.now() - started > deadlineMs) {
        return partial('timeout', `The search was stopped after ${deadlineMs / 1000} s, before ${key}.`);
      }
      const text = kind === 'file' ? await textOf(storage, key) : undefined;
      if (text === undefined) {
        skipped.push(key);
        continue;
      }
      // One more than asked for, to know whether there is more.
      const lines = await finder.find(text, limit - items.length + 1);
      if (lines === undefined) {
        if (items.length === 0) throw tooSlow(key);
        return partial('timeout', `The pattern is too slow; the search was stopped in ${key}.`);
      }
      for (const { index, line } of lines) {
        if (items.length === limit) {
          return partial(
            'truncated',
            `There are more than ${limit} matches. Use a narrower pattern or raise max_results.`,
          );
        }
        items.push({ file_path: key, line_number: index + 1, matched_line: shownLine(line) });
      }
    }
  }
  if (skipped.length === 0) return { items, isComplete: true };
  return partial('skipped', `${skipped.length} files could not be read as text, the first is ${skipped[0]}.`);
}

async function textOf(storage: Library['storage'], key: string): Promise<string | undefined> {
  try {
    return (await readText(storage, key))?.content;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function tooSlow(key: string): Failure {
  return refusal('ValidationError', `The pattern is too slow: it was stopped in ${key} before it had found anything.`, {
    suggestion: 'Leave out lookaround and backreferences: then every pattern takes linear time.',
  });
}
