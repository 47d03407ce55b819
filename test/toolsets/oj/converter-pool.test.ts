import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as converterPool from '../../../src/toolsets/oj/io/converter-pool.ts';
import type { ConversionResult } from '../../../src/toolsets/oj/io/converter-thread.ts';

const converted: ConversionResult = { markdown: 'x', samples: undefined, bugs: [] };
const job = { content: 'x', link: undefined, maxBytes: 9, wantsSamples: false };
let workers: FakeWorker[] = [];

/** A worker thread that does only what the test says. */
class FakeWorker extends EventEmitter {
  readonly options: object;
  jobs = 0;
  isTerminated = false;
  isReferenced = true;

  constructor(_code: string, options: object) {
    super();
    this.options = options;
    workers.push(this);
  }

  unref(): void {
    this.isReferenced = false;
  }

  postMessage(): void {
    this.jobs++;
  }

  async terminate(): Promise<number> {
    this.isTerminated = true;
    this.emit('exit');
    return await Promise.resolve(1);
  }
}

beforeEach(() => {
  workers = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.doMock('node:worker_threads', () => ({ Worker: FakeWorker }));
});
afterEach(() => {
  // No idle thread of one test is used by the next one.
  vi.advanceTimersByTime(10_000);
  vi.doUnmock('node:worker_threads');
  vi.useRealTimers();
});

/** Starts a conversion in the threads of this test. The module is loaded a second time for them. */
async function start(signal = new AbortController().signal): Promise<{ result: Promise<unknown> }> {
  const file = '../../../src/toolsets/oj/io/converter-pool.ts?fake-workers';
  const { convertStatementInThread }: typeof converterPool = await import(file);
  await import('worker:../../../src/toolsets/oj/io/converter-thread.ts');
  const result = convertStatementInThread(job, signal).catch((error: unknown) => error);
  for (let count = 0; count < 20; count++) await new Promise(resolve => void setImmediate(resolve));
  return { result };
}

function workerAt(index: number): FakeWorker {
  const worker = workers[index];
  if (worker === undefined) throw new Error(`there is no worker ${index}`);
  return worker;
}

test('a used thread converts the next statement, and ends after ten seconds without one', async () => {
  const first = await start();
  const worker = workerAt(0);
  expect([worker.isReferenced, worker.options]).toEqual([
    false,
    expect.objectContaining({ eval: true, stdout: true, stderr: true }),
  ]);
  vi.advanceTimersByTime(20_000);
  worker.emit('message', converted);
  expect([await first.result, worker.listenerCount('message'), worker.listenerCount('exit')]).toEqual([
    converted,
    0,
    0,
  ]);
  vi.advanceTimersByTime(9999);
  const second = await start();
  vi.advanceTimersByTime(20_000);
  expect([workers.length, worker.jobs, worker.isTerminated, worker.listenerCount('error')]).toEqual([1, 2, false, 1]);
  worker.emit('message', converted);
  await second.result;
  vi.advanceTimersByTime(9999);
  expect(worker.isTerminated).toBe(false);
  vi.advanceTimersByTime(1);
  expect(worker.isTerminated).toBe(true);
  const third = await start();
  expect(workers).toHaveLength(2);
  workerAt(1).emit('message', converted);
  await third.result;
});

test('two threads convert statements at a time', async () => {
  const all = [await start(), await start(), await start()];
  expect(workers.map(({ jobs }) => jobs)).toEqual([1, 1]);
  workerAt(1).emit('message', converted);
  await all[1]?.result;
  for (let count = 0; count < 5; count++) await new Promise(resolve => void setImmediate(resolve));
  expect(workers.map(({ jobs }) => jobs)).toEqual([1, 2]);
  for (const worker of workers) worker.emit('message', converted);
  expect(await Promise.all(all.map(async ({ result }) => await result))).toEqual([converted, converted, converted]);
});

test('a used thread converts only one of two statements', async () => {
  const first = await start();
  workerAt(0).emit('message', converted);
  await first.result;
  const both = [await start(), await start()];
  expect(workers.map(({ jobs }) => jobs)).toEqual([2, 1]);
  for (const worker of workers) worker.emit('message', converted);
  await Promise.all(both.map(async ({ result }) => await result));
});

test('a thread is not used again if its call is cancelled at the moment of its result', async () => {
  const cancel = new AbortController();
  const first = await start(cancel.signal);
  workerAt(0).emit('message', converted);
  cancel.abort();
  await first.result;
  const second = await start();
  expect([workers.length, workerAt(0).isTerminated]).toEqual([2, true]);
  workerAt(1).emit('message', converted);
  await second.result;
});

test('an idle thread is not used again after an error', async () => {
  const first = await start();
  workerAt(0).emit('message', converted);
  await first.result;
  workerAt(0).emit('error', new Error('broken'));
  const second = await start();
  expect([workers.length, workerAt(0).isTerminated, workerAt(0).jobs]).toEqual([2, true, 1]);
  workerAt(1).emit('message', converted);
  await second.result;
});

test('a thread that fails is ended, and a thread that ends gives no result', async () => {
  const failed = await start();
  workerAt(0).emit('error', new Error('broken'));
  expect([await failed.result, workerAt(0).isTerminated]).toEqual([new Error('broken'), true]);
  const ended = await start();
  workerAt(1).emit('exit');
  expect(await ended.result).toBeUndefined();
  const next = await start();
  expect(workers).toHaveLength(3);
  workerAt(2).emit('message', converted);
  expect(await next.result).toBe(converted);
});

test('a cancelled call ends its thread, but not the thread of the next call', async () => {
  const cancel = new AbortController();
  const cancelled = await start(cancel.signal);
  cancel.abort();
  expect([workerAt(0).isTerminated, await cancelled.result]).toEqual([true, undefined]);
  const late = new AbortController();
  const done = await start(late.signal);
  workerAt(1).emit('message', converted);
  await done.result;
  late.abort();
  expect(workerAt(1).isTerminated).toBe(false);
});
