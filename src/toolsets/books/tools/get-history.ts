import * as v from 'valibot';
import { createObjectResult, maxResultSizeMetadata } from '../answer/page.ts';
import { decodeUtf8Content } from '../library/book-files.ts';
import { defineBookTool } from '../library/book-tool.ts';
import { BookId, ContentPath, FormerHash, UserId } from '../model/arguments.ts';
import { checkPathInBook, locationOfArguments } from '../model/path.ts';
import { readFormerContent, requireVersionHistory } from './restore-content.ts';

const maxChanges = 200;

export const getHistory = defineBookTool({
  name: 'get_history',
  title: 'Get history',
  description:
    'Lists the changes of a file, newest first: time, author, tool and the SHA-256 of the content after the change (none for a deletion). With "hash" the text of that content is added as "content". "path" is a former path of a moved lesson. "restorable" says whether restore_content can bring the content back.',
  input: v.strictObject({
    book_id: BookId,
    path: ContentPath,
    hash: v.optional(FormerHash),
    user_id: v.optional(UserId),
  }),
  output: v.strictObject({
    path: v.string(),
    changes: v.array(
      v.strictObject({
        time: v.string(),
        author: v.string(),
        operation: v.string(),
        hash: v.optional(v.string()),
        path: v.optional(v.string()),
        restorable: v.boolean(),
      }),
    ),
    total: v.pipe(v.number(), v.integer()),
    content: v.optional(v.string()),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  meta: maxResultSizeMetadata,
  onlyWith: 'books-extras',
  about: args => ({ ...locationOfArguments(args), given: args.path }),
  async run({ library, signal }, { hash: given, ...args }) {
    const versions = requireVersionHistory(library);
    const place = locationOfArguments(args);
    await library.files.require(place.book);
    checkPathInBook(place.path);
    const changes = await versions.changesOf(place, signal);
    const kept = await versions.keptHashes(place.book);
    const newest = changes.toReversed().slice(0, maxChanges);
    const answer = newest.map(({ time, author, operation, hash, path: former }) => ({
      time,
      author,
      operation,
      ...(hash !== null && { hash }),
      ...(former !== undefined && { path: former }),
      restorable: hash !== null && kept.has(hash),
    }));
    const notes =
      changes.length > maxChanges ? [`Only the newest ${maxChanges} of ${changes.length} changes are listed.`] : [];
    const facts = { path: place.path, changes: answer, total: changes.length };
    if (given === undefined) return { answer: createObjectResult(facts, { notes }) };
    const wanted = given.toLowerCase();
    const isOwn = changes.some(change => change.hash === wanted);
    const bytes = await readFormerContent(versions, place.book, wanted, isOwn);
    const content = decodeUtf8Content(bytes, `The content ${wanted}`, { suggestion: restoreAdvice });
    return { answer: createObjectResult({ ...facts, content }, { notes, advice: restoreAdvice }) };
  },
});

const restoreAdvice = 'restore_content writes it back as it is.';
