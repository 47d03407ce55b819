import { writeToStderr } from './stderr.ts';

/** Returns whether the error is a bug of this program, and not a failure of the network or the system. */
export function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** A `catch` handler for background work: it ignores failures of the network and the system, and reports bugs. */
export function ignoreExpectedError(error: unknown): void {
  if (isBug(error)) reportBug(error);
}

/** Writes the stack trace of a bug in background work to stderr, because no caller receives its errors. */
export function reportBug(error: unknown): void {
  writeToStderr(`oj-mcp: recovered from a bug: ${stackTraceOf(error)}`);
}

/**
 * Returns name, code and stack frames of an unexpected error. Its message is omitted, because it can contain a path.
 */
export function stackTraceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'a value was thrown that is not an Error';
  const { name, message, stack = '' } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length);
  return `${name}${'code' in error ? ` ${String(error.code)}` : ''}${frames}`;
}
