import type { JournalRecord } from '../model/journal.ts';
import { createNextFreeNumber, isReadmePath } from '../model/path.ts';
import type { PlacedPage } from './levels.ts';
import type { ImportManifest, SyncedState } from './manifest.ts';
import { folderOf, nameOf } from './outline.ts';
import { isSameOrder, orderKey, orderOfPages } from './page-order.ts';

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
  const originOf = new Map<string, { origin: string; synced: readonly SyncedState[] }>();
  for (const { path, prev, moved } of moves) {
    if (moved === undefined) continue;
    const imported = manifest.files[path];
    const known = originOf.get(path) ?? (imported && { origin: path, synced: imported.synced });
    originOf.delete(path);
    if (known === undefined) continue;
    const synced = known.synced.map(state => (state.sha256 === prev ? { ...state, sha256: moved.hash ?? '' } : state));
    originOf.set(moved.path, { origin: known.origin, synced });
  }
  const files = { ...manifest.files };
  for (const [path, { origin, synced }] of originOf) {
    const entry = files[origin];
    if (entry === undefined || has(origin) || !has(path) || files[path] !== undefined) continue;
    delete files[origin];
    files[path] = { ...entry, synced: [...synced], movedFrom: entry.movedFrom ?? origin };
  }
  return { ...manifest, files };
}

export interface PathAssignment {
  pages: readonly PlacedPage[];
  /** True if the folder and the library have the same chapters in the same order. */
  isSameOrder: boolean;
}

/**
 * Keeps the library paths of known pages if the table of contents of the folder has a recorded order, or agrees with
 * the library. Otherwise the folder was reordered, and its pages get new paths. New pages and deleted ones do not count
 * as a change of the order.
 */
export function keepLibraryPaths(
  pages: readonly PlacedPage[],
  { files, orders }: ImportManifest,
  libraryPaths: Iterable<string>,
): PathAssignment {
  const known = new Map(Object.entries(files).map(([to, { from }]) => [from, to]));
  const kept = addNewPages(pages, page => known.get(page.from), libraryPaths);
  if (new Set(kept.map(({ to }) => to)).size < kept.length) return { pages, isSameOrder: true };
  const order = orderOfPages(pages);
  const agreesWithLibrary = hasSameOrder(pages, kept);
  const isUnchanged = orders.some(recorded => isSameOrder(recorded, order));
  if (!isUnchanged && !agreesWithLibrary) return { pages, isSameOrder: true };
  return { pages: kept, isSameOrder: agreesWithLibrary };
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
    return orderKey(former) < orderKey(to) && isTogether === (folderOf(former) === folderOf(to));
  });
}
