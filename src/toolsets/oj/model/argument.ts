import * as v from 'valibot';
import { Failure } from '../../../failure.ts';

/** White space as Unicode has it: with NEL, which `trim` leaves, and without the byte order mark, which it takes. */
const edges = /^\p{White_Space}+|\p{White_Space}+$/gu;

export function trimmed(value: string | undefined): string {
  return value === undefined ? '' : value.replace(edges, '');
}

/** An argument that becomes a segment of a path, so it must be there and must not be able to climb. */
export function pathSegment(name: string, value: string | undefined, hint?: string): string {
  const segment = trimmed(value);
  if (segment === '') throw refusal(`"${name}" must not be empty`, hint);
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
