/** Limits the total size of results that wait in memory for earlier results. */
const maxBytesAhead = 64 * 1024 * 1024;

/**
 * Runs a task for each item and yields the results in the order of the items. At most `ahead` tasks are started before
 * their results are needed.
 */
export async function* mapInParallelInOrder<Item extends { size: number }, Result>(
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
      // The caller receives the error when it awaits the promise. If the caller stops before, Node must not report an
      // unhandled rejection.
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
