import type { JournalRecord } from '../model/journal.ts';
import { createNextFreeNumber, isReadmePath } from '../model/path.ts';
import type { PlacedPage } from './levels.ts';
import type { ImportManifest } from './manifest.ts';
import { folderOf, nameOf } from './outline.ts';

/** The journal record of a completed move, which belongs to the former path and names the new one. */
export type MoveRecord = Pick<JournalRecord, 'path' | 'prev' | 'moved'>;

/**
 * Returns the import manifest with the present paths of lessons that were moved in the library. A moved lesson that was
 * not edited since its import gets its hash after the move, so that it does not count as edited.
 */
export function applyMovesToManifest(
  manifest: ImportManifest,
  moves: readonly MoveRecord[],
  has: (path: string) => boolean,
): ImportManifest {
  const originOf = new Map<string, { origin: string; sha256: string }>();
  for (const { path, prev, moved } of moves) {
    if (moved === undefined) continue;
    const imported = manifest.files[path];
    const known = originOf.get(path) ?? (imported && { origin: path, sha256: imported.sha256 });
    originOf.delete(path);
    if (known === undefined) continue;
    const sha256 = known.sha256 === prev ? (moved.hash ?? '') : known.sha256;
    originOf.set(moved.path, { origin: known.origin, sha256 });
  }
  const files = { ...manifest.files };
  for (const [path, { origin, sha256 }] of originOf) {
    const entry = files[origin];
    if (entry === undefined || has(origin) || !has(path) || files[path] !== undefined) continue;
    delete files[origin];
    files[path] = { ...entry, sha256, planned: entry.planned ?? origin };
  }
  return { ...manifest, files };
}

export interface KeptLibraryPaths {
  pages: readonly PlacedPage[];
  /** True if the folder and the library have the same chapters in the same order. */
  isSameOrder: boolean;
}

/**
 * Keeps the library paths of imported pages if the table of contents of the folder is unchanged, or agrees with the
 * library. Otherwise the folder was reordered, and its pages get new paths.
 */
export function keepLibraryPaths(
  pages: readonly PlacedPage[],
  { files }: ImportManifest,
  libraryPaths: Iterable<string>,
): KeptLibraryPaths {
  const known = new Map(
    Object.entries(files).map(([to, { from, planned = to }]): [string, { to: string; planned: string }] => [
      from,
      { to, planned },
    ]),
  );
  const kept = addNewPages(pages, page => known.get(page.from)?.to, libraryPaths);
  if (new Set(kept.map(({ to }) => to)).size < kept.length) return { pages, isSameOrder: true };
  const isSameOrder = hasSameOrder(pages, kept);
  const isUnchanged = pages.every(({ from, to }) => (known.get(from)?.planned ?? to) === to);
  return isUnchanged || isSameOrder ? { pages: kept, isSameOrder } : { pages, isSameOrder: true };
}

/** Gives each new page a free number in the chapter of the page before it. */
function addNewPages(
  pages: readonly PlacedPage[],
  knownPath: (page: PlacedPage) => string | undefined,
  libraryPaths: Iterable<string>,
): PlacedPage[] {
  const used = [...libraryPaths, ...pages.flatMap(page => knownPath(page) ?? [])];
  const numbers = new Set(used.map(numberedPath));
  let former = '';
  let folder = '';
  return pages.map(page => {
    const known = knownPath(page);
    const own = folderOf(page.to) === former ? folder : folderOf(page.to);
    former = folderOf(page.to);
    let to = known ?? `${own}/${nameOf(page.to)}`;
    if (known === undefined && numbers.has(numberedPath(to)) && !isReadmePath(to)) {
      to = `${own}/${createNextFreeNumber(used)(own)}${nameOf(page.to).slice(2)}`;
    }
    used.push(to);
    numbers.add(numberedPath(to));
    folder = folderOf(to);
    return { ...page, to };
  });
}

/** Returns the folder of a page and the number in its name. */
function numberedPath(path: string): string {
  return `${folderOf(path)}/${nameOf(path).slice(0, 2)}`;
}

function hasSameOrder(planned: readonly PlacedPage[], kept: readonly PlacedPage[]): boolean {
  return kept.every(({ to }, index) => {
    const former = kept[index - 1]?.to;
    if (former === undefined) return true;
    const isTogether = folderOf(planned[index]?.to ?? '') === folderOf(planned[index - 1]?.to ?? '');
    return orderOf(former) < orderOf(to) && isTogether === (folderOf(former) === folderOf(to));
  });
}

function orderOf(path: string): string {
  return path.replace(/README\.mdx?$/, '');
}
