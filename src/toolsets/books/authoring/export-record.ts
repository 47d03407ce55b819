import { sha256Of } from '../model/hash.ts';
import { computeSyncedStatesAfterExport } from './changes.ts';
import type { FileExportKind } from './export-plan.ts';
import type { TargetPathsOfFiles } from './links.ts';
import type { ImportManifest, ManifestEntry } from './manifest.ts';

export interface ExportedFile {
  kind: FileExportKind;
  path: string;
  target: string;
  /** The hashes of the file in the library and of the file in the folder after the export. */
  content: string;
  source: string;
}

/**
 * Adds the path of each exported file in the folder to the manifest, so that an import of the folder recognizes the
 * file.
 */
export function addExportedFilesToManifest(
  manifest: ImportManifest | undefined,
  placement: TargetPathsOfFiles,
): ImportManifest {
  const added = [...placement].filter(([path]) => manifest?.files[path] === undefined);
  const entries = added.map(([path, from]): [string, ManifestEntry] => [path, { from, synced: [], isNew: true }]);
  return {
    kind: manifest?.kind ?? 'folder',
    orders: manifest?.orders ?? [],
    files: { ...manifest?.files, ...Object.fromEntries(entries) },
  };
}

/**
 * Returns the manifest after an export, so that an import of the unchanged folder changes nothing. A file that the
 * export did not replace keeps its recorded hashes.
 */
export function updateManifestAfterExport(
  manifest: ImportManifest,
  exported: readonly ExportedFile[],
  contentOf: (file: string) => string | undefined,
  folder: string,
): ImportManifest {
  const files = { ...manifest.files };
  for (const { path, target, kind, content, source } of exported) {
    const entry = files[path];
    if (entry === undefined) continue;
    if (kind === 'newer' || kind === 'conflict' || kind === 'blocked') {
      if (entry.synced.length === 0) delete files[path];
      continue;
    }
    const text = contentOf(target);
    const reimported = text === undefined ? undefined : sha256Of(text);
    const { isGone: _, ...known } = entry;
    files[path] = {
      ...known,
      synced: computeSyncedStatesAfterExport(entry.synced, { content, source, reimported }, folder),
    };
  }
  return { ...manifest, files };
}
