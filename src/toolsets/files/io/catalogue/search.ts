import { Pause } from '../../../../async/yielder.ts';
import { asUtf8 } from '../../../../documents/encoding/decode.ts';
import { NewestQueue, newestFirst } from '../../model/results.ts';
import { createNeedle, matches, type Needle } from '../../model/search/needle.ts';
import { firstSignature } from '../../model/search/signature.ts';
import { nothingSkipped } from '../../model/skip.ts';
import { type Control, sliceMs, Waiting } from '../threads/control.ts';
import type { ReaderAnswer, Status } from '../threads/messages.ts';
import { firstCpuMs, lastCpuMs, type PoolJob, type ReaderPool, type Reading } from '../threads/reader-pool.ts';
import { Backlog, Backlogs, documentBatch, textBatch } from './backlog.ts';
import { content, type File, type Folder, fileAt, isInPlace, isUnsigned } from './folder.ts';
import { unpack } from './text-store.ts';
import { eachAnswered, giveUp, learn, putOff, type Tree } from './tree.ts';

/** Some files that are with a reader. */
interface Work {
  files: readonly File[];
  /** Where they were taken from. */
  from: Backlog;
  /** The time of day. */
  asked: number;
}

/** One search on its way through the files of a scope. */
export class Search implements Reading {
  spentMs = 0;
  readonly canWait = false;
  readonly skipped = nothingSkipped();
  readonly hits: File[] = [];
  /** Documents whose text cannot be read. */
  readonly unparsed: File[] = [];
  readonly #tree: Tree;
  readonly #readers: ReaderPool;
  readonly #scope: string;
  readonly #needles: readonly Needle[];
  readonly #control: Control;
  /** Waited for by `check`. */
  readonly #urgent: Backlog;
  readonly #backlogs: Backlogs;
  #candidates: File[];
  readonly #remembered = new Set<string>();
  /** What is with readers. */
  readonly #work = new Map<PoolJob, Work>();
  readonly #progress = new Waiting();
  #scanned = 0;
  #done = 0;
  #hasLeft = false;
  /** Nobody could read for it: what is left is not because of the time. */
  isStarved = false;
  readonly #halfTime: number;

  /** `backlogs` are what a call before this one has left. */
  constructor(
    tree: Tree,
    readers: ReaderPool,
    scope: string,
    phrases: readonly string[],
    control: Control,
    backlogs = new Backlogs(tree),
  ) {
    this.#tree = tree;
    this.#readers = readers;
    this.#scope = scope;
    this.#needles = phrases.map(createNeedle);
    this.#urgent = new Backlog(tree);
    this.#control = control;
    this.#halfTime = performance.now() + control.remainingMs / 2;
    this.#backlogs = backlogs;
    this.#candidates = backlogs.candidates.take(Number.POSITIVE_INFINITY);
    this.#scanned = backlogs.size;
  }

  get isOver(): boolean {
    return this.#control.isOver;
  }

  /** Whether signatures alone said which files to read. */
  get engine(): 'scan' | 'index' {
    return this.#scanned === 0 && this.#needles.every(({ hashes }) => hashes.length > 0) ? 'index' : 'scan';
  }

  /** Has nothing read any more; gives what is still to be read. */
  leave(): Backlogs {
    this.#readers.leave(this);
    this.#hasLeft = true;
    for (const { files, from } of this.#work.values()) from.putBack(files);
    const checked = [...this.#urgent.take(Number.POSITIVE_INFINITY), ...this.#candidates];
    this.#backlogs.candidates.putBack(checked.filter(({ path }) => !this.#remembered.has(path)));
    return this.#backlogs;
  }

  /** Passes over a file, notes it for later, or has it read. */
  consider(folder: Folder, index: number): void {
    const known = folder.content(index);
    if (isUnsigned(known)) {
      this.#backlogs.add(folder, index, known);
      if (++this.#scanned % textBatch === 0) this.#readers.wake();
    } else if (known < firstSignature) this.#count(known);
    else if (this.#mayHold(known)) this.#candidates.push(fileAt(folder, index));
  }

  /** One that was found before, by the same search. */
  remember(file: File): void {
    this.#remembered.add(file.path);
    this.#candidates.push(file);
  }

  /** Reads the candidates so far, the newest first, until enough hits stand before all that are left. */
  async check(needed: number): Promise<void> {
    const candidates = new NewestQueue(this.#candidates);
    this.#candidates = [];
    const pause = new Pause(sliceMs);
    let size = this.#readers.size * documentBatch;
    for (let { next } = candidates; next !== undefined && !this.isOver && !this.isStarved; { next } = candidates) {
      const oldest = next;
      if (this.hits.filter(hit => newestFirst(hit, oldest) < 0).length >= needed) return;
      for (const file of candidates.takeSome(size)) {
        if (!this.#judgeKnown(file)) this.#urgent.add(file.folder, file.index);
        await pause.take();
      }
      this.#readers.wake();
      await Promise.race([
        this.#progress.until(() => this.isStarved || this.#isRead(this.#urgent)),
        this.#control.over,
      ]);
      size = Math.min(size * 2, 4 * textBatch);
    }
    this.#candidates = candidates.takeSome(Number.POSITIVE_INFINITY);
  }

  /** Waits until everything is read, or the call is over. */
  async finish(): Promise<void> {
    this.#readers.wake();
    const isDone = (): boolean =>
      this.isStarved || [this.#urgent, ...this.#backlogs.unread].every(list => this.#isRead(list));
    await Promise.race([this.#progress.until(isDone), this.#control.over]);
  }

  /** Waits for the first hit, or the end. */
  async findOne(): Promise<File | undefined> {
    await this.check(1);
    if (this.hits.length === 0) await Promise.race([this.finish(), this.#progress.until(() => this.hits.length > 0)]);
    return this.hits[0];
  }

  #isRead(list: Backlog): boolean {
    return list.size === 0 && [...this.#work.values()].every(({ from }) => from !== list);
  }

  /** A document whose text is kept, and that is still as it was then, need not be opened. */
  #judgeKnown(file: File): boolean {
    if (!this.#tree.texts.has(file.path) || !isInPlace(file)) return false;
    file.folder.look(file.index, this.#tree.signatures);
    const kept = this.#tree.texts.find(file.path, file.folder.stat(file.index));
    const bytes = kept && unpack(kept.bytes);
    if (bytes === undefined) return false;
    const text = asUtf8(bytes);
    if (this.#needles.every(needle => matches(needle, text))) this.hits.push(file);
    return true;
  }

  next(): PoolJob | undefined {
    const urgent = this.#urgent.take(Math.min(textBatch, Math.ceil(this.#urgent.size / this.#readers.size)));
    if (urgent.length > 0) return this.#begin(urgent, this.#urgent);
    for (const from of this.#backlogs.unread) {
      const files = this.#backlogs.take(from, known => this.#considerKnown(known));
      if (files.length > 0) return this.#begin(files, from);
    }
    // Another call may have read the last of them.
    this.#progress.look();
    return this.#urgent.size === 0 ? undefined : this.next();
  }

  #begin(files: readonly File[], from: Backlog): PoolJob {
    const job: PoolJob = {
      kind: 'match',
      fence: this.#scope,
      paths: files.map(({ path }) => path),
      phrases: this.#needles.map(({ text }) => text),
      // A search that will not come to its end leaves more behind for the next one.
      isSigning: from !== this.#urgent && performance.now() > this.#halfTime,
      cpuMs: from === this.#urgent || from === this.#backlogs.slow ? lastCpuMs : firstCpuMs,
    };
    this.#work.set(job, { files, from, asked: Date.now() });
    return job;
  }

  /** Another call has found out what there is to be known of it. */
  #considerKnown(file: File): void {
    const known = file.folder.content(file.index);
    if (known < firstSignature) this.#count(known);
    else if (this.#mayHold(known) && !this.#judgeKnown(file)) this.#urgent.add(file.folder, file.index);
  }

  #mayHold(signature: number): boolean {
    return this.#needles.every(({ hashes }) => this.#tree.signatures.mayHold(signature, hashes));
  }

  take(job: PoolJob, answer: ReaderAnswer): void {
    const work = this.#work.get(job);
    if (work === undefined) return;
    eachAnswered(answer, place => {
      const file = work.files[place.index];
      if (file !== undefined) this.#note(file, learn(this.#tree, file, answer, place, work.asked));
    });
    this.#settle(job, work, work.files.slice(answer.done));
    this.#done += answer.done;
    if (this.#scanned > 0) this.#control.progress(Math.min(this.#done, this.#scanned), this.#scanned);
  }

  #note(file: File, status: Status): void {
    if (status === 'match') this.hits.push(file);
    else this.#count(content[status]);
    if (status === 'unparsed') this.unparsed.push(file);
  }

  starve(): void {
    this.isStarved = true;
    this.#progress.look();
  }

  lose(job: PoolJob, index: number): void {
    const work = this.#work.get(job);
    if (work === undefined) return;
    const culprit = work.files[index];
    if (culprit !== undefined && job.cpuMs < lastCpuMs) {
      putOff(this.#tree, culprit);
      if (!this.#hasLeft) this.#backlogs.slow.putBack([culprit]);
    } else if (culprit !== undefined) {
      giveUp(this.#tree, culprit);
      this.#note(culprit, 'unparsed');
    }
    const rest = work.files.filter(file => file !== culprit);
    this.#settle(job, work, rest);
  }

  /** What was not read is next again. */
  #settle(job: PoolJob, { from, files }: Work, rest: readonly File[]): void {
    this.#work.delete(job);
    for (const { path } of files) this.#tree.inWork.delete(path);
    if (!this.#hasLeft) from.putBack(rest);
    this.#progress.look();
  }

  #count(known: number): void {
    if (known === content.tooLarge) this.skipped.tooLarge++;
    else if (known === content.unreadable) this.skipped.unreadable++;
    else if (known === content.unparsed) this.skipped.unparsed++;
  }
}
