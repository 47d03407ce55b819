import { writeSync } from 'node:fs';
import { systemCode } from '../errors/system-error.ts';

/** Writes a line to stderr. A host that does not read its pipe, or has closed it, must not stop the server. */
export function writeLine(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch (error) {
    // EAGAIN: the pipe is full. EPIPE: the reader has closed it. The line is lost in both cases.
    if (systemCode(error) === undefined) throw error;
  }
}
