import { setTimeout as sleep } from 'node:timers/promises';
import { ignoreExpectedError } from '../../../log/bug.ts';
import { writeToStderr } from '../../../log/stderr.ts';
import type { AuditNote } from '../model/record.ts';

/** The maximum time in which waiting notes are written at exit, because the host waits for the process. */
const closeTimeoutMs = 500;
const maxWaitingNotes = 1000;

/** The audit notes of a book that wait to be written. A note that cannot be stored is written to stderr. */
export class AuditNoteQueue {
  readonly #book: string;
  #notes: AuditNote[] = [];

  constructor(book: string) {
    this.#book = book;
  }

  get length(): number {
    return this.#notes.length;
  }

  add(note: AuditNote): void {
    this.#notes.push(note);
    if (this.#notes.length > maxWaitingNotes) this.drop(1);
  }

  first(count: number): AuditNote[] {
    return this.#notes.slice(0, count);
  }

  /** Removes notes that were written. New notes may have been added, and the oldest ones dropped, in the meantime. */
  remove(written: readonly AuditNote[]): void {
    const removed = new Set(written);
    this.#notes = this.#notes.filter(note => !removed.has(note));
  }

  /** Removes the first notes and returns them. */
  take(count = this.#notes.length): AuditNote[] {
    return this.#notes.splice(0, count);
  }

  drop(count?: number): void {
    for (const note of this.take(count))
      writeToStderr(`oj-mcp: audit ${JSON.stringify({ book: this.#book, ...note })}`);
  }

  /** Waits a short time at exit until the notes are written, and drops the others. */
  async close(flush: () => Promise<void>): Promise<void> {
    const timeout = new AbortController();
    const waited = sleep(closeTimeoutMs, undefined, { signal: timeout.signal }).catch(ignoreExpectedError);
    await Promise.race([flush().catch(ignoreExpectedError), waited]);
    timeout.abort();
    this.drop();
  }
}
