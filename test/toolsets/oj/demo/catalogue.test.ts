import { describe, expect, test } from 'vitest';
import { catalogue, judges } from '../../../../src/toolsets/oj/io/demo/catalogue/catalogue.ts';

describe('the catalogue', () => {
  test('has about a dozen problems from three judges', () => {
    expect(catalogue.length).toBeGreaterThanOrEqual(12);
    expect([...new Set(catalogue.map(({ source }) => source))].toSorted()).toEqual([...judges]);
  });

  test('has no two problems with the same id or slug', () => {
    expect(new Set(catalogue.map(({ source, id }) => `${source}:${id}`)).size).toBe(catalogue.length);
    expect(new Set(catalogue.map(({ slug }) => slug)).size).toBe(catalogue.length);
  });

  test('stays small enough for the bundle', () => {
    expect(Buffer.byteLength(JSON.stringify(catalogue))).toBeLessThan(40_000);
  });

  test.each(catalogue)('$source/$id has samples and constraints with exponents', ({ content }) => {
    expect(content).toMatch(/Sample Input 1|Examples|Example 1:/);
    expect(content).toMatch(/10\^|10<sup>/);
    expect(content).not.toContain('undefined');
  });

  test.each([
    ['a table', '<table>'],
    ['a nested list', /<li>[^<]*\n\t*<ul>/],
    ['an image with a relative link', '<img src="../'],
    ['a Markdown statement with an include', '`#include <vector>`'],
    ['a subscript', 'p<sub>1</sub>'],
    ['a formula drawn by KaTeX', '<span class="katex-mathml">'],
  ])('shows %s', (_, part) => {
    expect(catalogue.map(({ content }) => content).join('\n')).toMatch(part);
  });
});
