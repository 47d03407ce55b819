import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { acceptConvertibleTypes } from '../../../toolset/argument.ts';
import { knownPlatforms } from './platform.ts';

/** Matches Unicode White_Space. Unlike `trim`, it includes NEL (U+0085) and excludes the byte order mark. */
const whiteSpace = /^\p{White_Space}$/u;

export function trimWhiteSpace(value = ''): string {
  // A loop is used, because a pattern such as /\s+$/ is quadratic in runs of white space inside the text.
  let [start, end] = [0, value.length];
  while (start < end && whiteSpace.test(value.charAt(start))) start++;
  while (end > start && whiteSpace.test(value.charAt(end - 1))) end--;
  return value.slice(start, end);
}

/** Limits the length of an argument. No valid link or list is longer, and servers reject much longer URLs. */
const maxLength = 2000;

/**
 * Validates an argument that becomes a segment of a URL path. The argument is required, and `.` and `..` are rejected.
 */
export function readPathSegment(name: string, value: string | undefined, hint?: string): string {
  const segment = trimWhiteSpace(value);
  if (segment === '') throw createInvalidArgumentFailure(`"${name}" must not be empty`, hint);
  checkLength(name, segment, hint);
  if (segment === '.' || segment === '..')
    throw createInvalidArgumentFailure(`"${name}" must not be ${JSON.stringify(segment)}`, hint);
  return segment;
}

/** Trims an optional argument. Returns undefined if the argument is absent or blank. */
export function readOptionalText(name: string, value: string | undefined): string | undefined {
  const text = trimWhiteSpace(value);
  checkLength(name, text);
  return text === '' ? undefined : text;
}

function checkLength(name: string, text: string, hint?: string): void {
  if (text.length > maxLength)
    throw createInvalidArgumentFailure(`"${name}" must have ${maxLength} characters or fewer`, hint);
}

export function createInvalidArgumentFailure(sentence: string, hint?: string): Failure {
  return new Failure('argument', `${sentence}.`, hint === undefined ? {} : { hint });
}

export const SourceArgument = v.pipe(
  v.string(),
  v.description(`Platform: ${knownPlatforms.slice(0, -1).join(', ')} or ${knownPlatforms.at(-1)}`),
);

export const ProblemIdArgument = v.pipe(
  v.string(),
  acceptConvertibleTypes(),
  v.description('Id as the platform has it, e.g. "1", "1920A", "abc300_a", "P1001"; not a slug'),
);
