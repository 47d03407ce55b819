import * as v from 'valibot';
import { Failure } from '../../../failure.ts';

/** White space as Unicode has it: with NEL, which `trim` leaves, and without the byte order mark, which it takes. */
const whiteSpace = /^\p{White_Space}$/u;

export function trimmed(value = ''): string {
  // By hand from both ends: an expression for the end of a text tries every run of blanks within it.
  let [start, end] = [0, value.length];
  while (start < end && whiteSpace.test(value.charAt(start))) start++;
  while (end > start && whiteSpace.test(value.charAt(end - 1))) end--;
  return value.slice(start, end);
}

/** Longer than any link; a backend refuses far shorter addresses. */
const maxSegmentLength = 2000;

/** An argument that becomes a segment of a path, so it must be there and must not be able to climb. */
export function pathSegment(name: string, value: string | undefined, hint?: string): string {
  const segment = trimmed(value);
  if (segment === '') throw refusal(`"${name}" must not be empty`, hint);
  if (segment.length > maxSegmentLength) {
    throw refusal(`"${name}" must have ${maxSegmentLength} characters or fewer`, hint);
  }
  if (segment === '.' || segment === '..') throw refusal(`"${name}" must not be ${JSON.stringify(segment)}`, hint);
  return segment;
}

export function refusal(sentence: string, hint?: string): Failure {
  return new Failure('argument', `${sentence}.`, hint === undefined ? {} : { hint });
}

export const Source = v.pipe(v.string(), v.description('Platform: leetcode, codeforces, atcoder, luogu or spoj'));

export const ProblemId = v.pipe(
  v.string(),
  v.description('Id as the platform has it, e.g. "1", "1920A", "abc300_a", "P1001"; not a slug'),
);
