import * as v from 'valibot';
import { type Kind, kinds } from '../../../documents/file-type.ts';
import { Failure } from '../../../errors/failure.ts';
import { shortened } from '../../../text/truncate.ts';
import { loose } from '../../../toolset/argument.ts';
import type { Page } from './results.ts';
import { phraseOf } from './search/fold.ts';

const maxQueryLength = 10_000;

export const Query = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.check(text => text.length <= maxQueryLength, `may have ${maxQueryLength} characters at most`),
  v.check(text => text.isWellFormed(), 'must not have half a character in it'),
  v.check(text => phraseOf(text) !== '', 'must have something to look for'),
  v.description('Text to search for in file contents, or a name, see match'),
);

export const Scope = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.description('Absolute path of the folder to search, with all below it'),
);

const defaultLimit = 100;
const maxLimit = 1000;

/** What does not fit becomes NaN: it is refused where its turn comes, after the scope. */
const whole = (description: string) =>
  v.optional(v.fallback(v.pipe(v.number(), v.integer(), loose(), v.description(description)), Number.NaN));

/** No bounds: a limit out of range is moved into it. */
export const pageEntries = {
  limit: whole(`Maximum results (default ${defaultLimit}, max ${maxLimit})`),
  offset: whole('Results to pass over, for the next page (default 0)'),
};

/** A limit out of range is moved into it, not refused; NaN stands for what was no whole number. */
export function readPage(
  { limit, offset }: { limit?: number | undefined; offset?: number | undefined },
  tool: string,
): Page {
  for (const [name, value] of Object.entries({ limit, offset })) {
    if (Number.isNaN(value)) throw new Failure('argument', `${tool}: "${name}" must be a whole number`);
  }
  return {
    limit: Math.min(maxLimit, Math.max(1, limit ?? defaultLimit)),
    offset: Math.max(0, offset ?? 0),
  };
}

/** Where a search looks for what was asked. */
const matchModes = ['content', 'name', 'any'] as const;
export type Match = (typeof matchModes)[number];

/** A text; what is none is refused where its turn comes, after the scope. */
const word = (description: string) =>
  v.optional(v.fallback(v.pipe(v.string(), v.description(description)), given => JSON.stringify(given?.value)));

export const Since = word('ISO 8601 date; files modified then or later. A date alone is midnight in UTC');
export const Until = word('ISO 8601 date; files modified then or earlier. A date alone is the end of that day in UTC');
export const KindEntry = word(`Only files of one kind: ${kinds.join(', ')}`);
export const MatchEntry = word(
  'Where to look: content (default), name (with * and ? the whole name, otherwise any part of it), or any of both',
);

/** The six kinds are known in any case. */
export function readKind(given: string, what: string): Kind {
  const kind = kinds.find(known => known === given.toLowerCase());
  if (kind !== undefined) return kind;
  throw new Failure('argument', `${what} must be one of ${kinds.join(', ')}, got ${JSON.stringify(shortened(given))}`);
}

export function readMatch(given: string | undefined, what: string): Match | undefined {
  if (given === undefined) return undefined;
  const mode = matchModes.find(known => known === given.toLowerCase());
  if (mode !== undefined) return mode === 'content' ? undefined : mode;
  throw new Failure(
    'argument',
    `${what} must be one of ${matchModes.join(', ')}, got ${JSON.stringify(shortened(given))}`,
  );
}

const dayMs = 24 * 60 * 60 * 1000;

/** A day alone is meant with all its hours. */
export function readUntil(given: string, what: string): number {
  const time = readDate(given, what);
  return /^\d{4}-\d\d-\d\d$/.test(given) ? time + dayMs - 1 : time;
}

export const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const form = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/**
 * Milliseconds of an ISO 8601 date. A date alone is midnight in UTC, a time without a zone is local.
 * Read by hand because Date.parse takes 30 February for 2 March.
 */
export function readDate(text: string, what: string): number {
  const match = form.exec(text);
  const time = match === null ? undefined : toTime(match);
  if (time === undefined) {
    throw new Failure('argument', `${what} must be an ISO 8601 date, got ${JSON.stringify(shortened(text))}`, {
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
