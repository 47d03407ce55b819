import { describe, expect, test } from 'vitest';
import { catalogue, judges } from '../../../../src/toolsets/oj/io/demo/catalogue/catalogue.ts';
import * as fc from '../../../support/property.ts';
import { ask, badRequest, frameworkRefusal, problemDocument, read, token } from './support.ts';

describe('every route', () => {
  const routes = [
    '/status',
    '/api/v1/daily',
    '/api/v1/problems/orchard/1',
    '/api/v1/problems/orchard',
    '/api/v1/tags/orchard',
    '/api/v1/similar/orchard/1',
    '/api/v1/similar?q=graph',
    '/api/v1/resolve/41B',
  ];

  test.each(routes)('%s answers with a token', route => {
    expect(ask(route, token)).toMatchObject({ status: 200, contentType: 'application/json' });
  });

  test.each(routes)('%s is refused without a token', route => {
    const refusal = problemDocument(401, 'Unauthorized', 'missing or invalid token');
    for (const authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer   ',
      'bearer demo',
      'Bearerdemo',
      'demo',
    ]) {
      expect(ask(route, authorization)).toEqual(refusal);
    }
  });

  test('the token is asked for before anything is checked', () => {
    expect(ask('/api/v1/daily?domain=us', undefined).status).toBe(401);
    expect(ask('/api/v1/problems/orchard/%FF', undefined).status).toBe(401);
  });

  test.each([
    '',
    '/',
    '/Status',
    '/status/',
    '/api/v1',
    '/api/v1/resolve/',
    '/api/v1/resolve',
    '/api/v1/problems',
    '/api/v1/problems/orchard/',
    '/api/v1/tags',
    '/api/v1/tags/orchard/',
    '/api/v1/problems//1',
    '/api/v1/problems/orchard/1/2',
    '/api/v1/similar/orchard',
    '/api/v1/daily/today',
  ])('%j is no route', target => {
    expect(ask(target, token)).toEqual({ status: 404, contentType: undefined, body: '' });
  });

  test.each([
    ['/api/v1/problems/orchard/%FF', 'id'],
    ['/api/v1/problems/%C3/1', 'source'],
    ['/api/v1/tags/%C3', 'source'],
    ['/api/v1/similar/orchard/%E2%82', 'id'],
    ['/api/v1/resolve/%41%FF', 'query'],
  ])('%s is an invalid URL', (target, segment) => {
    expect(ask(target, token)).toEqual(frameworkRefusal(`Invalid URL: Invalid UTF-8 in \`${segment}\``));
  });

  test('any target gets a reply of a known status', () => {
    const prefix = fc.constantFrom(
      ...routes,
      '/api/v1/problems/orchard/',
      '/api/v1/resolve/',
      '/api/v1/daily?date=',
      '',
    );
    const rest = fc.oneof(fc.string({ unit: 'binary' }), fc.webQueryParameters());
    const separator = fc.constantFrom('', '/', '?', '&', '%');
    fc.assert(
      fc.property(fc.tuple(prefix, separator, rest), parts => {
        expect([200, 400, 404]).toContain(ask(parts.join(''), token).status);
      }),
    );
  });
});

describe('/problems', () => {
  test.each(catalogue)('returns $source/$id as it is', problem => {
    expect(read(`/api/v1/problems/${problem.source}/${problem.id}`)).toEqual(problem);
  });

  test('decodes its segments and ignores a query', () => {
    expect(read('/api/v1/problems/%6Cantern/lan007%5Fa?x=1')).toMatchObject({ title: 'Tea for Two Clocks' });
  });

  test.each([
    ['leetcode/1', badRequest('invalid source: leetcode (the demo has lantern, orchard, quarry)')],
    ['Orchard/1', badRequest('invalid source: Orchard (the demo has lantern, orchard, quarry)')],
    ['%20orchard/1', badRequest('invalid source:  orchard (the demo has lantern, orchard, quarry)')],
    ['a%2Fb/1', badRequest('invalid source: a/b (the demo has lantern, orchard, quarry)')],
    ['orchard/%zz', problemDocument(404, 'Not Found', 'problem not found')],
    ['orchard/99', problemDocument(404, 'Not Found', 'problem not found')],
    ['orchard/petal-garland', problemDocument(404, 'Not Found', 'problem not found')],
    ['quarry/41b', problemDocument(404, 'Not Found', 'problem not found')],
  ])('refuses %s', (path, reply) => {
    expect(ask(`/api/v1/problems/${path}`, token)).toEqual(reply);
  });
});

describe('/status', () => {
  test('counts the catalogue by judge, in order', () => {
    expect(read('/status')).toEqual({
      version: '0.2.1-demo',
      platforms: judges.map(source => ({
        source,
        total: catalogue.filter(problem => problem.source === source).length,
        missing_content: 0,
        not_embedded: 0,
      })),
    });
  });
});
