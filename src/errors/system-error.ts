/** The code of a failed system call, such as ENOENT; undefined for every other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What the work gives; undefined where the system refuses it. */
export function tryOrUndefined<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    return undefinedIfSystemError(error);
  }
}

/** The same for `catch` of a promise. */
export function undefinedIfSystemError(error: unknown): undefined {
  if (systemCode(error) === undefined) throw error;
  return undefined;
}

const shortage: ReadonlySet<unknown> = new Set(['ERR_WORKER_INIT_FAILED', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN']);

/** This process has no file or memory left for a thread, or for what the thread does first. */
export function isResourceShortage(error: unknown): boolean {
  return error instanceof Error && 'code' in error && shortage.has(error.code);
}
