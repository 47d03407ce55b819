import type { PrintedAmount } from './model/currency.ts';
import { type CalendarDate, formatDate } from './model/date.ts';
import { type Decimal, formatDecimal, mayHaveLostDigits } from './model/decimal.ts';

export function formatSum(left: Decimal, right: Decimal, sum: Decimal): string {
  const second = right.units < 0n ? `(${formatDecimal(right)})` : formatDecimal(right);
  return `${formatDecimal(left)} + ${second} = ${formatDecimal(sum)} (exact decimal arithmetic, as COBOL does it).`;
}

export function formatCurrencyResult(amount: Decimal, { field, picture, rounded }: PrintedAmount): string {
  const printed = field.trim() === '' ? 'blanks' : field.trim();
  const how = rounded ? ', ROUNDED half away from zero' : '';
  return `${formatDecimal(amount)} is printed as ${printed} (PICTURE ${picture}${how}).`;
}

export function formatDateResult(digits: string, date: CalendarDate, fault: string | undefined): string {
  return fault === undefined
    ? `${digits} is a valid date: ${formatDate(date)}.`
    : `${digits} is not a valid date. ${fault}`;
}

export function createLostDigitsNotes(args: Readonly<Record<string, number | string>>): string[] {
  return Object.entries(args)
    .filter(([, value]) => mayHaveLostDigits(value))
    .map(([name]) => `"${name}" is a JSON number and may have lost digits in transit; send long numbers as strings.`);
}

export const lostSignNote = 'The amount is negative and this PICTURE has no place for a sign; add - or CR at its end.';

export const oldCalendarNote =
  "Today's leap-year rules were applied; the Gregorian calendar begins in 1582, COBOL's own in 1601.";
