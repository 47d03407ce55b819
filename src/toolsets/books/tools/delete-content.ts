import * as v from 'valibot';
import { defineTool } from '../../../toolset.ts';
import { type Door, perform } from '../io/book-tool.ts';
import { BookId, ContentPath, requireAgent, UserId } from '../model/arguments.ts';
import { keyOf, namespaceOf } from '../model/key.ts';
import { checkLessonPath } from '../model/path.ts';
import { objectAnswer } from '../text.ts';

export const deleteContent = defineTool({
  name: 'delete_content',
  title: 'Delete content',
  description:
    "Deletes a lesson; one that is not there is no error, and \"existed\" tells. Users' own versions of it stay. With user_id it deletes that user's own version only, and the user sees the book's again.",
  input: v.strictObject({
    book_id: BookId,
    path: v.pipe(ContentPath, v.description('content/NN-Part/NN-Chapter/NN-name.md')),
    user_id: v.optional(UserId),
  }),
  output: v.strictObject({
    status: v.literal('success'),
    path: v.string(),
    existed: v.boolean(),
    message: v.string(),
    namespace: v.picklist(['base', 'overlay']),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async handler({ book_id: book, path, user_id: user }, door: Door, call) {
    return await perform(door, call, { operation: 'delete_content', book, path, user }, async ({ storage }, name) => {
      const agent = requireAgent(name);
      checkLessonPath(path);
      const place = { book, path, user };
      const isKnown = (await storage.books()).includes(book);
      const author = { agent, operation: 'delete_content' };
      // There is nothing to delete from a book that is not there, but one behind a link is refused by the look.
      if (!isKnown) await storage.stat(keyOf(place));
      const previous = isKnown ? (await storage.deleteIf(place, { kind: 'any' }, author)).previous : undefined;
      const existed = previous !== undefined;
      const key = keyOf(place);
      return {
        isJournalled: existed,
        answer: objectAnswer({
          status: 'success',
          path: key,
          existed,
          message: existed ? `${key} is deleted.` : `${key} did not exist.`,
          namespace: namespaceOf(user),
        }),
      };
    });
  },
});
