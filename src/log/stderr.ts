import { writeSync } from 'node:fs';
import { systemCode } from '../errors/system-error.ts';

/** A host that does not read its pipe, or has closed it, must not stop the server. */
export function writeLine(line: string): void {
  try {
    writeSync(2, `${line}\n`);
  } catch (error) {
    // EAGAIN: the pipe is full. EPIPE: nobody reads any more. The line is lost, which is all that can be done.
    if (systemCode(error) === undefined) throw error;
  }
}
