import { Failure } from '../../../errors/failure.ts';
import { isInside, metadataFolder } from './key.ts';
import type { Merge } from './merge.ts';

/** Each kind of refusal, by the name readers match, with its code. */
const codes = {
  ContentNotFoundError: 'NOT_FOUND',
  ConflictError: 'CONFLICT',
  HashRequiredError: 'HASH_REQUIRED',
  SchemaViolationError: 'SCHEMA_VIOLATION',
  InvalidPathError: 'INVALID_PATH',
  ValidationError: 'VALIDATION',
  AssetTooLargeError: 'TOO_LARGE',
  UnsupportedOperationError: 'UNSUPPORTED',
} as const;

export interface Facts {
  path?: string;
  current_hash?: string;
  expected_hash?: string;
  suggestion?: string;
}

/** A refusal as the one JSON object the caller gets. */
export function refusal(error: keyof typeof codes, message: string, facts: Facts = {}): Failure {
  return new Failure('refused', message, { report: { error, code: codes[error], message, ...facts } });
}

/** A conflict with a merge of both changes; the caller writes the merged text with the hash that it was merged with. */
export function conflictWithMerge(error: unknown, currentHash: string, merge: Merge): unknown {
  if (!(error instanceof Failure)) return error;
  const suggestion =
    merge.conflicts === 0
      ? 'Check merge.content, which has both changes, and write it with current_hash.'
      : 'Resolve the marked conflicts in merge.content, and write it with current_hash.';
  const report = { ...error.report, current_hash: currentHash, suggestion, merge };
  return new Failure(error.code, error.message, { report, cause: error });
}

/** BUSY: try again. NOT_TEXT: the bytes are no text. TOO_LARGE: it does not fit into an answer. UNAVAILABLE: the library or the disk says no. */
export type StorageCode = 'BUSY' | 'NOT_TEXT' | 'TOO_LARGE' | 'UNAVAILABLE';

export function storageFailure(code: StorageCode, message: string, facts: Facts = {}, cause?: unknown): Failure {
  return new Failure('refused', message, { report: { error: 'StorageError', code, message, ...facts }, cause });
}

/** What the audit trail keeps of a failure. */
export function failureCode(error: unknown): string {
  const code = error instanceof Failure ? error.report?.['code'] : undefined;
  return typeof code === 'string' ? code : 'INTERNAL';
}

/** The same failure, with the file as the caller called it. */
export function aboutFile(error: unknown, path: string | undefined): unknown {
  if (!(error instanceof Failure) || error.report === undefined || path === undefined) return error;
  return new Failure(error.code, error.message, { report: { ...error.report, path }, cause: error });
}

/** What stands where a plain file or folder should be. Paths are those from the library's folder on. */
export function linkRefusal(path: string): Failure {
  return inTheWay(path, 'is a symbolic link; links are never followed', 'Put the file or folder itself there.');
}

export function kindRefusal(path: string): Failure {
  return inTheWay(
    path,
    'is something else than it should be: a folder where a file belongs, a file where a folder belongs, a pipe or a device',
    'Use another path, or move what is there.',
  );
}

export function caseRefusal(path: string): Failure {
  const reason = 'exists with other capitals, and this file system sees no difference';
  return inTheWay(path, reason, 'Spell it as list_books and glob_search show it.');
}

function inTheWay(path: string, reason: string, suggestion: string): Failure {
  const message = `${path} ${reason}.`;
  if (path !== metadataFolder && !path.startsWith(`${metadataFolder}/`)) {
    return refusal('InvalidPathError', message, { path, suggestion });
  }
  // Nobody has asked for this path: it is where the library keeps its books, and only its owner can put it right.
  return storageFailure('UNAVAILABLE', message, {
    path,
    suggestion: 'The user has to remove it; what is needed there is made anew.',
  });
}

/** A file that is more than can be read at once. */
export function tooLarge(key: string, size: number | bigint, maxBytes: number): Failure {
  return storageFailure('TOO_LARGE', `${key} has ${size} bytes; ${maxBytes} is the most that is read at once.`, {
    path: key,
  });
}

/** Whatever the layers above have let through, a key cannot name anything outside of the library. */
export function checkKey(key: string): string {
  if (isInside(key)) return key;
  throw refusal('InvalidPathError', `${JSON.stringify(key)} is not a key of the library.`, { path: key });
}

export function missingBook(book: string): Failure {
  return refusal('ContentNotFoundError', `There is no book ${JSON.stringify(book)}.`, {
    suggestion: 'list_books shows the books there are.',
  });
}
