import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import type { BookFiles } from '../library/book-files.ts';
import type { ChangeAuthor } from '../library/transaction.ts';
import { sha256Of } from '../model/hash.ts';
import { type FileLocation, importManifestPath, removeBookPrefixOfKey, storageKeyOfBook } from '../model/key.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';
import { findBookRoot } from './book-root.ts';
import {
  compareImportWithLibrary,
  computeSyncedStatesAfterImport,
  type ImportChangeKind,
  type ImportChanges,
  type ImportedFile,
  markMissingFiles,
} from './changes.ts';
import { reportImport } from './import-report.ts';
import { applyMovesToManifest } from './known-paths.ts';
import { formatImportManifest, type ImportManifest, type ManifestEntry, parseImportManifest } from './manifest.ts';
import { isSamePageOrder, replacePageOrder } from './page-order.ts';
import { bookTitleOf, type ImportPlan, type PlannedFile, planImport } from './plan.ts';
import { openSourceFolder, type SourceFolder } from './source-folder.ts';
import { formatCount } from './wording.ts';

/** The services of the library that imports and exports use. */
export interface LibraryForImports extends Pick<StorageBackend, 'journal' | 'storage'> {
  files: BookFiles;
}

export interface ImportOptions {
  folder: string;
  book: string;
  /** If this option is false, the command only prints its plan and writes nothing. */
  isConfirmed: boolean;
  /** If this option is true, files that were edited both in the library and in the folder are replaced. */
  isOverwriting: boolean;
  agent: string;
  signal: AbortSignal;
  write: (line: string) => void;
}

/**
 * Prints a plan that maps the files of a folder to paths in the library. If it is confirmed, imports the files. Returns
 * whether no file is in conflict.
 */
export async function importBook(library: LibraryForImports, options: ImportOptions): Promise<boolean> {
  const state = await readImportedBook(library, options.book, options.signal);
  const { manifest, hashes } = state;
  const root = findBookRoot(options.folder, manifest);
  const source = openSourceFolder(root);
  const plan = planImport(source, titleOfImportSource(source), manifest && { manifest, paths: hashes.keys() });
  if (plan.obstacle !== undefined) {
    throw new Failure('setting', `${options.folder} cannot be imported: ${plan.obstacle.sentence}`, {
      hint: plan.obstacle.hint,
    });
  }
  const desired = plan.files.map(file => hashFiles(file, source.bytes(file.from)));
  const changes = compareImportWithLibrary(desired, { manifest, hashes }, source, options.isOverwriting);
  if (root.note !== undefined) options.write(root.note);
  reportImport(options.write, plan, changes, source.skipped);
  if (options.isConfirmed) await apply(library, options, plan, source, changes, state);
  const { conflicts } = changes;
  options.write(lastLine(changes, options));
  if (conflicts > 0)
    options.write(`Left as in the library: ${formatCount(conflicts, 'file')}. ${importConflictAdvice}`);
  return conflicts === 0;
}

export function titleOfImportSource(source: SourceFolder): string {
  const name = path.basename(source.root);
  const isGeneric = /^(?:docs|src|content|website)$/i.test(name);
  return bookTitleOf(source, isGeneric ? path.basename(path.dirname(source.root)) : name);
}

function hashFiles({ from, to, content, breaksLinks }: PlannedFile, bytes: Buffer): ImportedFile {
  const source = sha256Of(bytes);
  return { from, to, source, breaksLinks, sha256: content === undefined ? source : sha256Of(content) };
}

export interface ImportedBookState {
  /** The manifest of the last import, updated with the current paths of moved lessons. */
  manifest: ImportManifest | undefined;
  /** The manifest of the last import as it is stored in the library. */
  stored: ImportManifest | undefined;
  /** Maps the path of each file in the book to its hash. */
  hashes: Map<string, string>;
}

export async function readImportedBook(
  library: LibraryForImports,
  book: string,
  signal: AbortSignal,
): Promise<ImportedBookState> {
  const { files, storage, journal } = library;
  const hashes = new Map<string, string>();
  for (const entry of (await files.list(book, '', signal)) ?? []) {
    signal.throwIfAborted();
    const hash = entry.kind === 'file' ? await storage.hash(entry, signal) : undefined;
    if (hash !== undefined) hashes.set(removeBookPrefixOfKey(book, entry.key), hash);
  }
  const text = hashes.has(importManifestPath)
    ? await files.text({ book, path: importManifestPath, user: undefined }, signal)
    : undefined;
  const stored = text && parseImportManifest(text.content);
  const moves = stored ? await journal(book).changes('"moved":', ({ new: hash }) => hash === null, signal) : [];
  const manifest = stored && applyMovesToManifest(stored, moves, file => hashes.has(file));
  return { manifest, stored, hashes };
}

export const importConflictAdvice =
  'For each "!": an import with --books-overwrite takes the version of the folder, an export with --books-overwrite that of the library.';

/**
 * Returns the manifest after an import. A file in conflict keeps its recorded hashes, so that the next import reports
 * the conflict again.
 */
function nextManifest(
  plan: ImportPlan,
  { id, mayContain }: SourceFolder,
  { changes, stale }: ImportChanges,
  { manifest: previous, hashes }: Pick<ImportedBookState, 'manifest' | 'hashes'>,
): ImportManifest {
  const files = changes.map((change): [string, ManifestEntry] => {
    const movedFrom = plan.isSameOrder ? undefined : previous?.files[change.to]?.movedFrom;
    const synced = computeSyncedStatesAfterImport(change, id);
    return [change.to, { from: change.from, synced, ...(movedFrom !== undefined && { movedFrom }) }];
  });
  const known = previous?.orders ?? [];
  const isRecorded = known.some(order => isSamePageOrder(order, plan.order));
  const orders = isRecorded ? replacePageOrder(known, plan.order, plan.order) : [plan.order];
  const sources = new Set(changes.map(({ from }) => from));
  const removed = new Set(stale.filter(({ kind }) => kind !== 'conflict').map(({ to }) => to));
  const others = Object.entries(previous?.files ?? {}).flatMap(([to, entry]): [string, ManifestEntry][] => {
    return sources.has(entry.from) || removed.has(to) ? [] : [[to, entry]];
  });
  return {
    kind: plan.kind,
    orders: orders.map(groups => groups.map(group => [...group])),
    files: {
      ...markMissingFiles(Object.fromEntries(others), to => hashes.has(to), mayContain),
      ...Object.fromEntries(files),
    },
  };
}

const writtenKinds: ReadonlySet<ImportChangeKind> = new Set(['create', 'update', 'overwrite']);

/**
 * Writes each file in a transaction like any other change. If the import is interrupted, the next import continues it.
 */
async function apply(
  { files, journal }: LibraryForImports,
  { book, agent, signal }: ImportOptions,
  plan: ImportPlan,
  source: SourceFolder,
  changes: ImportChanges,
  state: ImportedBookState,
): Promise<void> {
  const author: ChangeAuthor = { agent, operation: 'import_book' };
  const contents = new Map(plan.files.map(file => [file.to, file.content]));
  const placeOf = (file: string): FileLocation => ({ book, path: file, user: undefined });
  // A killed import can leave unfinished changes of files that this import does not change. Each append to the journal
  // first recovers them, even if it adds no record.
  if ((await journal(book).peek()).open.size > 0) await journal(book).append(async () => []);
  for (const { kind, from, to, current } of changes.changes) {
    signal.throwIfAborted();
    if (!writtenKinds.has(kind)) continue;
    const content = contents.get(to);
    const bytes = content === undefined ? source.bytes(from) : Buffer.from(content);
    await files.write(placeOf(to), bytes, current, author);
  }
  for (const { to, current, kind } of changes.stale) {
    if (kind !== 'conflict') await files.remove(placeOf(to), current, author);
  }
  const text = formatImportManifest(nextManifest(plan, source, changes, state));
  if (state.stored === undefined || formatImportManifest(state.stored) !== text) {
    await files.put(placeOf(importManifestPath), Buffer.from(text), author);
  }
}

/** Returns the sentence that states what an import has done, or would do. */
function lastLine({ changes, stale, conflicts }: ImportChanges, { book, isConfirmed }: ImportOptions): string {
  const written = changes.filter(({ kind }) => writtenKinds.has(kind)).length;
  const removed = stale.filter(({ kind }) => kind !== 'conflict').length;
  if (written + removed === 0)
    return conflicts === 0 ? 'Nothing to import: the book is up to date.' : 'Nothing was imported.';
  if (!isConfirmed) return 'Nothing was written. Repeat the command with --yes to import.';
  const end = removed === 0 ? '' : `, ${removed} removed`;
  return `Imported into ${storageKeyOfBook(book)}: ${formatCount(written, 'file')} written${end}.`;
}
