import { sha256Of } from './hash.ts';
import {
  createFileStateKey,
  firstChainHash,
  intentRecordOfOutcome,
  type JournalRecord,
  maxUnfinishedIntents,
  parseJournalRecord,
} from './journal.ts';

/** Limits the number of reported errors, because all lines of a journal can be damaged. */
const maxProblems = 1000;

/** Verifies a journal line by line: the hash chain, the record numbers, and the hashes of each file. */
export class JournalAudit {
  /** The errors that were found so far. */
  readonly problems: string[] = [];
  readonly #current = new Map<string, string | null>();
  readonly #open = new Map<number, JournalRecord>();
  #chain = firstChainHash;
  #seq = 0;
  #lastTime = '';
  #count = 0;

  add(line: string): void {
    this.#count++;
    const record = parseJournalRecord(line);
    if (record === undefined) this.#say('is not a record');
    else {
      this.#checkOrder(record);
      this.#checkVersions(record);
      this.#checkIntent(record);
      this.#seq = record.seq;
      this.#lastTime = record.time;
    }
    this.#chain = sha256Of(line);
  }

  #checkOrder(record: JournalRecord): void {
    if (record.chain !== this.#chain) this.#say('does not follow the line before');
    if (record.seq !== this.#seq + 1) this.#say(`has number ${record.seq} after ${this.#seq}`);
    if (record.time <= this.#lastTime) this.#say('is not later than the line before');
    if (record.agent === '' || record.agent === 'system') this.#say('has no author');
  }

  /**
   * Verifies that the hashes in a record agree with the records before it. An abort record is skipped, because the hash
   * that its author read can be outdated.
   */
  #checkVersions({ kind, path, user, prev, new: next }: JournalRecord): void {
    if (path === '' || kind === 'scan' || kind === 'abort') return;
    const key = createFileStateKey(path, user);
    if ((this.#current.get(key) ?? null) !== prev) this.#say(`: ${path} was not at "prev"`);
    if (kind === 'commit' || kind === 'external') this.#current.set(key, next);
  }

  #checkIntent(record: JournalRecord): void {
    if (record.kind === 'intent' && this.#open.size < maxUnfinishedIntents) this.#open.set(record.seq, record);
    if (record.kind !== 'commit' && record.kind !== 'abort') return;
    const intent = intentRecordOfOutcome(record, this.#open);
    if (intent === undefined) this.#say('ends no intent');
    else this.#open.delete(intent.seq);
  }

  #say(what: string): void {
    if (this.problems.length < maxProblems) this.problems.push(`line ${this.#count} ${what}`.replace(' :', ':'));
  }
}
