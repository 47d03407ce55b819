import { Worker } from 'node:worker_threads';
import {
  createAnswer,
  pathSeparator,
  type ReaderAnswer,
  type ReaderJob,
  type SentJob,
  shared,
} from './reader-messages.ts';

/** Whoever asks may lose interest: then what has not begun never begins. */
export interface Interest {
  readonly isOver: boolean;
}

/** Some files of a job and what was found in them; `stuck` are those that took a reader down. */
export interface Batch {
  paths: readonly string[];
  answer: ReaderAnswer;
  stuck: readonly string[];
}

interface Task {
  job: ReaderJob;
  interest: Interest;
  /** Gives way, after the file it is at, to what somebody is waiting for. */
  canWait: boolean;
  stuck: string[];
  /** How many readers were lost with it before they began. */
  losses: number;
  resolve(batch: Batch | undefined): void;
}

interface Slot {
  worker: Worker;
  /** The numbers of `shared`. */
  state: Int32Array;
  task: Task | undefined;
  /** The file it was at when last looked at, and since when. */
  at: number;
  since: number;
}

const watchMs = 100;
const notBegun = -1;
const maxLosses = 3;
/** A parser gone wild must not take the server's memory along. */
const resourceLimits = { maxOldGenerationSizeMb: 768, maxYoungGenerationSizeMb: 64 };

/** Reader threads, started when there is work for them, ended when a file holds one up for longer than `fileTimeoutMs`. */
export class ReaderPool {
  readonly size: number;
  readonly #source: string;
  readonly #fileTimeoutMs: number;
  readonly #slots: Slot[] = [];
  readonly #tasks: Task[] = [];
  readonly #laterTasks: Task[] = [];
  #watch: NodeJS.Timeout | undefined;

  constructor(source: string, size: number, fileTimeoutMs: number) {
    this.#source = source;
    this.size = size;
    this.#fileTimeoutMs = fileTimeoutMs;
  }

  /** When interest is lost first, resolves with no more than the files that took a reader down. */
  run(job: ReaderJob, interest: Interest): Promise<Batch | undefined> {
    return this.#enqueue(this.#tasks, job, interest, false);
  }

  /** The same, after everything that is run. */
  runLater(job: ReaderJob, interest: Interest): Promise<Batch | undefined> {
    return this.#enqueue(this.#laterTasks, job, interest, true);
  }

  /** Starts the threads while there is something else to do. */
  warm(): void {
    while (this.#slots.length < this.size) this.#slots.push(this.#start());
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await Promise.all(this.#slots.splice(0).map(({ worker }) => worker.terminate()));
  }

  #enqueue(queue: Task[], job: ReaderJob, interest: Interest, canWait: boolean): Promise<Batch | undefined> {
    return new Promise(resolve => {
      queue.push({ job, interest, canWait, stuck: [], losses: 0, resolve });
      this.#assign();
    });
  }

  #assign(): void {
    for (const queue of [this.#tasks, this.#laterTasks]) {
      for (let task = queue[0]; task !== undefined; task = queue[0]) {
        if (task.interest.isOver) task.resolve(leftovers(task));
        else if (!this.#give(task)) {
          if (!task.canWait) this.#stop(({ canWait }) => canWait);
          return;
        }
        queue.shift();
      }
    }
  }

  #give(task: Task): boolean {
    let slot = this.#slots.find(candidate => candidate.task === undefined);
    if (slot === undefined && this.#slots.length < this.size) this.#slots.push((slot = this.#start()));
    if (slot === undefined) return false;
    slot.task = task;
    slot.at = notBegun;
    slot.since = performance.now();
    Atomics.store(slot.state, shared.position, notBegun);
    Atomics.store(slot.state, shared.isStopped, 0);
    slot.worker.postMessage(toSent(task.job));
    this.#watch ??= setInterval(() => this.#look(), watchMs);
    return true;
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
    const slot: Slot = { worker, state, task: undefined, at: -1, since: 0 };
    worker.on('message', (answer: ReaderAnswer) => this.#finish(slot, answer));
    // Out of memory, most likely; the exit follows.
    worker.on('error', () => {});
    worker.on('exit', () => this.#lose(slot));
    return slot;
  }

  #finish(slot: Slot, answer: ReaderAnswer): void {
    const { task } = slot;
    slot.task = undefined;
    task?.resolve({ paths: task.job.paths, answer, stuck: task.stuck });
    this.#assign();
    if (this.#slots.every(({ task: current }) => current === undefined)) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
  }

  /** Their readers go no further than the file they are at. */
  #stop(isUnwanted: (task: Task) => boolean): void {
    for (const { task, state } of this.#slots)
      if (task !== undefined && isUnwanted(task)) Atomics.store(state, shared.isStopped, 1);
  }

  #look(): void {
    const now = performance.now();
    this.#stop(({ interest }) => interest.isOver);
    for (const slot of this.#slots.filter(({ task }) => task !== undefined)) {
      const at = Atomics.load(slot.state, shared.position);
      if (at !== slot.at || Atomics.load(slot.state, shared.isSure) === 1) {
        slot.at = at;
        slot.since = now;
      } else if (now - slot.since > this.#fileTimeoutMs) {
        void slot.worker.terminate();
        this.#lose(slot);
      }
    }
  }

  /** The file a reader was at is to blame; the others of its job are done again. */
  #lose(slot: Slot): void {
    const index = this.#slots.indexOf(slot);
    if (index === -1) return;
    this.#slots.splice(index, 1);
    const { task } = slot;
    slot.task = undefined;
    if (task === undefined) return;
    const queue = task.canWait ? this.#laterTasks : this.#tasks;
    const at = Atomics.load(slot.state, shared.position);
    if (at === notBegun && task.losses < maxLosses) {
      queue.unshift({ ...task, losses: task.losses + 1 });
    } else {
      const culprit = task.job.paths[Math.max(0, at)];
      if (culprit !== undefined) task.stuck.push(culprit);
      queue.unshift({ ...task, job: { ...task.job, paths: task.job.paths.filter(path => path !== culprit) } });
    }
    this.#assign();
  }
}

function leftovers({ stuck }: Task): Batch | undefined {
  return stuck.length === 0 ? undefined : { paths: [], answer: createAnswer(0), stuck };
}

function toSent(job: ReaderJob): SentJob {
  const { kind, fence, paths } = job;
  const [phrase, isSigning] = job.kind === 'match' ? [job.phrase, job.isSigning] : [undefined, job.kind === 'sign'];
  return { kind, fence, paths: paths.join(pathSeparator), phrase, isSigning };
}
