import { afterEach, describe, expect, test, vi } from 'vitest';
import { ConditionVariable, runReaderJobs, startCallTimeControl } from '../../../src/toolsets/files/workers/control.ts';
import {
  cpuLimitOfLastAttemptMs,
  type ReaderJobSource,
  type ReaderPoolJob,
} from '../../../src/toolsets/files/workers/job-source.ts';
import { FileReaderPool } from '../../../src/toolsets/files/workers/pool.ts';
import { createReaderAnswer, type ReaderJob } from '../../../src/toolsets/files/workers/reader-job.ts';

afterEach(() => void vi.useRealTimers());

describe('startCallTimeControl', () => {
  test('ends the call at its time limit, as a call that timed out', async () => {
    vi.useFakeTimers();
    const reports: [number, number][] = [];
    const control = startCallTimeControl(100, (done, total) => reports.push([done, total]));
    control.progress(1, 2);
    vi.advanceTimersByTime(60);
    expect([control.isOver, control.isTimedOut, control.remainingMs, reports]).toEqual([false, false, 40, [[1, 2]]]);
    vi.advanceTimersByTime(40);
    expect([control.isOver, control.isTimedOut, control.remainingMs]).toEqual([true, true, 0]);
    await control.over;
  });

  test('ends a cancelled call, which has not timed out', async () => {
    vi.useFakeTimers();
    const control = startCallTimeControl(100, () => {});
    control.cancel();
    await control.over;
    expect([control.isOver, control.isTimedOut]).toEqual([true, false]);
    control.settle();
    expect(vi.getTimerCount()).toBe(0);
  });
});

test('a ConditionVariable resolves only the promises whose condition is true at a notification', async () => {
  const changed = new ConditionVariable();
  const ended: string[] = [];
  let count = 0;
  const waits = [1, 2].map(async wanted => {
    await changed.until(() => count >= wanted);
    ended.push(`${wanted} at ${count}`);
  });
  await Promise.resolve();
  count = 1;
  changed.notify();
  await waits[0];
  expect(ended).toEqual(['1 at 1']);
  count = 2;
  changed.notify();
  await Promise.all(waits);
  expect(ended).toEqual(['1 at 1', '2 at 2']);
  await changed.until(() => true);
});

describe('runReaderJobs', () => {
  /** A pool without threads: the test takes the jobs of its sources and answers them. */
  class ManualPool extends FileReaderPool {
    readonly sources: ReaderJobSource[] = [];

    override join(source: ReaderJobSource): void {
      this.sources.push(source);
    }

    override leave(source: ReaderJobSource): void {
      this.sources.splice(this.sources.indexOf(source), 1);
    }
  }

  /** Starts jobs for these files, and returns what is known about their result at the moment. */
  function start(...paths: string[]) {
    const pool = new ManualPool('', 0);
    const control = startCallTimeControl(600_000, () => {});
    control.settle();
    const jobs = paths.map((path): ReaderJob => ({ allowedRoot: '/', paths: [path], phrases: [], isSigning: false }));
    const answers: (number | undefined)[][] = [];
    void runReaderJobs(pool, jobs, control).then(all => answers.push(all.map(answer => answer?.done)));
    const [source] = pool.sources;
    if (source === undefined) throw new Error('no source has joined the pool');
    const take = (): ReaderPoolJob => {
      const job = source.next();
      if (job === undefined) throw new Error('the source has no job');
      return job;
    };
    const settled = async (): Promise<(number | undefined)[][]> => {
      await new Promise(resolve => void setImmediate(resolve));
      return answers;
    };
    return { pool, control, source, take, settled };
  }

  test('resolves with the answers in the order of the jobs once all of them have arrived', async () => {
    const { pool, source, take, settled } = start('a', 'b');
    const [a, b] = [take(), take()];
    expect([source.next(), a.paths, b.paths, a.cpuMs, source.isBackground, source.isOver]).toEqual([
      undefined,
      ['a'],
      ['b'],
      cpuLimitOfLastAttemptMs,
      false,
      false,
    ]);
    source.onAnswer(b, createReaderAnswer(2));
    expect([await settled(), pool.sources.length]).toEqual([[], 1]);
    source.onAnswer(a, createReaderAnswer(1));
    expect([await settled(), pool.sources]).toEqual([[[1, 2]], []]);
  });

  test('repeats a job whose worker was lost before its first file, and gives up a job whose file ended the worker', async () => {
    const { source, take, settled } = start('a', 'b');
    const [a, b] = [take(), take()];
    source.onWorkerLost(a, -1);
    expect(take()).toBe(a);
    source.onWorkerLost(b, 0);
    expect([source.next(), await settled()]).toEqual([undefined, []]);
    source.onAnswer(a, createReaderAnswer(1));
    expect(await settled()).toEqual([[1, undefined]]);
  });

  test('resolves without the other answers if no worker can be started, or if the call ends', async () => {
    const poor = start('a', 'b', 'c');
    poor.source.onAnswer(poor.take(), createReaderAnswer(1));
    poor.source.onNoWorkers();
    expect(await poor.settled()).toEqual([[1, undefined, undefined]]);
    const cancelled = start('a');
    cancelled.take();
    cancelled.control.cancel();
    expect([cancelled.source.isOver, await cancelled.settled(), cancelled.pool.sources]).toEqual([
      true,
      [[undefined]],
      [],
    ]);
  });

  test('resolves at once without jobs', async () => {
    expect(await start().settled()).toEqual([[]]);
  });
});
