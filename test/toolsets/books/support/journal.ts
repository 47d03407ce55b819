import type { BookJournal } from '../../../../src/toolsets/books/library/book-journal.ts';
import { JournalAudit } from '../../../../src/toolsets/books/model/audit.ts';

export async function journalLines(journal: BookJournal): Promise<string[]> {
  return await journal.readSegments(async segments => {
    const found: string[] = [];
    for await (const { lines } of segments.linesAfter(0)) {
      for (const { bytes } of lines) found.push(bytes.toString('utf8'));
    }
    return found;
  });
}

/** Verifies the lines of a journal and returns the errors. */
export function findJournalErrors(lines: Iterable<string>): string[] {
  const audit = new JournalAudit();
  for (const line of lines) audit.add(line);
  return audit.problems;
}
