import { Worker } from 'node:worker_threads';
import { isResourceShortage } from '../../../errors/system-error.ts';
import type { ReaderJobSource, ReaderPoolJob } from './job-source.ts';
import { notBegun, pathSeparator, type ReaderAnswer, type ReaderJobMessage, sharedMemoryFields } from './reader-job.ts';

interface Slot {
  worker: Worker;
  /** The shared memory in which the worker stores the index of its current file. */
  state: Int32Array;
  task: { source: ReaderJobSource; job: ReaderPoolJob; since: number } | undefined;
  /**
   * The index of the file that the worker read at the last check, the time since then, and the CPU time that it may
   * have used.
   */
  at: number;
  atSince: number;
  usedMs: number;
}

const watchMs = 100;

/** The pool stops starting worker threads after this number of consecutive failures at their start. */
const maxLosses = 3;
/** After repeated failures, the pool starts no further worker threads for this number of milliseconds. */
const poorMs = 1000;
/** One worker is reserved for calls that have used less worker time than this number of milliseconds. */
const smallMs = 400;
const idleMs = 5000;
/** A worker thread is ended if one file takes this time without using the CPU, for example on a slow network drive. */
const maxWaitMs = 60_000;
/** The memory limits of each worker thread. */
const resourceLimits = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 8 };

/**
 * A pool of worker threads that read files. Threads are started on demand, and ended if they are idle or take too long
 * for one file.
 */
export class FileReaderPool {
  readonly size: number;
  readonly #threadCode: string;
  readonly #slots: Slot[] = [];
  readonly #sources = new Set<ReaderJobSource>();
  /** The sources that returned no job during the current call of `wake`. */
  readonly #resting = new Set<ReaderJobSource>();
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #cpu = process.cpuUsage();
  #watchedAt = 0;
  /** The number of consecutive failures to start a worker thread. */
  #failures = 0;
  #poorUntil = 0;

  constructor(source: string, size: number) {
    this.#threadCode = source;
    this.size = size;
  }

  /** Lets the pool request jobs from this source until `leave` is called. */
  join(source: ReaderJobSource): void {
    this.#sources.add(source);
    this.wake();
  }

  leave(source: ReaderJobSource): void {
    this.#sources.delete(source);
    for (const slot of this.#slots)
      if (slot.task?.source === source) Atomics.store(slot.state, sharedMemoryFields.isStopped, 1);
  }

  /** Requests jobs again from the sources that had no job before. */
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

  /** Ends all worker threads. A later job starts new ones. */
  async close(): Promise<void> {
    this.#stopIdling();
    clearInterval(this.#watch);
    this.#watch = undefined;
    await Promise.all(this.#slots.splice(0).map(({ worker }) => worker.terminate()));
  }

  /**
   * Returns the source that has used the least worker time. One worker is reserved for calls that have used little
   * time.
   */
  #nextByFairness(): ReaderJobSource | undefined {
    const busy = this.#slots.filter(({ task }) => task !== undefined);
    const free = this.#limit - busy.length;
    if (free === 0) {
      this.#stopBackground(busy);
      return undefined;
    }
    let best: ReaderJobSource | undefined;
    for (const source of this.#sources) {
      if (source.isOver || this.#resting.has(source)) continue;
      if (free === 1 && this.#limit > 1 && !isModest(source, busy)) continue;
      if (best === undefined || isBefore(source, best)) best = source;
    }
    return best;
  }

  /**
   * Returns the maximum number of workers. After repeated failures to start one, the number of running workers is
   * returned.
   */
  get #limit(): number {
    return performance.now() < this.#poorUntil ? Math.max(1, this.#slots.length) : this.size;
  }

  /** Stops background jobs after their current file if a call is waiting for a worker. */
  #stopBackground(busy: readonly Slot[]): void {
    if ([...this.#sources].every(source => source.isBackground)) return;
    for (const { task, state } of busy)
      if (task?.source.isBackground === true) Atomics.store(state, sharedMemoryFields.isStopped, 1);
  }

  #give(source: ReaderJobSource, job: ReaderPoolJob): void {
    let slot = this.#slots.find(({ task }) => task === undefined);
    if (slot === undefined) this.#slots.push((slot = this.#start()));
    const now = performance.now();
    Object.assign(slot, { task: { source, job, since: now }, at: notBegun, atSince: now, usedMs: 0 });
    Atomics.store(slot.state, sharedMemoryFields.position, notBegun);
    Atomics.store(slot.state, sharedMemoryFields.isStopped, 0);
    // The message also contains `cpuMs`, which only the watchdog of this pool uses.
    slot.worker.postMessage({ ...job, paths: job.paths.join(pathSeparator) } satisfies ReaderJobMessage & {
      cpuMs: number;
    });
    this.#watch ??= this.#startWatching(now);
  }

  #startWatching(now: number): NodeJS.Timeout {
    [this.#watchedAt, this.#cpu] = [now, process.cpuUsage()];
    return setInterval(() => this.#watchWorkers(), watchMs);
  }

  #start(): Slot {
    const state = new Int32Array(new SharedArrayBuffer(4 * sharedMemoryFields.count));
    const worker = new Worker(this.#threadCode, {
      eval: true,
      workerData: { role: 'reader', state },
      resourceLimits,
      stdout: true,
      stderr: true,
    });
    const slot: Slot = { worker, state, task: undefined, at: notBegun, atSince: 0, usedMs: 0 };
    worker.on('message', (answer: ReaderAnswer) => this.#finish(slot, answer));
    // The event `exit` follows and reports the lost worker. The most frequent reason is lack of memory.
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
   * Ends worker threads whose document exceeds its CPU limit, independent of other load on the machine. Node does not
   * report the CPU time of each thread, so that the CPU time of the process since the last check is divided among the
   * busy threads.
   */
  #watchWorkers(): void {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#cpu);
    this.#cpu = process.cpuUsage();
    const busy = this.#slots.filter(({ task }) => task !== undefined);
    if (busy.length === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    const shareMs = Math.min(now - this.#watchedAt, (user + system) / 1000 / Math.max(1, busy.length));
    this.#watchedAt = now;
    for (const slot of busy) {
      const at = Atomics.load(slot.state, sharedMemoryFields.position);
      if (slot.task?.source.isOver === true) Atomics.store(slot.state, sharedMemoryFields.isStopped, 1);
      if (at !== slot.at || Atomics.load(slot.state, sharedMemoryFields.isUnguarded) === 1) {
        Object.assign(slot, { at, atSince: now, usedMs: 0 });
        continue;
      }
      slot.usedMs += shareMs;
      if (slot.usedMs <= (slot.task?.job.cpuMs ?? 0) && now - slot.atSince <= maxWaitMs) continue;
      void slot.worker.terminate();
      this.#onWorkerLost(slot);
    }
  }

  /** Reports a lost worker thread to the source of its job, with the index of the file that the thread was reading. */
  #onWorkerLost(slot: Slot): void {
    const place = this.#slots.indexOf(slot);
    if (place === -1) return;
    this.#slots.splice(place, 1);
    const { task } = slot;
    if (task !== undefined) {
      task.source.spentMs += performance.now() - task.since;
      const at = Atomics.load(slot.state, sharedMemoryFields.position);
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

/** Returns whether a source has used little worker time and has no worker at the moment. */
function isModest(source: ReaderJobSource, busy: readonly Slot[]): boolean {
  return source.spentMs < smallMs && !source.isBackground && busy.every(({ task }) => task?.source !== source);
}

function isBefore(left: ReaderJobSource, right: ReaderJobSource): boolean {
  return left.isBackground === right.isBackground ? left.spentMs < right.spentMs : !left.isBackground;
}
