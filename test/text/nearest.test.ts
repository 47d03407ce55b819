import { expect, test } from 'vitest';
import { findNearestName } from '../../src/text/nearest.ts';

const names = ['get_problem', 'resolve_problem', 'say'];

test.each([
  ['get_problm', 'get_problem'],
  ['GET_PROBLEM', 'get_problem'],
  ['getProblem', 'get_problem'],
  ['get_porblem', 'get_problem'],
  ['sat', 'say'],
  ['xyz', undefined],
  ['', undefined],
  ['delete_everything', undefined],
  ['x'.repeat(1_000_000), undefined],
])('nearest("%.20s") among the tool names is %s', (name, candidate) => {
  expect(findNearestName(name, names)).toBe(candidate);
});
