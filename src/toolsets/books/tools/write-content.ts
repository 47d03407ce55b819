import * as v from 'valibot';
import { defineTool } from '../../../toolset.ts';
import { type Door, perform } from '../io/book-tool.ts';
import { BookId, ContentPath, checkContent, ExpectedHash, requireAgent, UserId } from '../model/arguments.ts';
import { decideWrite } from '../model/decision.ts';
import { keyOf, namespaceOf } from '../model/key.ts';
import { checkLessonPath } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import { objectAnswer } from '../text.ts';

export const writeContent = defineTool({
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
    file_size: v.number(),
    file_hash: v.string(),
    mode: v.picklist(['created', 'updated']),
    namespace: v.picklist(['base', 'overlay']),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id: book, path, content, expected_hash, user_id: user }, door: Door, call) {
    return await perform(
      door,
      call,
      { operation: 'write_content', book, path, user },
      async ({ storage, hashOf }, name) => {
        const agent = requireAgent(name);
        checkLessonPath(path);
        checkContent(content);
        const place = { book, path, user };
        const key = keyOf(place);
        const expected = expected_hash?.toLowerCase();
        const bytes = Buffer.from(content, 'utf8');
        const { isDone, previous } = await storage.writeIf(
          place,
          bytes,
          expected === undefined ? { kind: 'absent' } : { kind: 'version', hash: expected },
          { agent, operation: 'write_content' },
        );
        const mode = decideWrite(key, previous, expected);
        if (!isDone) throw refusal('ConflictError', `${key} was not written.`);
        return {
          isJournalled: true,
          answer: objectAnswer({
            status: 'success',
            path: key,
            file_size: bytes.length,
            file_hash: hashOf(bytes),
            mode,
            namespace: namespaceOf(user),
          }),
        };
      },
    );
  },
});
