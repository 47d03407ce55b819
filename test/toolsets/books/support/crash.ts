/** Runs tasks in parallel, because they wait for processes and disks most of the time. */
export async function inParallel<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<string[]>,
): Promise<string[]> {
  const waiting = [...items.entries()];
  const found: string[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      found.push(...(await work(next[1], next[0])));
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return found;
}
