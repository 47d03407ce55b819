import { Failure } from '../../../../errors/failure.ts';
import { trimWhiteSpace } from '../../model/argument.ts';
import type { ProblemRecord } from '../../model/problem.ts';

/** One problem of a collection. `read` loads its record from the disk. */
export interface ProblemCollectionEntry {
  readonly source: string;
  readonly id: string;
  /** The date as YYYY-MM-DD, if the record is a daily challenge. */
  readonly date?: string | undefined;
  readonly hasStatement: boolean;
  /** Returns the place of the problem for error messages: a file and a line, or a folder. */
  place(): string;
  /**
   * Reads and validates the record. Throws a Failure that names its file and line. `inspect` gets the fields of a record
   * in JSON before the unknown ones are dropped.
   */
  read(inspect?: (fields: object) => void): ProblemRecord;
}

export interface ProblemCollection {
  readonly entries: readonly ProblemCollectionEntry[];
  /** Maps the key of each problem, as `createProblemKey` returns it, to the problem. */
  readonly byKey: ReadonlyMap<string, ProblemCollectionEntry>;
  /** The sources of problems in alphabetical order. */
  readonly sources: readonly string[];
  /** The files of a folder that are ignored, because they contain no problems. */
  readonly ignored: readonly string[];
  /** Returns the daily challenge from a separate table of the database. */
  readonly daily: DailyChallengeLookup;
  /** Returns the path of a file that was changed or replaced after it was opened. Its new problems are not loaded. */
  changedFile(): string | undefined;
  /** Closes the files of the collection. */
  close: () => void;
}

export type DailyChallengeLookup = (domain: string, date: string) => ProblemRecord | undefined;

/**
 * A record without a valid source and id. Its error is created when it is reported, because the number of its line is
 * not stored.
 */
export interface InvalidRecord {
  failure: () => Failure;
}

/** The problems in one path of the flag --problems. */
export interface ProblemCollectionPart {
  readonly entries: readonly (ProblemCollectionEntry | InvalidRecord)[];
  readonly ignored?: readonly string[];
  readonly daily?: DailyChallengeLookup;
  changedFile?(): string | undefined;
  close?(): void;
}

export function createProblemKey(source: string, id: string): string {
  return `${source}\n${id}`;
}

/**
 * Joins the parts of a collection. Throws a Failure that lists invalid and duplicate problems, and one for an empty
 * collection.
 */
export function createProblemCollection(
  parts: readonly ProblemCollectionPart[],
  names: readonly string[],
): ProblemCollection {
  const { entries, byKey } = readProblems(parts);
  if (entries.length === 0) {
    const files = names.join(', ');
    throw new Failure('setting', `${files}: the collection has no problems.`, { hint: supportedFormatsHint });
  }
  return {
    entries,
    byKey,
    sources: [...new Set(entries.map(({ source }) => source))].sort(),
    ignored: parts.flatMap(({ ignored = [] }) => ignored),
    daily: (domain, date) => {
      for (const part of parts) {
        const problem = part.daily?.(domain, date);
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
    changedFile: () => parts.map(part => part.changedFile?.()).find(file => file !== undefined),
    close: () => {
      for (const part of parts) part.close?.();
    },
  };
}

/** Throws a Failure that lists the invalid and duplicate problems. */
function readProblems(parts: readonly ProblemCollectionPart[]): Pick<ProblemCollection, 'entries' | 'byKey'> {
  const records = parts.flatMap(part => part.entries);
  const byKey = new Map<string, ProblemCollectionEntry>();
  const entries: ProblemCollectionEntry[] = [];
  const faults = new Map<ProblemCollectionEntry | InvalidRecord, () => Failure>();
  for (const record of records) {
    const fault = 'failure' in record ? record.failure : faultOf(record, byKey);
    if (fault !== undefined) faults.set(record, fault);
    else if (!('failure' in record)) {
      entries.push(record);
      byKey.set(createProblemKey(record.source, record.id), record);
    }
  }
  if (faults.size > 0) throw joinFaults(records, faults);
  return { entries, byKey };
}

type Fault = (() => Failure) | undefined;

/** Returns the error of a problem that is in the collection twice or that no tool call could request. */
function faultOf(entry: ProblemCollectionEntry, byKey: ReadonlyMap<string, ProblemCollectionEntry>): Fault {
  const { source, id } = entry;
  const problem = describeInvalidName('source', source) ?? describeInvalidName('id', id);
  if (problem !== undefined) return () => createInvalidCollectionFailure(entry.place(), problem);
  const other = byKey.get(createProblemKey(source, id));
  if (other === undefined) return undefined;
  return () =>
    createInvalidCollectionFailure(
      entry.place(),
      `the problem ${source}/${id} is also in ${other.place()}`,
      'Remove one of them, or change its source or id.',
    );
}

/** Tools trim their arguments and reject `.` and `..`. */
function describeInvalidName(name: string, value: string): string | undefined {
  const trimmed = trimWhiteSpace(value);
  if (trimmed === '') return `"${name}" must not be empty`;
  if (trimmed !== value) return `"${name}" must not begin or end with white space`;
  return value === '.' || value === '..' ? `"${name}" must not be "${value}"` : undefined;
}

const maxFaults = 20;

/** Joins the errors in the order of the records. Every other record is read, so that its error is listed as well. */
function joinFaults(
  records: readonly (ProblemCollectionEntry | InvalidRecord)[],
  faults: ReadonlyMap<ProblemCollectionEntry | InvalidRecord, () => Failure>,
): Failure {
  const failures: Failure[] = [];
  let left = faults.size;
  for (const record of records) {
    const fault = faults.get(record);
    const result = fault === undefined && !('failure' in record) ? readOrFailure(record) : fault?.();
    if (result instanceof Failure) failures.push(result);
    if (fault !== undefined) left--;
    if (failures.length === maxFaults) break;
  }
  const lines = failures.map(({ message }) => message);
  if (left > 0) lines.push(left === 1 ? '1 more error is not listed.' : `${left} more errors are not listed.`);
  const hints = new Set(failures.flatMap(({ hint = [] }) => hint));
  return new Failure('setting', lines.join('\n'), { hint: [...hints].join(' ') });
}

export const supportedFormatsHint =
  'Supported formats: a JSON array or JSON Lines of records with "source" and "id", an SQLite file of oj-api-rs, and folders of problem packages.';

export const backslashHint = 'In JSON a backslash is written twice, as in "$a \\\\le b$".';

export const encodingHint = 'Save the file in UTF-8.';

/** Creates the error for an invalid collection, which the user must correct before the server can start. */
export function createInvalidCollectionFailure(
  fileAndLine: string,
  problem: string,
  hint = supportedFormatsHint,
): Failure {
  return new Failure('setting', `${fileAndLine}: ${problem}.`, { hint });
}

/** Reads a record. Returns the error if the record is invalid. */
export function readOrFailure(
  entry: ProblemCollectionEntry,
  inspect?: (fields: object) => void,
): ProblemRecord | Failure {
  try {
    return entry.read(inspect);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}
