import type { ImportManifest } from './manifest.ts';

/** A file that an import wants to write into the library. */
export interface DesiredFile {
  from: string;
  to: string;
  sha256: string;
}

/** `deleted` is a file that was deleted in the library since its import. It is not created again. */
export type ChangeKind = 'create' | 'update' | 'unchanged' | 'conflict' | 'deleted';

export interface ImportChange extends DesiredFile {
  kind: ChangeKind;
  /** The hash of the present bytes in the library. */
  current: string | undefined;
}

export interface ImportChanges {
  changes: ImportChange[];
  /**
   * The files of an earlier import that the folder no longer contains. They are removed unless they were edited since.
   */
  stale: { to: string; current: string; isEdited: boolean }[];
}

/**
 * Compares the planned files with the library. A file that was edited in the library since its import is a conflict and
 * is never overwritten. Running the same import again changes nothing.
 */
export function compareImportWithLibrary(
  planned: readonly DesiredFile[],
  manifest: ImportManifest | undefined,
  currentHash: (path: string) => string | undefined,
): ImportChanges {
  const entries = Object.entries(manifest?.files ?? {});
  const deleted = new Map(
    entries.filter(([to]) => currentHash(to) === undefined).map(([, { from, sha256 }]) => [from, sha256]),
  );
  const changes = planned.map((file): ImportChange => {
    const current = currentHash(file.to);
    const entry = manifest?.files[file.to];
    const imported = current === undefined ? deleted.get(file.from) : entry?.isNew ? undefined : entry?.sha256;
    return { ...file, current, kind: kindOf(file, current, imported) };
  });
  const wanted = new Set(planned.map(({ to }) => to));
  const sources = new Set(planned.map(({ from }) => from));
  const stale = entries.flatMap(([to, { from, sha256, isNew }]) => {
    const current = wanted.has(to) ? undefined : currentHash(to);
    // The imported folder need not be the one that got the new file.
    if (current === undefined || (isNew && !sources.has(from))) return [];
    return [{ to, current, isEdited: current !== sha256 }];
  });
  return { changes, stale };
}

function kindOf(file: DesiredFile, current: string | undefined, imported: string | undefined): ChangeKind {
  if (current === undefined) {
    if (imported === undefined) return 'create';
    return imported === file.sha256 ? 'deleted' : 'conflict';
  }
  if (current === file.sha256) return 'unchanged';
  return current === imported ? 'update' : 'conflict';
}
