import { describe, expect, test } from 'vitest';
import type { Problem } from '../../../src/toolsets/oj/model/problem.ts';
import { formatProblem, formatSimilarProblems } from '../../../src/toolsets/oj/text.ts';
import { problemRecord } from './support.ts';

function lines(changes: Partial<Problem>, statement = 'Add two numbers.'): string[] {
  return formatProblem({ ...problemRecord, ...changes }, statement).split('\n');
}

describe('the header of a problem', () => {
  test('contains the title, four fields and a horizontal rule in this order', () => {
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
    ['a null title', { title: null }, 0, '# N/A'],
    ['a blank title', { title: ' ' }, 0, '# N/A'],
    ['a title of two lines', { title: 'Two\n\n# Sum' }, 0, '# Two # Sum'],
    ['invisible characters', { title: 'Two\u{e0041}\u202e Sum\u200b\u001b[31m' }, 0, '# Two Sum[31m'],
    ['a null difficulty', { difficulty: null }, 2, '- Source: leetcode | ID: 1 | Difficulty: N/A'],
    ['a null source', { source: null }, 2, '- Source: leetcode | ID: 1 | Difficulty: Easy'],
    ['an unknown source', { source: 'spoj' }, 2, '- Source: spoj | ID: 1 | Difficulty: Easy'],
    ['an empty id', { id: '' }, 2, '- Source: leetcode | ID: N/A | Difficulty: Easy'],
    ['null tags', { tags: null }, 3, '- Tags: N/A'],
    ['empty tags', { tags: [] }, 3, '- Tags: N/A'],
    ['blank tags', { tags: ['', 'dp', ' '] }, 3, '- Tags: dp'],
    ['a null link', { link: null }, 4, '- Link: N/A'],
    ['a link with the scheme javascript', { link: 'javascript:alert(1)' }, 4, '- Link: N/A'],
    [
      'links in tags',
      { tags: ['[t](javascript:x)', '<javascript:x>'] },
      3,
      '- Tags: [t]\\(javascript:x), \\<javascript:x>',
    ],
    ['a link that hides its scheme', { link: ' java\tscript:alert(1)' }, 4, '- Link: N/A'],
    ['a link that is an autolink', { link: '<data:text/html,x>' }, 4, '- Link: N/A'],
    ['an image in the title', { title: '[NOI] ![a](https://x.example/b)' }, 0, '# [NOI] ![a]\\(https://x.example/b)'],
    ['a null acceptance rate', { ac_rate: null }, 5, '- AC Rate: N/A'],
  ])('shows N/A or the remaining text for a record with %s', (_, changes, line, text) => {
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
  ])('shows an acceptance rate of %d as %s, with halves rounded to even (S4)', (acRate, text) => {
    expect(lines({ ac_rate: acRate })[5]).toBe(`- AC Rate: ${text}`);
  });
});

test('the table of similar problems contains no image and no link with a scheme that is not allowed', () => {
  const hit = { source: 'spoj', id: '[a](b)', difficulty: null, similarity: 0.5 };
  const results = [{ ...hit, title: '![a](https://x.example/b|c)', link: 'vbscript:x' }];
  expect(
    formatSimilarProblems({ rewritten_query: '[a](javascript:x)', results }, 'en', '').split('\n').slice(2),
  ).toEqual([
    'Query: [a]\\(javascript:x)',
    '',
    '| # | Source | ID | Title | Difficulty | Similarity | Link |',
    '|---|--------|----|-------|------------|------------|------|',
    '| 1 | spoj | [a]\\(b) | ![a]\\(https://x.example/b\\|c) | N/A | 50.0% | N/A |',
  ]);
});

test('an empty statement is shown as "No description available."', () => {
  expect(lines({}, '').slice(9)).toEqual(['No description available.']);
});
