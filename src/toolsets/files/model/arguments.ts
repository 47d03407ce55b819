import * as v from 'valibot';
import { loose } from '../../../argument.ts';
import { Failure } from '../../../failure.ts';
import { readDate } from './dates.ts';
import { excerpt } from './excerpt.ts';
import { type Kind, kinds } from './file-type.ts';
import { type Match, matchModes } from './names.ts';
import { defaultLimit, maxLimit } from './results.ts';
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

/** What does not fit becomes NaN: it is refused where its turn comes, after the scope. */
const whole = (description: string) =>
  v.optional(v.fallback(v.pipe(v.number(), v.integer(), loose(), v.description(description)), Number.NaN));

/** No bounds: a limit out of range is moved into it. */
export const pageEntries = {
  limit: whole(`Maximum results (default ${defaultLimit}, max ${maxLimit})`),
  offset: whole('Results to pass over, for the next page (default 0)'),
};

/** A text; what is none is refused where its turn comes, after the scope. */
const text = (description: string) =>
  v.optional(v.fallback(v.pipe(v.string(), v.description(description)), given => JSON.stringify(given?.value)));

export const Since = text('ISO 8601 date; files modified then or later. A date alone is midnight in UTC');
export const Until = text('ISO 8601 date; files modified then or earlier. A date alone is the end of that day in UTC');
export const KindEntry = text(`Only files of one kind: ${kinds.join(', ')}`);
export const MatchEntry = text(
  'Where to look: content (default), name (with * and ? the whole name, otherwise any part of it), or any of both',
);

/** The six kinds are known in any case. */
export function readKind(given: string, what: string): Kind {
  const kind = kinds.find(known => known === given.toLowerCase());
  if (kind !== undefined) return kind;
  throw new Failure('argument', `${what} must be one of ${kinds.join(', ')}, got ${JSON.stringify(excerpt(given))}`);
}

export function readMatch(given: string | undefined, what: string): Match | undefined {
  if (given === undefined) return undefined;
  const mode = matchModes.find(known => known === given.toLowerCase());
  if (mode !== undefined) return mode === 'content' ? undefined : mode;
  throw new Failure(
    'argument',
    `${what} must be one of ${matchModes.join(', ')}, got ${JSON.stringify(excerpt(given))}`,
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
