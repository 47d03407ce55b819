/** Compares two files: the newer one comes first, and files of the same time are ordered by path. */
export function compareNewestFirst(
  left: { path: string; mtimeMs: number },
  right: { path: string; mtimeMs: number },
): number {
  if (left.mtimeMs !== right.mtimeMs) return right.mtimeMs - left.mtimeMs;
  return Number(left.path > right.path) - Number(left.path < right.path);
}

interface Dated {
  readonly path: string;
  readonly mtimeMs: number;
}

/**
 * Returns the newest files first and sorts only as many as are taken. A page needs a hundred of fifty thousand files,
 * and sorting all of them would take longer than the rest of a search.
 */
export class NewestFirstQueue<File extends Dated> {
  /** The array is a binary heap: each file comes before its two child nodes. */
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

  /** Returns the files that the caller has not taken, in any order. */
  rest(): File[] {
    return [...this.#files];
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
      const isOther = other !== undefined && compareNewestFirst(other, one) < 0;
      const child = isOther ? other : one;
      if (compareNewestFirst(sinking, child) <= 0) break;
      files[index] = child;
      index = isOther ? left + 1 : left;
    }
    files[index] = sinking;
  }
}
