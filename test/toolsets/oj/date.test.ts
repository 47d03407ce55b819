import { describe, expect, test } from 'vitest';
import { isCalendarDay, utcDayOf } from '../../../src/toolsets/oj/model/date.ts';
import * as fc from '../../support/property.ts';

test.each([
  ['2026-01-01', true],
  ['2024-02-29', true],
  ['2000-02-29', true],
  ['0000-01-01', true],
  ['9999-12-31', true],
  ['2023-02-29', false],
  ['1900-02-29', false],
  ['2026-04-31', false],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-01-00', false],
  ['2026-1-01', false],
  ['+2026-01-01', false],
  ['12026-01-01', false],
  ['2026-01-01 ', false],
  ['2026-01-01\n', false],
  ['2026/01/01', false],
  ['2026-01-01T00:00:00Z', false],
  ['２０２６-01-01', false],
  ['', false],
])('isCalendarDay(%j) returns %j', (text, isDay) => {
  expect(isCalendarDay(text)).toBe(isDay);
});

describe('utcDayOf', () => {
  test('returns the UTC day of an instant that was parsed with another time zone (INVARIANT T1)', () => {
    expect(utcDayOf(new Date('2026-03-01T23:30:00+14:00'))).toBe('2026-03-01');
    expect(utcDayOf(new Date('2026-03-01T00:30:00+14:00'))).toBe('2026-02-28');
  });

  test('returns a valid calendar day for every date', () => {
    const instant = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(instant, date => {
        expect(isCalendarDay(utcDayOf(date))).toBe(true);
      }),
    );
  });
});
