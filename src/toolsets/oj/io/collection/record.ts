import * as v from 'valibot';
import { validateValue } from '../../../../toolset/parse.ts';
import { ProblemRecord } from '../../model/problem.ts';

/** Validates a record. Throws a Failure with the place of the record and the invalid field. */
export function parseProblemRecord(value: unknown, place: () => string): ProblemRecord {
  const result = v.safeParse(ProblemRecord, value);
  return result.success ? result.output : validateValue(ProblemRecord, value, 'upstream', place());
}
