import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { systemCode } from '../../../errors/system-error.ts';

/** How long the writer of a pipe has: a password manager may first ask its user. */
const defaultPatienceMs = 10_000;
const pollMs = 20;

/** The writer of a pipe did not come to an end. */
export class EndlessPipe extends Error {}

/**
 * A small file at once and whole, cut behind `maxBytes`. It may be a pipe, whose writer can be late, pause in the middle
 * or never end: none of it is believed to be all before its end has come, and none is waited for without an end.
 */
export function readWholeFile(file: string, maxBytes: number, patienceMs = defaultPatienceMs): Buffer {
  const buffer = Buffer.alloc(maxBytes);
  // Windows has no such flag, and no such wait.
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const isPipe = fstatSync(descriptor).isFIFO();
    const givesUpAt = performance.now() + patienceMs;
    for (let length = 0; length < maxBytes; ) {
      const count = readAvailable(descriptor, buffer, length);
      length += count ?? 0;
      // The end; but of a pipe nobody has opened for writing yet it is the beginning.
      if (count === 0 && (length > 0 || !isPipe)) return buffer.subarray(0, length);
      if (count !== undefined && count > 0) continue;
      if (performance.now() > givesUpAt) throw new EndlessPipe(`it did not end within ${patienceMs / 1000} seconds`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pollMs);
    }
    return buffer;
  } finally {
    closeSync(descriptor);
  }
}

/** How many bytes came; undefined while the writer pauses. */
function readAvailable(descriptor: number, buffer: Buffer, start: number): number | undefined {
  try {
    return readSync(descriptor, buffer, start, buffer.length - start, null);
  } catch (error) {
    if (systemCode(error) === 'EAGAIN') return undefined;
    throw error;
  }
}
