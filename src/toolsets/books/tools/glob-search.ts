import * as v from 'valibot';
import { defineTool } from '../../../toolset.ts';
import { type Door, perform } from '../io/book-tool.ts';
import { searchedBooks, searchedEntries } from '../io/store/books.ts';
import { BookId, Switch } from '../model/arguments.ts';
import { createGlob } from '../model/glob.ts';
import { bookKey } from '../model/key.ts';
import { listAnswer } from '../text.ts';

export const globSearch = defineTool({
  name: 'glob_search',
  title: 'Find files by name',
  description:
    "Returns the full keys (books/<book>/…) of files whose path inside the book matches a pattern, sorted. * stays within a folder, ** crosses folders; also ?, [abc] and {a,b}. A last item with 'warning' says what could not be looked into. Users' own versions are not searched. To search the text of lessons use grep_search.",
  input: v.strictObject({
    book_id: BookId,
    pattern: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(255, 'must have 255 characters at most'),
      v.description('Such as content/**/*.summary.md'),
    ),
    all_books: v.optional(v.pipe(Switch, v.description('Searches every book; book_id is then not used')), false),
  }),
  output: v.strictObject({
    result: v.array(v.union([v.string(), v.strictObject({ warning: v.string(), message: v.string() })])),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id, pattern, all_books }, door: Door, call) {
    const task = { operation: 'glob_search', book: all_books ? undefined : book_id };
    return await perform(door, call, task, async ({ storage }) => {
      const matches = await createGlob(pattern);
      const found: string[] = [];
      const closed: string[] = [];
      const books = await searchedBooks(storage, book_id, all_books);
      for (const book of books) {
        call.signal.throwIfAborted();
        const start = bookKey(book).length + 1;
        const entries = await searchedEntries(storage, book, books.length > 1);
        if (entries === undefined) closed.push(bookKey(book));
        for (const entry of entries ?? []) {
          const { key, kind } = entry;
          if (entry.closed !== undefined) closed.push(key);
          else if (kind === 'file' && matches(key.slice(start))) found.push(key);
        }
      }
      if (closed.length === 0) return { answer: listAnswer(found) };
      const message = `${closed.length} folders, or files with names no path has, were left out; the first is ${closed[0]}.`;
      return { answer: listAnswer([...found, { warning: 'skipped', message }]), status: 'partial' };
    });
  },
});
