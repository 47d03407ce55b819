import type { Manifest } from './manifest.ts';

/** A file that an import wants to write into the library. */
export interface DesiredFile {
  from: string;
  to: string;
  sha256: string;
}

export type ChangeKind = 'create' | 'update' | 'unchanged' | 'conflict';

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
export function compareWithLibrary(
  planned: readonly DesiredFile[],
  manifest: Manifest | undefined,
  currentHash: (path: string) => string | undefined,
): ImportChanges {
  const changes = planned.map((file): ImportChange => {
    const current = currentHash(file.to);
    return { ...file, current, kind: kindOf(file, current, manifest?.files[file.to]?.sha256) };
  });
  const wanted = new Set(planned.map(({ to }) => to));
  const stale = Object.entries(manifest?.files ?? {}).flatMap(([to, { sha256 }]) => {
    const current = wanted.has(to) ? undefined : currentHash(to);
    return current === undefined ? [] : [{ to, current, isEdited: current !== sha256 }];
  });
  return { changes, stale };
}

function kindOf(file: DesiredFile, current: string | undefined, imported: string | undefined): ChangeKind {
  if (current === undefined) return 'create';
  if (current === file.sha256) return 'unchanged';
  return current === imported ? 'update' : 'conflict';
}
