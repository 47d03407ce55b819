import type { ImportManifest } from './manifest.ts';

/** A file that an import wants to write into the library. */
export interface ImportedFile {
  from: string;
  to: string;
  sha256: string;
}

/**
 * The change that an import makes to a file. `deleted` means that the file was deleted in the library since its last
 * import, and is not created again.
 */
export type ChangeKind = 'create' | 'update' | 'unchanged' | 'conflict' | 'deleted';

export interface ImportChange extends ImportedFile {
  kind: ChangeKind;
  /** The hash of the file in the library. */
  current: string | undefined;
}

export interface ImportChanges {
  changes: ImportChange[];
  /**
   * Files of an earlier import that the folder no longer contains. They are removed from the library unless they were
   * edited there.
   */
  stale: { to: string; current: string; isEdited: boolean }[];
}

/**
 * Compares the files to import with the library. A file that was edited in the library since its last import is a
 * conflict and is never overwritten. Running the same import again changes nothing.
 */
export function compareImportWithLibrary(
  planned: readonly ImportedFile[],
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
    // A file that was exported and is not in the folder is skipped, because the export may have gone to another folder.
    if (current === undefined || (isNew && !sources.has(from))) return [];
    return [{ to, current, isEdited: current !== sha256 }];
  });
  return { changes, stale };
}

function kindOf(file: ImportedFile, current: string | undefined, imported: string | undefined): ChangeKind {
  if (current === undefined) {
    if (imported === undefined) return 'create';
    return imported === file.sha256 ? 'deleted' : 'conflict';
  }
  if (current === file.sha256) return 'unchanged';
  return current === imported ? 'update' : 'conflict';
}
