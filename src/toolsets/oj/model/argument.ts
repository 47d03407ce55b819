import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { loose } from '../../../toolset/argument.ts';
import { platforms } from './platform.ts';

/** White space as Unicode has it: with NEL, which `trim` leaves, and without the byte order mark, which it takes. */
const whiteSpace = /^\p{White_Space}$/u;

export function trimmed(value = ''): string {
  // By hand from both ends: an expression for the end of a text tries every run of blanks within it.
  let [start, end] = [0, value.length];
  while (start < end && whiteSpace.test(value.charAt(start))) start++;
  while (end > start && whiteSpace.test(value.charAt(end - 1))) end--;
  return value.slice(start, end);
}

/** Longer than any link or list; servers refuse addresses that are much longer. */
const maxLength = 2000;

/** An argument that becomes a segment of a path, so it must be there and must not be able to climb. */
export function pathSegment(name: string, value: string | undefined, hint?: string): string {
  const segment = trimmed(value);
  if (segment === '') throw refusal(`"${name}" must not be empty`, hint);
  refuseTooLong(name, segment, hint);
  if (segment === '.' || segment === '..') throw refusal(`"${name}" must not be ${JSON.stringify(segment)}`, hint);
  return segment;
}

/** An argument that may be left out; blank means the same. */
export function optionalText(name: string, value: string | undefined): string | undefined {
  const text = trimmed(value);
  refuseTooLong(name, text);
  return text === '' ? undefined : text;
}

function refuseTooLong(name: string, text: string, hint?: string): void {
  if (text.length > maxLength) throw refusal(`"${name}" must have ${maxLength} characters or fewer`, hint);
}

export function refusal(sentence: string, hint?: string): Failure {
  return new Failure('argument', `${sentence}.`, hint === undefined ? {} : { hint });
}

export const Source = v.pipe(
  v.string(),
  v.description(`Platform: ${platforms.slice(0, -1).join(', ')} or ${platforms.at(-1)}`),
);

export const ProblemId = v.pipe(
  v.string(),
  loose(),
  v.description('Id as the platform has it, e.g. "1", "1920A", "abc300_a", "P1001"; not a slug'),
);
