import * as v from 'valibot';
import { emptyIsAbsent } from '../../../argument.ts';
import { defineTool } from '../../../toolset.ts';
import { type Door, perform } from '../io/book-tool.ts';
import { listBookIds, searchedEntries } from '../io/store/books.ts';
import { BookId } from '../model/arguments.ts';
import { bookKey } from '../model/key.ts';
import { assetStructure, contentStructure } from '../model/structure.ts';
import { listAnswer } from '../text.ts';

const structures = ['none', 'content', 'assets', 'all'] as const;

const names = v.array(v.string());

const Part = v.strictObject({
  id: v.string(),
  files: v.optional(names),
  chapters: v.array(v.strictObject({ id: v.string(), lessons: names })),
});

const Book = v.strictObject({
  book_id: v.string(),
  storage_backend: v.string(),
  error: v.optional(v.string()),
  content: v.optional(v.strictObject({ parts: v.array(Part) })),
  assets: v.optional(
    v.strictObject({ images: names, slides: names, videos: names, audio: names, other: v.optional(names) }),
  ),
});

export const listBooks = defineTool({
  name: 'list_books',
  title: 'List books',
  description:
    'Returns the books of the library; with include_structure also their parts, chapters and lessons ("content"), their assets ("assets": images, slides, videos, audio, other) or both ("all"). Start here.',
  input: v.strictObject({
    include_structure: v.optional(v.pipe(v.picklist(structures), emptyIsAbsent()), 'none'),
    book_id: v.optional(v.pipe(BookId, emptyIsAbsent(), v.description('Only this book'))),
  }),
  output: v.strictObject({ result: v.array(Book) }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ include_structure, book_id }, door: Door, call) {
    return await perform(door, call, { operation: 'list_books', book: book_id }, async ({ storage }) => {
      const items: v.InferInput<typeof Book>[] = [];
      for (const book of await listBookIds(storage)) {
        if (book_id !== undefined && book !== book_id) continue;
        call.signal.throwIfAborted();
        const start = bookKey(book).length + 1;
        // Many books are not to wait for one that cannot be opened.
        const files = include_structure === 'none' ? [] : await searchedEntries(storage, book, book_id === undefined);
        if (files === undefined) {
          items.push({ book_id: book, storage_backend: storage.backend, error: 'It cannot be opened.' });
          continue;
        }
        const paths = files.filter(({ kind }) => kind === 'file').map(({ key }) => key.slice(start));
        const closed = files.filter(entry => entry.closed !== undefined).map(({ key }) => key);
        items.push({
          book_id: book,
          storage_backend: storage.backend,
          ...(closed.length > 0 && {
            error: `Cannot be opened: ${closed.slice(0, 10).join(', ')}${closed.length > 10 ? ', …' : ''}`,
          }),
          ...(['content', 'all'].includes(include_structure) && { content: contentStructure(paths) }),
          ...(['assets', 'all'].includes(include_structure) && { assets: assetStructure(paths) }),
        });
      }
      return { answer: listAnswer(items) };
    });
  },
});
