import { Failure } from '../../../errors/failure.ts';
import { reasonOf } from '../../../errors/reason.ts';
import { systemErrorCodeOf } from '../../../errors/system-error.ts';
import { createStorageFailure } from '../model/refusal.ts';

export function isMissingFileError(error: unknown): boolean {
  return systemErrorCodeOf(error) === 'ENOENT';
}

/** These reasons are more exact for a file of a library, because the library has checked its path before. */
const special: Readonly<Record<string, string>> = {
  EROFS: 'the library is read-only',
  ENOENT: 'a folder was deleted in the meantime',
  EXDEV: 'the book is on another file system than its library',
  EISDIR: 'a folder is in the place of a file',
  ENOTDIR: 'a file is in the place of a folder',
  ELOOP: 'the path contains a symbolic link',
};

const grantWriting =
  'The user can give the account of this server permission for the library and its folders; --check names the folder.';
const freeSpace = 'The user can free space on the disk of the library.';
const wait = 'Make fewer calls at once, or try again in a moment.';
const remedies: Readonly<Record<string, string>> = {
  EACCES: grantWriting,
  EPERM: grantWriting,
  EROFS: 'Reading works. For changes, the user can make the disk of the library writable.',
  ENOSPC: freeSpace,
  EDQUOT: freeSpace,
  EMFILE: wait,
  ENFILE: wait,
  ENOMEM: wait,
};

/** Converts the error of a system call to a Failure. Other errors are returned unchanged. */
export function toStorageFailure(error: unknown, what: string, key: string): unknown {
  const code = systemErrorCodeOf(error);
  if (error instanceof Failure || code === undefined) return error;
  const suggestion = remedies[code];
  const facts = { path: key, suggestion };
  return createStorageFailure('UNAVAILABLE', `${what}: ${reasonOf(code, code, special)}.`, facts, error);
}

/** Runs a function and converts its errors of system calls to Failures. */
export async function withStorageFailures<T>(what: string, key: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toStorageFailure(error, what, key);
  }
}
