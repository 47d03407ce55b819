import { describe, expect, onTestFinished, test } from 'vitest';
import { formatIsoSeconds, parseIsoDate } from '../../../src/toolsets/files/match/dates.ts';

const local = (...parts: [number, number, number, number, number, number?, number?]): number =>
  new Date(...parts).getTime();

describe('parseIsoDate', () => {
  test.each([
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01-31T18:00:00Z', Date.UTC(2026, 0, 31, 18)],
    ['2026-01-31t18:00:00z', Date.UTC(2026, 0, 31, 18)],
    ['2026-01-31T18:00Z', Date.UTC(2026, 0, 31, 18)],
    ['2026-01-31T18:00:00+02:00', Date.UTC(2026, 0, 31, 16)],
    ['2026-01-31T18:00:00-0530', Date.UTC(2026, 0, 31, 23, 30)],
    ['2026-01-31T18:00:00+02', Date.UTC(2026, 0, 31, 16)],
    ['2026-01-31T18:00:00.25Z', Date.UTC(2026, 0, 31, 18, 0, 0, 250)],
    ['2026-01-31T18:00:00,999999Z', Date.UTC(2026, 0, 31, 18, 0, 0, 999)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2000-02-29', Date.UTC(2000, 1, 29)],
    ['2026-01-31T18:00:00', local(2026, 0, 31, 18, 0)],
    ['2026-07-31T18:00', local(2026, 6, 31, 18, 0)],
  ])('reads the date %s', (text, expected) => {
    expect(parseIsoDate(text, 'since')).toBe(expected);
  });
});

describe('parseIsoDate in any time zone of the server', () => {
  test.each([
    ['America/New_York', '2026-01-31T18:00', Date.UTC(2026, 0, 31, 23)],
    ['Asia/Kolkata', '2026-01-31T18:00', Date.UTC(2026, 0, 31, 12, 30)],
  ])('reads a date without time as midnight UTC and a time without zone as local time: %s', (zone, text, expected) => {
    const before = process.env['TZ'];
    onTestFinished(() => {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    });
    process.env['TZ'] = zone;
    expect(parseIsoDate('2026-01-31', 'since')).toBe(Date.UTC(2026, 0, 31));
    expect(parseIsoDate(text, 'since')).toBe(expected);
  });
});

describe('parseIsoDate', () => {
  test.each([
    '',
    'yesterday',
    '2026',
    '2026-1-1',
    '2026-02-30',
    '2025-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-31T24:00:00Z',
    '2026-01-31T18:60:00Z',
    '2026-01-31T18:00:60Z',
    '2026-01-31T18:00:00+24:00',
    '2026-01-31T18:00:00+01:60',
    '2026-01-31 18:00:00Z',
    '2026-01-31Z',
    ' 2026-01-31',
    '20260131',
    '1700000000',
  ])('rejects %j', text => {
    expect(() => parseIsoDate(text, 'recent_files: "since"')).toThrow(
      /^recent_files: "since" must be an ISO 8601 date, got "/,
    );
  });
});

test.each([
  [0, '1970-01-01T00:00:00Z'],
  [1_767_225_600_999.9, '2026-01-01T00:00:00Z'],
  [-1, '1969-12-31T23:59:59Z'],
  [Number.NaN, '1970-01-01T00:00:00Z'],
])('formatIsoSeconds writes %d as %s', (milliseconds, expected) => {
  expect(formatIsoSeconds(milliseconds)).toBe(expected);
});

test.each([
  [2023, 28],
  [2024, 29],
  [1900, 28],
  [2000, 29],
])('parseIsoDate accepts each day of the year %i, whose February has %i days, and no other', (year, february) => {
  const lengths = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const dateOf = (month: number, day: number): string =>
    [year, month, day].map(part => String(part).padStart(2, '0')).join('-');
  for (const [index, length] of lengths.entries()) {
    expect(parseIsoDate(dateOf(index + 1, length), 'since')).toBe(Date.UTC(year, index, length));
    expect(() => parseIsoDate(dateOf(index + 1, length + 1), 'since')).toThrow('since');
  }
});
