import { Mutex } from '../../../../async/concurrency.ts';
import { ignoreExpectedError } from '../../../../log/bug.ts';
import type { Draft, JournalRecord, JournalState } from '../../model/journal.ts';
import { RecordChain } from '../../model/record-chain.ts';
import { backendName } from './bucket-storage.ts';
import { isReadOnly } from './probe.ts';
import type { Segments } from './segments.ts';

/** Something that wants to be in the journal. */
export interface LogEntry {
  /** Two entries about the same file never go into the same segment: the later one has to see the earlier one. */
  key?: string;
  /** What it says holds only if nothing else is entered before it. */
  isExclusive?: boolean;
  /**
   * What it says, of the state it will follow; undefined: things have changed, and its author has to look again.
   * Asked again when somebody else was faster.
   */
  draft(state: JournalState): readonly Draft[] | undefined;
}

/** The end of an intent of ours: nobody waits for it, and somebody else may enter it first. */
export interface IntentEnd {
  key: string;
  intent: number;
  draft(state: JournalState): readonly Draft[];
}

/** A note: nobody waits for it. */
export type NoteFactory = (state: JournalState) => Draft;

interface GroupCommitOptions {
  /** Throws if the store must not be written to. */
  requireWritable: () => Promise<void>;
  /** The notes that were waiting will not be written. */
  onNotesDropped: () => void;
}

interface Waiting extends LogEntry {
  resolve(records: readonly JournalRecord[] | undefined): void;
  reject(error: unknown): void;
}

/** How long an end, or a note, waits for company. */
const endMs = 15;
const noteMs = 5000;
const maxBatchedNotes = 256;
const maxWaitingNotes = 1000;
/** Far below what a store takes, and above every batch that is meant. */
const maxBatch = 1000;

/** Writes the segments of one book: what waits goes together into the next one. */
export class GroupCommit {
  readonly #segments: Segments;
  readonly #book: string;
  readonly #now: () => number;
  readonly #options: GroupCommitOptions;
  #waiting: Waiting[] = [];
  /** These go with the next segment, or after a while by themselves. */
  #ends: IntentEnd[] = [];
  #notes: NoteFactory[] = [];
  readonly #queue = new Mutex();
  #timer: NodeJS.Timeout | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #isRunning = false;
  #refreshing: Promise<JournalState> | undefined;

  constructor(segments: Segments, book: string, now: () => number, options: GroupCommitOptions) {
    this.#segments = segments;
    this.#book = book;
    this.#now = now;
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#waiting.length + this.#ends.length + this.#notes.length === 0 && !this.#isRunning;
  }

  /** What is known when everything has been read that is there now. */
  async refresh(): Promise<JournalState> {
    this.#refreshing ??= this.#queue.run(async () => {
      this.#refreshing = undefined; // who asks from now on has to be told of what comes after this
      await this.#segments.refresh();
      return this.#segments.state;
    });
    return await this.#refreshing;
  }

  /** Resolves when it is in the journal; with nothing when its author has to look again. */
  async append(entry: LogEntry): Promise<readonly JournalRecord[] | undefined> {
    return await new Promise((resolve, reject) => {
      this.#waiting.push({ ...entry, resolve, reject });
      void this.#run();
    });
  }

  /** Goes with the next segment, or in a moment by itself. */
  appendLater(end: IntentEnd): void {
    this.#ends.push(end);
    this.#dueIn(endMs);
  }

  note(note: NoteFactory): void {
    this.#notes.push(note);
    this.#dueIn(this.#notes.length >= maxBatchedNotes ? 0 : noteMs);
  }

  /** Ends that wait, now: whoever has made a change finds it. */
  async flushEnds(): Promise<void> {
    while (this.#ends.length > 0) await this.append({ draft: () => [] });
  }

  /** Everything that waits, now. */
  async flush(): Promise<void> {
    while (this.#ends.length + this.#notes.length > 0) await this.append({ draft: () => [] });
  }

  #dueIn(ms: number): void {
    const dueMs = performance.now() + ms;
    if (dueMs >= this.#dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => {
      this.#dueMs = Number.POSITIVE_INFINITY;
      this.flush().catch(ignoreExpectedError); // it stays, for the next one
    }, ms);
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      while (this.#waiting.length > 0) await this.#queue.run(async () => await this.#round());
    } finally {
      this.#isRunning = false;
    }
  }

  /** One segment; tried once. */
  async #round(): Promise<void> {
    const batch = this.#nextBatch();
    try {
      await this.#options.requireWritable();
      if (!this.#segments.isOpen) await this.#segments.refresh();
      const { state } = this.#segments;
      const seal = new RecordChain(this.#segments, this.#book, backendName, this.#now());
      const isAlone = batch[0]?.isExclusive === true;
      // In this order: a note says what is before the segment, and an entry counts on the ends of what it has seen.
      const notes = isAlone ? [] : this.#notes.slice(0, maxBatch);
      for (const note of notes) seal.add([note(state)]);
      const drafts = new Map(batch.map(entry => [entry, entry.draft(state)]));
      const ends = isAlone ? [] : this.#endsBefore([...drafts.values()].flatMap(said => said ?? []));
      for (const end of ends) seal.add(end.draft(state));
      const now = batch.filter(
        ({ key: openIntents }) => openIntents === undefined || !ends.some(end => end.key === openIntents),
      );
      const answers = now.map(entry => {
        const said = drafts.get(entry);
        return { entry, records: said && seal.add(said) };
      });
      if (seal.records.length > 0 && !(await this.#segments.write(seal.bytes))) return;
      this.#notes.splice(0, notes.length);
      const isEnded = ({ intent }: IntentEnd): boolean => !this.#segments.state.open.has(intent);
      this.#ends = this.#ends.filter(end => !isEnded(end));
      this.#waiting = this.#waiting.filter(entry => !now.includes(entry));
      for (const { entry, records } of answers) entry.resolve(records);
      this.#setTimer();
    } catch (error) {
      this.#waiting = this.#waiting.filter(entry => !batch.includes(entry));
      for (const entry of batch) entry.reject(error);
      this.#dropNotes(error);
    }
  }

  /** Notes wait for a store that is busy or unreachable, but not for one that is read-only. */
  #dropNotes(error: unknown): void {
    if (!isReadOnly(error) && this.#notes.length <= maxWaitingNotes) return;
    this.#notes = [];
    this.#options.onNotesDropped();
  }

  /** One for each file, and none that an entry of the same segment brings itself. */
  #endsBefore(drafts: readonly Draft[]): IntentEnd[] {
    const brought = new Set(drafts.map(({ intent }) => intent));
    const seen = new Set<string>();
    return this.#ends.filter(({ key: openIntents, intent }) => {
      if (brought.has(intent) || seen.has(openIntents)) return false;
      seen.add(openIntents);
      return true;
    });
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    this.#dueMs = Number.POSITIVE_INFINITY;
    if (this.#ends.length > 0) this.#dueIn(endMs);
    else if (this.#notes.length > 0) this.#dueIn(noteMs);
  }

  #nextBatch(): Waiting[] {
    const [first] = this.#waiting;
    if (first?.isExclusive === true) return [first];
    const seen = new Set<string>();
    return this.#waiting.slice(0, maxBatch).filter(({ key: openIntents, isExclusive: isAlone }) => {
      if (isAlone === true) return false;
      if (openIntents === undefined) return true;
      if (seen.has(openIntents)) return false;
      seen.add(openIntents);
      return true;
    });
  }
}
