/** Runs one task at a time, in the order of the calls. A task that fails does not stop the next one. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return await result;
  }
}

/** Runs a limited number of tasks at the same time, in the order of the calls. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Waits for a free slot. A task that is cancelled while it waits passes its slot to the next task. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>(resolve => this.#waiting.push(resolve));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

/** The limit applies to the total size of all items whose results are waiting in memory. */
const maxBytesAhead = 64 * 1024 * 1024;

/**
 * Runs the task for every item and yields the results in the order of the items. At most `ahead` tasks run in advance.
 */
export async function* mapInOrder<Item extends { size: number }, Result>(
  items: readonly Item[],
  ahead: number,
  work: (item: Item) => Promise<Result>,
  signal?: AbortSignal,
): AsyncGenerator<readonly [Item, Result]> {
  const waiting: { item: Item; result: Promise<Result> }[] = [];
  let bytes = 0;
  let next = 0;
  const begin = (): void => {
    for (; next < items.length && waiting.length <= ahead; next++) {
      const item = items[next];
      if (item === undefined || (waiting.length > 0 && bytes + item.size > maxBytesAhead)) return;
      const result = work(item);
      // The error is reported when the result is awaited. If the consumer stops before, the error is not needed.
      result.catch(() => {});
      waiting.push({ item, result });
      bytes += item.size;
    }
  };
  for (;;) {
    signal?.throwIfAborted();
    begin();
    const first = waiting.shift();
    if (first === undefined) return;
    const result = await first.result;
    bytes -= first.item.size;
    begin();
    yield [first.item, result];
  }
}
