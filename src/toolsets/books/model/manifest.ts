import * as v from 'valibot';
import type { FileVersion } from './journal.ts';
import { compareCodePoints } from './key.ts';

/**
 * Returns the manifest of a book, whose SHA-256 is the manifest hash: lines of `path:sha256` sorted by path, without a
 * final line feed.
 */
export function formatManifest(files: ReadonlyMap<string, string>): string {
  return [...files]
    .sort(([one], [other]) => compareCodePoints(one, other))
    .map(([path, hash]) => `${path}:${hash}`)
    .join('\n');
}

/** Returns the hashes of the book's own files by path, without those of its users. */
export function selectHashesOfBaseFiles(files: readonly FileVersion[]): Map<string, string> {
  const base = new Map<string, string>();
  for (const { place, hash } of files) if (place.user === undefined && hash !== null) base.set(place.path, hash);
  return base;
}

/** Returns whether the manifest and the history of a book include files with this path. */
export function isPathInManifest(path: string): boolean {
  return path.startsWith('content/') || path.startsWith('static/');
}

export const DifferingFile = v.strictObject({
  path: v.string(),
  sha256: v.string(),
  previous_sha256: v.optional(v.string()),
});
export type DifferingFile = v.InferInput<typeof DifferingFile>;

/**
 * The result of the comparison with an older manifest. The value `unknown` means that the manifest is no longer stored.
 */
export const manifestComparisonStatuses = ['unchanged', 'changed', 'unknown'] as const;

export interface ManifestDifference {
  status: (typeof manifestComparisonStatuses)[number];
  changed_files: DifferingFile[];
  deleted_files: string[];
}

/**
 * Returns the files that a client with an older manifest must download and delete. If that manifest is unknown, all
 * files are returned.
 */
export function compareWithManifest(
  before: ReadonlyMap<string, string> | undefined,
  now: ReadonlyMap<string, string>,
): ManifestDifference {
  const changed = [...now]
    .filter(([path, hash]) => before?.get(path) !== hash)
    .map(([path, sha256]) => {
      const previous = before?.get(path);
      return { path, sha256, ...(previous !== undefined && { previous_sha256: previous }) };
    })
    .sort((one, other) => compareCodePoints(one.path, other.path));
  const deleted = [...(before?.keys() ?? [])].filter(path => !now.has(path)).sort(compareCodePoints);
  const status = before === undefined ? 'unknown' : changed.length + deleted.length === 0 ? 'unchanged' : 'changed';
  return { status, changed_files: changed, deleted_files: deleted };
}
