/** A list stays in the cache for this time after one of its pages was requested. */
const keptMs = 60_000;
const maxLists = 4;
const maxItems = 400_000;

interface Kept<List> {
  list: List;
  usedMs: number;
}

/**
 * Caches lists that are longer than one page, so that a later page does not repeat the work of the first one. The size
 * of the cache is limited. If a list was evicted, it is computed again for a later page.
 */
export class PagedListCache<List> {
  /** Each open library has its own lists. */
  readonly #libraries = new WeakMap<object, Map<string, Kept<List>>>();
  readonly #sizeOf: (list: List) => number;

  constructor(sizeOf: (list: List) => number) {
    this.#sizeOf = sizeOf;
  }

  /**
   * Returns the list for a call. A first page always computes it. The cache key consists of all arguments except those
   * that select the page.
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

  /**
   * Evicts expired lists, and then the least recently used ones until the cache is within its limit. A list can grow
   * after it was added.
   */
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
