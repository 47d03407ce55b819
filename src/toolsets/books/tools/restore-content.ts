import * as v from 'valibot';
import { createObjectResult } from '../answer/page.ts';
import { defineBookTool } from '../library/book-tool.ts';
import type { Library } from '../library/library.ts';
import type { VersionHistory } from '../library/version-history.ts';
import { BookId, ContentPath, ExpectedHash, FormerHash, UserId } from '../model/arguments.ts';
import { storageKeyOf } from '../model/key.ts';
import { checkPathInBook, isLessonPath, locationOfArguments } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';

export const restoreContent = defineBookTool({
  name: 'restore_content',
  title: 'Restore content',
  description:
    'Replaces a file by one of its former contents, byte for byte. get_history lists their hashes. expected_hash is the hash of the current content; omit it for a deleted file.',
  input: v.strictObject({
    book_id: BookId,
    path: ContentPath,
    hash: FormerHash,
    expected_hash: v.optional(ExpectedHash),
    user_id: v.optional(UserId),
  }),
  output: v.strictObject({
    status: v.literal('success'),
    path: v.string(),
    file_size: v.pipe(v.number(), v.integer()),
    file_hash: v.string(),
    mode: v.picklist(['created', 'updated']),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  onlyWith: 'books-extras',
  about: args => ({ ...locationOfArguments(args), given: args.path }),
  async run({ library, author, signal }, { hash, expected_hash, ...args }) {
    const place = locationOfArguments(args);
    checkPathInBook(place.path);
    const versions = requireVersionHistory(library);
    const wanted = hash.toLowerCase();
    // A file that is not a lesson can only be restored to one of its own former contents. It cannot be created.
    const isOwn =
      isLessonPath(place.path) || (await versions.changesOf(place, signal)).some(change => change.hash === wanted);
    const bytes = await readFormerContent(versions, place.book, wanted, isOwn);
    const { decision } = await library.files.write(place, bytes, expected_hash?.toLowerCase(), author);
    const facts = { path: storageKeyOf(place), file_size: bytes.length, file_hash: wanted, mode: decision };
    return { isJournalled: true, answer: createObjectResult({ status: 'success', ...facts }) };
  },
});

/** Returns former content of the file in the arguments of the call. Throws an error if the content is not stored. */
export async function readFormerContent(
  versions: VersionHistory,
  book: string,
  hash: string,
  isOwn: boolean,
): Promise<Buffer> {
  const bytes = isOwn ? await versions.read(book, hash) : undefined;
  if (bytes !== undefined) return bytes;
  throw refusal('ContentNotFoundError', `The content ${hash} was never stored or is already deleted.`, {
    suggestion: 'get_history lists the contents that can be restored with "restorable": true.',
  });
}

/**
 * Returns the store of former contents. It always exists in the history tools, because they are published only with
 * --books-extras.
 */
export function requireVersionHistory({ versions }: Library): VersionHistory {
  if (versions === undefined) throw new TypeError('the library was opened without --books-extras');
  return versions;
}
