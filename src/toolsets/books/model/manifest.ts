import * as v from 'valibot';
import type { FileVersion } from './journal.ts';
import { byCodePoint } from './key.ts';

/** The text whose SHA-256 is the manifest hash: `path:sha256` lines by path, joined by line feeds, none at the end. */
export function manifestText(files: ReadonlyMap<string, string>): string {
  return [...files]
    .sort(([one], [other]) => byCodePoint(one, other))
    .map(([path, hash]) => `${path}:${hash}`)
    .join('\n');
}

/** The files of the book itself, by path, with their hashes. */
export function baseFiles(files: readonly FileVersion[]): Map<string, string> {
  const base = new Map<string, string>();
  for (const { place, hash } of files) if (place.user === undefined && hash !== null) base.set(place.path, hash);
  return base;
}

/** Paths the manifest and the history of a book are about. */
export function isTracked(path: string): boolean {
  return path.startsWith('content/') || path.startsWith('static/');
}

export const DifferingFile = v.strictObject({
  path: v.string(),
  sha256: v.string(),
  previous_sha256: v.optional(v.string()),
});
export type DifferingFile = v.InferInput<typeof DifferingFile>;

/** What became of the book since; unknown: nobody remembers. */
export const deltaStatuses = ['unchanged', 'changed', 'unknown'] as const;

export interface ManifestDelta {
  status: (typeof deltaStatuses)[number];
  changed_files: DifferingFile[];
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
