import { compareCodePoints } from '../model/key.ts';
import type { PageWithLibraryPath } from './levels.ts';
import { parentFolderOf } from './outline.ts';

/** The table of contents of a folder: the files of each chapter or part in order. */
export type PageOrder = readonly (readonly string[])[];

export const maxRecordedPageOrders = 4;

/** Returns the order of pages that have a library path. */
export function orderOfPages(pages: readonly Pick<PageWithLibraryPath, 'from' | 'to'>[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const { from, to } of [...pages].sort((one, other) =>
    compareCodePoints(createReadingOrderSortKey(one.to), createReadingOrderSortKey(other.to)),
  )) {
    const files = groups.get(parentFolderOf(to)) ?? [];
    groups.set(parentFolderOf(to), files);
    files.push(from);
  }
  return [...groups.values()];
}

/** Returns whether two page orders group and sort their common pages in the same way. */
export function isSamePageOrder(one: PageOrder, other: PageOrder): boolean {
  return JSON.stringify(commonPages(one, other)) === JSON.stringify(commonPages(other, one));
}

function commonPages(order: PageOrder, other: PageOrder): string[][] {
  const known = new Set(other.flat());
  return order.map(files => files.filter(file => known.has(file))).filter(files => files.length > 0);
}

/**
 * Returns the recorded page orders after the pages of a folder changed from the order `former`. The new order replaces
 * the orders that agree with `former`. If none agrees, the folder was reordered, and the record stays, so that the next
 * import detects this.
 */
export function replacePageOrder(orders: readonly PageOrder[], former: PageOrder, order: PageOrder): PageOrder[] {
  const isNewFolder = former.length === 0;
  const others = orders.filter(known => !isSamePageOrder(known, isNewFolder ? order : former));
  const isReordered = !isNewFolder && others.length === orders.length && orders.length > 0;
  return isReordered ? [...orders] : [order, ...others].slice(0, maxRecordedPageOrders);
}

/** Returns the key by which library paths are sorted: the README of a folder comes before its lessons. */
export function createReadingOrderSortKey(path: string): string {
  return path.replace(/README\.mdx?$/, '');
}
