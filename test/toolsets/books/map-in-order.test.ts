import { describe, expect, test } from 'vitest';
import { mapInParallelInOrder } from '../../../src/toolsets/books/library/map-in-order.ts';

const mebibyte = 1024 * 1024;

/** Maps items of these sizes and records which tasks were started. The first tasks take the longest. */
function mapItems(sizes: readonly number[], ahead: number) {
  const started: number[] = [];
  const items = sizes.map((size, number) => ({ number, size }));
  const results = mapInParallelInOrder(items, ahead, async ({ number }) => {
    started.push(number);
    for (let turn = number; turn < sizes.length; turn++) await Promise.resolve();
    return `result ${number}`;
  });
  return { started, results };
}

describe('mapInParallelInOrder', () => {
  test('yields the results in the order of the items', async () => {
    const { results } = mapItems([1, 1, 1, 1, 1], 3);
    const all: string[] = [];
    for await (const [{ number }, result] of results) all.push(`${number}: ${result}`);
    expect(all).toEqual([0, 1, 2, 3, 4].map(number => `${number}: result ${number}`));
  });

  test('starts the next task before it yields a result, so that the task runs while the caller uses the result', async () => {
    const { started, results } = mapItems([1, 1, 1, 1, 1, 1, 1, 1], 2);
    await results.next();
    expect(started).toEqual([0, 1, 2, 3]);
    await results.next();
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  test('starts one task at a time if two results together are larger than 64 MiB', async () => {
    const { started, results } = mapItems(
      [65, 40, 25, 24, 1].map(size => size * mebibyte),
      3,
    );
    await results.next();
    expect(started).toEqual([0, 1]);
    await results.next();
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  test('starts tasks whose results have exactly 64 MiB together', async () => {
    const { started, results } = mapItems(
      [1, 32, 32, 1].map(size => size * mebibyte),
      3,
    );
    await results.next();
    expect(started).toEqual([0, 1, 2]);
  });

  test('rejects with the error of a task, and not with those of later tasks', async () => {
    const fail = async ({ size }: { size: number }): Promise<never> => await Promise.reject(new Error(`task ${size}`));
    await expect(mapInParallelInOrder([{ size: 1 }, { size: 2 }], 1, fail).next()).rejects.toThrow('task 1');
  });
});
