import { expect, onTestFinished, test } from 'vitest';
import type { ReaderJobSource, ReaderPoolJob } from '../../../src/toolsets/files/workers/job-source.ts';
import { FileReaderPool } from '../../../src/toolsets/files/workers/pool.ts';

/**
 * The worker of these tests responds immediately, except for these names: "stuck" never ends, "fatal" ends the worker,
 * "long" ends when it is stopped, "sure" disables the watchdog, and "idle" waits without CPU use.
 */
const source = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.on('message', sent => {
  const paths = sent.paths.split('\\0');
  let done = 0;
  for (const [index, path] of paths.entries()) {
    if (Atomics.load(workerData.state, 1) === 1) break;
    Atomics.store(workerData.state, 0, index);
    if (path.startsWith('stuck')) for (;;);
    if (path === 'long') while (Atomics.load(workerData.state, 1) === 0);
    if (path === 'sure') { Atomics.store(workerData.state, 2, 1); for (const start = Date.now(); Date.now() < start + 3000;); }
    if (path === 'idle') Atomics.wait(workerData.state, 2, 0, 3000);
    if (path === 'fatal') process.exit(1);
    if (path === 'hungry') { const all = []; for (;;) all.push(new Array(1e6).fill(path)); }
    done = index + 1;
  }
  parentPort.postMessage({ done, paths });
});`;

/** The CPU limit is long enough for the start of a thread on a busy machine. */
const cpuMs = 1500;

function createPool(size = 1): FileReaderPool {
  const pool = new FileReaderPool(source, size);
  onTestFinished(() => pool.close());
  return pool;
}

interface Trial extends ReaderJobSource {
  read: string[];
  lost: string[];
  isOver: boolean;
  ended: Promise<void>;
}

/** Creates a source of jobs with one file each, which are sent one after the other. */
function readingOf(files: readonly string[], { isBackground = false, spentMs = 0 } = {}): Trial {
  const todo = [...files];
  let left = files.length;
  let end = (): void => {};
  const ended = new Promise<void>(resolve => {
    end = resolve;
  });
  const settle = (count: number): void => {
    left -= count;
    if (left === 0) end();
  };
  const trial: Trial = {
    isBackground,
    spentMs,
    isOver: false,
    read: [],
    lost: [],
    ended,
    next: () => {
      const paths = todo.splice(0);
      return paths.length === 0
        ? undefined
        : ({ allowedRoot: '/', paths, phrases: [], isSigning: true, cpuMs } satisfies ReaderPoolJob);
    },
    onAnswer: ({ paths }, { done }) => {
      trial.read.push(...paths.slice(0, done));
      todo.push(...paths.slice(done));
      settle(done);
    },
    onWorkerLost: ({ paths }, index) => {
      trial.lost.push(...paths.slice(index, index + 1));
      todo.push(...paths.filter((_, other) => other !== index));
      settle(index === -1 ? 0 : 1);
    },
    onNoWorkers: () => settle(left),
  };
  return trial;
}

async function run(pool: FileReaderPool, trial: Trial): Promise<Trial> {
  pool.join(trial);
  await trial.ended;
  pool.leave(trial);
  return trial;
}

test('the worker pool skips a file that exceeds the CPU limit and reads the other files of its job', async () => {
  expect(await run(createPool(), readingOf(['a', 'stuck', 'b']))).toMatchObject({ read: ['a', 'b'], lost: ['stuck'] });
});

test.each(['fatal', 'hungry'])('the worker pool replaces a worker that ended because of a file (%s)', async path => {
  const pool = createPool();
  expect((await run(pool, readingOf(['a', path, 'b']))).lost).toEqual([path]);
  expect((await run(pool, readingOf(['c']))).read).toEqual(['c']);
});

test('the worker pool waits longer for a file that uses no CPU time, because the disk may be slow', async () => {
  expect((await run(createPool(), readingOf(['idle']))).read).toEqual(['idle']);
});

test('the worker pool does not terminate a worker during work whose duration is limited', async () => {
  expect((await run(createPool(), readingOf(['sure']))).read).toEqual(['sure']);
});

test('the worker pool interrupts background work for a call and continues it later', async () => {
  const pool = createPool();
  const later = readingOf(['long'], { isBackground: true });
  const background = run(pool, later);
  // The only worker is busy when each of these calls starts, or becomes busy soon after.
  while (later.read.length === 0) expect((await run(pool, readingOf(['a']))).read).toEqual(['a']);
  await background;
  expect(later.read).toEqual(['long']);
});

test('the worker pool runs jobs of the call that has used the least worker time first', async () => {
  const pool = createPool();
  const order: string[] = [];
  const note = (name: string) => (): void => void order.push(name);
  const big = readingOf(['b'], { spentMs: 300 });
  const small = readingOf(['s'], { spentMs: 10 });
  const first = run(pool, readingOf(['f'])).then(note('first'));
  const others = [run(pool, big).then(note('big')), run(pool, small).then(note('small'))];
  await Promise.all([first, ...others]);
  expect(order).toEqual(['first', 'small', 'big']);
});

test('the worker pool keeps one worker free for calls that have used little worker time', async () => {
  const pool = createPool(2);
  const [one, other] = [readingOf(['long'], { spentMs: 5000 }), readingOf(['long'], { spentMs: 5000 })];
  pool.join(one);
  pool.join(other);
  // Both calls use a worker until they are stopped, but a small call must still get a worker.
  expect((await run(pool, readingOf(['a']))).read).toEqual(['a']);
  expect(other.read).toEqual([]);
});

test('the worker pool stops the job of a cancelled call after the current file', async () => {
  const pool = createPool();
  const trial = readingOf(['long', 'a']);
  pool.join(trial);
  pool.leave(trial);
  const next = await run(pool, readingOf(['b']));
  expect(next.read).toEqual(['b']);
  expect(trial.read).not.toContain('a');
});

test('the worker pool starts no further jobs of a call that has ended', async () => {
  const pool = createPool();
  const trial = readingOf(['long', 'a']);
  pool.join(trial);
  trial.isOver = true;
  expect((await run(pool, readingOf(['b']))).read).toEqual(['b']);
  expect(trial.read).not.toContain('a');
});

test('the worker pool marks no file as unreadable and ends the call if no worker can be started', async () => {
  const pool = new FileReaderPool('process.exit(1)', 2);
  onTestFinished(() => pool.close());
  expect(await run(pool, readingOf(['a', 'b']))).toMatchObject({ read: [], lost: [] });
});
