import * as v from 'valibot';
import { createObjectResult } from '../answer/page.ts';
import type { BookFiles } from '../library/book-files.ts';
import { defineBookTool } from '../library/book-tool.ts';
import type { Library } from '../library/library.ts';
import type { ChangeAuthor, FileChangeResult } from '../library/transaction.ts';
import {
  BookId,
  ContentPath,
  CountField,
  checkLessonContent,
  ExpectedHash,
  maxContentCharacters,
  UserId,
} from '../model/arguments.ts';
import type { WriteOutcome } from '../model/decision.ts';
import { type FileLocation, fileLayerOf, fileLayers, removeBookPrefixOfKey, storageKeyOf } from '../model/key.ts';
import { mergeTexts } from '../model/merge.ts';
import {
  checkLessonPath,
  createNextLessonNumber,
  isLessonPath,
  isMdxPath,
  locationOfArguments,
} from '../model/path.ts';
import { addMergeToConflict, errorCodeOfAuditRecord, refusal } from '../model/refusal.ts';

export const writeContent = defineBookTool({
  name: 'write_content',
  title: 'Write content',
  description:
    "Creates or replaces a lesson, exactly as given. To replace one, read it first and give its file_hash_sha256 as expected_hash; without it an existing lesson is refused (HashRequiredError), and a lesson changed since then too (ConflictError: read again, merge, write again). To create one, leave expected_hash out. With user_id it writes the user's own version and leaves the book alone.",
  input: v.strictObject({
    book_id: BookId,
    path: v.pipe(ContentPath, v.description('content/NN-Part/NN-Chapter/NN-name.md or …/NN-name.summary.md')),
    content: v.pipe(
      v.string(),
      v.minLength(1, 'must not be empty'),
      v.description('The whole lesson in Markdown, 500000 characters at most'),
    ),
    expected_hash: v.optional(ExpectedHash),
    user_id: v.optional(UserId),
  }),
  output: v.strictObject({
    status: v.literal('success'),
    path: v.string(),
    file_size: CountField,
    file_hash: v.string(),
    mode: v.picklist(['created', 'updated']),
    namespace: v.picklist(fileLayers),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  about: args => ({ ...locationOfArguments(args), given: args.path }),
  async run({ library, author }, { content, expected_hash, ...args }) {
    const place = locationOfArguments(args);
    await checkWritablePath(library.files, place);
    checkLessonContent(content);
    const bytes = Buffer.from(content, 'utf8');
    const expected = expected_hash?.toLowerCase();
    const notes = expected === undefined ? await library.files.noteOnNewBook(place.book) : [];
    const { decision, hash } = await writeOrMerge(library, place, bytes, expected, author);
    return {
      isJournalled: true,
      answer: createObjectResult(
        {
          status: 'success',
          path: storageKeyOf(place),
          file_size: bytes.length,
          file_hash: hash ?? '',
          mode: decision,
          namespace: fileLayerOf(place.user),
        },
        { notes },
      ),
    };
  },
});

/**
 * Writes the file. After a conflict, the error contains a merge of both changes if the content from which the caller
 * started is still stored.
 */
async function writeOrMerge(
  { files, versions }: Library,
  place: FileLocation,
  bytes: Buffer,
  expected: string | undefined,
  author: ChangeAuthor,
): Promise<FileChangeResult<WriteOutcome>> {
  try {
    return await files.write(place, bytes, expected, author);
  } catch (error) {
    if (versions === undefined || expected === undefined || errorCodeOfAuditRecord(error) !== 'CONFLICT') throw error;
    const base = await versions.read(place.book, expected);
    const current = await files.text(place);
    if (base === undefined || current === undefined) throw error;
    const merge = mergeTexts(bytes.toString('utf8'), base.toString('utf8'), current.content);
    if (merge === undefined || merge.content.length > maxContentCharacters) throw error;
    throw addMergeToConflict(error, current.hash, merge);
  }
}

/**
 * Throws an error if no file can be written at a path. An `.mdx` lesson is only allowed in a chapter that already has
 * one, because other programs that read the book expect `.md` files.
 */
export async function checkWritablePath(files: BookFiles, { book, path, user }: FileLocation): Promise<void> {
  if (!isLessonPath(path)) checkLessonPath(path, createNextLessonNumber(await pathsIn(files, book, 'content')));
  if (!isMdxPath(path)) return;
  const chapter = path.slice(0, path.lastIndexOf('/'));
  const folders = user === undefined ? [chapter] : [chapter, `users/${user}/${chapter}`];
  for (const folder of folders) if ((await pathsIn(files, book, folder)).some(isMdxPath)) return;
  throw refusal('SchemaViolationError', `${chapter} has no .mdx file, so the names of its lessons must end with .md.`, {
    suggestion: `Use the path ${path.slice(0, -1)}.`,
  });
}

async function pathsIn(files: BookFiles, book: string, folder: string): Promise<string[]> {
  return ((await files.list(book, folder)) ?? []).map(({ key }) => removeBookPrefixOfKey(book, key));
}
