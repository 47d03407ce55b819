/** The next page has to be asked for within this time. */
const keptMs = 60_000;
const maxLists = 4;
const maxItems = 400_000;

interface Kept<List> {
  list: List;
  usedMs: number;
}

/**
 * The lists of one tool that have more pages: a later page goes on in the list of the first one instead of repeating its
 * work. Bounded; after an eviction a page starts at its cursor with a new list.
 */
export class ListCache<List> {
  /** By library: nothing is kept for one that is closed. */
  readonly #libraries = new WeakMap<object, Map<string, Kept<List>>>();
  readonly #sizeOf: (list: List) => number;

  constructor(sizeOf: (list: List) => number) {
    this.#sizeOf = sizeOf;
  }

  /** A first page always computes its list. `args` are all arguments; those of the page itself make no difference. */
  async get(
    library: object,
    args: Readonly<Record<string, unknown>> & { after?: string | undefined },
    compute: () => Promise<List>,
  ): Promise<List> {
    const lists = this.#libraries.get(library) ?? new Map<string, Kept<List>>();
    this.#libraries.set(library, lists);
    const { after, limit: _, max_results: __, ...wanted } = args;
    const key = JSON.stringify(wanted);
    const kept = lists.get(key);
    lists.delete(key);
    const isKept = after !== undefined && kept !== undefined && performance.now() - kept.usedMs < keptMs;
    const list = isKept ? kept.list : await compute();
    lists.set(key, { list, usedMs: performance.now() });
    this.#evict(lists);
    return list;
  }

  /** The least recently used lists first, and those whose time is over. A list may have grown since it was added. */
  #evict(lists: Map<string, Kept<List>>): void {
    let items = 0;
    for (const { list } of lists.values()) items += this.#sizeOf(list);
    for (const [key, { list, usedMs }] of lists) {
      if (lists.size <= maxLists && items <= maxItems && performance.now() - usedMs < keptMs) return;
      lists.delete(key);
      items -= this.#sizeOf(list);
    }
  }
}
