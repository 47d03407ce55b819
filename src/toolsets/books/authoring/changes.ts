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
export type ChangeKind = 'create' | 'update' | 'unchanged' | 'edited' | 'conflict' | 'overwrite' | 'deleted';

export interface ImportChange extends ImportedFile {
  kind: ChangeKind;
  /** The hash of the file in the library. */
  current: string | undefined;
  synced: readonly SyncedState[];
}

export interface ImportChanges {
  changes: ImportChange[];
  /**
   * Files of an earlier import that the folder no longer contains. They are removed from the library, but one that was
   * edited there is in conflict.
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
  manifest: ImportManifest | undefined,
  currentHash: (path: string) => string | undefined,
  isOverwriting = false,
): ImportChanges {
  const edited = isOverwriting ? 'overwrite' : 'conflict';
  const entries = Object.entries(manifest?.files ?? {});
  const deleted = new Map(
    entries.filter(([to]) => currentHash(to) === undefined).map(([, entry]) => [entry.from, entry]),
  );
  const changes = planned.map((file): ImportChange => {
    const current = currentHash(file.to);
    const entry = current === undefined ? deleted.get(file.from) : manifest?.files[file.to];
    const synced = entry?.synced ?? [];
    const isNewAgain = entry?.isGone === true && findSyncedState(synced, file) === undefined;
    const kind = kindOf(file, current, isNewAgain ? [] : synced);
    return { ...file, current, synced, kind: kind === 'conflict' ? edited : kind };
  });
  const wanted = new Set(planned.map(({ to }) => to));
  const sources = new Set(planned.map(({ from }) => from));
  const stale = entries.flatMap(([to, { from, synced, isNew }]): ImportChanges['stale'] => {
    const current = wanted.has(to) ? undefined : currentHash(to);
    // A file that was exported and is not in the folder is skipped, because the export may have gone to another folder.
    if (current === undefined || (isNew && !sources.has(from))) return [];
    return [{ to, current, kind: isUneditedInLibrary(synced, current) ? 'deleted' : edited }];
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

/** Returns whether the library has no edit that one of the folders does not have. */
export function isUneditedInLibrary(synced: readonly SyncedState[], current: string): boolean {
  const present = synced.filter(({ isOutdated }) => isOutdated === undefined);
  return present.length > 0 && present.every(({ sha256 }) => sha256 === current);
}

function kindOf(file: ImportedFile, current: string | undefined, synced: readonly SyncedState[]): ChangeKind {
  const base = findSyncedState(synced, file);
  if (current === undefined) {
    if (synced.length === 0) return 'create';
    return base === undefined ? 'conflict' : 'deleted';
  }
  if (current === file.sha256) return 'unchanged';
  // The library has the text of the folder byte for byte. No edit is lost if its links are corrected.
  if (current === file.source && file.breaksLinks) return 'update';
  if (base === undefined) return isUneditedInLibrary(synced, current) ? 'update' : 'conflict';
  if (base.sha256 !== current) return 'edited';
  // The content differs although neither side was edited, because a linked page was moved in the library.
  return base.isDivergent ? 'unchanged' : 'update';
}

const maxStates = 8;

/** Returns the states of a file after an import. A conflict stays until the file is equal on both sides. */
export function statesAfterImport({ kind, current, sha256, source, synced }: ImportChange): SyncedState[] {
  const base = findSyncedState(synced, { sha256, source });
  if (kind === 'conflict' || kind === 'edited' || kind === 'deleted') return [...synced];
  if (kind === 'unchanged' && base?.source !== undefined && base.sha256 === current) return [...synced];
  const content = kind === 'unchanged' ? (current ?? sha256) : sha256;
  const others = markOutdated(withoutFolder(synced, base), content);
  return [createState(content, source, sha256), ...others].slice(0, maxStates);
}

/** Marks the states of other folders, which do not have the present content. */
export function markOutdated(synced: readonly SyncedState[], content: string): SyncedState[] {
  return synced.map(state => (state.sha256 === content ? state : { ...state, isOutdated: true }));
}

export interface ExportedState {
  /** The hash of the file in the library, in the folder, and after a new import of the latter. */
  content: string;
  source: string;
  reimported: string | undefined;
}

/** Returns the states of a file after an export to a folder that had the state `former`. */
export function statesAfterExport(
  synced: readonly SyncedState[],
  former: SyncedState | undefined,
  { content, source, reimported = content }: ExportedState,
): SyncedState[] {
  const state = createState(content, source, reimported);
  const others = withoutFolder(synced, former);
  const same = others.find(other => other.sha256 === content && other.source === source);
  const folders = 1 + (same === undefined ? 0 : (same.folders ?? 1));
  const kept = others.filter(other => other !== same);
  return [{ ...state, ...(folders > 1 && { folders }) }, ...kept].slice(0, maxStates);
}

/** Returns the states without one folder that had the given state. */
function withoutFolder(synced: readonly SyncedState[], former: SyncedState | undefined): SyncedState[] {
  return synced.flatMap(state => {
    const { folders = 1, ...rest } = state;
    if (state !== former) return [state];
    if (folders === 1) return [];
    return [{ ...rest, ...(folders > 2 && { folders: folders - 1 }) }];
  });
}

function createState(sha256: string, source: string, reimported: string): SyncedState {
  return { sha256, source, ...(reimported !== sha256 && { isDivergent: true }) };
}
