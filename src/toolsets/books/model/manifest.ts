import { byCodePoint } from './key.ts';

/** The text whose SHA-256 is the manifest hash: `path:sha256` lines by path, joined by line feeds, none at the end. */
export function manifestText(files: ReadonlyMap<string, string>): string {
  return [...files]
    .sort(([one], [other]) => byCodePoint(one, other))
    .map(([path, hash]) => `${path}:${hash}`)
    .join('\n');
}

/** Paths the manifest and the history of a book are about. */
export function isTracked(path: string): boolean {
  return path.startsWith('content/') || path.startsWith('static/');
}

export interface ManifestDelta {
  status: 'unchanged' | 'changed' | 'unknown';
  changed_files: { path: string; sha256: string; previous_sha256?: string }[];
  deleted_files: string[];
}

/** What a reader of the book as it was has to fetch and to drop; everything, when nobody remembers how it was. */
export function manifestDelta(
  before: ReadonlyMap<string, string> | undefined,
  now: ReadonlyMap<string, string>,
): ManifestDelta {
  const changed = [...now]
    .filter(([path, hash]) => before?.get(path) !== hash)
    .map(([path, sha256]) => {
      const previous = before?.get(path);
      return { path, sha256, ...(previous !== undefined && { previous_sha256: previous }) };
    })
    .sort((one, other) => byCodePoint(one.path, other.path));
  const deleted = [...(before?.keys() ?? [])].filter(path => !now.has(path)).sort(byCodePoint);
  const status = before === undefined ? 'unknown' : changed.length + deleted.length === 0 ? 'unchanged' : 'changed';
  return { status, changed_files: changed, deleted_files: deleted };
}
