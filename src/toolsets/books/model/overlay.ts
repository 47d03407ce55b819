import { byCodePoint, type Namespace } from './key.ts';

export interface Layered {
  /** Inside the book, the same in both layers. */
  path: string;
  key: string;
  source: Namespace;
  /** Why it cannot be opened. */
  closed?: string | undefined;
}

/** A user's view of a book: the own version where there is one, the book's elsewhere, by path. */
export function mergeOverlay<File extends Layered>(base: readonly File[], overlay: readonly File[]): File[] {
  const merged = new Map(base.map(file => [file.path, file]));
  for (const file of overlay) merged.set(file.path, file);
  return [...merged.values()].sort((one, other) => byCodePoint(one.path, other.path));
}
