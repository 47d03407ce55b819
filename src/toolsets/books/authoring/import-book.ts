import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import type { BookFiles } from '../library/book-files.ts';
import type { ChangeAuthor } from '../library/transaction.ts';
import { sha256Of } from '../model/hash.ts';
import { bookKey, type FileLocation, importManifestPath, pathBelowBook } from '../model/key.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';
import { compareImportWithLibrary, type ImportChange, type ImportChanges } from './changes.ts';
import { applyMovesToManifest, type MoveRecord } from './known-paths.ts';
import { formatImportManifest, type ImportManifest, parseImportManifest } from './manifest.ts';
import { bookTitleOf, type ImportPlan, planImport } from './plan.ts';
import { openSourceFolder, type SourceFolder } from './source-folder.ts';

/** The parts of the library that imports and exports use. */
export interface AuthoringLibrary extends Pick<StorageBackend, 'journal' | 'storage'> {
  files: BookFiles;
}

export interface ImportOptions {
  folder: string;
  book: string;
  /** If this is false, the command only prints its plan and writes nothing. */
  isConfirmed: boolean;
  agent: string;
  signal: AbortSignal;
  write: (line: string) => void;
}

/**
 * Prints how the files of a folder map to the library and, if confirmed, imports them. Returns whether all files were
 * imported.
 */
export async function importBook(library: AuthoringLibrary, options: ImportOptions): Promise<boolean> {
  const source = openSourceFolder(options.folder);
  const { manifest, hashes, stored } = await readImportedBook(library, options.book, options.signal);
  const title = bookTitleOf(source, path.basename(path.resolve(options.folder)));
  const plan = planImport(source, title, manifest && { manifest, paths: hashes.keys() });
  if (plan.obstacle !== undefined) {
    throw new Failure('setting', `${options.folder} cannot be imported: ${plan.obstacle}`, {
      hint: 'Split the book, or give the folder of its pages.',
    });
  }
  const desired = plan.files.map(file => ({ ...file, sha256: sha256Of(file.content ?? source.bytes(file.from)) }));
  const changes = compareImportWithLibrary(desired, manifest, file => hashes.get(file));
  reportPlan(options.write, plan, changes, source.skipped);
  if (!options.isConfirmed) {
    options.write('Nothing was written. Repeat the command with --yes to import.');
    return true;
  }
  return await apply(library, options, plan, source, changes, { manifest, stored });
}

export interface ImportedBookState {
  /** The manifest of the last import, in which moved lessons have their present paths. */
  manifest: ImportManifest | undefined;
  /** The manifest of the last import as the library stores it. */
  stored: ImportManifest | undefined;
  /** The hashes of all files of the book, by path. */
  hashes: Map<string, string>;
}

export async function readImportedBook(
  library: AuthoringLibrary,
  book: string,
  signal: AbortSignal,
): Promise<ImportedBookState> {
  const { files, storage } = library;
  const hashes = new Map<string, string>();
  for (const entry of (await files.list(book, '', signal)) ?? []) {
    signal.throwIfAborted();
    const hash = entry.kind === 'file' ? await storage.hash(entry, signal) : undefined;
    if (hash !== undefined) hashes.set(pathBelowBook(book, entry.key), hash);
  }
  const text = hashes.has(importManifestPath)
    ? await files.text({ book, path: importManifestPath, user: undefined }, signal)
    : undefined;
  const stored = text && parseImportManifest(text.content);
  const manifest =
    stored && applyMovesToManifest(stored, await movesIn(library, book, signal), file => hashes.has(file));
  return { manifest, stored, hashes };
}

async function movesIn({ journal }: AuthoringLibrary, book: string, signal: AbortSignal): Promise<MoveRecord[]> {
  const moves: MoveRecord[] = [];
  for await (const record of journal(book).changes('"moved":', signal)) {
    if (record.new === null) moves.push(record);
  }
  return moves;
}

export const importConflictAdvice =
  'For each "!": to keep the version of the library, delete the file in the folder and export; to keep that of the folder, write its text with write_content.';

const signs = { create: '+', update: '~', unchanged: '=', conflict: '!', deleted: '-' } as const;

function changeLine({ kind, from, to, current }: ImportChange, changedLinks: number): string {
  const isDeleted = kind === 'deleted' || (kind === 'conflict' && current === undefined);
  const links = changedLinks === 0 ? '' : `  (${changedLinks} links changed)`;
  return `${signs[kind]} ${from} → ${to}${isDeleted ? '  (deleted in the library)' : links}`;
}

function reportPlan(
  write: (line: string) => void,
  plan: ImportPlan,
  { changes, stale }: ImportChanges,
  skipped: readonly string[],
): void {
  const files = new Map(plan.files.map(file => [file.to, file]));
  for (const change of changes) {
    const { changedLinks = 0, deadLinks = [], includes = [] } = files.get(change.to) ?? {};
    write(changeLine(change, changedLinks));
    for (const directive of includes) write(`    is not replaced in the library: ${directive}`);
    for (const target of deadLinks) write(`    link to a file that is not imported: ${target}`);
  }
  for (const { to, isEdited } of stale) write(`${isEdited ? '!' : '-'} ${to} is no longer in the folder`);
  for (const { from, reason } of plan.rejected) write(`× ${from}: ${reason}`);
  for (const name of skipped) write(`× ${name}: links and special files are not imported`);
  for (const note of plan.notes) write(note);
  write(summaryOf(plan, changes, stale.length));
}

function summaryOf(plan: ImportPlan, changes: readonly ImportChange[], stale: number): string {
  const count = (kind: ImportChange['kind']): number => changes.filter(change => change.kind === kind).length;
  const pages = plan.files.filter(({ content }) => content !== undefined).length;
  const kinds = { mdbook: 'mdBook', docusaurus: 'Docusaurus', folder: 'folder of Markdown files' };
  return [
    `${kinds[plan.kind]}: ${pages} pages, ${plan.files.length - pages} assets, ${plan.rejected.length} files rejected;`,
    `${count('create')} new (+), ${count('update')} changed (~), ${count('unchanged')} unchanged (=),`,
    `${count('conflict')} edited in the library since the last import (!),`,
    `${stale} no longer in the folder and ${count('deleted')} deleted in the library (-).`,
  ].join(' ');
}

/**
 * Returns the manifest after an import. A file in conflict keeps the hash of its last import, so that the next import
 * also reports the conflict.
 */
function nextManifest(
  plan: ImportPlan,
  changes: readonly ImportChange[],
  previous: ImportManifest | undefined,
): ImportManifest {
  const planned = new Map(plan.files.map(file => [file.to, file.planned]));
  const files = changes.map(({ kind, to, from, sha256 }): [string, ImportManifest['files'][string]] => {
    const imported = kind === 'conflict' ? (previous?.files[to]?.sha256 ?? '') : sha256;
    const before = planned.get(to);
    return [to, { from, sha256: imported, ...(before !== undefined && { planned: before }) }];
  });
  const sources = new Set(changes.map(({ from }) => from));
  const exported = Object.entries(previous?.files ?? {}).filter(([, { from, isNew }]) => isNew && !sources.has(from));
  return { kind: plan.kind, files: Object.fromEntries([...exported, ...files]) };
}

/**
 * Writes each file through the journal like any other change. If the import is interrupted, the next one continues it.
 */
async function apply(
  { files }: AuthoringLibrary,
  { book, agent, signal, write }: ImportOptions,
  plan: ImportPlan,
  source: SourceFolder,
  { changes, stale }: ImportChanges,
  { manifest, stored }: Pick<ImportedBookState, 'manifest' | 'stored'>,
): Promise<boolean> {
  const author: ChangeAuthor = { agent, operation: 'import_book' };
  const contents = new Map(plan.files.map(file => [file.to, file.content]));
  const placeOf = (file: string): FileLocation => ({ book, path: file, user: undefined });
  let conflicts = 0;
  for (const { kind, from, to, current } of changes) {
    signal.throwIfAborted();
    if (kind === 'conflict') conflicts++;
    if (kind !== 'create' && kind !== 'update') continue;
    const content = contents.get(to);
    const bytes = content === undefined ? source.bytes(from) : Buffer.from(content);
    await files.write(placeOf(to), bytes, current, author);
  }
  for (const { to, current, isEdited } of stale) {
    if (isEdited) conflicts++;
    else await files.remove(placeOf(to), current, author);
  }
  const text = formatImportManifest(nextManifest(plan, changes, manifest));
  if (stored === undefined || formatImportManifest(stored) !== text) {
    await files.put(placeOf(importManifestPath), Buffer.from(text), author);
  }
  write(`Imported into ${bookKey(book)}.`);
  if (conflicts > 0) write(`${conflicts} files were left as they are in the library. ${importConflictAdvice}`);
  return conflicts === 0;
}
