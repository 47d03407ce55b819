import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { systemErrorCodeOf } from '../../../errors/system-error.ts';

/** The timeout for reading a pipe. It is long, because a password manager may ask its user before it writes. */
const defaultTimeoutMs = 10_000;
const pollMs = 20;

/** Thrown if the writer of a pipe does not close it before the timeout. */
export class PipeTimeoutError extends Error {}

/**
 * Reads a small file synchronously, up to `maxBytes`. The path may be a named pipe whose writer starts late, pauses or
 * never closes it. The function reads until the end of the file and throws `PipeTimeoutError` after the timeout.
 */
export function readSmallFile(file: string, maxBytes: number, timeoutMs = defaultTimeoutMs): Buffer {
  const buffer = Buffer.alloc(maxBytes);
  // Windows has no O_NONBLOCK, and opening a pipe does not block there.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const isPipe = fstatSync(descriptor).isFIFO();
    const deadline = performance.now() + timeoutMs;
    for (let length = 0; length < maxBytes; ) {
      const count = readAvailable(descriptor, buffer, length);
      length += count ?? 0;
      // A read of 0 bytes means the end of the file. For a pipe it can also mean that no program has opened the pipe
      // for writing yet.
      if (count === 0 && (length > 0 || !isPipe)) return buffer.subarray(0, length);
      if (count !== undefined && count > 0) continue;
      if (performance.now() > deadline)
        throw new PipeTimeoutError(`the writer of the pipe did not close it within ${timeoutMs / 1000} seconds`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
    }
    return buffer;
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the number of bytes read, or undefined if the pipe has no data yet. */
function readAvailable(descriptor: number, buffer: Buffer, start: number): number | undefined {
  try {
    return readSync(descriptor, buffer, start, buffer.length - start, null);
  } catch (error) {
    if (systemErrorCodeOf(error) === 'EAGAIN') return undefined;
    throw error;
  }
}
