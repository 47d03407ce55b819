import * as v from 'valibot';
import { defineTool } from '../../../toolset.ts';
import { baseFilesOf, searchedBooks } from '../io/books.ts';
import { type Door, perform } from '../io/perform.ts';
import { BookId } from '../model/arguments.ts';
import { createGlob } from '../model/glob.ts';
import { bookKey } from '../model/key.ts';
import { listAnswer } from '../text.ts';

export const globSearch = defineTool({
  name: 'glob_search',
  title: 'Find files by name',
  description:
    "Returns the full keys (books/<book>/…) of files whose path inside the book matches a pattern, sorted. * stays within a folder, ** crosses folders; also ?, [abc] and {a,b}. Users' own versions are not searched. To search the text of lessons use grep_search.",
  input: v.strictObject({
    book_id: BookId,
    pattern: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.maxLength(255, 'must have 255 characters at most'),
      v.description('Such as content/**/*.summary.md'),
    ),
    all_books: v.optional(v.pipe(v.boolean(), v.description('Searches every book; book_id is then not used')), false),
  }),
  output: v.strictObject({ result: v.array(v.string()) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id, pattern, all_books }, door: Door, call) {
    const task = { operation: 'glob_search', book: all_books ? undefined : book_id };
    return await perform(door, call, task, async ({ storage }) => {
      const matches = await createGlob(pattern);
      const found: string[] = [];
      for (const book of await searchedBooks(storage, book_id, all_books)) {
        call.signal.throwIfAborted();
        const start = bookKey(book).length + 1;
        for (const { key, kind } of await baseFilesOf(storage, book)) {
          if (kind === 'file' && matches(key.slice(start))) found.push(key);
        }
      }
      return { answer: listAnswer(found) };
    });
  },
});
