import { Failure } from '../../../errors/failure.ts';
import { systemErrorCode } from '../../../errors/system-error.ts';
import { createStorageFailure } from '../model/refusal.ts';

export function isMissingFileError(error: unknown): boolean {
  return systemErrorCode(error) === 'ENOENT';
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
  EROFS: 'the library is read-only',
  EACCES: 'permission is missing',
  EPERM: 'permission is missing',
  EIO: 'the disk reports an error',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EXDEV: 'the book is on another file system than its library',
  ENOENT: 'a folder was deleted in the meantime',
  ENAMETOOLONG: 'a name is too long',
  EFBIG: 'the file is too large for this disk or this user',
  EISDIR: 'a folder is in the place of a file',
  ENOTDIR: 'a file is in the place of a folder',
  ELOOP: 'the path contains a symbolic link',
};

/** Converts the error of a system call to a Failure. Other errors are returned as they are. */
export function toStorageFailure(error: unknown, what: string, key: string): unknown {
  const code = systemErrorCode(error);
  if (error instanceof Failure || code === undefined) return error;
  return createStorageFailure('UNAVAILABLE', `${what}: ${reasons[code] ?? code}.`, { path: key }, error);
}

/** Runs a function and converts its errors of system calls to Failures. */
export async function withStorageFailures<T>(what: string, key: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageFailure(error, what, key);
  }
}
