import * as v from 'valibot';
import { type FileKind, fileKinds } from '../../../documents/file-type.ts';
import { Failure } from '../../../errors/failure.ts';
import { shortenText } from '../../../text/truncate.ts';
import { acceptConvertibleTypes } from '../../../toolset/argument.ts';
import { foldQueryPhrase } from '../match/fold.ts';
import type { PageRequest } from './results.ts';

const maxQueryLength = 10_000;

export const QueryText = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.check(text => text.length <= maxQueryLength, `may have ${maxQueryLength} characters at most`),
  v.check(text => text.isWellFormed(), 'must not contain a lone surrogate'),
  v.check(text => foldQueryPhrase(text) !== '', 'must contain a letter, digit or sign'),
  v.description('A few words of the file or its name, such as "lease agreement"; in quotation marks an exact phrase'),
);

export const ScopeArgument = v.pipe(
  v.string(),
  v.nonEmpty('must not be empty'),
  v.description('Absolute path of the folder to search, with all below it'),
);

const defaultLimit = 100;
const maxLimit = 1000;

/**
 * An optional whole number. An invalid value becomes NaN and is rejected later, because an error of the argument
 * `scope` is reported first.
 */
const whole = (description: string) =>
  v.optional(
    v.fallback(v.pipe(v.number(), v.integer(), acceptConvertibleTypes(), v.description(description)), Number.NaN),
  );

/**
 * The schema of these arguments has no bounds, because a limit outside of the range is corrected instead of rejected.
 */
export const pageArguments = {
  limit: whole(`Maximum results (default ${defaultLimit}, max ${maxLimit})`),
  offset: whole('Results to pass over, for the next page (default 0)'),
};

/**
 * Parses the arguments `limit` and `offset`. A limit out of range is clamped. NaN means that the value is not a whole
 * number, and is rejected.
 */
export function parsePageArguments(
  { limit, offset }: { limit?: number | undefined; offset?: number | undefined },
  tool: string,
): PageRequest {
  for (const [name, value] of Object.entries({ limit, offset })) {
    if (Number.isNaN(value)) throw new Failure('argument', `${tool}: "${name}" must be a whole number`);
  }
  return {
    limit: Math.min(maxLimit, Math.max(1, limit ?? defaultLimit)),
    offset: Math.max(0, offset ?? 0),
  };
}

/** The values of the argument `match`: the query is searched in the contents of files, in their names, or in both. */
const matchModes = ['content', 'name', 'any'] as const;
export type MatchMode = (typeof matchModes)[number];

/**
 * An optional string. A value of another type becomes a string and is rejected later, because an error of the argument
 * `scope` is reported first.
 */
const word = (description: string) =>
  v.optional(v.fallback(v.pipe(v.string(), v.description(description)), given => JSON.stringify(given?.value)));

export const SinceArgument = word('ISO 8601 date; files modified then or later. A date alone is midnight in UTC');
export const UntilArgument = word(
  'ISO 8601 date; files modified then or earlier. A date alone is the end of that day in UTC',
);
export const KindArgument = word(`Only files of one kind: ${fileKinds.join(', ')}`);
export const MatchArgument = word(
  'Where to look: content, name (with * and ? the whole name, otherwise any part of it), or any of both. By default the phrase is searched in contents, and its words also in names',
);

const kindHint =
  'Photos are of the kind "image", songs "audio", films "video". Mail, spreadsheets, slides and e-books are of the kind "document": a word such as "mail" in the query of search ranks them first, and the query "*.eml" with match "name" lists them.';

/** Parses a kind of file, such as "image", and ignores its case. */
export function parseFileKind(given: string, argument: string): FileKind {
  const kind = fileKinds.find(known => known === given.toLowerCase());
  if (kind !== undefined) return kind;
  const sentence = `${argument} must be one of ${fileKinds.join(', ')}, got ${JSON.stringify(shortenText(given))}`;
  throw new Failure('argument', sentence, { hint: kindHint });
}

export function parseMatchMode(given: string | undefined, argument: string): MatchMode | undefined {
  if (given === undefined) return undefined;
  const mode = matchModes.find(known => known === given.toLowerCase());
  if (mode !== undefined) return mode;
  throw new Failure(
    'argument',
    `${argument} must be one of ${matchModes.join(', ')}, got ${JSON.stringify(shortenText(given))}`,
  );
}

export const readOnlyAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
