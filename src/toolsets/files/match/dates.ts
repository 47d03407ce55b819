import { Failure } from '../../../errors/failure.ts';
import { shorten } from '../../../text/truncate.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A day alone is meant with all its hours. */
export function readUntil(given: string, what: string): number {
  const time = readDate(given, what);
  return /^\d{4}-\d\d-\d\d$/.test(given) ? time + dayMs - 1 : time;
}

/** As the answers write a date: UTC, to the second. */
export function isoSeconds(milliseconds: number): string {
  const date = new Date(Math.floor(milliseconds / 1000) * 1000);
  return Number.isNaN(date.getTime()) ? '1970-01-01T00:00:00Z' : date.toISOString().replace('.000Z', 'Z');
}

const form = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Milliseconds of an ISO 8601 date. A date alone is midnight in UTC, a time without a zone is local.
 * Read by hand because Date.parse takes 30 February for 2 March.
 */
export function readDate(text: string, what: string): number {
  const match = form.exec(text);
  const time = match === null ? undefined : toTime(match);
  if (time === undefined) {
    throw new Failure('argument', `${what} must be an ISO 8601 date, got ${JSON.stringify(shorten(text))}`, {
      hint: 'For example 2026-01-31, 2026-01-31T18:00:00Z or 2026-01-31T18:00:00+02:00.',
    });
  }
  return time;
}

function toTime(match: RegExpExecArray): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map(part => Number(part ?? 0));
  const milliseconds = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  const zone = match[8];
  const zoneMinutes = zone === undefined ? undefined : offsetMinutes(zone);
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || zoneMinutes === null) return undefined;
  const date = new Date(0);
  if (zoneMinutes === undefined && /t/i.test(match[0])) {
    date.setFullYear(year, month - 1, day);
    date.setHours(hour, minute, second, milliseconds);
    return date.getTime();
  }
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, milliseconds);
  return date.getTime() - (zoneMinutes ?? 0) * 60_000;
}

/** Null for an offset no place has. */
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
