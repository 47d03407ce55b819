import { Failure } from '../../../errors/failure.ts';
import { isKeyInsideFolder, metadataFolder } from './key.ts';
import type { MergeResult } from './merge.ts';

/** The error names and codes in tool results, which clients may compare. */
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

export interface ErrorReportFields {
  path?: string;
  current_hash?: string;
  expected_hash?: string;
  suggestion?: string | undefined;
}

/** Creates an error of a tool call that is reported to the client as a JSON object. */
export function refusal(error: keyof typeof codes, message: string, facts: ErrorReportFields = {}): Failure {
  return new Failure('refused', message, { report: { error, code: codes[error], message, ...facts } });
}

/**
 * Adds the merged text of both changes to a conflict error. The caller can write this text, and uses the hash in the
 * error as the expected hash.
 */
export function addMergeToConflict(error: unknown, currentHash: string, merge: MergeResult): unknown {
  if (!(error instanceof Failure)) return error;
  const suggestion =
    merge.conflicts === 0
      ? 'Check merge.content, which has both changes, and write it with current_hash.'
      : 'Resolve the marked conflicts in merge.content, and write it with current_hash.';
  const report = { ...error.report, current_hash: currentHash, suggestion, merge };
  return new Failure(error.code, error.message, { report, cause: error });
}

/**
 * The codes of storage errors. BUSY: a retry can help. NOT_TEXT: a file is not UTF-8. TOO_LARGE: a file does not fit
 * into a response. UNAVAILABLE: the storage reports an error.
 */
export type StorageFailureCode = 'BUSY' | 'NOT_TEXT' | 'TOO_LARGE' | 'UNAVAILABLE';

export function createStorageFailure(
  code: StorageFailureCode,
  message: string,
  facts: ErrorReportFields = {},
  cause?: unknown,
): Failure {
  const report = { error: 'StorageError', code, message, ...facts };
  return new Failure('refused', message, { report, cause });
}

/** Returns the code of an error for the audit trail. */
export function errorCodeOfAuditRecord(error: unknown): string {
  const code = error instanceof Failure ? error.report?.['code'] : undefined;
  return typeof code === 'string' ? code : 'INTERNAL';
}

/** Replaces the path in an error report by the path that the caller wrote. */
export function replacePathInErrorReport(error: unknown, path: string | undefined): unknown {
  if (!(error instanceof Failure) || error.report === undefined || path === undefined) return error;
  return new Failure(error.code, error.message, { report: { ...error.report, path }, cause: error });
}

/**
 * Creates the error for a symbolic link in place of a file or folder. Its path is relative to the root of the library.
 */
export function createLinkFailure(path: string): Failure {
  return inTheWay(
    path,
    'is a symbolic link; links are never followed',
    'Replace the link by the file or folder itself.',
  );
}

export function createFileTypeFailure(path: string): Failure {
  return inTheWay(
    path,
    'has the wrong type: a folder instead of a file, a file instead of a folder, a pipe or a device',
    'Use another path, or move the existing entry.',
  );
}

export function createLetterCaseFailure(path: string): Failure {
  const reason = 'exists with a different case, which this file system ignores';
  return inTheWay(path, reason, 'Use the spelling of list_books or glob_search.');
}

function inTheWay(path: string, reason: string, suggestion: string): Failure {
  const message = `${path} ${reason}.`;
  if (path !== metadataFolder && !path.startsWith(`${metadataFolder}/`)) {
    return refusal('InvalidPathError', message, { path, suggestion });
  }
  // The suggestion is addressed to the owner of the library, because callers cannot change this internal file.
  return createStorageFailure('UNAVAILABLE', message, {
    path,
    suggestion: 'The user can remove it; the server then creates the needed file or folder.',
  });
}

/** Creates the error for a file that is too large to read. */
export function createTooLargeFailure(key: string, size: number | bigint, maxBytes: number): Failure {
  return createStorageFailure('TOO_LARGE', `${key} has ${size} bytes; ${maxBytes} is the limit for one read.`, {
    path: key,
  });
}

/**
 * Throws an error for a storage key outside of the library. The key is tested even if the caller has tested it before.
 */
export function checkStorageKey(key: string): string {
  if (isKeyInsideFolder(key)) return key;
  throw refusal('InvalidPathError', `${JSON.stringify(key)} is not a valid key of a file in the library.`, {
    path: key,
  });
}

export function createMissingBookFailure(book: string): Failure {
  return refusal('ContentNotFoundError', `There is no book ${JSON.stringify(book)}.`, {
    suggestion: 'list_books lists the existing books.',
  });
}
