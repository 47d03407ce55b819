import type { ImportManifest, SyncedState } from './manifest.ts';

/** A file that an import wants to write into the library. */
export interface ImportedFile {
  from: string;
  to: string;
  /** The hash of the content that an import would write. */
  sha256: string;
  /** The hash of the file in the folder. */
  source: string;
  /** True if links in the text of the folder would lead to other files, or to none, in the library. */
  breaksLinks: boolean;
}

/**
 * The change that an import makes to a file. `edited` means that only the library's file was edited since the two
 * agreed, and `deleted` that it was deleted in the library. `overwrite` replaces a file that was edited on both sides.
 */
export type ImportChangeKind = 'create' | 'update' | 'unchanged' | 'edited' | 'conflict' | 'overwrite' | 'deleted';

export interface ImportChange extends ImportedFile {
  kind: ImportChangeKind;
  /** The hash of the file in the library. */
  current: string | undefined;
  synced: readonly SyncedState[];
}

export interface ImportChanges {
  changes: ImportChange[];
  /**
   * Files of an earlier import that the folder no longer contains. They are removed from the library, but one that was
   * edited there is in conflict. A skipped file is not among them.
   */
  stale: { to: string; current: string; kind: 'deleted' | 'conflict' | 'overwrite' }[];
  /** The number of files that are left as they are in the library because they were edited on both sides. */
  conflicts: number;
}

/**
 * Compares the files to import with the library. A file that was edited on both sides is a conflict and is overwritten
 * only on request. Running the same import again changes nothing.
 */
export function compareImportWithLibrary(
  planned: readonly ImportedFile[],
  { manifest, hashes }: { manifest: ImportManifest | undefined; hashes: ReadonlyMap<string, string> },
  { id, isSkipped }: { id: string; isSkipped: (from: string) => boolean },
  isOverwriting = false,
): ImportChanges {
  const edited = isOverwriting ? 'overwrite' : 'conflict';
  const entries = Object.entries(manifest?.files ?? {});
  const ownStates = createSyncedStateFilter(manifest, id);
  const deleted = new Map(entries.filter(([to]) => !hashes.has(to)).map(([, entry]) => [entry.from, entry]));
  const changes = planned.map((file): ImportChange => {
    const current = hashes.get(file.to);
    const entry = current === undefined ? deleted.get(file.from) : manifest?.files[file.to];
    // The library's copy of a skipped file is not replaced by another file, because the folder may have no other copy.
    const isTaken = entry !== undefined && entry.from !== file.from && isSkipped(entry.from);
    const synced = isTaken ? [] : (entry?.synced ?? []);
    const isNewAgain = entry?.isGone === true && findSyncedState(synced, file) === undefined;
    const known = isNewAgain ? [] : synced;
    const kind = kindOf(file, current, known, ownStates(known));
    return { ...file, current, synced, kind: kind === 'conflict' ? edited : kind };
  });
  const wanted = new Set(planned.map(({ to }) => to));
  const sources = new Set(planned.map(({ from }) => from));
  const stale = entries.flatMap(([to, { from, synced, isNew }]): ImportChanges['stale'] => {
    const current = wanted.has(to) ? undefined : hashes.get(to);
    if (current === undefined || isSkipped(from)) return [];
    const own = ownStates(synced);
    // A file that this folder never had is no deleted file. A file that was only exported may be in another folder.
    if (!sources.has(from) && (own.length === 0 || (isNew && own === synced))) return [];
    return [{ to, current, kind: isUneditedInLibrary(own, current) ? 'deleted' : edited }];
  });
  const conflicts = [...changes, ...stale].filter(({ kind }) => kind === 'conflict').length;
  return { changes, stale, conflicts };
}

/** Finds the state in which the library had the file that is now in the folder, so that the folder has no edit of it. */
export function findSyncedState(
  synced: readonly SyncedState[],
  { sha256, source }: Pick<ImportedFile, 'sha256' | 'source'>,
): SyncedState | undefined {
  return synced.find(state => (state.source === undefined ? state.sha256 === sha256 : state.source === source));
}

/**
 * Returns a function that selects the states that a folder can have. A folder that has no recorded state, such as a
 * copy at another path, can have each of them.
 */
export function createSyncedStateFilter(
  manifest: ImportManifest | undefined,
  folder: string,
): (synced: readonly SyncedState[]) => readonly SyncedState[] {
  const isOwn = (state: SyncedState): boolean => state.folder === folder;
  const isKnown = Object.values(manifest?.files ?? {}).some(({ synced }) => synced.some(isOwn));
  return synced => (isKnown ? synced.filter(isOwn) : synced);
}

/** Returns whether the library has no edit that a folder with one of these states lacks. */
export function isUneditedInLibrary(states: readonly SyncedState[], current: string): boolean {
  return states.length > 0 && states.every(({ sha256 }) => sha256 === current);
}

function kindOf(
  file: ImportedFile,
  current: string | undefined,
  synced: readonly SyncedState[],
  own: readonly SyncedState[],
): ImportChangeKind {
  const base = findSyncedState(synced, file);
  if (current === undefined) {
    if (synced.length === 0) return 'create';
    return base === undefined ? 'conflict' : 'deleted';
  }
  if (current === file.sha256) return 'unchanged';
  // The library has the text of the folder byte for byte. No edit is lost if its links are corrected.
  if (current === file.source && file.breaksLinks) return 'update';
  if (base === undefined) return isUneditedInLibrary(own, current) ? 'update' : 'conflict';
  if (base.sha256 !== current) return 'edited';
  // The content differs although neither side was edited, because a linked page was moved in the library.
  return base.isDivergent ? 'unchanged' : 'update';
}

const maxStates = 32;

/** Returns the states of a file after an import from a folder. A conflict stays until the file is equal on both sides. */
export function syncedStatesAfterImport(
  { kind, current, sha256, source, synced }: ImportChange,
  folder: string,
): SyncedState[] {
  if (kind === 'conflict' || kind === 'deleted') return [...synced];
  const base = findSyncedState(synced, { sha256, source });
  const isKept = kind === 'edited' || (kind === 'unchanged' && base?.source !== undefined && base.sha256 === current);
  if (isKept && base !== undefined) return withState(synced, { ...base, folder });
  return withState(synced, createState(kind === 'unchanged' ? (current ?? sha256) : sha256, source, sha256, folder));
}

export interface ExportedFileState {
  /** The hash of the file in the library, in the folder, and after a new import of the latter. */
  content: string;
  source: string;
  reimported: string | undefined;
}

/** Returns the states of a file after an export to a folder. */
export function syncedStatesAfterExport(
  synced: readonly SyncedState[],
  { content, source, reimported = content }: ExportedFileState,
  folder: string,
): SyncedState[] {
  return withState(synced, createState(content, source, reimported, folder));
}

/** Replaces the state of one folder. */
function withState(synced: readonly SyncedState[], state: SyncedState): SyncedState[] {
  return [state, ...synced.filter(({ folder }) => folder !== state.folder)].slice(0, maxStates);
}

function createState(sha256: string, source: string, reimported: string, folder: string): SyncedState {
  return { sha256, source, ...(reimported !== sha256 && { isDivergent: true }), folder };
}
