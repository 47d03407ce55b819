/** How long other calls may have to wait for this one. */
export const sliceMs = 25;
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
