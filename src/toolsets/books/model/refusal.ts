import { Failure } from '../../../failure.ts';

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
