import { describe, expect, test } from 'vitest';
import { catalogue, judges } from '../../../../src/toolsets/oj/io/demo/catalogue/catalogue.ts';
import { ask, badRequest, frameworkRefusal, read, token } from './support.ts';

const list = (source: string, query = '') => read(`/api/v1/problems/${source}${query}`);
const unlisted = new Set(['content', 'content_cn', 'category', 'paid_only', 'similar_questions']);
const pick = (problem: object) => Object.fromEntries(Object.entries(problem).filter(([name]) => !unlisted.has(name)));
const ids = (...wanted: string[]) => ({ data: wanted.map(id => expect.objectContaining({ id })) });

describe('/problems', () => {
  test.each(judges)('lists all of %s, without their statements', source => {
    const problems = catalogue.filter(problem => problem.source === source);
    expect(list(source)).toEqual({
      data: problems.map(problem => pick(problem)),
      meta: { total: problems.length, page: 1, per_page: 20, total_pages: 1 },
    });
  });

  test.each([
    ['difficulty, in any case', '?difficulty=hARD', ids('4', '5')],
    ['search in the title', '?search=GARLAND', ids('1')],
    ['search in the id', '?search=%205%20', ids('5')],
    ['any of the tags', '?tags=stack,%20GRAPH,', ids('3', '4')],
    ['all of the tags', '?tags=array,stack&tag_mode=all', ids('3')],
    ['no tags at all', '?tags=,', ids('1', '2', '3', '4', '5')],
    ['a range of ratings', '?rating_min=1&rating_max=2000', ids('1', '3')],
    ['the unrated ones', '?rating_max=0', ids('2')],
    ['sorted by rating', '?sort_by=rating&sort_order=desc', ids('5', '4', '3', '1', '2')],
    ['sorted by difficulty', '?sort_by=difficulty&sort_order=asc', ids('1', '2', '3', '4', '5')],
    ['an order of nothing', '?sort_order=desc', ids('1', '2', '3', '4', '5')],
    ['a page', '?page=2&per_page=2', ids('3', '4')],
    ['the zeroth page', '?page=0&per_page=0', ids('1')],
    ['nothing that fits', '?difficulty=', ids()],
  ])('knows %s', (_, query, data) => {
    expect(list('orchard', query)).toMatchObject(data);
  });

  test('a problem without a rating is in no range', () => {
    expect(list('lantern', '?rating_min=0')).toMatchObject({ data: [], meta: { total: 0, total_pages: 0 } });
  });

  test('a page past the end is empty', () => {
    expect(list('orchard', '?page=9&per_page=2')).toEqual({
      data: [],
      meta: { total: 5, page: 9, per_page: 2, total_pages: 3 },
    });
  });

  test.each([
    ['leetcode', badRequest('invalid source: leetcode (the demo has lantern, orchard, quarry)')],
    ['orchard?sort_by=title', badRequest('invalid sort_by: title')],
    ['orchard?tag_mode=x&sort_by=x', badRequest('invalid sort_by: x')],
    ['orchard?sort_order=ASC', badRequest('invalid sort_order: ASC')],
    ['orchard?tag_mode=', badRequest('invalid tag_mode: ')],
    ['orchard?rating_min=2&rating_max=1', badRequest('rating_min must be <= rating_max')],
    ['orchard?page=-1', frameworkRefusal('Failed to deserialize query string: page: invalid digit found in string')],
  ])('refuses %s', (path, reply) => {
    expect(ask(`/api/v1/problems/${path}`, token)).toEqual(reply);
  });
});

describe('/tags', () => {
  test('lists them once, in lower case, in order', () => {
    expect(read('/api/v1/tags/quarry')).toEqual([
      'binary search',
      'dynamic programming',
      'geometry',
      'greatest common divisor',
      'greedy',
      'least common multiple',
      'math',
      'number theory',
      'sieve',
    ]);
  });

  test('refuses a judge it does not have', () => {
    expect(ask('/api/v1/tags/uva', token)).toEqual(
      badRequest('invalid source: uva (the demo has lantern, orchard, quarry)'),
    );
  });
});
