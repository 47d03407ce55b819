import { writeSync } from 'node:fs';
import { systemErrorCodeOf } from '../errors/system-error.ts';

/** Writes a line to stderr. The server must continue if the host does not read the pipe or has closed it. */
export function writeToStderr(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch (error) {
    // EAGAIN means that the pipe is full, and EPIPE that the reader has closed it. The line is lost in both cases.
    if (systemErrorCodeOf(error) === undefined) throw error;
  }
}
