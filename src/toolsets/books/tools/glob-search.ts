import * as v from 'valibot';
import { withoutInvisible } from '../../../text/invisible.ts';
import { listAnswer, Page, pageFields } from '../answer/page.ts';
import { defineBookTool } from '../library/book-tool.ts';
import type { Library } from '../library/library.ts';
import { After, BookId, Limit, Switch } from '../model/arguments.ts';
import { createGlob } from '../model/glob.ts';
import { bookKey, byCodePoint } from '../model/key.ts';

const Skipped = v.strictObject({ warning: v.string(), message: v.string() });
type Found = string | v.InferInput<typeof Skipped>;

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
    all_books: v.optional(v.pipe(Switch, v.description('Searches every book; book_id is then not used')), false),
    limit: v.optional(Limit),
    after: v.optional(After),
  }),
  output: v.strictObject({
    result: v.array(v.union([v.string(), Skipped])),
    ...pageFields,
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  about: ({ book_id, all_books }) => ({ book: all_books ? undefined : book_id }),
  async run({ library, signal }, { book_id, pattern, all_books, limit, after = '' }) {
    const matches = await createGlob(pattern, all_books ? undefined : book_id);
    const { found, unreadable } = await search(library, all_books ? undefined : book_id, matches, signal);
    const page = new Page<Found>({ limit });
    const wanted = found.filter(key => byCodePoint(key, after) > 0);
    const cut = wanted.findIndex(key => !page.add(key));
    if (unreadable.length > 0 && cut === -1) {
      const message = `${unreadable.length} folders, or files with names no path has, were left out; the first is ${withoutInvisible(unreadable[0] ?? '')}.`;
      page.addLast({ warning: 'skipped', message });
    }
    const rest = { total: found.length, what: 'files', next: cut === -1 ? undefined : wanted[cut - 1] };
    return { answer: listAnswer(page, rest), status: unreadable.length === 0 ? 'success' : 'partial' };
  },
});

/** The keys that match, sorted, and those nobody can look into. */
async function search(
  { files }: Library,
  book: string | undefined,
  matches: (key: string) => boolean,
  signal: AbortSignal,
): Promise<{ found: string[]; unreadable: string[] }> {
  const found: string[] = [];
  const unreadable: string[] = [];
  for await (const { name, entries } of files.baseFilesOf(book, signal)) {
    if (entries === undefined) unreadable.push(bookKey(name));
    for (const { key, kind, unreadable: reason } of entries ?? []) {
      if (reason !== undefined) unreadable.push(key);
      else if (kind === 'file' && matches(key)) found.push(key);
    }
  }
  return { found, unreadable };
}
