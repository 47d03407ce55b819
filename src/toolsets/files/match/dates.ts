import { Failure } from '../../../errors/failure.ts';
import { shortenText } from '../../../text/truncate.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Parses the end of a time range. If the date has no time, the range includes the whole day. */
export function parseRangeEnd(given: string, argument: string): number {
  const time = parseIsoDate(given, argument);
  return /^\d{4}-\d\d-\d\d$/.test(given) ? time + dayMs - 1 : time;
}

/** Formats a time as an ISO 8601 date and time in UTC with whole seconds. */
export function formatIsoSeconds(milliseconds: number): string {
  const date = new Date(Math.floor(milliseconds / 1000) * 1000);
  return Number.isNaN(date.getTime()) ? '1970-01-01T00:00:00Z' : date.toISOString().replace('.000Z', 'Z');
}

const form = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Parses an ISO 8601 date into milliseconds. A date alone means midnight in UTC, and a time without a zone is local.
 * Date.parse is not used, because it accepts 30 February as 2 March.
 */
export function parseIsoDate(text: string, argument: string): number {
  const match = form.exec(text);
  const time = match === null ? undefined : toTime(match);
  if (time === undefined) {
    throw new Failure('argument', `${argument} must be an ISO 8601 date, got ${JSON.stringify(shortenText(text))}`, {
      hint: 'For example 2026-01-31, 2026-01-31T18:00:00Z or 2026-01-31T18:00:00+02:00.',
    });
  }
  return time;
}

function toTime(match: RegExpExecArray): number | undefined {
  const numberAt = (group: number): number => Number(match[group] ?? 0);
  const [year, month, day] = [numberAt(1), numberAt(2), numberAt(3)] as const;
  const time = [numberAt(4), numberAt(5), numberAt(6)] as const;
  const milliseconds = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  const zone = match[8] === undefined ? undefined : offsetMinutes(match[8]);
  if (!isDate(year, month, day) || !isTime(...time) || zone === null) return undefined;
  const date = new Date(0);
  if (zone === undefined && /t/i.test(match[0])) {
    date.setFullYear(year, month - 1, day);
    return date.setHours(...time, milliseconds);
  }
  date.setUTCFullYear(year, month - 1, day);
  return date.setUTCHours(...time, milliseconds) - (zone ?? 0) * 60_000;
}

function isDate(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function isTime(hour: number, minute: number, second: number): boolean {
  return hour <= 23 && minute <= 59 && second <= 59;
}

/** Parses a time zone offset such as +02:00 into minutes. Returns null if it is invalid. */
function offsetMinutes(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', '') || '0');
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}
