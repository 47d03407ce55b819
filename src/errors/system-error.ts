import { Failure } from './failure.ts';
import { reasonOf } from './reason.ts';

/** Returns the code of a failed system call, such as ENOENT, or undefined for every other error. */
export function systemErrorCodeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the result of the function, or undefined if a system call fails in it. Every other error is rethrown. */
export function tryOrUndefined<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    return undefinedIfSystemError(error);
  }
}

/** A `catch` handler for promises: it returns undefined for a failed system call and rethrows every other error. */
export function undefinedIfSystemError(error: unknown): undefined {
  if (systemErrorCodeOf(error) === undefined) throw error;
  return undefined;
}

const shortage: ReadonlySet<unknown> = new Set(['ERR_WORKER_INIT_FAILED', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/**
 * Returns whether a thread could not start or open its first file, because file descriptors or memory are exhausted.
 */
export function isResourceShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortage.has(error.code);
}

/**
 * Returns the error for a user of the command line: a Failure is unchanged, and a failed system call becomes one
 * sentence. Returns undefined for every other error, because it is a bug.
 */
export function toFailureForUser(error: unknown): Failure | undefined {
  if (error instanceof Failure) return error;
  const code = systemErrorCodeOf(error);
  if (!(error instanceof Error) || code === undefined) return undefined;
  const hint =
    'Check that the file or folder exists, that this user has the permission, and that the disk is not full.';
  const { path = '', syscall = '' } = error as NodeJS.ErrnoException;
  const reason = reasonOf(code, code, syscall === 'mkdir' ? { ENOENT: 'it cannot be created there' } : {});
  const sentence = `The system call ${syscall} fails for ${path}: ${reason}.`;
  return new Failure('setting', path === '' ? `The operating system reports: ${error.message}.` : sentence, {
    hint,
    cause: error,
  });
}
