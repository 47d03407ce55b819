import type { Currency } from './model/currency.ts';
import { type CalendarDate, spokenDate } from './model/date.ts';
import { type Decimal, mayHaveLostDigits, plain } from './model/decimal.ts';

export function sumText(left: Decimal, right: Decimal, sum: Decimal): string {
  const second = right.units < 0n ? `(${plain(right)})` : plain(right);
  return `${plain(left)} + ${second} = ${plain(sum)} (exact decimal arithmetic, as COBOL does it).`;
}

export function currencyText(amount: Decimal, { field, picture, rounded }: Currency): string {
  const printed = field.trim() === '' ? 'blanks' : field.trim();
  const how = rounded ? ', ROUNDED half away from zero' : '';
  return `${plain(amount)} is printed as ${printed} (PICTURE ${picture}${how}).`;
}

export function dateText(digits: string, date: CalendarDate, fault: string | undefined): string {
  return fault === undefined
    ? `${digits} is a valid date: ${spokenDate(date)}.`
    : `${digits} is not a valid date. ${fault}`;
}

export function lostDigitsNotes(args: Readonly<Record<string, number | string>>): string[] {
  return Object.entries(args)
    .filter(([, value]) => mayHaveLostDigits(value))
    .map(
      ([name]) => `"${name}" came as a JSON number and may have lost digits on the way; send long numbers as strings.`,
    );
}

export const signLostNote =
  'The amount is negative and this PICTURE has no place for a sign; - or CR at its end is one.';

export const earlyYearNote =
  "This is by today's leap-year rules; the Gregorian calendar begins in 1582, COBOL's own in 1601.";
