/** Does one work after the other; one that fails does not keep the next from its turn. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return await result;
  }
}

/** Lets only some work at the same time, each in its turn. */
export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(semaphore: number) {
    this.#free = semaphore;
  }

  /** Waits for a turn; whoever is cancelled meanwhile gives the turn on when it comes. */
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

/** What may lie in memory at once, whoever is waited for. */
const maxBytesAhead = 64 * 1024 * 1024;

/**
 * Does the work for every item, `ahead` of them beyond the one that is waited for, and gives what comes of it in the
 * order of the items.
 */
export async function* inOrder<Item extends { size: number }, Result>(
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
      // It is waited for in its turn, and if that never comes nobody wants to know.
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
