import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/toolsets/oj/model/problem.ts';
import { problemText } from '../../../src/toolsets/oj/text.ts';
import { problemRecord } from './support.ts';

function lines(changes: Partial<Problem>, statement = 'Add two numbers.'): string[] {
  return problemText({ ...problemRecord, ...changes }, statement).split('\n');
}

describe('the header of a problem', () => {
  test('has its lines in their places', () => {
    const text = lines({});
    expect(text.slice(0, 9)).toEqual([
      '# Two Sum',
      '',
      '- Source: leetcode | ID: 1 | Difficulty: Easy',
      '- Tags: Array, Hash Table',
      '- Link: https://leetcode.com/problems/two-sum/',
      '- AC Rate: 57.3%',
      '',
      '---',
      '',
    ]);
  });

  test.each([
    ['title', { title: null }, 0, '# N/A'],
    ['blank title', { title: ' ' }, 0, '# N/A'],
    ['title of two lines', { title: 'Two\n\n# Sum' }, 0, '# Two # Sum'],
    ['what nobody sees', { title: 'Two\u{e0041}\u202e Sum\u200b\u001b[31m' }, 0, '# Two Sum[31m'],
    ['difficulty', { difficulty: null }, 2, '- Source: leetcode | ID: 1 | Difficulty: N/A'],
    ['source', { source: null }, 2, '- Source: leetcode | ID: 1 | Difficulty: Easy'],
    ['other source', { source: 'spoj' }, 2, '- Source: spoj | ID: 1 | Difficulty: Easy'],
    ['id', { id: '' }, 2, '- Source: leetcode | ID: N/A | Difficulty: Easy'],
    ['tags', { tags: null }, 3, '- Tags: N/A'],
    ['empty tags', { tags: [] }, 3, '- Tags: N/A'],
    ['blank tags', { tags: ['', 'dp', ' '] }, 3, '- Tags: dp'],
    ['link', { link: null }, 4, '- Link: N/A'],
    ['acceptance', { ac_rate: null }, 5, '- AC Rate: N/A'],
  ])('reads N/A, or on, without %s', (_, changes, line, text) => {
    expect(lines(changes)[line]).toBe(text);
  });

  test.each([
    [57.304, '57.3%'],
    [57.25, '57.2%'],
    [57.35, '57.4%'],
    [57.75, '57.8%'],
    [0.25, '0.2%'],
    [0, '0.0%'],
    [100, '100.0%'],
    [99.96, '100.0%'],
  ])('S4 an acceptance of %d reads %s, ties going to the even digit', (acRate, text) => {
    expect(lines({ ac_rate: acRate })[5]).toBe(`- AC Rate: ${text}`);
  });
});

test('a statement of which nothing is seen reads as none', () => {
  expect(lines({}, '').slice(9)).toEqual(['No description available.']);
});
