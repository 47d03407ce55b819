import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../../src/toolsets/oj/io/demo/catalogue/catalogue.ts';
import { ask, badRequest, frameworkRefusal, problemDocument, read, token } from './support.ts';

type Hit = { source: string; id: string; title: string; similarity: number };

function readHits(target: string): Hit[] {
  return Object(read(target)).results;
}

describe('/similar', () => {
  test.each([
    ['lantern/lan007_a', '41D'],
    ['quarry/41D', 'lan007_a'],
    ['lantern/lan010_b', '1'],
    ['orchard/1', 'lan010_b'],
    ['lantern/lan012_c', '4'],
    ['orchard/4', 'lan012_c'],
    ['lantern/lan015_d', '41B'],
    ['quarry/41B', 'lan015_d'],
    ['quarry/44C', '5'],
    ['orchard/5', '44C'],
  ])('%s is most like %s', (problem, id) => {
    expect(readHits(`/api/v1/similar/${problem}`)[0]).toMatchObject({ id });
  });

  test.each([
    ['shortest+path+in+a+graph', ['lan012_c', '4', 'lan018_e']],
    ['palindrome%20string', ['1', 'lan010_b']],
    ['binary search on the answer', ['lan015_d', '41B']],
    ['lattice points inside a polygon', ['47C']],
    ['flip bits', ['2']],
    ['%E8%90%A4%E7%81%AB%E8%99%AB', ['2']],
  ])('%j finds %j first', (query, ids) => {
    const hits = readHits(`/api/v1/similar?q=${query}&limit=${ids.length}`);
    expect(hits.map(({ id }) => id)).toEqual(ids);
  });

  test('a hit has six fields and nulls where the problem has them', () => {
    expect(readHits('/api/v1/similar/orchard/4?limit=1')).toEqual([
      {
        source: 'lantern',
        id: 'lan012_c',
        title: "The Lamplighter's Way Home",
        difficulty: null,
        link: 'https://lantern.example/contests/lan012/tasks/lan012_c',
        similarity: expect.any(Number),
      },
    ]);
  });

  test.each(catalogue)('hits for $source/$id descend from at most 1, end above 0 and leave it out', problem => {
    const hits = readHits(`/api/v1/similar/${problem.source}/${problem.id}?limit=50`);
    const similarities = hits.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    expect(similarities.every(similarity => similarity > 0 && similarity <= 1)).toBe(true);
    expect(hits.some(({ source, id }) => source === problem.source && id === problem.id)).toBe(false);
  });

  test.each([
    ['limit=0', 0],
    ['limit=3', 3],
    ['limit=%2B3', 3],
    ['', 10],
    ['threshold=1', 0],
    ['threshold=NaN', 0],
    ['threshold=-1e3', 10],
    ['source=', 0],
    ['source=Quarry', 0],
    ['limit=4294967295&source=quarry', 4],
    ['limit=4294967295&source=%20quarry%20,orchard', 8],
  ])('by id, %j gives %i hits', (query, count) => {
    expect(readHits(`/api/v1/similar/orchard/5?${query}`)).toHaveLength(count);
  });

  test('the threshold is inclusive', () => {
    const [first, second] = readHits('/api/v1/similar/orchard/5');
    const hits = readHits(`/api/v1/similar/orchard/5?threshold=${String(second?.similarity)}`);
    expect(hits).toEqual([first, second]);
  });

  test('by id, the rewritten query names the problem and its tags', () => {
    expect(read('/api/v1/similar/quarry/47C?limit=0')).toEqual({
      rewritten_query: "The King's Share, geometry, math, greatest common divisor",
      results: [],
    });
  });

  test.each([
    ['q=%20%20Shortest%20PATHS%20%20', 'shortest path'],
    ['q=%22shortest%20paths%22', 'shortest path'],
    ['query=shortest+paths', 'shortest path'],
    ['q=the%20of%20and', null],
    ['q=123', null],
  ])('by text, %s is rewritten as %j', (query, rewritten) => {
    expect(read(`/api/v1/similar?${query}&limit=0`)).toEqual({ rewritten_query: rewritten, results: [] });
  });

  test('a text without any word in common has no hits', () => {
    expect(readHits('/api/v1/similar?q=zeppelin')).toEqual([]);
  });

  test.each([
    ['', badRequest('query parameter is required')],
    ['?q=', badRequest('query parameter is required')],
    ['?q=%20', badRequest('query parameter is required')],
    ['?q=ab', badRequest('query must be at least 3 characters')],
    ['?q=%22ab%22', badRequest('query must be at least 3 characters')],
    [`?q=${'a'.repeat(2001)}`, badRequest('query must be at most 2000 characters')],
    [`?q=${encodeURIComponent('花'.repeat(667))}`, badRequest('query must be at most 2000 characters')],
    ['?q=abc&query=abc', frameworkRefusal('Failed to deserialize query string: duplicate field `query`')],
    ['?q=a&limit=abc', frameworkRefusal('Failed to deserialize query string: limit: invalid digit found in string')],
    ['?q=a&limit=-1', frameworkRefusal('Failed to deserialize query string: limit: invalid digit found in string')],
    ['?q=a&limit=1.5', frameworkRefusal('Failed to deserialize query string: limit: invalid digit found in string')],
    [
      '?q=a&limit=',
      frameworkRefusal('Failed to deserialize query string: limit: cannot parse integer from empty string'),
    ],
    [
      '?q=a&limit=4294967296',
      frameworkRefusal('Failed to deserialize query string: limit: number too large to fit in target type'),
    ],
    ['?q=a&threshold=x', frameworkRefusal('Failed to deserialize query string: threshold: invalid float literal')],
    [
      '?q=a&threshold=',
      frameworkRefusal('Failed to deserialize query string: threshold: cannot parse float from empty string'),
    ],
    ['/orchard/99', problemDocument(404, 'Not Found', 'no embedding found for this problem')],
    ['/leetcode/1', problemDocument(404, 'Not Found', 'no embedding found for this problem')],
    [
      '/orchard/1?limit=x',
      frameworkRefusal('Failed to deserialize query string: limit: invalid digit found in string'),
    ],
  ])('refuses similar%s', (rest, reply) => {
    expect(ask(`/api/v1/similar${rest}`, token)).toEqual(reply);
  });

  test.each([
    ['three bytes', 'abc'],
    ['one character of three bytes', '花'],
    ['2000 bytes', 'a'.repeat(2000)],
  ])('accepts a text of %s', (_, text) => {
    expect(ask(`/api/v1/similar?q=${encodeURIComponent(text)}`, token).status).toBe(200);
  });
});
