/** A cached list is kept for this time between two pages. */
const keptMs = 60_000;
const maxLists = 4;
const maxItems = 400_000;

interface Kept<List> {
  list: List;
  usedMs: number;
}

/**
 * Caches the lists of one tool that have more pages, so that a later page does not repeat the work of the first one.
 * The cache is bounded. After an eviction, a page starts at its cursor with a new list.
 */
export class PagedListCache<List> {
  /** Each open library has its own cache. */
  readonly #libraries = new WeakMap<object, Map<string, Kept<List>>>();
  readonly #sizeOf: (list: List) => number;

  constructor(sizeOf: (list: List) => number) {
    this.#sizeOf = sizeOf;
  }

  /**
   * Returns the list of a call. A first page always computes it. The cache key consists of all arguments except those
   * of the page.
   */
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

  /** Evicts expired lists, then the least recently used ones. A list can grow after it was added. */
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
