import { EventLoopYielder } from '../../../../async/yielder.ts';
import { Failure } from '../../../../errors/failure.ts';
import type { CheckResult } from '../../../../toolset/toolset.ts';
import type { Collection, CollectionEntry } from './collection.ts';
import { joinNames } from './lookup.ts';

const sliceMs = 20;
const maxFindings = 20;

/** Parses every record and reports the invalid ones, until the check runs out of time. */
export async function* verifyRecords(
  { entries, ignored }: Collection,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  const yielder = new EventLoopYielder(sliceMs);
  let invalid = 0;
  for (const [index, entry] of entries.entries()) {
    const problem = unreadable(entry);
    await yielder.yieldIfDue();
    if (signal.aborted && index + 1 < entries.length) {
      yield { isGood: invalid === 0, isWarning: true, line: timeLine(index + 1, invalid, entries.length) };
      return;
    }
    if (problem === undefined) continue;
    invalid++;
    if (invalid <= maxFindings) yield { isGood: false, line: problem.message, hint: problem.hint };
  }
  const line = invalid === 0 ? 'every record is valid' : `${invalid} of ${entries.length} records are invalid`;
  yield { isGood: invalid === 0, line };
  if (ignored.length > 0) yield { isGood: true, line: `files without problems: ${joinNames(ignored)}` };
}

function timeLine(checked: number, invalid: number, total: number): string {
  const found = invalid === 0 ? 'all of them are valid' : `${invalid} of them are invalid`;
  return `only ${checked} of ${total} records were read within the time limit of the check; ${found}`;
}

function unreadable(entry: CollectionEntry): Failure | undefined {
  try {
    entry.read();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
