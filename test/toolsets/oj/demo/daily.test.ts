import { describe, expect, test } from 'vitest';
import { createDemoBackend } from '../../../../src/toolsets/oj/io/demo/backend.ts';
import { catalogue } from '../../../../src/toolsets/oj/io/demo/catalogue/catalogue.ts';
import * as fc from '../../../support/property.ts';
import { ask, badRequest, frameworkRefusal, read, token } from './support.ts';

describe('/daily', () => {
  const conflict = badRequest('domain and source conflict');
  const badFormat = badRequest('invalid date format, expected YYYY-MM-DD');

  test('returns a whole problem with its source, the date and the domain', () => {
    const { date, domain, ...problem } = Object(read('/api/v1/daily'));
    expect({ date, domain }).toEqual({ date: '2025-06-01', domain: 'com' });
    expect(catalogue).toContainEqual(problem);
  });

  test.each([
    ['2025-06-01T15:59:59Z', '2025-06-01', '2025-06-01'],
    ['2025-06-01T16:00:00Z', '2025-06-01', '2025-06-02'],
    ['2025-06-01T23:59:59Z', '2025-06-01', '2025-06-02'],
    ['2025-06-02T00:00:00Z', '2025-06-02', '2025-06-02'],
  ])('at %s com has %s and cn has %s', (time, com, cn) => {
    const backend = createDemoBackend(() => new Date(time));
    expect(read('/api/v1/daily', backend)).toMatchObject({ date: com, domain: 'com' });
    expect(read('/api/v1/daily?domain=cn', backend)).toMatchObject({ date: cn, domain: 'cn' });
    expect(backend(`/api/v1/daily?domain=cn&date=${cn}`, token).status).toBe(200);
  });

  test.each([
    ['source=leetcode.com', 'com'],
    ['source=leetcode.cn', 'cn'],
    ['source=leetcode.cn&domain=cn', 'cn'],
    ['async=true', 'com'],
    ['async=false&domain=cn&unknown=1', 'cn'],
  ])('%s means domain %s', (query, domain) => {
    expect(read(`/api/v1/daily?${query}`)).toMatchObject({ domain });
  });

  test('gives every problem its day before one comes back', () => {
    const ids = catalogue.map((_, i) => {
      const { source, id } = Object(read(`/api/v1/daily?date=2024-02-${String(10 + i)}`));
      return `${source}/${id}`;
    });
    expect(new Set(ids).size).toBe(catalogue.length);
  });

  test('has the same problem all day and another one for cn', () => {
    const backend = createDemoBackend(() => new Date('2025-06-01T00:00:01Z'));
    expect(read('/api/v1/daily?date=2025-06-01', backend)).toEqual(read('/api/v1/daily'));
    expect(Object(read('/api/v1/daily')).slug).not.toBe(Object(read('/api/v1/daily?domain=cn')).slug);
  });

  test('has a problem for every day since the earliest', () => {
    const days = fc.date({ min: new Date('2020-04-01'), max: new Date('2025-06-01'), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.constantFrom('com', 'cn'), (day, domain) => {
        const date = day.toISOString().slice(0, 10);
        const daily = read(`/api/v1/daily?domain=${domain}&date=${date}`);
        expect(daily).toMatchObject({ date, domain, title: expect.any(String) });
      }),
    );
  });

  test.each([
    ['domain=us&date=x', badRequest("domain must be 'com' or 'cn'")],
    ['domain=', badRequest("domain must be 'com' or 'cn'")],
    ['domain=COM', badRequest("domain must be 'com' or 'cn'")],
    ['source=leetcode&date=x', badRequest("invalid source 'leetcode', expected 'leetcode.com' or 'leetcode.cn'")],
    ['domain=com&source=leetcode.cn&date=x', conflict],
    ['date=', badFormat],
    ['date=2025-6-1', badFormat],
    ['date=2025-06-01T00:00', badFormat],
    ['date=%D9%A2%D9%A0%D9%A2%D9%A5-06-01', badFormat],
    ['date=2025-02-30', badRequest('invalid calendar date')],
    ['date=2023-02-29', badRequest('invalid calendar date')],
    ['date=2025-13-01', badRequest('invalid calendar date')],
    ['date=0000-00-00', badRequest('invalid calendar date')],
    ['date=2020-03-31', badRequest('date must be >= 2020-04-01')],
    ['date=0001-01-01', badRequest('date must be >= 2020-04-01')],
    ['date=2025-06-02', badRequest('date must be <= today')],
    [
      'async=1',
      frameworkRefusal('Failed to deserialize query string: async: provided string was not `true` or `false`'),
    ],
    ['date=2025-01-01&date=2025-01-02', frameworkRefusal('Failed to deserialize query string: duplicate field `date`')],
  ])('refuses %s', (query, reply) => {
    expect(ask(`/api/v1/daily?${query}`, token)).toEqual(reply);
  });
});
