import type { ImportManifest, ManifestEntry, SyncedState } from './manifest.ts';

/** A file that an import wants to write into the library. */
export interface ImportedFile {
  from: string;
  to: string;
  /** The hash of the content that the import would write into the library. */
  sha256: string;
  /** The hash of the file in the imported folder. */
  source: string;
  /** True if links in the folder's version of the page would lead to other files, or to no file, in the library. */
  breaksLinks: boolean;
}

/**
 * The type of change that an import makes to a file. `edited`: the file was edited only in the library since both
 * copies were equal. `deleted`: the file was deleted in the library. `overwrite`: the import replaces a file that was
 * edited in both places.
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
   * Files of an earlier import that do not exist in the folder any more, or get another path (`isMoved`). They are removed from the library, unless they
   * were edited there, which is a conflict. Files that exist but are not imported are not included.
   */
  stale: { to: string; current: string; kind: 'deleted' | 'conflict' | 'overwrite'; isMoved: boolean }[];
  /** Maps each file that exists but is not imported to its file in the library, which stays. */
  kept: ReadonlyMap<string, string>;
  /**
   * The number of library files that an import does not change, because they were edited both in the library and in the
   * folder.
   */
  conflicts: number;
}

/**
 * Compares the files to import with the library. A file that was edited in the folder and in the library is a conflict
 * and is overwritten only on request. Running the same import again changes nothing.
 */
export function compareImportWithLibrary(
  planned: readonly ImportedFile[],
  { manifest, hashes }: { manifest: ImportManifest | undefined; hashes: ReadonlyMap<string, string> },
  { id, mayContain }: { id: string; mayContain: (from: string) => boolean },
  isOverwriting = false,
): ImportChanges {
  const edited = isOverwriting ? 'overwrite' : 'conflict';
  const entries = Object.entries(manifest?.files ?? {});
  const ownStates = createSyncedStateFilter(manifest, id);
  const deleted = new Map(entries.filter(([to]) => !hashes.has(to)).map(([, entry]) => [entry.from, entry]));
  const kept = new Map<string, string>();
  const wanted = new Set(planned.map(({ to }) => to));
  const sources = new Set(planned.map(({ from }) => from));
  const isRejected = (from: string): boolean => !sources.has(from) && mayContain(from);
  const changes = planned.map((file): ImportChange => {
    const current = hashes.get(file.to);
    const entry = current === undefined ? deleted.get(file.from) : manifest?.files[file.to];
    // If a file of the folder is not imported, its copy in the library stays, because there may be no other copy.
    const isTaken = entry !== undefined && entry.from !== file.from && isRejected(entry.from);
    const synced = isTaken ? [] : (entry?.synced ?? []);
    const isNewAgain = entry?.isGone === true && findSyncedState(synced, file) === undefined;
    const known = isNewAgain ? [] : synced;
    const kind = kindOf(file, current, known, ownStates(known));
    return { ...file, current, synced, kind: kind === 'conflict' ? edited : kind };
  });
  const stale = entries.flatMap(([to, { from, synced, isNew }]): ImportChanges['stale'] => {
    const current = wanted.has(to) ? undefined : hashes.get(to);
    if (current === undefined) return [];
    if (isRejected(from)) {
      kept.set(from, to);
      return [];
    }
    const own = ownStates(synced);
    // Only a file that this folder once contained counts as deleted. A file that was exported but never imported may be
    // in another folder.
    if (!sources.has(from) && (own.length === 0 || (isNew && own === synced))) return [];
    const kind = isUneditedInLibrary(own, current) ? 'deleted' : edited;
    return [{ to, current, kind, isMoved: sources.has(from) }];
  });
  const conflicts = [...changes, ...stale].filter(({ kind }) => kind === 'conflict').length;
  return { changes, stale, kept, conflicts };
}

/** Marks the files that exist neither in the library nor in the folder of an import or export. */
export function markMissingFiles(
  files: ImportManifest['files'],
  isInLibrary: (to: string) => boolean,
  isInFolder: (from: string) => boolean,
): ImportManifest['files'] {
  const marked = Object.entries(files).map(([to, entry]): [string, ManifestEntry] => [
    to,
    isInLibrary(to) || isInFolder(entry.from) ? entry : { ...entry, isGone: true },
  ]);
  return Object.fromEntries(marked);
}

/**
 * Finds the recorded import or export after which the file had its current content in the folder. If there is one, the
 * file was not edited in the folder since then.
 */
export function findSyncedState(
  synced: readonly SyncedState[],
  { sha256, source }: Pick<ImportedFile, 'sha256' | 'source'>,
): SyncedState | undefined {
  return synced.find(state => (state.source === undefined ? state.sha256 === sha256 : state.source === source));
}

/**
 * Returns a function that selects the recorded file hashes that apply to a folder. If none were recorded for the
 * folder, for example because it is a copy at another path, all of them apply.
 */
export function createSyncedStateFilter(
  manifest: ImportManifest | undefined,
  folder: string,
): (synced: readonly SyncedState[]) => readonly SyncedState[] {
  const isOwn = (state: SyncedState): boolean => state.folder === folder;
  const isKnown = Object.values(manifest?.files ?? {}).some(({ synced }) => synced.some(isOwn));
  return synced => (isKnown ? synced.filter(isOwn) : synced);
}

/**
 * Returns whether the file in the library still has one of these recorded hashes, so that the folder contains all edits
 * of the library.
 */
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
  // The library contains the same bytes as the folder, so that correcting the links overwrites no edit.
  if (current === file.source && file.breaksLinks) return 'update';
  if (base === undefined) return isUneditedInLibrary(own, current) ? 'update' : 'conflict';
  if (base.sha256 !== current) return 'edited';
  // The contents differ although no copy was edited, because a page to which the file links was moved in the library.
  return base.isDivergent ? 'unchanged' : 'update';
}

const maxStates = 32;

/**
 * Returns the recorded hashes of a file after an import from a folder. A conflict remains until the folder and the
 * library have equal content.
 */
export function computeSyncedStatesAfterImport(
  { kind, current, sha256, source, synced }: ImportChange,
  folder: string,
): SyncedState[] {
  if (kind === 'conflict' || kind === 'deleted') return [...synced];
  const base = findSyncedState(synced, { sha256, source });
  const isUnchanged = kind === 'unchanged' && base?.source !== undefined && base.sha256 === current;
  return withState(
    synced,
    base && (kind === 'edited' || isUnchanged) ? { ...base, folder } : { sha256, source, folder },
  );
}

export interface ExportedFileState {
  /**
   * The hashes of the library's file, of the folder's file, and of the content that an import of the folder's file
   * would write.
   */
  content: string;
  source: string;
  reimported: string | undefined;
}

/** Returns the recorded hashes of a file after an export to a folder. */
export function computeSyncedStatesAfterExport(
  synced: readonly SyncedState[],
  { content, source, reimported = content }: ExportedFileState,
  folder: string,
): SyncedState[] {
  return withState(synced, { sha256: content, source, ...(reimported !== content && { isDivergent: true }), folder });
}

/** Replaces the hashes that were recorded for one folder. */
function withState(synced: readonly SyncedState[], state: SyncedState): SyncedState[] {
  return [state, ...synced.filter(({ folder }) => folder !== state.folder)].slice(0, maxStates);
}
