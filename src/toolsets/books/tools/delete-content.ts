import * as v from 'valibot';
import { createObjectResult } from '../answer/page.ts';
import { defineBookTool } from '../library/book-tool.ts';
import { BookId, ContentPath, ExpectedHash, UserId } from '../model/arguments.ts';
import { fileLayerOf, fileLayers, storageKeyOf } from '../model/key.ts';
import { checkPathInBook, locationOfArguments, refuseFolderPage } from '../model/path.ts';

export const deleteContent = defineBookTool({
  name: 'delete_content',
  title: 'Delete content',
  description:
    "Deletes a lesson; one that is not there is no error, and \"existed\" tells. With expected_hash only if it still is that version; a file without a lesson's name is deleted only so. Users' own versions of it stay. With user_id it deletes that user's own version only, and the user sees the book's again.",
  input: v.strictObject({
    book_id: BookId,
    path: v.pipe(ContentPath, v.description('content/NN-Part/NN-Chapter/NN-name.md')),
    expected_hash: v.optional(v.pipe(ExpectedHash, v.description('SHA-256 of the version to delete'))),
    user_id: v.optional(UserId),
  }),
  output: v.strictObject({
    status: v.literal('success'),
    path: v.string(),
    existed: v.boolean(),
    message: v.string(),
    namespace: v.picklist(fileLayers),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  about: args => ({ ...locationOfArguments(args), given: args.path }),
  async run({ library: { files, storage }, author }, { expected_hash, ...args }) {
    const place = locationOfArguments(args);
    const { book, user } = place;
    checkPathInBook(place.path);
    refuseFolderPage(place.path);
    const isKnown = await storage.hasBook(book);
    const existed = isKnown && (await files.remove(place, expected_hash?.toLowerCase(), author));
    const key = storageKeyOf(place);
    const absent = isKnown ? `${key} did not exist.` : `${key} did not exist: there is no book "${book}".`;
    return {
      isJournalled: existed,
      answer: createObjectResult({
        status: 'success',
        path: key,
        existed,
        message: existed ? `${key} is deleted.` : absent,
        namespace: fileLayerOf(user),
      }),
    };
  },
});
