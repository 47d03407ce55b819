import { EventLoopYielder } from '../../../async/yielder.ts';
import { textOfUtf8 } from '../../../documents/encoding/decode.ts';
import { countUnparsed, createSkipCounts } from '../access/skip.ts';
import { type File, type FolderRows, fileAt, isInPlace, needsIndexing, state } from '../index/folder.ts';
import { markSlow, markUnparsed, recordAnswers, type Tree } from '../index/tree.ts';
import { createNeedle, matchesNeedle, type Needle } from '../match/needle.ts';
import { NewestQueue, newestFirst } from '../match/newest-queue.ts';
import { Condition, type Control, sliceMs } from '../workers/control.ts';
import { unpackText } from '../workers/packed-text.ts';
import { firstAttemptCpuMs, type JobSource, lastAttemptCpuMs, type PoolJob, type ReaderPool } from '../workers/pool.ts';
import type { FileStatus, ReaderAnswer } from '../workers/protocol.ts';
import { documentBatch, FileQueue, PriorityQueues, textBatch } from './priority-queues.ts';

/** The files of a job that a worker runs. */
interface Work {
  files: readonly File[];
  /** The queue from which they were taken. */
  from: FileQueue;
  /** The time of the job by the wall clock. */
  asked: number;
}

/** One search through the files of a scope. */
export class Search implements JobSource {
  spentMs = 0;
  readonly isBackground = false;
  readonly skipped = createSkipCounts();
  readonly hits: File[] = [];
  /** The documents whose text cannot be extracted. */
  readonly unparsed: File[] = [];
  readonly #tree: Tree;
  readonly #readers: ReaderPool;
  readonly #scope: string;
  readonly #needles: readonly Needle[];
  readonly #control: Control;
  /** The queue for the candidates of `check`. */
  readonly #urgent: FileQueue;
  readonly #queues: PriorityQueues;
  #candidates: File[];
  readonly #remembered = new Set<string>();
  /** The jobs that workers run at the moment. */
  readonly #work = new Map<PoolJob, Work>();
  readonly #progress = new Condition();
  #scanned = 0;
  #done = 0;
  #hasLeft = false;
  /**
   * True if no reader could be started. The remaining files are unread for this reason, not because of the time limit.
   */
  hasNoWorkers = false;

  /** `queues` contains the files that a previous call did not read. */
  constructor(
    tree: Tree,
    readers: ReaderPool,
    scope: string,
    phrases: readonly string[],
    control: Control,
    queues = new PriorityQueues(tree),
  ) {
    this.#tree = tree;
    this.#readers = readers;
    this.#scope = scope;
    this.#needles = phrases.map(phrase => createNeedle(phrase, tree.folds));
    this.#urgent = new FileQueue(tree);
    this.#control = control;
    this.#queues = queues;
    this.#candidates = queues.candidates.take(Number.POSITIVE_INFINITY);
    this.#scanned = queues.size;
  }

  get isOver(): boolean {
    return this.#control.isOver;
  }

  /** Returns `index` if signatures selected all files that were read. */
  get engine(): 'scan' | 'index' {
    return this.#scanned === 0 && this.#needles.every(({ hashes }) => hashes.length > 0) ? 'index' : 'scan';
  }

  /** Stops reading. Returns the files that were not read. */
  leave(): PriorityQueues {
    this.#readers.leave(this);
    this.#hasLeft = true;
    for (const { files, from } of this.#work.values()) from.putBack(files);
    const checked = [...this.#urgent.take(Number.POSITIVE_INFINITY), ...this.#candidates];
    this.#queues.candidates.putBack(checked.filter(({ path }) => !this.#remembered.has(path)));
    return this.#queues;
  }

  /** Adds a file to a queue or to the candidates, or skips it. */
  consider(folder: FolderRows, index: number): void {
    const known = folder.state(index);
    if (needsIndexing(known)) {
      this.#queues.add(folder, index, known);
      if (++this.#scanned % textBatch === 0) this.#readers.wake();
    } else if (known !== state.indexed) this.#count(known, folder.names[index] ?? '');
    else if (this.#mayHold(folder.signature(index))) this.#candidates.push(fileAt(folder, index));
  }

  /** Adds a hit of a previous search with the same query. */
  remember(file: File): void {
    this.#remembered.add(file.path);
    this.#candidates.push(file);
  }

  /** Reads candidates, newest first, until enough hits are newer than all remaining candidates. */
  async check(needed: number): Promise<void> {
    const candidates = new NewestQueue(this.#candidates);
    this.#candidates = [];
    const yielder = new EventLoopYielder(sliceMs);
    let size = this.#readers.size * documentBatch;
    for (let { next } = candidates; next !== undefined && !this.isOver && !this.hasNoWorkers; { next } = candidates) {
      const oldest = next;
      if (this.hits.filter(hit => newestFirst(hit, oldest) < 0).length >= needed) return;
      for (const file of candidates.takeSome(size)) {
        if (!this.#judgeKnown(file)) this.#urgent.add(file.folder, file.index);
        await yielder.yieldIfDue();
      }
      this.#readers.wake();
      await Promise.race([
        this.#progress.until(() => this.hasNoWorkers || this.#isRead(this.#urgent)),
        this.#control.over,
      ]);
      size = Math.min(size * 2, 4 * textBatch);
    }
    this.#candidates = candidates.takeSome(Number.POSITIVE_INFINITY);
  }

  /** Waits until all files are read or the call ends. */
  async finish(): Promise<void> {
    this.#readers.wake();
    const isDone = (): boolean =>
      this.hasNoWorkers || [this.#urgent, ...this.#queues.unread].every(list => this.#isRead(list));
    await Promise.race([this.#progress.until(isDone), this.#control.over]);
  }

  /** Waits for the first hit or the end of the search. */
  async findOne(): Promise<File | undefined> {
    await this.check(1);
    if (this.hits.length === 0) await Promise.race([this.finish(), this.#progress.until(() => this.hits.length > 0)]);
    return this.hits[0];
  }

  #isRead(list: FileQueue): boolean {
    return list.size === 0 && [...this.#work.values()].every(({ from }) => from !== list);
  }

  /** Tests the cached text of a document if its file is unchanged, so that the file is not opened. */
  #judgeKnown(file: File): boolean {
    if (!this.#tree.texts.has(file.path) || !isInPlace(file)) return false;
    file.folder.look(file.index, this.#tree.signatures);
    const kept = this.#tree.texts.find(file.path, file.folder.stat(file.index));
    const bytes = kept && unpackText(kept.bytes);
    if (bytes === undefined) return false;
    const text = textOfUtf8(bytes);
    if (this.#needles.every(needle => matchesNeedle(needle, text))) this.hits.push(file);
    return true;
  }

  next(): PoolJob | undefined {
    const urgent = this.#urgent.take(Math.min(textBatch, Math.ceil(this.#urgent.size / this.#readers.size)));
    if (urgent.length > 0) return this.#begin(urgent, this.#urgent);
    for (const from of this.#queues.unread) {
      const files = this.#queues.take(from, known => this.#considerKnown(known));
      if (files.length > 0) return this.#begin(files, from);
    }
    // Another call may have read the last of these files.
    this.#progress.look();
    return this.#urgent.size === 0 ? undefined : this.next();
  }

  #begin(files: readonly File[], from: FileQueue): PoolJob {
    const job: PoolJob = {
      kind: 'match',
      allowedRoot: this.#scope,
      paths: files.map(({ path }) => path),
      phrases: this.#needles.map(({ text }) => text),
      // Candidates already have a signature.
      isSigning: from !== this.#urgent,
      cpuMs: from === this.#urgent || from === this.#queues.slow ? lastAttemptCpuMs : firstAttemptCpuMs,
    };
    this.#work.set(job, { files, from, asked: Date.now() });
    return job;
  }

  /** Handles a file that another call has indexed in the meantime. */
  #considerKnown(file: File): void {
    const known = file.folder.state(file.index);
    if (known !== state.indexed) this.#count(known, file.path);
    else if (this.#mayHold(file.folder.signature(file.index)) && !this.#judgeKnown(file))
      this.#urgent.add(file.folder, file.index);
  }

  #mayHold(signature: number): boolean {
    return this.#needles.every(({ hashes }) => this.#tree.signatures.mayHold(signature, hashes));
  }

  onAnswer(job: PoolJob, answer: ReaderAnswer): void {
    const work = this.#work.get(job);
    if (work === undefined) return;
    recordAnswers(this.#tree, work.files, answer, work.asked, (file, status) => this.#note(file, status));
    this.#settle(job, work, work.files.slice(answer.done));
    this.#done += answer.done;
    if (this.#scanned > 0) this.#control.progress(Math.min(this.#done, this.#scanned), this.#scanned);
  }

  #note(file: File, status: FileStatus): void {
    if (status === 'match') this.hits.push(file);
    else this.#count(state[status], file.path);
    if (status === 'unparsed') this.unparsed.push(file);
  }

  onNoWorkers(): void {
    this.hasNoWorkers = true;
    this.#progress.look();
  }

  onWorkerLost(job: PoolJob, index: number): void {
    const work = this.#work.get(job);
    if (work === undefined) return;
    const culprit = work.files[index];
    if (culprit !== undefined && job.cpuMs < lastAttemptCpuMs) {
      markSlow(this.#tree, culprit);
      if (!this.#hasLeft) this.#queues.slow.putBack([culprit]);
    } else if (culprit !== undefined) {
      markUnparsed(this.#tree, culprit);
      this.#note(culprit, 'unparsed');
    }
    const rest = work.files.filter(file => file !== culprit);
    this.#settle(job, work, rest);
  }

  /** Returns unread files to their queue. */
  #settle(job: PoolJob, { from, files }: Work, rest: readonly File[]): void {
    this.#work.delete(job);
    for (const { path } of files) this.#tree.inWork.delete(path);
    if (!this.#hasLeft) from.putBack(rest);
    this.#progress.look();
  }

  #count(known: number, name: string): void {
    if (known === state.tooLarge) this.skipped.tooLarge++;
    else if (known === state.online) this.skipped.online++;
    else if (known === state.unreadable) this.skipped.unreadable++;
    else if (known === state.unparsed) countUnparsed(this.skipped, name);
  }
}
