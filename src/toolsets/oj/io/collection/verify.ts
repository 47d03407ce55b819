import { EventLoopYielder } from '../../../../async/yielder.ts';
import { Failure } from '../../../../errors/failure.ts';
import { findNearestName } from '../../../../text/nearest.ts';
import type { CheckResult } from '../../../../toolset/toolset.ts';
import { ProblemRecord } from '../../model/problem.ts';
import { backslashHint, type ProblemCollection, type ProblemCollectionEntry, readOrFailure } from './collection.ts';
import { joinFirstNames } from './lookup.ts';

const sliceMs = 20;
const maxFindings = 20;

/**
 * Matches LaTeX commands whose backslash and first letter JSON has parsed as a control character. A tab or line feed
 * counts only before the rest of a frequent command.
 */
const brokenCommand = /[\b\f]|\t(?:imes|ext\{|heta\b)|\r(?:ho\b|ight\b|angle\b)|\n(?:eq|abla)\b/;

/** Parses every record and reports the invalid ones, until the time limit of the check. */
export async function* verifyProblemRecords(
  { entries, ignored }: ProblemCollection,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  const yielder = new EventLoopYielder(sliceMs);
  const broken: ProblemCollectionEntry[] = [];
  const unknown = new Map<string, ProblemCollectionEntry[]>();
  let invalid = 0;
  for (const [index, entry] of entries.entries()) {
    const problem = readOrFailure(entry, fields => addMisspelledFields(fields, entry, unknown));
    await yielder.yieldIfDue();
    if (signal.aborted && index + 1 < entries.length) {
      yield { isGood: invalid === 0, isWarning: true, line: timeLine(index + 1, invalid, entries.length) };
      return;
    }
    if (!(problem instanceof Failure)) {
      if (textsOf(problem).some(text => brokenCommand.test(text))) broken.push(entry);
      continue;
    }
    invalid++;
    if (invalid <= maxFindings) yield { isGood: false, line: problem.message, hint: problem.hint };
  }
  yield {
    isGood: invalid === 0,
    line:
      invalid === 0
        ? 'every record is valid'
        : `${invalid} of ${records(entries.length)} ${invalid === 1 ? 'is' : 'are'} invalid`,
  };
  yield* warnings(entries, broken);
  yield* warningsAboutFields(unknown);
  if (ignored.length > 0)
    yield { isGood: true, line: `ignored files, which contain no array of records: ${joinFirstNames(ignored)}` };
}

function* warnings(
  entries: readonly ProblemCollectionEntry[],
  broken: readonly ProblemCollectionEntry[],
): Generator<CheckResult> {
  const warning = { isGood: true, isWarning: true };
  const empty = entries.filter(({ hasStatement }) => !hasStatement);
  if (empty[0] !== undefined) {
    const hint =
      'The statement is the field "content" or "content_cn", or problem.md in a package: compare it with docs/problems.md.';
    yield {
      ...warning,
      line: empty.length === entries.length ? 'no record has a statement' : firstOf(empty, 'without a statement'),
      hint,
    };
  }
  if (broken.length === 0) return;
  const line = firstOf(broken, 'with a control character in place of a LaTeX command');
  yield { ...warning, line, hint: backslashHint };
}

function* warningsAboutFields(
  misspelled: ReadonlyMap<string, readonly ProblemCollectionEntry[]>,
): Generator<CheckResult> {
  for (const [name, entries] of misspelled) {
    const hint = `Did you mean "${findNearestName(name, fieldNames)}"?`;
    const line = firstOf(entries, `with the unknown field ${JSON.stringify(name)}`);
    yield { isGood: true, isWarning: true, line, hint };
  }
}

const fieldNames = Object.keys(ProblemRecord.entries);
/** No tool uses the last three fields, which a backend sends. */
const knownFields = new Set([...fieldNames, 'problem_index', 'category', 'similar_questions']);

/** Adds the unknown fields whose name is similar to that of a known field that the record does not have. */
function addMisspelledFields(
  fields: object,
  entry: ProblemCollectionEntry,
  misspelled: Map<string, ProblemCollectionEntry[]>,
): void {
  const names = Object.keys(fields);
  for (const name of names) {
    if (knownFields.has(name)) continue;
    const known = findNearestName(name, fieldNames);
    if (known === undefined || names.includes(known)) continue;
    const entries = misspelled.get(name);
    if (entries !== undefined) entries.push(entry);
    else if (misspelled.size < maxFindings) misspelled.set(name, [entry]);
  }
}

function firstOf(entries: readonly ProblemCollectionEntry[], fault: string): string {
  return `${records(entries.length)} ${fault}, the first in ${entries[0]?.place()}`;
}

function records(count: number): string {
  return count === 1 ? '1 record' : `${count} records`;
}

function textsOf({ title, title_cn, content, content_cn }: ProblemRecord): string[] {
  return [title, title_cn, content, content_cn].flatMap(text => text ?? []);
}

function timeLine(checked: number, invalid: number, total: number): string {
  const found = invalid === 0 ? 'all of them are valid' : `${invalid} of them are invalid`;
  return `only ${checked} of ${total} records were read within the time limit of the check; ${found}`;
}
