import { ignoreExpectedError } from '../../../log/bug.ts';
import type { BookJournal } from './book-journal.ts';

/**
 * Limits the number of open journals, because each one caches the state of its book. The least recently used journals
 * are closed.
 */
const maxJournals = 256;

/** Creates the table of open journals of a library, one for each book. */
export function createOpenJournalTable(open: (book: string) => BookJournal): {
  journal(book: string): BookJournal;
  close(): Promise<void>;
} {
  const journals = new Map<string, BookJournal>();
  return {
    journal: book => {
      const journal = journals.get(book) ?? open(book);
      journals.delete(book);
      journals.set(book, journal);
      closeIdle(journals);
      return journal;
    },
    close: async () => {
      await Promise.all([...journals.values()].map(async journal => await journal.close()));
    },
  };
}

/** Closes the least recently used journals above the limit, except those in use. */
function closeIdle(journals: Map<string, BookJournal>): void {
  for (const [book, journal] of journals) {
    if (journals.size <= maxJournals) return;
    if (!journal.isIdle) continue;
    journals.delete(book);
    void journal.close().catch(ignoreExpectedError);
  }
}
