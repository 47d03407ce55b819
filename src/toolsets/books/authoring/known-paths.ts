import type { JournalRecord } from '../model/journal.ts';
import { createNextLessonNumber, isReadmePath } from '../model/path.ts';
import type { PageWithLibraryPath } from './levels.ts';
import type { ImportManifest, SyncedState } from './manifest.ts';
import { fileNameOf, parentFolderOf } from './outline.ts';
import { createReadingOrderSortKey, isSamePageOrder, orderOfPages } from './page-order.ts';

/** The journal record of a completed move. It belongs to the former path of the file and contains the new path. */
export type CompletedMoveRecord = Pick<JournalRecord, 'path' | 'prev' | 'moved'>;

/**
 * Returns the import manifest with the current paths of lessons that were moved in the library. If a moved lesson was
 * not edited since its import, its recorded hash becomes the hash after the move, so that the lesson does not count as
 * edited.
 */
export function applyMovesToManifest(
  manifest: ImportManifest,
  moves: readonly CompletedMoveRecord[],
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

export interface LibraryPathAssignment {
  pages: readonly PageWithLibraryPath[];
  /** True if the folder and the library have the same chapters in the same order. */
  isSameOrder: boolean;
}

/**
 * Keeps the library paths of known pages if the table of contents of the folder has a recorded order or the order of
 * the library. Otherwise the author has reordered the pages, and they get new paths. New and deleted pages do not
 * change the order.
 */
export function keepLibraryPaths(
  pages: readonly PageWithLibraryPath[],
  { files, orders }: ImportManifest,
  libraryPaths: Iterable<string>,
): LibraryPathAssignment {
  const known = new Map(Object.entries(files).map(([to, { from }]) => [from, to]));
  const kept = addNewPages(pages, page => known.get(page.from), libraryPaths);
  if (new Set(kept.map(({ to }) => to)).size < kept.length) return { pages, isSameOrder: true };
  const order = orderOfPages(pages);
  const agreesWithLibrary = hasSameOrder(pages, kept);
  const isUnchanged = orders.some(recorded => isSamePageOrder(recorded, order));
  if (!isUnchanged && !agreesWithLibrary) return { pages, isSameOrder: true };
  return { pages: kept, isSameOrder: agreesWithLibrary };
}

/** Assigns each new page a free number in the chapter of the previous page. */
function addNewPages(
  pages: readonly PageWithLibraryPath[],
  knownPath: (page: PageWithLibraryPath) => string | undefined,
  libraryPaths: Iterable<string>,
): PageWithLibraryPath[] {
  const used = [...libraryPaths, ...pages.flatMap(page => knownPath(page) ?? [])];
  const numbers = new Set(used.map(numberedPath));
  let former = '';
  let folder = '';
  return pages.map(page => {
    const known = knownPath(page);
    const own = parentFolderOf(page.to) === former ? folder : parentFolderOf(page.to);
    former = parentFolderOf(page.to);
    let to = known ?? `${own}/${fileNameOf(page.to)}`;
    if (known === undefined && numbers.has(numberedPath(to)) && !isReadmePath(to)) {
      to = `${own}/${createNextLessonNumber(used)(own)}${fileNameOf(page.to).slice(2)}`;
    }
    used.push(to);
    numbers.add(numberedPath(to));
    folder = parentFolderOf(to);
    return { ...page, to };
  });
}

/** Returns the folder of a page and the number in its name. */
function numberedPath(path: string): string {
  return `${parentFolderOf(path)}/${fileNameOf(path).slice(0, 2)}`;
}

function hasSameOrder(planned: readonly PageWithLibraryPath[], kept: readonly PageWithLibraryPath[]): boolean {
  return kept.every(({ to }, index) => {
    const former = kept[index - 1]?.to;
    if (former === undefined) return true;
    const isTogether = parentFolderOf(planned[index]?.to ?? '') === parentFolderOf(planned[index - 1]?.to ?? '');
    return (
      createReadingOrderSortKey(former) < createReadingOrderSortKey(to) &&
      isTogether === (parentFolderOf(former) === parentFolderOf(to))
    );
  });
}
