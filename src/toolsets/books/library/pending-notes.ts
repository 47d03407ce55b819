import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreExpectedError } from '../../../log/bug.ts';
import { writeToStderr } from '../../../log/stderr.ts';
import type { AuditNote } from '../model/record.ts';

/** The maximum time in which waiting audit notes are written at exit, because the host waits for the process. */
const closeTimeoutMs = 500;

/** Waits a short time at exit until pending journal records are written, because the host waits for the process. */
export async function flushJournalAtExit(flush: Promise<void>): Promise<void> {
  const timeout = new AbortController();
  const waited = sleep(closeTimeoutMs, undefined, { signal: timeout.signal }).catch(ignoreExpectedError);
  await Promise.race([flush.catch(ignoreExpectedError), waited]);
  timeout.abort();
}

/** Writes audit notes to stderr if they cannot be stored in the journal. */
export function reportUnstoredNotes(book: string, notes: Iterable<AuditNote>): void {
  for (const note of notes) writeToStderr(`oj-mcp: audit ${JSON.stringify({ book, ...note })}`);
}
