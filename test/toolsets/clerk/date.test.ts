import { describe, expect, test } from 'vitest';
import { explainInvalidDate, formatDate, splitDateDigits } from '../../../src/toolsets/clerk/model/date.ts';
import * as fc from '../../support/property.ts';

/** This calendar is independent of the program: it uses a table of months and counts leap years. */
function isInCalendar(digits: string): boolean {
  const year = Number(digits.slice(0, 4));
  const leap = new Set([...every(4), ...every(400)]);
  for (const century of every(100)) if (century % 400 !== 0) leap.delete(century);
  const lengths = [31, leap.has(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  const length = lengths[Number(digits.slice(4, 6)) - 1] ?? 0;
  return Number(digits.slice(6)) >= 1 && Number(digits.slice(6)) <= length;
}

function every(years: number): number[] {
  return Array.from({ length: Math.ceil(10_000 / years) }, (_, index) => index * years);
}

const twoDigits = (max: number): fc.Arbitrary<string> => fc.nat({ max }).map(value => String(value).padStart(2, '0'));

describe('the calendar of validate_date', () => {
  test('agrees with an independent calendar for random strings of eight digits', () => {
    const anything = fc.nat({ max: 99_999_999 }).map(value => String(value).padStart(8, '0'));
    const nearly = fc.tuple(twoDigits(99), twoDigits(99), twoDigits(13), twoDigits(32)).map(parts => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(anything, nearly), digits => {
        expect([digits, explainInvalidDate(splitDateDigits(digits)) === undefined]).toEqual([
          digits,
          isInCalendar(digits),
        ]);
      }),
      { numRuns: 3000 },
    );
  });

  test('accepts 29 February in leap years only, for every year of four digits', () => {
    const leapYears = Array.from({ length: 10_000 }, (_, year) => year).filter(
      year => explainInvalidDate({ year, month: 2, day: 29 }) === undefined,
    );
    expect(leapYears).toHaveLength(2500 - 100 + 25);
    expect(leapYears).toEqual(leapYears.filter(year => isInCalendar(`${String(year).padStart(4, '0')}0229`)));
  });

  test('reports only the month if both month and day are invalid', () => {
    expect(explainInvalidDate(splitDateDigits('20251399'))).toMatch(/^Month 13 /);
  });

  test('formats a valid date with the name of the month', () => {
    expect(formatDate(splitDateDigits('00070301'))).toBe('1 March 0007');
  });
});
