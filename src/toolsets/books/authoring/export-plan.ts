import { isInside } from '../model/key.ts';
import { isLessonPath, isReadmePath } from '../model/path.ts';
import { encodeTarget, relativePath } from './links.ts';
import type { Manifest } from './manifest.ts';
import { rewriteLinks } from './markdown-links.ts';
import { decoded } from './mdbook.ts';
import { folderOf, join, nameOf, resolvePath } from './outline.ts';

/** Library path → path in the exported folder, for each file of the book itself. */
export type ExportPlacement = ReadonlyMap<string, string>;

/**
 * Places files where they were imported from. A new page stands beside a page of its chapter or part, under its name
 * without the number; in a book that was not imported, each file keeps its library path.
 */
export function placeExport(paths: readonly string[], manifest: Manifest | undefined): ExportPlacement {
  const placement = new Map<string, string>();
  const exported = paths.filter(path => path.startsWith('content/') || path.startsWith('static/'));
  for (const path of exported) {
    const from = manifest === undefined ? path : manifest.files[path]?.from;
    // The manifest is a file that others may have written: a path must not leave the exported folder.
    if (from !== undefined && isInside(from) && !from.includes(':')) placement.set(path, from);
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

/** For each library folder the folder that its first lesson was imported from; a README can stand one folder higher. */
function foldersOf(placement: ExportPlacement): Map<string, string> {
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
    const path = join(folder, numbered);
    if (!taken.has(path.toLowerCase())) return path;
  }
}

/** The page with its links to files of the library turned into links to the exported files. */
export function exportPage(markdown: string, path: string, placement: ExportPlacement): string {
  const target = placement.get(path) ?? path;
  return rewriteLinks(markdown, link => {
    const [, address = '', suffix = ''] = /^([^?#]*)(.*)$/s.exec(link.target) ?? [];
    const linked = address === '' ? undefined : resolvePath(folderOf(path), decoded(address));
    const exported = linked === undefined ? undefined : placement.get(linked);
    return exported === undefined ? undefined : encodeTarget(relativePath(folderOf(target), exported)) + suffix;
  });
}

/** The `SUMMARY.md` of an mdBook: pages in order, each below the READMEs of its part and chapter. */
export function summaryOf(pages: readonly { path: string; title: string }[], placement: ExportPlacement): string {
  const root = summaryFolder(placement);
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
    lines.push(`${'  '.repeat(depth)}- [${label}](${encodeTarget(target)})`);
  }
  return `${lines.join('\n')}\n`;
}

function ancestorsOf(path: string): string[] {
  const folder = folderOf(path);
  return folder === '' ? [] : [folder, ...ancestorsOf(folder)];
}

/** mdBook's source folder: `src`, if the pages are in it. */
export function summaryFolder(placement: ExportPlacement): string {
  const targets = [...placement.values()];
  return targets.some(target => target.startsWith('src/')) ? 'src' : '';
}

export type ExportKind = 'create' | 'update' | 'unchanged' | 'newer' | 'conflict';

/** The hashes of an exported file: its two versions and their common ancestor. */
export interface ExportState {
  /** The bytes that the export would write, and the bytes in the folder; undefined for no file. */
  exported: string;
  present: string | undefined;
  /** The library's hash of the last import, now in the library, and of an import of the folder as it is. */
  imported: string | undefined;
  inLibrary: string;
  reimported: string | undefined;
}

/** Neither side loses an edit: a file that was edited in the folder only is newer there, one edited twice a conflict. */
export function exportKind({ exported, present, imported, inLibrary, reimported }: ExportState): ExportKind {
  if (present === undefined) return 'create';
  if (present === exported) return 'unchanged';
  if (imported === inLibrary) return reimported === imported ? 'unchanged' : 'newer';
  return reimported !== undefined && reimported === imported ? 'update' : 'conflict';
}
