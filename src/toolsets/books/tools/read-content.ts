import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { publishAsRequired, treatEmptyStringAsAbsent } from '../../../toolset/argument.ts';
import type { StructuredResult } from '../../../toolset/toolset.ts';
import {
  createListResult,
  createObjectResult,
  createOtherFilesNote,
  exceedsResponseLimit,
  fillListPage,
  formatIsoTime,
  listPageFields,
  maxResultSizeMetadata,
  ResultListPage,
} from '../answer/page.ts';
import { findAsset } from '../library/book-assets.ts';
import type { LibraryTextFile } from '../library/book-files.ts';
import { type BookToolContext, type BookToolResult, defineBookTool } from '../library/book-tool.ts';
import { PagedListCache } from '../library/list-cache.ts';
import { BookId, BooleanArgument, CountField, CursorArgument, LimitArgument, UserId } from '../model/arguments.ts';
import {
  compareCodePoints,
  type FileLocation,
  fileLayers,
  type LayeredFile,
  locationOfPath,
  mergeBookAndUserFiles,
  removeBookPrefixOfKey,
  storageKeyOf,
  storageKeyOfBook,
} from '../model/key.ts';
import {
  checkFolderPath,
  checkLessonPath,
  checkPathInBook,
  createAssetPathFailure,
  isMarkdownPath,
  isNonTextContentFile,
  isReadmePath,
  locationOfArguments,
  maxPathCharacters,
  parseAssetPath,
  toPathInBook,
} from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import type { StorageEntry } from '../storage/file-storage.ts';

const scopes = ['file', 'chapter', 'part', 'book'] as const;

const fields = {
  content: v.optional(v.string()),
  file_size: v.optional(CountField),
  last_modified: v.optional(v.string()),
  storage_backend: v.optional(v.string()),
  file_hash_sha256: v.optional(v.string()),
  source: v.optional(v.picklist(fileLayers)),
};

const listed = v.strictObject({
  path: v.optional(v.string()),
  ...fields,
  error: v.optional(v.string()),
  warning: v.optional(v.string()),
  message: v.optional(v.string()),
  remaining_files: v.optional(CountField),
});

const output = v.looseObject({
  ...fields,
  exists: v.optional(v.boolean()),
  result: v.optional(v.array(listed)),
  ...listPageFields,
});

type Output = typeof output;
type Listed = v.InferInput<typeof listed>;

const lists = new PagedListCache<FolderFiles>(({ files }) => files.length);

export const readContent = defineBookTool({
  name: 'read_content',
  title: 'Read content',
  description:
    'Returns a lesson with its size, date and SHA-256 (file_hash_sha256, which write_content asks for), or with scope "chapter", "part" or "book" all Markdown files of that folder, whole: metadata_only leaves the texts out, limit and after take a part of the list. A file that cannot be read has "error", and "warning" says what did not fit. With user_id the user\'s own version wins over the book\'s; "source" says which one it is. A path under static/ answers only whether that asset exists, and its hash.',
  input: v.strictObject({
    book_id: BookId,
    path: v.optional(
      v.pipe(
        v.string(),
        publishAsRequired(),
        v.maxLength(maxPathCharacters, `must have ${maxPathCharacters} characters at most`),
        v.description(
          'Lesson such as content/01-Part/01-Chapter/01-intro.md, or what a search has found; for scope "chapter" content/01-Part/01-Chapter, for "part" content/01-Part; ignored for "book"',
        ),
      ),
      'content',
    ),
    scope: v.optional(v.pipe(v.picklist(scopes), treatEmptyStringAsAbsent()), 'file'),
    user_id: v.optional(UserId),
    metadata_only: v.optional(v.pipe(BooleanArgument, v.description('Without the texts, which may be long')), false),
    limit: v.optional(v.pipe(LimitArgument, v.description('Left out: all'))),
    after: v.optional(CursorArgument),
  }),
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  meta: maxResultSizeMetadata,
  about: args => {
    const place = locationOfArguments(args);
    const isBook = args.scope === 'book' && !isAsset(place.path);
    return { ...place, ...(isBook && { path: 'content' }), given: args.path };
  },
  async run(visit, args): Promise<BookToolResult<Output>> {
    const { scope } = args;
    const place = locationOfArguments(args);
    const { book, path } = place;
    if (path === '' && scope !== 'book') throw refusal('ValidationError', '"path" must not be empty.');
    if (isAsset(path)) return await readAssetFact(visit, book, path);
    if (scope === 'file') return await readFile(visit, place, args.metadata_only);
    const folder = scope === 'book' ? 'content' : checkFolderPath(path, scope);
    return { answer: await readFolder(visit, { ...args, folder, isDeep: scope !== 'chapter' }) };
  },
});

function isAsset(path: string): boolean {
  return path.startsWith('static/');
}

async function readAssetFact(
  { library, signal }: BookToolContext,
  book: string,
  path: string,
): Promise<BookToolResult<Output>> {
  const { files, storage } = library;
  const asset = parseAssetPath(path);
  const entry =
    asset === undefined
      ? await files.stat({ book, path, user: undefined })
      : await findAsset(files, book, asset.type, asset.name);
  if (entry === undefined) {
    if (asset === undefined) throw createAssetPathFailure(path);
    await files.require(book);
    return { answer: createObjectResult({ exists: false }) };
  }
  const hash = await storage.hash(entry, signal);
  const fact = hash === undefined ? { exists: false } : { exists: true, file_hash_sha256: hash };
  return { path: removeBookPrefixOfKey(book, entry.key), seen: hash, answer: createObjectResult(fact) };
}

async function readFile(
  { library, signal }: BookToolContext,
  place: FileLocation,
  isBrief: boolean,
): Promise<BookToolResult<Output>> {
  const { files, storage } = library;
  const { book, path, user } = place;
  checkPathInBook(path);
  const own = user === undefined ? undefined : await files.text(place, signal);
  const file = own ?? (await files.text({ ...place, user: undefined }, signal));
  if (file === undefined) {
    await files.require(book);
    if (!isReadmePath(path)) checkLessonPath(path);
    throw refusal('ContentNotFoundError', `${storageKeyOf(place)} does not exist.`, {
      suggestion: 'list_books with include_structure, or glob_search, lists the existing files.',
    });
  }
  const source = own === undefined ? 'base' : 'overlay';
  const seen = user === undefined || own !== undefined ? file.hash : undefined;
  const advice = 'grep_search shows single lines of it; the user can divide the lesson.';
  const { content, ...facts } = fieldsOf(file, storage.backend);
  return { answer: createObjectResult({ ...(!isBrief && { content }), ...facts, source }, { advice }), seen };
}

function fieldsOf(file: LibraryTextFile, backend: string): Listed {
  return {
    content: file.content,
    file_size: file.size,
    last_modified: formatIsoTime(file.modified),
    storage_backend: backend,
    file_hash_sha256: file.hash,
  };
}

interface View {
  book_id: string;
  folder: string;
  isDeep: boolean;
  user_id?: string | undefined;
  metadata_only: boolean;
  limit?: number | undefined;
  after?: string | undefined;
}

interface FolderFiles {
  files: Wanted[];
  /** The number of files in the folder that are not text. */
  otherFiles: number;
}

interface Wanted extends LayeredFile {
  place: FileLocation;
  size: number;
  entry: StorageEntry;
}

/**
 * Reads all Markdown files of a folder. The user's own versions replace those of the book. A file that cannot be read
 * has an error instead of its content.
 */
async function readFolder(
  { library, signal }: BookToolContext,
  view: View,
): Promise<StructuredResult<{ result: Listed[] }>> {
  const { book_id: book, user_id: user, metadata_only, limit } = view;
  const { files: all, otherFiles } = await lists.get(
    library,
    { ...view },
    async () => await filesOf(library, view, signal),
  );
  const after = view.after === undefined ? '' : toPathInBook({ book, path: view.after, user });
  const wanted = all.filter(({ path }) => compareCodePoints(path, after) > 0);
  async function* items(): AsyncGenerator<Listed> {
    for await (const [file, text] of library.files.texts(wanted, signal)) {
      const item = itemOf(file, text, library.storage.backend, metadata_only);
      if (item !== undefined) yield item;
    }
  }
  const page = new ResultListPage<Listed>({ limit, isWhole: !metadata_only });
  const next = await fillListPage(page, items(), ({ path = '' }) => path, after);
  if (next === undefined) {
    return createListResult(page, { total: all.length, what: 'files', notes: createOtherFilesNote(otherFiles) });
  }
  const remaining = wanted.filter(({ path }) => compareCodePoints(path, next) > 0);
  if (limit === undefined && !metadata_only) {
    const message = `The result is full: ${remaining.length} files from ${remaining[0]?.path} on are omitted. Read them by part or chapter, or continue with "after".`;
    page.addLast({ warning: 'truncated', message, remaining_files: remaining.length });
  }
  return createListResult(page, { total: all.length, what: 'files', next });
}

/** Converts a file to an item of the result. Returns undefined if the file was deleted after it was listed. */
function itemOf(
  { path, unreadable, source }: LayeredFile,
  text: LibraryTextFile | Failure | undefined,
  backend: string,
  isBrief: boolean,
): Listed | undefined {
  if (unreadable !== undefined) return { path, error: unreadable };
  if (text instanceof Failure) return { path, error: text.message };
  if (text === undefined) return undefined;
  const { content, ...facts } = fieldsOf(text, backend);
  if (isBrief) return { path, ...facts, source };
  const item = { path, content, ...facts, source };
  if (!exceedsResponseLimit(item, text.size)) return item;
  return {
    path,
    error: `It has ${text.size} bytes, which is too much for a result; grep_search returns single lines.`,
  };
}

async function filesOf({ files }: BookToolContext['library'], view: View, signal: AbortSignal): Promise<FolderFiles> {
  const { book_id: book, folder, isDeep, user_id: user } = view;
  const base = await files.list(book, folder, signal);
  const own = user === undefined ? undefined : await files.list(book, `users/${user}/${folder}`, signal);
  if (base === undefined && own === undefined) {
    await files.require(book);
    // A missing folder `content` means that the book is empty, but a missing part or chapter is an error.
    if (folder === 'content') return { files: [], otherFiles: 0 };
    throw refusal('ContentNotFoundError', `${storageKeyOfBook(book)}/${folder} does not exist.`, {
      suggestion: 'list_books with include_structure shows the parts and chapters of each book.',
    });
  }
  let otherFiles = 0;
  const layer = (entries: readonly StorageEntry[], source: LayeredFile['source']): Wanted[] =>
    entries.flatMap(entry => {
      const { key, unreadable, size } = entry;
      const place = locationOfPath(book, removeBookPrefixOfKey(book, key));
      if (place === undefined || (!isDeep && place.path.slice(folder.length + 1).includes('/'))) return [];
      if (unreadable === undefined && !isMarkdownPath(place.path)) {
        if (isNonTextContentFile(place.path)) otherFiles++;
        return [];
      }
      return [{ path: place.path, key, source, unreadable, place, size, entry }];
    });
  const merged = mergeBookAndUserFiles(layer(base ?? [], 'base'), layer(own ?? [], 'overlay'));
  return { files: merged, otherFiles };
}
