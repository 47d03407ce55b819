import { ignoreExpectedError } from '../../../log/bug.ts';
import { JournalState } from '../model/journal.ts';
import { failureCode } from '../model/refusal.ts';
import type { BookLog } from './book-journal.ts';

/** The limit exists because each open log caches the state of its book. The least recently used logs are closed. */
const maxLogs = 256;

/** Manages the open logs of a library, one for each book. */
export function openLogs(open: (book: string) => BookLog): { log(book: string): BookLog; close(): Promise<void> } {
  const logs = new Map<string, BookLog>();
  return {
    log: book => {
      const log = logs.get(book) ?? open(book);
      logs.delete(book);
      logs.set(book, log);
      closeIdle(logs);
      return log;
    },
    close: async () => {
      await Promise.all([...logs.values()].map(async log => await log.close()));
    },
  };
}

/** Closes the least recently used logs above the limit, except those in use. */
function closeIdle(logs: Map<string, BookLog>): void {
  for (const [book, log] of logs) {
    if (logs.size <= maxLogs) return;
    if (!log.isIdle) continue;
    logs.delete(book);
    void log.close().catch(ignoreExpectedError);
  }
}

/** Returns the state of a log, or an empty state if its journal cannot be opened. */
export async function readStateOrEmpty(log: BookLog): Promise<JournalState> {
  try {
    return await log.peek();
  } catch (error) {
    if (failureCode(error) === 'INTERNAL') throw error;
    return new JournalState();
  }
}
