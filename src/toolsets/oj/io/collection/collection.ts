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
  /** Reads and validates the record. Throws a Failure that names its file and line. */
  read(): ProblemRecord;
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

/** The problems in one path of the flag --problems. */
export interface ProblemCollectionPart {
  readonly entries: readonly ProblemCollectionEntry[];
  readonly ignored?: readonly string[];
  readonly daily?: DailyChallengeLookup;
  changedFile?(): string | undefined;
  close?(): void;
}

export function createProblemKey(source: string, id: string): string {
  return `${source}\n${id}`;
}

/**
 * Joins the parts of a collection. Throws a Failure for an invalid or duplicate problem, and for an empty collection.
 */
export function createProblemCollection(
  parts: readonly ProblemCollectionPart[],
  names: readonly string[],
): ProblemCollection {
  const entries = parts.flatMap(part => part.entries);
  const byKey = new Map<string, ProblemCollectionEntry>();
  for (const entry of entries) {
    checkName(entry, 'source');
    checkName(entry, 'id');
    const key = createProblemKey(entry.source, entry.id);
    const other = byKey.get(key);
    if (other !== undefined) {
      throw new Failure(
        'setting',
        `${entry.place()}: the problem ${entry.source}/${entry.id} is also in ${other.place()}.`,
        { hint: 'Remove one of them, or change its source or id.' },
      );
    }
    byKey.set(key, entry);
  }
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

/**
 * Throws a Failure for a problem that no tool call could request, because tools trim their arguments and reject `.` and
 * `..`.
 */
function checkName(entry: ProblemCollectionEntry, name: 'source' | 'id'): void {
  const value = entry[name];
  const trimmed = trimWhiteSpace(value);
  if (trimmed === '') throw createInvalidCollectionFailure(entry.place(), `"${name}" must not be empty`);
  if (trimmed !== value)
    throw createInvalidCollectionFailure(entry.place(), `"${name}" must not begin or end with white space`);
  if (value === '.' || value === '..')
    throw createInvalidCollectionFailure(entry.place(), `"${name}" must not be "${value}"`);
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
