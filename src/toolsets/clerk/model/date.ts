export interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

/** Parses a string of eight digits, YYYYMMDD. The result may be an invalid date. */
export function splitDateDigits(date: string): CalendarDate {
  return { year: Number(date.slice(0, 4)), month: Number(date.slice(4, 6)), day: Number(date.slice(6, 8)) };
}

/**
 * Returns a sentence with the reason why the date is invalid in the Gregorian calendar, or undefined if it is valid.
 */
export function explainInvalidDate({ year, month, day }: CalendarDate): string | undefined {
  const name = monthNames[month - 1];
  if (name === undefined) return `Month ${twoDigits(month)} is invalid: months run from 01 to 12.`;
  const days = daysInMonth(year, month);
  if (day >= 1 && day <= days) return undefined;
  return `Day ${twoDigits(day)} is invalid: ${dayFault({ year, month, day }, `${name} has ${days} days`)}.`;
}

function dayFault({ year, month, day }: CalendarDate, lengthOfMonth: string): string {
  if (day === 0) return 'days start at 01';
  if (month !== 2) return lengthOfMonth;
  if (day > 29) return `${lengthOfMonth} in ${fourDigits(year)}`;
  const century = year % 100 === 0 ? ' (a century is one only if 400 divides it)' : '';
  return `${fourDigits(year)} is not a leap year${century}, so ${lengthOfMonth}`;
}

export function formatDate({ year, month, day }: CalendarDate): string {
  return `${day} ${monthNames[month - 1] ?? ''} ${fourDigits(year)}`;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function fourDigits(year: number): string {
  return String(year).padStart(4, '0');
}
