import { isKeyInsideFolder } from '../model/key.ts';
import { isLessonPath, isReadmePath } from '../model/path.ts';
import { encodeLinkTarget, type FilePlacement, relativePath } from './links.ts';
import type { ImportManifest } from './manifest.ts';
import { folderOf, joinPath, nameOf } from './outline.ts';

/**
 * Assigns each file the path from which it was imported. A new page is placed next to a page of its chapter or part,
 * without the number in its name. If the book was never imported, each file keeps its library path.
 */
export function assignExportPaths(paths: readonly string[], manifest: ImportManifest | undefined): FilePlacement {
  const placement = new Map<string, string>();
  const exported = paths.filter(path => path.startsWith('content/') || path.startsWith('static/'));
  for (const path of exported) {
    const from = manifest === undefined ? path : manifest.files[path]?.from;
    // The paths of the manifest are checked, because other programs may have written it: no path may leave the exported
    // folder.
    if (from !== undefined && isKeyInsideFolder(from) && !from.includes(':')) placement.set(path, from);
  }
  const taken = new Set(Array.from(placement.values(), path => path.toLowerCase()));
  const folders = foldersOf(placement);
  for (const path of exported) {
    if (placement.has(path)) continue;
    const target = freeName(taken, folderFor(path, folders), exportedName(path));
    taken.add(target.toLowerCase());
    placement.set(path, target);
  }
  return placement;
}

/**
 * Maps each folder of the library to the folder from which its first lesson was imported. The folder of its README
 * counts only if there is no lesson, because it can be one level higher.
 */
function foldersOf(placement: FilePlacement): Map<string, string> {
  const folders = new Map<string, string>();
  const entries = [...placement];
  const isLesson = ([path]: readonly [string, string]): boolean => !isReadmePath(path);
  for (const [path, target] of [...entries.filter(isLesson), ...entries]) {
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      if (!folders.has(folder)) folders.set(folder, folderOf(target));
    }
  }
  return folders;
}

function folderFor(path: string, folders: ReadonlyMap<string, string>): string {
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
    const known = folders.get(folder);
    if (known !== undefined) return known;
  }
  return folderOf(path);
}

function exportedName(path: string): string {
  return isLessonPath(path) ? nameOf(path).replace(/^\d\d-/, '') : nameOf(path);
}

function freeName(taken: ReadonlySet<string>, folder: string, name: string): string {
  const dot = name.indexOf('.');
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
    const path = joinPath(folder, numbered);
    if (!taken.has(path.toLowerCase())) return path;
  }
}

/**
 * Creates the table of contents of an mdBook (`SUMMARY.md`): the pages in order, each below the README of its part and
 * chapter.
 */
export function formatMdBookSummary(
  pages: readonly { path: string; title: string }[],
  placement: FilePlacement,
): string {
  const root = mdBookSourceFolder(placement);
  const parents = new Set(
    pages
      .map(({ path }) => path)
      .filter(isReadmePath)
      .map(folderOf),
  );
  const lines = ['# Summary', ''];
  for (const { path, title } of pages) {
    const own = isReadmePath(path) ? folderOf(path) : path;
    const depth = ancestorsOf(own).filter(folder => folder !== 'content' && parents.has(folder)).length;
    const target = relativePath(root, placement.get(path) ?? path);
    const label = title.replace(/[[\]\\]/g, '\\$&');
    lines.push(`${'  '.repeat(depth)}- [${label}](${encodeLinkTarget(target)})`);
  }
  return `${lines.join('\n')}\n`;
}

function ancestorsOf(path: string): string[] {
  const folder = folderOf(path);
  return folder === '' ? [] : [folder, ...ancestorsOf(folder)];
}

/** Returns the source folder of an mdBook: `src` if it contains the pages, otherwise the folder itself. */
export function mdBookSourceFolder(placement: FilePlacement): string {
  const targets = [...placement.values()];
  return targets.some(target => target.startsWith('src/')) ? 'src' : '';
}

export type FileExportKind = 'create' | 'update' | 'unchanged' | 'newer' | 'conflict';

/** The hashes of a file in the folder and in the library, and of their common ancestor, the last import. */
export interface ExportedFileHashes {
  /**
   * The hash of the content that the export would write, and of the file in the folder. `present` is undefined if the
   * folder does not contain the file.
   */
  exported: string;
  present: string | undefined;
  /**
   * The hash of the file at its last import (after a move, the hash of the moved file), its present hash in the
   * library, and the hashes that a new import of the folder would give it.
   */
  imported: string | undefined;
  inLibrary: string;
  reimported: ReadonlySet<string>;
  /** True if the file in the folder is unchanged since its import. */
  isFolderUnchanged: boolean;
}

/**
 * Decides whether a file is exported, so that no edit is lost. A file that was edited only in the folder is `newer`;
 * one that was edited in both places is a conflict.
 */
export function decideExport(state: ExportedFileHashes): FileExportKind {
  const { exported, present, imported, inLibrary, reimported, isFolderUnchanged } = state;
  if (present === undefined) return 'create';
  if (present === exported || reimported.has(inLibrary)) return 'unchanged';
  if (imported === inLibrary) return isFolderUnchanged ? 'unchanged' : 'newer';
  return isFolderUnchanged ? 'update' : 'conflict';
}
