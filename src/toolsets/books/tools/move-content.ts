import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { createObjectResult } from '../answer/page.ts';
import { findDuplicateNumbers } from '../authoring/content-checks.ts';
import { adaptRelativeLinks } from '../authoring/links.ts';
import { parentFolderOf } from '../authoring/outline.ts';
import type { BookFiles } from '../library/book-files.ts';
import { type BookToolContext, defineBookTool } from '../library/book-tool.ts';
import { BookId, BooleanArgument, ContentPath, CountField, ExpectedHash } from '../model/arguments.ts';
import { createMoveFailure } from '../model/decision.ts';
import { sha256Of } from '../model/hash.ts';
import { compareCodePoints, type FileLocation, removeBookPrefixOfKey, storageKeyOf } from '../model/key.ts';
import { checkPathInBook, isLessonPath, isMarkdownPath, locationOfArguments, refuseFolderPage } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import type { StorageEntry } from '../storage/file-storage.ts';
import { checkWritablePath } from './write-content.ts';

export const moveContent = defineBookTool({
  name: 'move_content',
  title: 'Move content',
  description:
    "Moves or renames a lesson of the book in one step, if it is still the version of expected_hash; an existing file is never replaced. Its history follows; users' own versions stay. With rewrite_links, the lesson's relative links and other pages' links to it are corrected too.",
  input: v.strictObject({
    book_id: BookId,
    from: ContentPath,
    to: v.pipe(ContentPath, v.description('content/NN-Part/NN-Chapter/NN-name.md')),
    expected_hash: v.pipe(ExpectedHash, v.description('SHA-256 of the lesson')),
    rewrite_links: v.optional(BooleanArgument, false),
  }),
  output: v.strictObject({
    status: v.literal('success'),
    from: v.string(),
    path: v.string(),
    file_size: CountField,
    file_hash: v.string(),
    rewritten: v.array(v.string()),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  onlyWith: 'books-extras',
  about: ({ book_id: book, from, to }) => ({
    book,
    path: locationOfArguments({ book_id: book, path: from }).path,
    // The error names the path that causes it, which can be the source or the target of the move.
    given: isMarkdownPath(from) && !isLessonPath(locationOfArguments({ book_id: book, path: to }).path) ? to : from,
  }),
  async run(context, { book_id: book, from, to, expected_hash, rewrite_links: isRewriting }) {
    const { files } = context.library;
    const former = locationOfArguments({ book_id: book, path: from });
    const place = locationOfArguments({ book_id: book, path: to });
    await checkMove(files, former, place);
    const lesson = await files.text(former, context.signal);
    const expected = expected_hash.toLowerCase();
    if (lesson?.hash !== expected) throw createMoveFailure(storageKeyOf(former), lesson?.hash, expected);
    const entries = (await files.list(book, '')) ?? [];
    const paths = entries.map(({ key }) => removeBookPrefixOfKey(book, key));
    const pages = isRewriting ? await linkingPages(context, former, place, entries) : [];
    const content = isRewriting ? contentAt(lesson.content, former, place, paths) : lesson.content;
    const [old, bytes] = [Buffer.from(lesson.content), Buffer.from(content)];
    await files.move(former, place, old, bytes, context.author);
    const [rewritten, failed] = await rewritePages(context, pages);
    const overlays = paths.filter(path => path.startsWith('users/') && path.endsWith(`/${former.path}`));
    const facts = {
      from: storageKeyOf(former),
      path: storageKeyOf(place),
      file_size: bytes.length,
      file_hash: sha256Of(bytes),
    };
    const notes = [...notesOf(failed, overlays.length), ...notesOnTakenNumbers(paths, former.path, place.path)];
    return { isJournalled: true, answer: createObjectResult({ status: 'success', ...facts, rewritten }, { notes }) };
  },
});

/** Throws an error if the file to move is not a lesson, or if the new path is not valid for a lesson. */
async function checkMove(files: BookFiles, former: FileLocation, place: FileLocation): Promise<void> {
  checkPathInBook(former.path);
  refuseFolderPage(former.path);
  if (!former.path.startsWith('content/') || !isMarkdownPath(former.path)) {
    throw refusal('SchemaViolationError', `The path ${JSON.stringify(former.path)} is not the path of a lesson.`, {
      suggestion: 'Upload an asset again.',
    });
  }
  await files.require(place.book);
  await checkWritablePath(files, place);
  if (former.path === place.path) throw refusal('ValidationError', '"from" and "to" are the same path.');
}

/** A page that links to the moved lesson, with its content after the move. */
interface LinkingPage {
  place: FileLocation;
  hash: string;
  content: string;
}

/**
 * Returns the other pages of the book that link to the lesson. They are read before the move, so that a failed read
 * changes nothing.
 */
async function linkingPages(
  { library: { files }, signal }: BookToolContext,
  former: FileLocation,
  { path: to }: FileLocation,
  entries: readonly StorageEntry[],
): Promise<LinkingPage[]> {
  const others = entries.filter(({ key }) => {
    const path = removeBookPrefixOfKey(former.book, key);
    return path.startsWith('content/') && isMarkdownPath(path) && path !== former.path;
  });
  const pages: LinkingPage[] = [];
  for await (const [{ place }, text] of files.textsOf(former.book, others, signal)) {
    if (text === undefined || text instanceof Failure) continue;
    const content = adaptRelativeLinks(text.content, place.path, new Map([[former.path, to]]));
    if (content !== text.content) pages.push({ place, hash: text.hash, content });
  }
  return pages;
}

/** Returns the content of the lesson at its new path. Its relative links are adapted if the folder has changed. */
function contentAt(
  content: string,
  { path: from }: FileLocation,
  { path: to }: FileLocation,
  paths: readonly string[],
): string {
  const placement = new Map(
    parentFolderOf(from) === parentFolderOf(to) ? [] : paths.map(path => [path, path] as const),
  );
  return adaptRelativeLinks(content, from, placement.set(from, to));
}

/**
 * Writes the pages with new links. Returns the paths of the pages that were written, and of those that could not be
 * written.
 */
async function rewritePages(
  { library: { files }, author }: BookToolContext,
  pages: readonly LinkingPage[],
): Promise<[written: string[], failed: string[]]> {
  const [written, failed]: [string[], string[]] = [[], []];
  for (const { place, hash, content } of pages) {
    try {
      await files.write(place, Buffer.from(content), hash, author);
      written.push(place.path);
    } catch (error) {
      // The failed write of a page is reported in the result and does not fail the call, because the lesson is already
      // moved.
      if (!(error instanceof Failure)) throw error;
      failed.push(place.path);
    }
  }
  return [written, failed];
}

/** Returns the units that have the number of a moved lesson, or of its new chapter or part, and had not before the move. */
function notesOnTakenNumbers(paths: readonly string[], from: string, to: string): string[] {
  const before = new Set(findDuplicateNumbers(paths).map(({ message }) => message));
  const after = findDuplicateNumbers([...paths.filter(path => path !== from), to].sort(compareCodePoints));
  return after.map(({ message }) => message).filter(message => !before.has(message));
}

function notesOf(failed: readonly string[], overlays: number): string[] {
  return [
    ...failed.map(path => `${path} was changed meanwhile, and its links were not rewritten.`),
    ...(overlays === 0 ? [] : [`Own versions of users that stay at the former path: ${overlays}.`]),
  ];
}
