import { sha256Of } from './hash.ts';
import type { JournalRecord, JournalRecordDraft } from './journal.ts';
import type { Checkpoint } from './segment.ts';

/** Serializes a record to a line of the journal. The parameters are the number and the hash of the previous line. */
export function formatChainedRecord(
  draft: JournalRecordDraft,
  { seq, ms, book, backend, chain }: { seq: number; ms: number; book: string; backend: string; chain: string },
): { record: JournalRecord; line: string } {
  const record = { ...draft, seq, time: new Date(ms).toISOString(), book, backend, chain };
  return { record, line: JSON.stringify(record) };
}

/** Converts records to journal lines. Each line contains its number, its time and the hash of the previous line. */
export class JournalRecordChain {
  readonly records: JournalRecord[] = [];
  readonly lines: string[] = [];
  readonly #book: string;
  readonly #backend: string;
  #seq: number;
  #ms: number;
  #chain: string;

  constructor({ state, chain }: Checkpoint, book: string, backend: string, nowMs: number) {
    this.#book = book;
    this.#backend = backend;
    this.#seq = state.seq;
    this.#ms = state.nextTime(nowMs);
    this.#chain = chain;
  }

  /** Returns the hash of the last line. */
  get chain(): string {
    return this.#chain;
  }

  /** Returns all lines, each with a line feed. */
  get bytes(): Buffer {
    return Buffer.from(this.lines.map(line => `${line}\n`).join(''), 'utf8');
  }

  add(drafts: readonly JournalRecordDraft[]): readonly JournalRecord[] {
    return drafts.map(draft => {
      const place = { seq: ++this.#seq, ms: this.#ms++, book: this.#book, backend: this.#backend, chain: this.#chain };
      const { record, line } = formatChainedRecord(draft, place);
      this.#chain = sha256Of(line);
      this.records.push(record);
      this.lines.push(line);
      return record;
    });
  }
}
