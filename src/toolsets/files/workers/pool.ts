import { Worker } from 'node:worker_threads';
import { isResourceShortage } from '../../../errors/system-error.ts';
import { pathSeparator, type ReaderAnswer, type ReaderJob, type SentJob, shared } from './protocol.ts';

/** A source of jobs for the readers: a call, or the background index. */
export interface JobSource {
  /** The call has ended: a running job ends at its current file. */
  readonly isOver: boolean;
  /** Comes after everybody else. */
  readonly isBackground: boolean;
  /** The time that readers have spent on its jobs: the source with the least time is next. */
  spentMs: number;
  /** What is to be read next; undefined when there is nothing at the moment. */
  next(): PoolJob | undefined;
  /** The first `answer.done` files of the job were read; the others are the asker's again. */
  onAnswer(job: PoolJob, answer: ReaderAnswer): void;
  /** A reader was lost with the file at this place, which took too long, or too much memory; -1 is none. The others are the asker's again. */
  onWorkerLost(job: PoolJob, index: number): void;
  /** There is no reader, and none can be started. Nothing more is asked of it until it joins again. */
  onNoWorkers(): void;
}

export interface PoolJob extends ReaderJob {
  /** How much of a processor one document may take. */
  cpuMs: number;
}

/** What a document may take of a processor when there are others to be read, and when it is their turn. */
export const firstCpuMs = 600;
export const lastCpuMs = 3000;

interface Slot {
  worker: Worker;
  /** The numbers of `shared`. */
  state: Int32Array;
  task: { source: JobSource; job: PoolJob; since: number } | undefined;
  /** The file at the last check, since when, and the processor time it may have used. */
  at: number;
  atSince: number;
  usedMs: number;
}

const watchMs = 100;
const notBegun = -1;
/** So many readers in a row are lost before they begin, if it is no accident. */
const maxLosses = 3;
/** So long no more readers are started when that was not possible. */
const poorMs = 1000;
/** One reader is left to a call that has none, and that readers have not worked for longer. */
const smallMs = 400;
const idleMs = 5000;
/** Condition for a disk uses no processor, but must end too. */
const maxWaitMs = 60_000;
/** A parser gone wild must not take the server's memory along. */
const resourceLimits = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 8 };

/** Reader threads, started when there is work for them, ended when there is none or when a file holds one up. */
export class ReaderPool {
  readonly size: number;
  readonly #source: string;
  readonly #slots: Slot[] = [];
  readonly #sources = new Set<JobSource>();
  /** Those that have nothing to be read at the moment. */
  readonly #resting = new Set<JobSource>();
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #cpu = process.cpuUsage();
  #lastLook = 0;
  /** How many readers in a row were lost before they began: there may be no memory for them, or no file. */
  #failures = 0;
  #poorUntil = 0;

  constructor(source: string, size: number) {
    this.#source = source;
    this.size = size;
  }

  /** Asks the source for jobs until `leave`. */
  join(source: JobSource): void {
    this.#sources.add(source);
    this.wake();
  }

  leave(source: JobSource): void {
    this.#sources.delete(source);
    for (const slot of this.#slots) if (slot.task?.source === source) Atomics.store(slot.state, shared.isStopped, 1);
  }

  /** There may be something to be read now. */
  wake(): void {
    for (let source = this.#nextByFairness(); source !== undefined; source = this.#nextByFairness()) {
      const job = source.next();
      if (job === undefined) this.#resting.add(source);
      else this.#give(source, job);
    }
    this.#resting.clear();
    if (this.#slots.some(({ task }) => task !== undefined)) this.#stopIdling();
    else if (this.#slots.length > 0) this.#idle ??= setTimeout(() => void this.close(), idleMs);
  }

  /** Ends all threads; new work starts new ones. */
  async close(): Promise<void> {
    this.#stopIdling();
    clearInterval(this.#watch);
    this.#watch = undefined;
    await Promise.all(this.#slots.splice(0).map(({ worker }) => worker.terminate()));
  }

  /** The source that had the least of the readers; one reader is left to sources that need little. */
  #nextByFairness(): JobSource | undefined {
    const busy = this.#slots.filter(({ task }) => task !== undefined);
    const free = this.#limit - busy.length;
    if (free === 0) {
      this.#stopBackground(busy);
      return undefined;
    }
    let best: JobSource | undefined;
    for (const source of this.#sources) {
      if (source.isOver || this.#resting.has(source)) continue;
      if (free === 1 && this.#limit > 1 && !isModest(source, busy)) continue;
      if (best === undefined || isBefore(source, best)) best = source;
    }
    return best;
  }

  /** While no reader can be started, those that run are all. */
  get #limit(): number {
    return performance.now() < this.#poorUntil ? Math.max(1, this.#slots.length) : this.size;
  }

  /** A call does not wait for background work: it ends at the file it is at. */
  #stopBackground(busy: readonly Slot[]): void {
    if ([...this.#sources].every(source => source.isBackground)) return;
    for (const { task, state } of busy)
      if (task?.source.isBackground === true) Atomics.store(state, shared.isStopped, 1);
  }

  #give(source: JobSource, job: PoolJob): void {
    let slot = this.#slots.find(({ task }) => task === undefined);
    if (slot === undefined) this.#slots.push((slot = this.#start()));
    const now = performance.now();
    Object.assign(slot, { task: { source, job, since: now }, at: notBegun, atSince: now, usedMs: 0 });
    Atomics.store(slot.state, shared.position, notBegun);
    Atomics.store(slot.state, shared.isStopped, 0);
    slot.worker.postMessage({ ...job, paths: job.paths.join(pathSeparator) } satisfies SentJob & { cpuMs: number });
    this.#watch ??= this.#beginToLook(now);
  }

  #beginToLook(now: number): NodeJS.Timeout {
    [this.#lastLook, this.#cpu] = [now, process.cpuUsage()];
    return setInterval(() => this.#look(), watchMs);
  }

  #start(): Slot {
    const state = new Int32Array(new SharedArrayBuffer(4 * shared.count));
    const worker = new Worker(this.#source, {
      eval: true,
      workerData: { role: 'reader', state },
      resourceLimits,
      stdout: true,
      stderr: true,
    });
    const slot: Slot = { worker, state, task: undefined, at: notBegun, atSince: 0, usedMs: 0 };
    worker.on('message', (answer: ReaderAnswer) => this.#finish(slot, answer));
    // Out of memory, most likely; the exit follows.
    worker.on('error', error => {
      if (isResourceShortage(error)) this.#failures = maxLosses;
    });
    worker.on('exit', () => this.#onWorkerLost(slot));
    return slot;
  }

  #finish(slot: Slot, answer: ReaderAnswer): void {
    const { task } = slot;
    slot.task = undefined;
    this.#failures = 0;
    if (task !== undefined) {
      task.source.spentMs += performance.now() - task.since;
      task.source.onAnswer(task.job, answer);
    }
    this.wake();
  }

  #stopIdling(): void {
    clearTimeout(this.#idle);
    this.#idle = undefined;
  }

  /**
   * A document may take so much of a processor, however busy the machine is: the time that all threads of this program have used
   * since the last look is shared among the readers at work, and none can have used more than the time that has passed.
   */
  #look(): void {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#cpu);
    this.#cpu = process.cpuUsage();
    const busy = this.#slots.filter(({ task }) => task !== undefined);
    if (busy.length === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    const shareMs = Math.min(now - this.#lastLook, (user + system) / 1000 / Math.max(1, busy.length));
    this.#lastLook = now;
    for (const slot of busy) {
      const at = Atomics.load(slot.state, shared.position);
      if (slot.task?.source.isOver === true) Atomics.store(slot.state, shared.isStopped, 1);
      if (at !== slot.at || Atomics.load(slot.state, shared.isUnguarded) === 1) {
        Object.assign(slot, { at, atSince: now, usedMs: 0 });
        continue;
      }
      slot.usedMs += shareMs;
      if (slot.usedMs <= (slot.task?.job.cpuMs ?? 0) && now - slot.atSince <= maxWaitMs) continue;
      void slot.worker.terminate();
      this.#onWorkerLost(slot);
    }
  }

  /** The file a reader was at is to blame. */
  #onWorkerLost(slot: Slot): void {
    const place = this.#slots.indexOf(slot);
    if (place === -1) return;
    this.#slots.splice(place, 1);
    const { task } = slot;
    if (task !== undefined) {
      task.source.spentMs += performance.now() - task.since;
      const at = Atomics.load(slot.state, shared.position);
      if (at === notBegun) this.#failures++;
      else this.#failures = 0;
      task.source.onWorkerLost(task.job, at);
    }
    if (this.#failures >= maxLosses) this.#poorUntil = performance.now() + poorMs;
    if (this.#failures >= maxLosses && this.#slots.length === 0) this.#onNoWorkers();
    this.wake();
  }

  #onNoWorkers(): void {
    this.#failures = 0;
    for (const source of this.#sources) {
      this.#sources.delete(source);
      source.onNoWorkers();
    }
  }
}

/** A call that has no reader yet and needed little so far. */
function isModest(source: JobSource, busy: readonly Slot[]): boolean {
  return source.spentMs < smallMs && !source.isBackground && busy.every(({ task }) => task?.source !== source);
}

function isBefore(left: JobSource, right: JobSource): boolean {
  return left.isBackground === right.isBackground ? left.spentMs < right.spentMs : !left.isBackground;
}
