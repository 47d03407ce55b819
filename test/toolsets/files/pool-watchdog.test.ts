import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ReaderJobSource, ReaderPoolJob } from '../../../src/toolsets/files/workers/job-source.ts';
import type { FileReaderPool } from '../../../src/toolsets/files/workers/pool.ts';
import { createReaderAnswer, sharedMemoryFields } from '../../../src/toolsets/files/workers/reader-job.ts';

const { position, isStopped, isUnguarded } = sharedMemoryFields;

/** A worker thread that does only what the test says. */
class FakeWorker extends EventEmitter {
  readonly state: Int32Array;
  readonly options: { workerData: { state: Int32Array } };
  readonly jobs: { paths: string }[] = [];
  isTerminated = false;

  constructor(_code: string, options: { workerData: { state: Int32Array } }) {
    super();
    this.options = options;
    this.state = options.workerData.state;
    workers.push(this);
  }

  postMessage(job: { paths: string }): void {
    this.jobs.push(job);
  }

  async terminate(): Promise<number> {
    this.isTerminated = true;
    return await Promise.resolve(1);
  }

  answer(): void {
    this.emit('message', createReaderAnswer(1));
  }

  field(name: number): number {
    return this.state[name] ?? Number.NaN;
  }

  set(name: number, value: number): void {
    this.state[name] = value;
  }
}

let workers: FakeWorker[] = [];
/** The CPU time of the process in milliseconds. */
let cpuMs = 0;

beforeEach(() => {
  [workers, cpuMs] = [[], 0];
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.advanceTimersByTime(1_000_000);
  const cpuUsage = (before?: NodeJS.CpuUsage): NodeJS.CpuUsage => ({
    user: cpuMs * 750 - (before?.user ?? 0),
    system: cpuMs * 250 - (before?.system ?? 0),
  });
  vi.spyOn(process, 'cpuUsage').mockImplementation(cpuUsage);
  vi.doMock('node:worker_threads', () => ({ Worker: FakeWorker }));
});
afterEach(() => {
  vi.doUnmock('node:worker_threads');
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** Loads the pool again, so that it uses the workers of this test. */
async function createPool(size: number): Promise<FileReaderPool> {
  const file = '../../../src/toolsets/files/workers/pool.ts?fake-workers';
  const module: { FileReaderPool: typeof FileReaderPool } = await import(file);
  const pool = new module.FileReaderPool('', size);
  onTestFinished(() => pool.close());
  return pool;
}

interface Trial extends ReaderJobSource {
  isOver: boolean;
  readonly log: string[];
  readonly todo: string[];
}

/** Creates a source with jobs of these names, whose files may take 600 milliseconds of CPU time. */
function sourceOf(names: string, { isBackground = false, spentMs = 0 } = {}): Trial {
  const todo = Array.from(names);
  const log: string[] = [];
  const nameOf = ({ paths }: ReaderPoolJob): string => paths.join('');
  return {
    isBackground,
    spentMs,
    isOver: false,
    log,
    todo,
    next: () => {
      const name = todo.shift();
      return name === undefined
        ? undefined
        : { allowedRoot: '/', paths: [name, '2'], phrases: [], isSigning: true, cpuMs: 600 };
    },
    onAnswer: job => void log.push(`${nameOf(job)} answered`),
    onWorkerLost: (job, index) => void log.push(`${nameOf(job)} lost at ${index}`),
    onNoWorkers: () => void log.push('no workers'),
  };
}

/** Lets time pass in which the process uses the CPU for a share of it. */
function pass(ms: number, share = 1): void {
  for (let done = 0; done < ms; done += 100) {
    cpuMs += 100 * share;
    vi.advanceTimersByTime(100);
  }
}

const jobsOf = (worker: FakeWorker | undefined): string =>
  worker?.jobs.map(({ paths }) => paths.replace('\0', '')).join(' ') ?? '';

function workerAt(index: number): FakeWorker {
  const worker = workers[index];
  if (worker === undefined) throw new Error(`there is no worker ${index}`);
  return worker;
}

describe('the watchdog of the worker pool', () => {
  test('ends a worker only after its file has used more than its CPU limit', async () => {
    const pool = await createPool(1);
    const source = sourceOf('a');
    pool.join(source);
    const worker = workerAt(0);
    worker.set(position, 0);
    pass(100); // the first check sees that the file has begun
    pass(600);
    expect([worker.isTerminated, source.log]).toEqual([false, []]);
    pass(100);
    expect([worker.isTerminated, source.log, source.spentMs]).toEqual([true, ['a2 lost at 0'], 800]);
    worker.emit('exit');
    expect(source.log).toHaveLength(1);
  });

  test('counts the CPU time again from the next file, and during work whose duration is limited', async () => {
    const pool = await createPool(1);
    pool.join(sourceOf('a'));
    const worker = workerAt(0);
    worker.set(position, 0);
    pass(700);
    worker.set(position, 1);
    pass(700);
    expect(worker.isTerminated).toBe(false);
    worker.set(isUnguarded, 1);
    pass(70_000);
    worker.set(isUnguarded, 0);
    pass(600);
    expect(worker.isTerminated).toBe(false);
    pass(100);
    expect(worker.isTerminated).toBe(true);
  });

  test('divides the CPU time of the process among the busy workers', async () => {
    const pool = await createPool(3);
    pool.join(sourceOf('ab'));
    pool.join(sourceOf('c'));
    for (const worker of workers) worker.set(position, 0);
    expect(workers.map(jobsOf)).toEqual(['a2', 'b2', 'c2']);
    pass(100);
    pass(1800);
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([false, false, false]);
    pass(100);
    expect(workers.map(({ isTerminated }) => isTerminated)).toEqual([true, true, true]);
  });

  test('counts at most the elapsed time if other threads use the CPU too', async () => {
    const pool = await createPool(1);
    pool.join(sourceOf('a'));
    const worker = workerAt(0);
    worker.set(position, 0);
    pass(100, 8);
    pass(600, 8);
    expect(worker.isTerminated).toBe(false);
  });

  test('does not count the CPU time before the first job after a pause', async () => {
    const pool = await createPool(1);
    pool.join(sourceOf('a'));
    const worker = workerAt(0);
    worker.answer();
    pass(4000);
    pool.join(sourceOf('b'));
    worker.set(position, -1);
    pass(600);
    expect(worker.isTerminated).toBe(false);
    pass(100);
    expect(worker.isTerminated).toBe(true);
  });

  test('ends a worker after more than 60 seconds at one file without CPU use', async () => {
    const pool = await createPool(1);
    pool.join(sourceOf('a'));
    const worker = workerAt(0);
    worker.set(position, 0);
    pass(100, 0);
    pass(60_000, 0);
    expect(worker.isTerminated).toBe(false);
    pass(100, 0);
    expect(worker.isTerminated).toBe(true);
  });

  test('stops the job of a call that has ended, and no other job', async () => {
    const pool = await createPool(3);
    const [over, other] = [sourceOf('a'), sourceOf('b')];
    pool.join(over);
    pool.join(other);
    pass(100, 0);
    expect(workers.map(worker => worker.field(isStopped))).toEqual([0, 0]);
    over.isOver = true;
    pass(100, 0);
    expect(workers.map(worker => worker.field(isStopped))).toEqual([1, 0]);
  });
});

describe('the worker pool', () => {
  test('resets the shared memory of a worker for each job', async () => {
    const pool = await createPool(1);
    const first = sourceOf('a');
    pool.join(first);
    const worker = workerAt(0);
    expect([worker.field(position), worker.field(isStopped)]).toEqual([-1, 0]);
    worker.set(position, 1);
    pool.leave(first);
    expect(worker.field(isStopped)).toBe(1);
    worker.answer();
    pool.join(sourceOf('b'));
    expect([worker.field(position), worker.field(isStopped), jobsOf(worker)]).toEqual([-1, 0, 'a2 b2']);
  });

  test('stops background work if a call waits for a worker, but neither calls nor background work alone', async () => {
    const pool = await createPool(2);
    const background = sourceOf('abc', { isBackground: true });
    pool.join(background);
    expect(workers.map(jobsOf)).toEqual(['a2']);
    pool.wake();
    expect(workerAt(0).field(isStopped)).toBe(0);
    const call = sourceOf('de');
    pool.join(call);
    expect(workers.map(jobsOf)).toEqual(['a2', 'd2']);
    expect(workers.map(worker => worker.field(isStopped))).toEqual([1, 0]);
  });

  test('leaves background work on its only worker alone until a call waits', async () => {
    const pool = await createPool(1);
    pool.join(sourceOf('ab', { isBackground: true }));
    pool.wake();
    expect(workerAt(0).field(isStopped)).toBe(0);
    pool.join(sourceOf('c'));
    expect(workerAt(0).field(isStopped)).toBe(1);
    workerAt(0).answer();
    expect(jobsOf(workerAt(0))).toBe('a2 c2');
  });

  test.each([
    [399, 'b2'],
    [400, undefined],
  ])('gives the reserved worker to a call that has used %i ms: %s', async (spentMs, expected) => {
    const pool = await createPool(2);
    pool.join(sourceOf('a'));
    pool.join(sourceOf('b', { spentMs }));
    expect(workers.map(jobsOf)[1]).toBe(expected);
  });

  test('gives the reserved worker neither to a call that has a worker nor to background work', async () => {
    const pool = await createPool(2);
    pool.join(sourceOf('ab'));
    pool.join(sourceOf('c', { isBackground: true }));
    expect(workers.map(jobsOf)).toEqual(['a2']);
  });

  test('adds the time of each job to the time of its source', async () => {
    const pool = await createPool(1);
    const source = sourceOf('ab');
    pool.join(source);
    vi.advanceTimersByTime(70);
    workerAt(0).answer();
    vi.advanceTimersByTime(50);
    workerAt(0).answer();
    expect([source.spentMs, source.log]).toEqual([120, ['a2 answered', 'b2 answered']]);
  });

  test('ends its threads after five seconds without a job, and not after a shorter pause', async () => {
    const pool = await createPool(1);
    pool.join(sourceOf('a'));
    const worker = workerAt(0);
    vi.advanceTimersByTime(5000);
    worker.answer();
    vi.advanceTimersByTime(4999);
    pool.join(sourceOf('b'));
    vi.advanceTimersByTime(4999);
    expect(worker.isTerminated).toBe(false);
    worker.answer();
    vi.advanceTimersByTime(4999);
    expect(worker.isTerminated).toBe(false);
    vi.advanceTimersByTime(1);
    expect([worker.isTerminated, vi.getTimerCount()]).toEqual([true, 0]);
    pool.join(sourceOf('c'));
    expect(workers.map(jobsOf)).toEqual(['a2 b2', 'c2']);
  });

  test('has no timer before its first thread, one without a job, and none after it was closed', async () => {
    const pool = await createPool(1);
    pool.join(sourceOf(''));
    expect(vi.getTimerCount()).toBe(0);
    pool.join(sourceOf('a'));
    workerAt(0).answer();
    pass(100);
    expect(vi.getTimerCount()).toBe(1);
    await pool.close();
    expect([workerAt(0).isTerminated, vi.getTimerCount()]).toEqual([true, 0]);
    pool.join(sourceOf('b'));
    await pool.close();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('keeps the output of its threads away from the output of the process, which is the protocol', async () => {
    const pool = await createPool(1);
    pool.join(sourceOf('a'));
    expect(workerAt(0).options).toMatchObject({ stdout: true, stderr: true, workerData: { role: 'reader' } });
  });

  test('takes no job from a source that has left, and again from one that had no job before', async () => {
    const pool = await createPool(1);
    const [left, later] = [sourceOf('ab'), sourceOf('')];
    pool.join(left);
    pool.join(later);
    pool.leave(left);
    workerAt(0).answer();
    expect(jobsOf(workerAt(0))).toBe('a2');
    later.todo.push('c');
    pool.wake();
    expect(jobsOf(workerAt(0))).toBe('a2 c2');
  });

  test('prefers calls to background work, then less worker time, then the order in which they joined', async () => {
    const pool = await createPool(1);
    pool.join(sourceOf('a'));
    pool.join(sourceOf('z', { isBackground: true }));
    for (const [name, spentMs] of Object.entries({ d: 20, b: 10, c: 10, e: 30 }))
      pool.join(sourceOf(name, { spentMs }));
    for (let count = 0; count < 6; count++) workerAt(0).answer();
    expect(jobsOf(workerAt(0))).toBe('a2 b2 c2 d2 e2 z2');
  });

  test('replaces only the thread that was lost', async () => {
    const pool = await createPool(3);
    for (const name of 'abcdef') pool.join(sourceOf(name));
    expect(workers.map(jobsOf)).toEqual(['a2', 'b2', 'c2']);
    workerAt(0).set(position, 0);
    workerAt(0).emit('exit');
    pool.wake();
    expect(workers.map(jobsOf)).toEqual(['a2', 'b2', 'c2', 'd2']);
  });
});

describe('the worker pool whose threads end before their first file', () => {
  test('starts a further thread after two losses, and reports after the third loss that none can be started', async () => {
    const pool = await createPool(1);
    const source = sourceOf('abcd');
    pool.join(source);
    for (const _ of [1, 2]) workers.at(-1)?.emit('exit');
    expect([workers.length, source.log]).toEqual([3, ['a2 lost at -1', 'b2 lost at -1']]);
    workers.at(-1)?.emit('exit');
    expect([workers.length, source.log.slice(2)]).toEqual([3, ['c2 lost at -1', 'no workers']]);
    // The source has left the pool, and a later call tries again, with up to three losses.
    const later = sourceOf('efg');
    pool.join(later);
    for (const _ of [1, 2]) workers.at(-1)?.emit('exit');
    expect([workers.length, later.log]).toEqual([6, ['e2 lost at -1', 'f2 lost at -1']]);
  });

  test('counts consecutive losses only', async () => {
    const pool = await createPool(1);
    const source = sourceOf('abcdefghi');
    pool.join(source);
    for (const _ of [1, 2]) workers.at(-1)?.emit('exit');
    workers.at(-1)?.answer();
    for (const _ of [1, 2]) workers.at(-1)?.emit('exit');
    workers.at(-1)?.set(position, 0);
    for (const _ of [1, 2, 3]) workers.at(-1)?.emit('exit');
    expect(source.log).not.toContain('no workers');
    workers.at(-1)?.emit('exit');
    expect(source.log.at(-1)).toBe('no workers');
  });

  test('reports at once that no thread can be started if the system is short of resources', async () => {
    const pool = await createPool(1);
    const [bug, shortage] = [sourceOf('abc'), sourceOf('d')];
    pool.join(bug);
    workers.at(-1)?.emit('error', new Error('out of memory'));
    workers.at(-1)?.emit('exit');
    expect(bug.log).toEqual(['a2 lost at -1']);
    pool.join(shortage);
    workers.at(-1)?.emit('error', Object.assign(new Error('none'), { code: 'EMFILE' }));
    workers.at(-1)?.emit('exit');
    expect([bug.log.at(-1), shortage.log]).toEqual(['no workers', ['no workers']]);
  });

  test('starts one thread at a time for one second after the third loss', async () => {
    const pool = await createPool(3);
    pool.join(sourceOf('abc'));
    for (const worker of [0, 1, 2]) workers[worker]?.emit('exit');
    const count = workers.length;
    for (const name of 'xyz') pool.join(sourceOf(name));
    expect(workers.slice(count).map(jobsOf)).toEqual(['x2']);
    vi.advanceTimersByTime(1000);
    pool.wake();
    expect(workers.slice(count).map(jobsOf)).toEqual(['x2', 'y2', 'z2']);
  });

  test('uses only the threads that run for one second', async () => {
    const pool = await createPool(3);
    const source = sourceOf('abcdefghi');
    pool.join(source);
    expect(workers.map(jobsOf)).toEqual(['a2', 'b2']);
    workerAt(1).emit('error', Object.assign(new Error('none'), { code: 'EAGAIN' }));
    workerAt(1).emit('exit');
    expect([workers.length, source.log]).toEqual([2, ['b2 lost at -1']]);
    vi.advanceTimersByTime(999);
    pool.wake();
    expect(workers).toHaveLength(2);
    vi.advanceTimersByTime(1);
    pool.wake();
    expect(workers.length).toBe(3);
  });
});
