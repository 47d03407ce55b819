import { describe, expect, test, vi } from 'vitest';
import { PagedListCache } from '../../../src/toolsets/books/library/list-cache.ts';
import { LruMap } from '../../../src/toolsets/books/library/lru-map.ts';

describe('the cache of result lists', () => {
  const args = { book_id: 'a-book', pattern: '**' };

  test('computes a list only once for all its pages', async () => {
    const cache = new PagedListCache<string[]>(list => list.length);
    const library = {};
    const compute = vi.fn<() => Promise<string[]>>(async () => ['a', 'b']);
    const first = await cache.get(library, { ...args, limit: 1 }, compute);
    expect(await cache.get(library, { ...args, limit: 1, after: 'a' }, compute)).toBe(first);
    expect(compute).toHaveBeenCalledTimes(1);
  });

  test('computes a new list for a first page, other arguments and another library', async () => {
    const cache = new PagedListCache<string[]>(list => list.length);
    const library = {};
    const compute = vi.fn<() => Promise<string[]>>(async () => ['a']);
    await cache.get(library, args, compute);
    await cache.get(library, args, compute);
    await cache.get(library, { ...args, pattern: '*', after: 'a' }, compute);
    await cache.get({}, { ...args, after: 'a' }, compute);
    expect(compute).toHaveBeenCalledTimes(4);
  });

  test('evicts the least recently used list above its limits', async () => {
    const cache = new PagedListCache<string[]>(() => 150_000);
    const library = {};
    const compute = vi.fn<() => Promise<string[]>>(async () => ['a']);
    for (const pattern of ['1', '2', '3']) await cache.get(library, { pattern }, compute);
    await cache.get(library, { pattern: '3', after: 'a' }, compute);
    expect(compute).toHaveBeenCalledTimes(3);
    await cache.get(library, { pattern: '1', after: 'a' }, compute);
    expect(compute).toHaveBeenCalledTimes(4);
  });
});

test('a map with a size limit evicts the least recently used entry', () => {
  const map = new LruMap<string, number>(2);
  map.set('one', 1);
  map.set('two', 2);
  expect(map.get('one')).toBe(1);
  map.set('three', 3);
  expect([map.get('one'), map.get('two'), map.get('three'), map.size]).toEqual([1, undefined, 3, 2]);
});
