import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connect } from './client.ts';

let clerk: Connection;
beforeAll(async () => {
  clerk = await connect('--toolsets', 'clerk');
});
afterAll(async () => await clerk.close());

describe('validate_date', () => {
  test.each([
    ['20250115', '15 January 2025'],
    ['20240229', '29 February 2024'],
    ['20000229', '29 February 2000'],
    ['24000229', '29 February 2400'],
    ['16010101', '1 January 1601'],
    ['99991231', '31 December 9999'],
  ])('accepts %s', async (date, spoken) => {
    expect(await clerk.call('validate_date', { date })).toEqual({
      text: `${date} is a valid date: ${spoken}.`,
      types: ['text'],
      structured: { valid: true, sentence: `${date} is a valid date: ${spoken}.` },
      isError: false,
    });
  });

  test.each([
    ['20251315', 'Month 13 is invalid: months run from 01 to 12.'],
    ['20250001', 'Month 00 is invalid: months run from 01 to 12.'],
    ['20259999', 'Month 99 is invalid: months run from 01 to 12.'],
    ['20250100', 'Day 00 is invalid: days start at 01.'],
    ['20250132', 'Day 32 is invalid: January has 31 days.'],
    ['20250431', 'Day 31 is invalid: April has 30 days.'],
    ['20251131', 'Day 31 is invalid: November has 30 days.'],
    ['20240230', 'Day 30 is invalid: February has 29 days in 2024.'],
    ['20250230', 'Day 30 is invalid: February has 28 days in 2025.'],
    ['20250229', 'Day 29 is invalid: 2025 is not a leap year, so February has 28 days.'],
    [
      '19000229',
      'Day 29 is invalid: 1900 is not a leap year (a century is one only if 400 divides it), so February has 28 days.',
    ],
  ])('rejects %s and states the reason', async (date, reason) => {
    expect(await clerk.call('validate_date', { date })).toEqual({
      text: `${date} is not a valid date. ${reason}`,
      types: ['text'],
      structured: { valid: false, reason, sentence: `${date} is not a valid date. ${reason}` },
      isError: false,
    });
  });

  test.each(['00000229', '15821010', '16001231'])(
    'accepts the early date %s with a note about historical calendars',
    async date => {
      const { structured, text } = await clerk.call('validate_date', { date });
      const note = "Today's leap-year rules were applied; the Gregorian calendar begins in 1582, COBOL's own in 1601.";
      expect(structured).toMatchObject({ valid: true, notes: [note] });
      expect(text).toContain(`\n${note}`);
    },
  );

  test.each([
    '',
    '2025011',
    '202501159',
    ' 20250115',
    '20250115 ',
    '20250115\n',
    '2025-01-15',
    '2025O115',
    '２０２５０１１５',
    '+2025011',
    '2025011५',
  ])('returns an error result for the malformed date %j', async date => {
    const { isError, text } = await clerk.call('validate_date', { date });
    expect(isError).toBe(true);
    expect(text).toBe(
      `validate_date: "date" must be eight digits, YYYYMMDD, such as "20250115", got the string ${JSON.stringify(date)}`,
    );
  });

  test.each([
    [20250115, 'validate_date: "date" must be a string, got the number 20250115'],
    [true, 'validate_date: "date" must be a string, got the boolean true'],
    [['20250115'], 'validate_date: "date" must be a string, got a list'],
    [null, 'validate_date: "date" is required'],
  ])('returns an error result for %j because of its JSON type', async (date, sentence) => {
    expect(await clerk.call('validate_date', { date })).toMatchObject({ isError: true, text: sentence });
  });
});
