import * as v from 'valibot';
import { objectAnswer } from '../answer/page.ts';
import { defineBookTool } from '../library/book-tool.ts';
import { BookId, ContentPath, checkContent, ExpectedHash, UserId } from '../model/arguments.ts';
import { keyOf, namespaceOf, namespaces } from '../model/key.ts';
import { checkLessonPath, pathInBook } from '../model/path.ts';

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
    file_size: v.number(),
    file_hash: v.string(),
    mode: v.picklist(['created', 'updated']),
    namespace: v.picklist(namespaces),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  about: ({ book_id: book, path, user_id: user }) => ({
    book,
    path: pathInBook({ book, path, user }),
    user,
    given: path,
  }),
  async run({ library: { files }, author }, { book_id: book, path, content, expected_hash, user_id: user }) {
    const place = { book, path: pathInBook({ book, path, user }), user };
    checkLessonPath(place.path);
    checkContent(content);
    const bytes = Buffer.from(content, 'utf8');
    const { decision, hash } = await files.write(place, bytes, expected_hash?.toLowerCase(), author);
    return {
      isJournalled: true,
      answer: objectAnswer({
        status: 'success',
        path: keyOf(place),
        file_size: bytes.length,
        file_hash: hash ?? '',
        mode: decision,
        namespace: namespaceOf(user),
      }),
    };
  },
});
