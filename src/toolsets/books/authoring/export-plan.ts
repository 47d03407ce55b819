import { isKeyInsideFolder } from '../model/key.ts';
import { isExportedPath, isLessonPath, isReadmePath, isWindowsDeviceName } from '../model/path.ts';
import { findSyncedState, isUneditedInLibrary } from './changes.ts';
import type { TargetPathsOfFiles } from './links.ts';
import type { ImportManifest, SyncedState } from './manifest.ts';
import { fileNameOf, joinPath, parentFolderOf } from './outline.ts';

/**
 * Assigns each file the path from which it was imported. A new page is placed next to a page of its chapter or part,
 * and the number is removed from its name. If the book was never imported, each file keeps its library path.
 */
export function assignExportPaths(paths: readonly string[], manifest: ImportManifest | undefined): TargetPathsOfFiles {
  const placement = new Map<string, string>();
  const exported = paths.filter(isExportedPath);
  for (const path of exported) {
    const from = manifest === undefined ? path : manifest.files[path]?.from;
    // The paths in the manifest are checked, because other programs may have written it: no path may lead out of the
    // exported folder.
    if (from !== undefined && isKeyInsideFolder(from) && !from.includes(':')) placement.set(path, from);
  }
  // The folder still contains the files of lessons that were deleted in the library.
  const files = [...placement.values(), ...Object.values(manifest?.files ?? {}).map(({ from }) => from)];
  const taken = new Set(files.map(path => path.toLowerCase()));
  const movedFrom = (path: string): string => manifest?.files[path]?.movedFrom ?? path;
  const folderFor = createFolderFor(placement, path => parentFolderOf(movedFrom(path)) !== parentFolderOf(path));
  for (const path of exported) {
    if (placement.has(path)) continue;
    const target = freeName(taken, folderFor(path), exportedName(path));
    taken.add(target.toLowerCase());
    placement.set(path, target);
  }
  return new Map(exported.map(path => [path, placement.get(path) ?? path]));
}

/** Maps each folder of the library to the folder of the export that contains the files of all its pages. */
function foldersOf(pages: Iterable<readonly [path: string, target: string]>): Map<string, string> {
  const folders = new Map<string, string>();
  for (const [path, target] of pages) {
    for (let folder = parentFolderOf(path); folder !== ''; folder = parentFolderOf(folder)) {
      const own = folders.get(folder);
      folders.set(folder, own === undefined ? parentFolderOf(target) : commonFolder(own, parentFolderOf(target)));
    }
  }
  return folders;
}

function commonFolder(one: string, other: string): string {
  if (one === other || one === '' || `${other}/`.startsWith(`${one}/`)) return one;
  return commonFolder(parentFolderOf(one), other);
}

/**
 * Returns a function that chooses the path of a new file. A new lesson is placed next to the lessons of its chapter. A
 * new part or chapter gets a folder with its name, without the number.
 */
function createFolderFor(placement: TargetPathsOfFiles, isMoved: (path: string) => boolean): (path: string) => string {
  // The README of a chapter can be stored one folder above its lessons. A moved lesson stays in its former folder.
  const beside = foldersOf([...placement].filter(([path]) => !isReadmePath(path) && !isMoved(path)));
  const around = foldersOf(placement);
  return path => {
    const own = beside.get(parentFolderOf(path));
    if (own !== undefined) return own;
    const names: string[] = [];
    for (let folder = parentFolderOf(path); folder !== ''; folder = parentFolderOf(folder)) {
      const known = around.get(folder);
      if (known !== undefined) return names.reduceRight(joinPath, known);
      names.push(nameWithoutNumber(folder));
    }
    return parentFolderOf(path);
  };
}

/** Returns the name of a lesson without its number. Names with a special meaning, such as README, are changed. */
function exportedName(path: string): string {
  if (!isLessonPath(path)) return fileNameOf(path);
  return nameWithoutNumber(path).replace(/^(index|readme|summary)\./i, '$1-page.');
}

/** Returns the name of a part, chapter or lesson without its number. Windows can create no file named "con" or "aux.md". */
function nameWithoutNumber(path: string): string {
  const name = fileNameOf(path).replace(/^\d\d-/, '');
  return isWindowsDeviceName(name) ? name.replace(/^[^.]*/, '$&-page') : name;
}

function freeName(taken: ReadonlySet<string>, folder: string, name: string): string {
  const dot = name.indexOf('.');
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
    const path = joinPath(folder, numbered);
    if (!taken.has(path.toLowerCase())) return path;
  }
}

export type FileExportKind = 'create' | 'update' | 'unchanged' | 'newer' | 'conflict' | 'overwrite' | 'blocked';

export interface ExportedFileHashes {
  /** The hash of the content that the export would write. */
  exported: string;
  /** The hash of the file in the folder. It is undefined if the folder does not contain the file. */
  present: string | undefined;
  /** True if the export cannot write to the path of the file. */
  isBlocked: boolean;
  inLibrary: string;
  /** The hash of the content that an import after the export would write into the library. */
  reimported: string | undefined;
  synced: readonly SyncedState[];
  /** The file hashes that were recorded for this folder. There are none for a file that another program wrote. */
  own: readonly SyncedState[];
}

/**
 * Decides whether a file is exported without losing an edit. `newer`: the file was edited only in the folder.
 * `conflict`: it was edited in both places; it is overwritten only on request.
 */
export function decideFileExport(hashes: ExportedFileHashes, isOverwriting: boolean): FileExportKind {
  const { exported, present, isBlocked, inLibrary, reimported = '', synced, own } = hashes;
  if (isBlocked) return 'blocked';
  if (present === undefined) return 'create';
  const former = findSyncedState(synced, { sha256: reimported, source: present });
  if (present === exported || reimported === inLibrary || former?.sha256 === inLibrary) return 'unchanged';
  if (former !== undefined) return 'update';
  if (isUneditedInLibrary(own, inLibrary)) return 'newer';
  return isOverwriting ? 'overwrite' : 'conflict';
}
