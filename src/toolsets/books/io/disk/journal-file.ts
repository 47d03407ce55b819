import { createHash } from 'node:crypto';
import { closeSync, constants, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import {
  auditProblems,
  chainStart,
  type Draft,
  type JournalRecord,
  JournalState,
  readRecord,
} from '../../model/journal.ts';
import { storageFailure } from '../../model/refusal.ts';
import type { Folder } from './folder.ts';
import { backendName } from './root.ts';

const journalName = 'journal.jsonl';
const pieceBytes = 1 << 20;
const newline = 0x0a;

/** The journal of one book. Read and written under the book's lock; remembers how far it has read. */
export class JournalFile {
  readonly #book: string;
  state = new JournalState();
  #offset = 0;
  #lastLine: Buffer | undefined;

  constructor(book: string) {
    this.#book = book;
  }

  /** Reads what others have added, and cuts off a line that was never finished. Only under the lock. */
  async open(folder: Folder): Promise<OpenJournal> {
    const flags = constants.O_RDWR | constants.O_APPEND;
    let descriptor = folder.openFile(journalName, flags);
    if (descriptor === undefined) {
      descriptor = openSync(folder.at(journalName), flags | constants.O_CREAT | constants.O_EXCL, 0o666);
      await folder.sync();
    }
    try {
      this.#readNew(descriptor);
      const { size } = fstatSync(descriptor);
      if (size > this.#offset) ftruncateSync(descriptor, this.#offset);
    } catch (error) {
      closeSync(descriptor);
      throw error;
    }
    const file = descriptor;
    return {
      append: (drafts, now) => this.#append(file, drafts, now),
      sync: async () => await syncData(file),
      close: () => closeSync(file),
    };
  }

  /** Reads what is there, without the lock and without changing anything: for libraries that cannot be written. */
  peek(folder: Folder | undefined): JournalState {
    const descriptor = folder?.openFile(journalName);
    if (descriptor === undefined) {
      this.#forget();
      return this.state;
    }
    try {
      this.#readNew(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return this.state;
  }

  /** The state after the record of that number, from the beginning. */
  replay(folder: Folder | undefined, seq: number): JournalState {
    const past = new JournalState();
    const descriptor = folder?.openFile(journalName);
    if (descriptor === undefined) return past;
    try {
      for (const line of textsOf(descriptor)) {
        const record = readRecord(line);
        if (record !== undefined && record.seq <= seq) past.apply(record);
      }
    } finally {
      closeSync(descriptor);
    }
    return past;
  }

  /** What is wrong with the lines that are there. */
  audit(folder: Folder | undefined): string[] {
    const descriptor = folder?.openFile(journalName);
    if (descriptor === undefined) return [];
    try {
      return auditProblems(textsOf(descriptor), hashOf);
    } finally {
      closeSync(descriptor);
    }
  }

  #readNew(descriptor: number): void {
    if (!this.#endsAsKnown(descriptor)) this.#forget();
    if (fstatSync(descriptor).size === this.#offset) return;
    let last: Buffer | undefined;
    const apply = (line: Buffer): void => {
      const record = readRecord(line.toString('utf8'));
      if (record !== undefined) this.state.apply(record);
    };
    for (const line of linesOf(descriptor, this.#offset)) {
      // Most lines are notes, and of all of them together only the last one says something new.
      if (last !== undefined && !isNote(last)) apply(last);
      last = Buffer.from(line);
      this.#offset += line.length + 1;
    }
    if (last !== undefined) apply(last);
    this.#lastLine = last ?? this.#lastLine;
  }

  #forget(): void {
    this.state = new JournalState();
    this.#offset = 0;
    this.#lastLine = undefined;
  }

  /** Whether the line read last is still in its place: somebody may have put back an older copy. */
  #endsAsKnown(descriptor: number): boolean {
    if (this.#lastLine === undefined) return true;
    const line = Buffer.alloc(this.#lastLine.length);
    readSync(descriptor, line, 0, line.length, this.#offset - 1 - line.length);
    return line.equals(this.#lastLine);
  }

  #append(descriptor: number, drafts: readonly Draft[], nowMs: number): JournalRecord[] {
    if (drafts.length === 0) return [];
    if (fstatSync(descriptor).size !== this.#offset) {
      // Only one who has lost the lock gets here: what was known of the journal is out of date.
      this.#forget();
      throw storageFailure('BUSY', `Another process has taken over the journal of ${this.#book}.`, {
        suggestion: 'Read the file again and repeat the change.',
      });
    }
    let chain = this.#lastLine === undefined ? chainStart : hashOf(this.#lastLine);
    let { seq } = this.state;
    let ms = this.state.nextTime(nowMs);
    const records: JournalRecord[] = [];
    const lines: Buffer[] = [];
    for (const draft of drafts) {
      seq++;
      const record = { ...draft, seq, time: new Date(ms).toISOString(), book: this.#book, backend: backendName, chain };
      const line = Buffer.from(JSON.stringify(record), 'utf8');
      records.push(record);
      lines.push(line, Buffer.from('\n'));
      chain = hashOf(line);
      ms++;
    }
    const bytes = Buffer.concat(lines);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    } catch (error) {
      // Half a line must not stay in front of the next one; if this fails too, the next to open it cuts it off.
      ftruncateSync(descriptor, this.#offset);
      throw error;
    }
    this.#offset += bytes.length;
    this.#lastLine = lines.at(-2);
    for (const record of records) this.state.apply(record);
    return records;
  }
}

/** Every line begins with its kind. */
const noteStart = Buffer.from('{"kind":"note"');

function isNote(line: Buffer): boolean {
  return line.subarray(0, noteStart.length).equals(noteStart);
}

export interface OpenJournal {
  append(drafts: readonly Draft[], nowMs: number): JournalRecord[];
  sync(): Promise<void>;
  close(): void;
}

/** Every finished line; its memory is used again for the next ones. */
function* linesOf(descriptor: number, start: number): Generator<Buffer> {
  const piece = Buffer.allocUnsafe(pieceBytes);
  let rest: Buffer = Buffer.alloc(0);
  let position = start;
  for (;;) {
    const count = readSync(descriptor, piece, 0, pieceBytes, position);
    if (count === 0) return;
    position += count;
    const text = rest.length === 0 ? piece.subarray(0, count) : Buffer.concat([rest, piece.subarray(0, count)]);
    let from = 0;
    for (let at = text.indexOf(newline); at !== -1; at = text.indexOf(newline, from)) {
      yield text.subarray(from, at);
      from = at + 1;
    }
    rest = Buffer.from(text.subarray(from));
  }
}

function* textsOf(descriptor: number): Generator<string> {
  for (const line of linesOf(descriptor, 0)) yield line.toString('utf8');
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function syncData(descriptor: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    fdatasync(descriptor, error => (error === null || error === undefined ? resolve() : reject(error)));
  });
}
