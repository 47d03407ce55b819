import { writeLine } from './stderr.ts';

/** A mistake of ours, which is not to be told as one of the world. */
export function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** For `catch` of work that nobody waits for, or that may fail: what the world does to it is passed over, a bug is told. */
export function ignoreExpectedError(error: unknown): void {
  if (isBug(error)) reportBug(error);
}

/** Of a bug that nobody else will hear of. */
export function reportBug(error: unknown): void {
  writeLine(`oj-mcp: survived a bug: ${traceOf(error)}`);
}

/** Where an error nobody expected comes from: not its message, which may hold a path. */
export function traceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something was thrown that is no error';
  const { name, message, stack = '' } = error;
  const frames = stack.slice(stack.indexOf(message) + message.length);
  return `${name}${'code' in error ? ` ${String(error.code)}` : ''}${frames}`;
}
