import { writeLine } from '../../../../stderr.ts';
import { JournalState } from '../../model/journal.ts';
import type { Note } from '../../model/record.ts';
import { failureCode } from '../../model/refusal.ts';
import type { Backend, Ledger } from './storage.ts';

/** How long a change may wait for others to finish theirs. */
export const changeWaitMs = 5000;
/** How long a server that is about to go tries to keep its notes: its host is waiting. */
export const lastWaitMs = 500;

/** The ledgers of a library: one for each book, for all calls of this process. */
export function openLedgers(
  open: (book: string) => Ledger & { close(): Promise<void> },
): Pick<Backend, 'close' | 'ledger'> {
  const ledgers = new Map<string, ReturnType<typeof open>>();
  return {
    ledger: book => {
      const ledger = ledgers.get(book) ?? open(book);
      ledgers.set(book, ledger);
      return ledger;
    },
    close: async () => {
      await Promise.all([...ledgers.values()].map(async ledger => await ledger.close()));
    },
  };
}

/** A journal that cannot be opened says nothing. */
export async function peekQuietly(ledger: Ledger): Promise<JournalState> {
  try {
    return await ledger.peek();
  } catch (error) {
    if (failureCode(error) === 'INTERNAL') throw error;
    return new JournalState();
  }
}

/** What cannot be kept is at least said. */
export function sayNotes(book: string, notes: Iterable<Note>): void {
  for (const note of notes) writeLine(`oj-mcp: audit ${JSON.stringify({ book, ...note })}`);
}
