import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../../src/toolsets/oj/io/demo/catalogue/catalogue.ts';
import { read } from './support.ts';

describe('/resolve', () => {
  const resolve = (query: string) => read(`/api/v1/resolve/${encodeURIComponent(query)}`);

  test.each(catalogue)('finds $source/$id by link, prefixed id, id and slug', problem => {
    const resolution = { source: problem.source, id: problem.id, problem };
    const queries = [problem.link ?? '', `${problem.source}:${problem.id}`, problem.id, problem.slug];
    for (const query of queries) expect(resolve(query)).toEqual(resolution);
  });

  test.each([
    ['https://lantern.example/contests/lan012/tasks/lan012_c/', 'lan012_c'],
    ['http://lantern.example/contests/lan012/tasks/LAN012_C?lang=en', 'lan012_c'],
    ['lantern.example/contests/lan012/tasks/lan012_c#io', 'lan012_c'],
    ['HTTPS://WWW.QUARRY.EXAMPLE/contest/41/problem/b', '41B'],
    ['https://quarry.example/problemset/problem/41/B', '41B'],
    ['https://orchard.example/problems/dry-feet', '4'],
    ['https://orchard.example/problems/Dry-Feet/description/?from=daily#top', '4'],
    ['  lan012_c ', 'lan012_c'],
    ['LAN012_C', 'lan012_c'],
    ['41b', '41B'],
    ['quarry:41b', '41B'],
    ['Lantern: lan012_c', 'lan012_c'],
    ['orchard:dry-feet', '4'],
    ['Dry-Feet', '4'],
  ])('%s is %s', (query, id) => {
    expect(resolve(query)).toMatchObject({ id, problem: { id } });
  });

  test.each([
    ['https://quarry.example/contest/99/problem/Z', 'quarry', '99Z'],
    ['https://orchard.example/problems/no-such-slug/', 'orchard', 'no-such-slug'],
    ['lantern:lan999_z', 'lantern', 'lan999_z'],
    ['404', 'orchard', '404'],
    ['no-such-slug', 'orchard', 'no-such-slug'],
    ['orchard/dry-feet', 'orchard', 'orchard/dry-feet'],
    ['leetcode:1', 'orchard', 'leetcode:1'],
    ['quarry:41:B', 'orchard', 'quarry:41:b'],
    ['https://leetcode.com/problems/dry-feet/', 'unknown', 'https://leetcode.com/problems/dry-feet/'],
    ['https://orchard.example/', 'unknown', 'https://orchard.example/'],
    ['100% wool', 'orchard', '100% wool'],
    ['%FF', 'orchard', '%ff'],
    [' ', 'unknown', ''],
  ])('%j is no known problem: %s, %s', (query, source, id) => {
    expect(resolve(query)).toEqual({ source, id, problem: null });
  });

  test('the query is decoded twice, as the real backend does', () => {
    expect(resolve('dry%2Dfeet')).toMatchObject({ id: '4' });
    expect(read('/api/v1/resolve/dry-feet')).toMatchObject({ id: '4' });
  });

  test('unencoded slashes belong to the query', () => {
    expect(read('/api/v1/resolve/https://orchard.example/problems/dry-feet/')).toMatchObject({ id: '4' });
  });
});
