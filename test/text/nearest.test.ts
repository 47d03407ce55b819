import { expect, test } from 'vitest';
import { findNearestName } from '../../src/text/nearest.ts';

const names = ['get_problem', 'resolve_problem', 'say'];

test.each([
  ['get_problm', 'get_problem'],
  ['GET_PROBLEM', 'get_problem'],
  ['getProblem', 'get_problem'],
  ['get_porblem', 'get_problem'],
  ['sat', 'say'],
  ['sya', 'say'],
  ['asy', 'say'],
  ['sxa', undefined],
  ['yas', undefined],
  ['xyz', undefined],
  ['', undefined],
  ['delete_everything', undefined],
  ['x'.repeat(1_000_000), undefined],
])('nearest("%.20s") among the tool names is %s', (name, candidate) => {
  expect(findNearestName(name, names)).toBe(candidate);
});

test.each([
  ['abcdef', 'abcdxy', true],
  ['abcdef', 'abcxyz', false],
  ['abcdef', 'abcdefgh', true],
  ['abcdef', 'abcdefghi', false],
  ['abcdef', 'abcd', true],
  ['abcdef', 'abc', false],
  ['abcde', 'abcd', true],
  ['abcde', 'abc', false],
  ['ab', 'a', true],
  ['ab', 'xy', false],
])('a third of the letters of "%s" may differ, and "%s" is suggested: %s', (name, candidate, isNear) => {
  expect(findNearestName(name, [candidate])).toBe(isNear ? candidate : undefined);
});

test('the first of several names with the same distance is suggested, unless a later one is nearer', () => {
  expect(findNearestName('sat', ['say', 'sit'])).toBe('say');
  expect(findNearestName('sat', ['say', 'sit', 'sat'])).toBe('sat');
});

test('only the first 64 letters of a name are compared', () => {
  const candidate = 'x'.repeat(64);
  expect(findNearestName(`${candidate}${'y'.repeat(100)}`, [`${candidate}${'z'.repeat(21)}`])).toBeDefined();
  for (const letter of ['y', 'z']) {
    expect(findNearestName(`${candidate}${letter.repeat(100)}`, [`${candidate}${'z'.repeat(22)}`])).toBeUndefined();
  }
});
