import * as v from 'valibot';
import { emptyIsAbsent } from '../../../argument.ts';
import { Failure } from '../../../failure.ts';
import { defineTool, type StructuredAnswer } from '../../../toolset.ts';
import { type Done, type Door, perform } from '../io/book-tool.ts';
import type { Library } from '../io/library.ts';
import { findAsset } from '../io/store/assets.ts';
import type { Entry } from '../io/store/storage.ts';
import { readText, type TextFile } from '../io/store/text-file.ts';
import { BookId, ContentPath, UserId } from '../model/arguments.ts';
import { bookKey, keyOf, overlayKey } from '../model/key.ts';
import { type Layered, mergeOverlay } from '../model/overlay.ts';
import { checkAssetPath, checkFolderPath, checkReadablePath } from '../model/path.ts';
import { refusal } from '../model/refusal.ts';
import { instant, listAnswer, maxAnswerBytes, objectAnswer, wireBytes } from '../text.ts';

const scopes = ['file', 'chapter', 'part', 'book'] as const;

const fields = {
  content: v.optional(v.string()),
  file_size: v.optional(v.number()),
  last_modified: v.optional(v.string()),
  storage_backend: v.optional(v.string()),
  file_hash_sha256: v.optional(v.string()),
  source: v.optional(v.picklist(['base', 'overlay'])),
};

const listed = v.strictObject({
  path: v.optional(v.string()),
  ...fields,
  error: v.optional(v.string()),
  warning: v.optional(v.string()),
  message: v.optional(v.string()),
  remaining_files: v.optional(v.number()),
});

const output = v.looseObject({
  ...fields,
  exists: v.optional(v.boolean()),
  result: v.optional(v.array(listed)),
});

type Read = v.InferInput<typeof output>;
type Listed = v.InferInput<typeof listed>;

export const readContent = defineTool({
  name: 'read_content',
  title: 'Read content',
  description:
    'Returns a lesson with its size, date and SHA-256 (file_hash_sha256, which write_content asks for), or with scope "chapter", "part" or "book" all Markdown files of that folder; one that cannot be read has "error", and "warning" says what did not fit. With user_id the user\'s own version wins over the book\'s; "source" says which one it is. A path under static/ answers only whether that asset exists, and its hash.',
  input: v.strictObject({
    book_id: BookId,
    path: v.optional(
      v.pipe(
        ContentPath,
        v.description(
          'Lesson such as content/01-Part/01-Chapter/01-intro.md; for scope "chapter" content/01-Part/01-Chapter, for "part" content/01-Part; ignored for "book"',
        ),
      ),
      'content',
    ),
    scope: v.optional(v.pipe(v.picklist(scopes), emptyIsAbsent()), 'file'),
    user_id: v.optional(UserId),
  }),
  output,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async handler({ book_id: book, path, scope, user_id: user }, door: Door, call) {
    const isAsset = path.startsWith('static/');
    const about = scope === 'book' && !isAsset ? 'content' : path;
    return await perform(
      door,
      call,
      { operation: 'read_content', book, path: about, user },
      async (library): Promise<Done<Read>> => {
        if (isAsset) return await readAssetFact(library, book, path, call.signal);
        if (scope === 'file') return await readFile(library, book, path, user);
        const folder = scope === 'book' ? 'content' : checkFolderPath(path, scope);
        return { answer: await readFolder(library, { book, folder, isDeep: scope !== 'chapter', user }, call.signal) };
      },
    );
  },
});

async function readAssetFact(
  { storage }: Library,
  book: string,
  path: string,
  signal: AbortSignal,
): Promise<Done<Read>> {
  const { type, name } = checkAssetPath(path);
  const entry = await findAsset(storage, book, type, name);
  const hash = entry && (await storage.hash(entry.key, signal));
  const fact = hash === undefined ? { exists: false } : { exists: true, file_hash_sha256: hash };
  const place = entry && { path: entry.key.slice(bookKey(book).length + 1) };
  return { ...place, seen: hash, answer: objectAnswer(fact) };
}

async function readFile(
  { storage }: Library,
  book: string,
  path: string,
  user: string | undefined,
): Promise<Done<Read>> {
  checkReadablePath(path);
  const own = user === undefined ? undefined : await readText(storage, keyOf({ book, path, user }));
  const file = own ?? (await readText(storage, keyOf({ book, path, user: undefined })));
  if (file === undefined) {
    throw refusal('ContentNotFoundError', `${keyOf({ book, path, user })} does not exist.`, {
      suggestion: 'list_books with include_structure, or glob_search, shows what there is.',
    });
  }
  const source = own === undefined ? 'base' : 'overlay';
  const seen = user === undefined || own !== undefined ? file.hash : undefined;
  const advice = 'grep_search shows single lines of it; the user can divide the lesson.';
  return { answer: objectAnswer({ ...fieldsOf(file, storage.backend), source }, { advice }), seen };
}

function fieldsOf(file: TextFile, backend: string): Listed {
  return {
    content: file.content,
    file_size: file.size,
    last_modified: instant(file.modified),
    storage_backend: backend,
    file_hash_sha256: file.hash,
  };
}

/** The rest is for the brackets, and for the item that says what is left out. */
const roomBytes = maxAnswerBytes - 65_536;

interface View {
  book: string;
  folder: string;
  isDeep: boolean;
  user: string | undefined;
}

/** Every Markdown file of a folder as the user sees it. What cannot be read is there too, and says why. */
async function readFolder(
  { storage }: Library,
  view: View,
  signal: AbortSignal,
): Promise<StructuredAnswer<{ result: Listed[] }>> {
  const files = await filesOf(storage, view);
  const items: Listed[] = [];
  let bytes = 0;
  for (const [index, { path, key, source, closed }] of files.entries()) {
    signal.throwIfAborted();
    if (closed !== undefined) {
      items.push({ path, error: closed });
      continue;
    }
    const item = await readItem(storage, key);
    if (item === undefined) continue;
    if (item instanceof Failure) {
      items.push({ path, error: item.message });
      continue;
    }
    const shown = { path, ...fieldsOf(item, storage.backend), source };
    const itemBytes = wireBytes(shown);
    if (itemBytes > roomBytes) {
      items.push({ path, error: `It has ${item.size} bytes, too many for an answer; grep_search shows single lines.` });
      continue;
    }
    bytes += itemBytes;
    if (bytes > roomBytes) {
      const message = `The answer is full: ${files.length - index} files from ${path} on are left out. Read them by part or chapter, or one by one with scope "file".`;
      items.push({ warning: 'truncated', message, remaining_files: files.length - index });
      break;
    }
    items.push(shown);
  }
  return listAnswer(items);
}

async function readItem(storage: Library['storage'], key: string): Promise<TextFile | Failure | undefined> {
  try {
    return await readText(storage, key);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

async function filesOf(storage: Library['storage'], { book, folder, isDeep, user }: View): Promise<Layered[]> {
  const base = await storage.list(`${bookKey(book)}/${folder}`);
  const own = user === undefined ? undefined : await storage.list(`${overlayKey(book, user)}/${folder}`);
  if (base === undefined && own === undefined) {
    // A book without content is empty; a book, part or chapter that is not there is a mistake.
    const isEmptyBook = folder === 'content' && (await storage.books()).includes(book);
    if (isEmptyBook) return [];
    throw refusal('ContentNotFoundError', `${bookKey(book)}/${folder} does not exist.`, {
      suggestion: 'list_books with include_structure shows the parts and chapters of each book.',
    });
  }
  const layer = (entries: readonly Entry[], root: string, source: Layered['source']): Layered[] =>
    entries
      .map(({ key, closed }) => ({ path: key.slice(root.length + 1), key, source, closed }))
      .filter(({ path, closed }) => closed !== undefined || path.endsWith('.md'))
      .filter(({ path }) => isDeep || !path.slice(folder.length + 1).includes('/'));
  return mergeOverlay(
    layer(base ?? [], bookKey(book), 'base'),
    user === undefined ? [] : layer(own ?? [], overlayKey(book, user), 'overlay'),
  );
}
