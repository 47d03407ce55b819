import path from 'node:path';
import type { FileType } from '../../../documents/file-type.ts';
import type { Excerpt } from './search/place.ts';

/** One result: few keys, because a model pays for every byte. The keys stand in the order of their code units. */
export interface Row {
  [key: string]: string | number | Excerpt;
  _path: string;
  /** Where the file holds what was looked for, when that was asked for. */
  excerpt?: Excerpt;
  kMDItemContentModificationDate: string;
  kMDItemContentType: string;
  kMDItemDisplayName: string;
  kMDItemFSSize: number;
}

export interface FoundFile {
  path: string;
  type: FileType;
  mtimeMs: number;
  size: number;
  excerpt?: Excerpt;
}

export function toRow({ path: file, type, mtimeMs, size, excerpt }: FoundFile): Row {
  return {
    _path: file,
    ...(excerpt && { excerpt }),
    kMDItemContentModificationDate: isoSeconds(mtimeMs),
    kMDItemContentType: type.identifier,
    kMDItemDisplayName: path.basename(file),
    kMDItemFSSize: size,
  };
}

/** As the answers write a date: UTC, to the second. */
export function isoSeconds(milliseconds: number): string {
  const date = new Date(Math.floor(milliseconds / 1000) * 1000);
  return Number.isNaN(date.getTime()) ? '1970-01-01T00:00:00Z' : date.toISOString().replace('.000Z', 'Z');
}

/** The one order of all results: newest first, then by path. */
export function newestFirst(left: { path: string; mtimeMs: number }, right: { path: string; mtimeMs: number }): number {
  if (left.mtimeMs !== right.mtimeMs) return right.mtimeMs - left.mtimeMs;
  return Number(left.path > right.path) - Number(left.path < right.path);
}

/** Which part of all results is wanted. */
export interface Page {
  offset: number;
  limit: number;
}

/** How many results have to be known to fill the page and to say whether there are more. */
export function neededResults({ offset, limit }: Page): number {
  return offset + limit + 1;
}

interface Dated {
  readonly path: string;
  readonly mtimeMs: number;
}

/** Gives files out in their order, as many as are asked for: a page needs a hundred of fifty thousand, and sorting all of them takes longer than the rest of a search. */
export class NewestQueue<File extends Dated> {
  /** A heap: every file comes before the two at twice its place and one, and two, further on. */
  readonly #files: File[];

  constructor(files: Iterable<File>) {
    this.#files = Array.from(files);
    for (let index = (this.#files.length >> 1) - 1; index >= 0; index--) this.#sink(index);
  }

  get next(): File | undefined {
    return this.#files[0];
  }

  take(): File | undefined {
    const [first] = this.#files;
    const last = this.#files.pop();
    if (last !== undefined && this.#files.length > 0) {
      this.#files[0] = last;
      this.#sink(0);
    }
    return first;
  }

  takeSome(count: number): File[] {
    const taken: File[] = [];
    for (let file = this.next; taken.length < count && file !== undefined; file = this.next) {
      taken.push(file);
      this.take();
    }
    return taken;
  }

  #sink(start: number): void {
    const files = this.#files;
    const sinking = files[start];
    if (sinking === undefined) return;
    let index = start;
    for (;;) {
      const left = 2 * index + 1;
      const [one, other] = [files[left], files[left + 1]];
      if (one === undefined) break;
      const isOther = other !== undefined && newestFirst(other, one) < 0;
      const child = isOther ? other : one;
      if (newestFirst(sinking, child) <= 0) break;
      files[index] = child;
      index = isOther ? left + 1 : left;
    }
    files[index] = sinking;
  }
}
