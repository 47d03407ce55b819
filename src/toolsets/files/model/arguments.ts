import * as v from 'valibot';
import { loose } from '../../../argument.ts';
import { defaultLimit, maxLimit } from './page.ts';
import { phraseOf } from './search/fold.ts';

const maxQueryLength = 10_000;

export const Query = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.check(text => text.length <= maxQueryLength, `may have ${maxQueryLength} characters at most`),
  v.check(text => text.isWellFormed(), 'must not have half a character in it'),
  v.check(text => phraseOf(text) !== '', 'must have something to look for'),
  v.description('Text to search for in file contents'),
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

export const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
