import { expect, onTestFinished, test } from 'vitest';
import type { ReaderJob } from '../../../src/toolsets/files/io/threads/reader-messages.ts';
import { ReaderPool } from '../../../src/toolsets/files/io/threads/reader-pool.ts';

/**
 * A reader that answers at once, but never comes back from a file named "stuck" and dies of one named "fatal"; "long" ends
 * when it is told to stop, "sure" says that it will take long.
 */
const source = `
const { parentPort, workerData } = require('node:worker_threads');
parentPort.on('message', sent => {
  const job = { paths: sent.paths === '' ? [] : sent.paths.split('\\0') };
  job.paths.forEach((path, index) => {
    Atomics.store(workerData.state, 0, index);
    if (path.startsWith('stuck')) for (;;);
    if (path === 'long') while (Atomics.load(workerData.state, 1) === 0);
    if (path === 'sure') { Atomics.store(workerData.state, 2, 1); for (const start = Date.now(); Date.now() < start + 3000;); }
    if (path === 'fatal') process.exit(1);
    if (path === 'hungry') { const all = []; for (;;) all.push(new Array(1e6).fill(path)); }
  });
  parentPort.postMessage({ statuses: new Uint8Array(job.paths.length).fill(1), paths: job.paths });
});`;

const job = (...paths: string[]): ReaderJob => ({ kind: 'sign', fence: '/', paths });
const always = { isOver: false };

/** Long enough for a thread to start on a busy machine. */
const deadlineMs = 1500;

function createPool(size = 1): ReaderPool {
  const pool = new ReaderPool(source, size, deadlineMs);
  onTestFinished(() => pool.close());
  return pool;
}

test('a file that holds a reader up costs its deadline; the others of its job are read', async () => {
  const batch = await createPool().run(job('a', 'stuck', 'b'), always);
  expect(batch?.paths).toEqual(['a', 'b']);
  expect(batch?.stuck).toEqual(['stuck']);
  expect(Array.from(batch?.answer.statuses ?? [])).toEqual([1, 1]);
});

test.each(['fatal', 'hungry'])('a reader that dies of a file (%s) is replaced', async path => {
  const pool = createPool();
  const batch = await pool.run(job('a', path, 'b'), always);
  expect(batch?.stuck).toEqual([path]);
  expect((await pool.run(job('c'), always))?.paths).toEqual(['c']);
});

test('several such files in one job each cost their deadline and no more', async () => {
  const batch = await createPool().run(job('stuck-1', 'a', 'stuck-2', 'fatal'), always);
  expect(batch?.paths).toEqual(['a']);
  expect(batch?.stuck.toSorted((left, right) => (left < right ? -1 : 1))).toEqual(['fatal', 'stuck-1', 'stuck-2']);
});

test('work nobody waits for any more is not begun', async () => {
  const pool = createPool();
  const interest = { isOver: false };
  const first = pool.run(job('stuck'), always);
  const second = pool.run(job('a'), interest);
  interest.isOver = true;
  expect(await second).toBeUndefined();
  expect((await first)?.stuck).toEqual(['stuck']);
});

test('a job nobody waits for any more goes no further than the file it is at', async () => {
  const interest = { isOver: false };
  const pool = createPool();
  const batch = pool.run(job('long', 'a'), interest);
  interest.isOver = true;
  expect((await batch)?.stuck).toEqual([]);
});

test('of a job nobody waits for any more it is still told which file took a reader down', async () => {
  const interest = { isOver: false };
  const pool = createPool();
  const batch = pool.run(job('stuck', 'a'), interest);
  interest.isOver = true;
  expect((await batch)?.stuck).toEqual(['stuck']);
});

test('what can wait gives way when somebody waits', async () => {
  const pool = createPool();
  const later = pool.runLater(job('long'), always);
  expect((await pool.run(job('a'), always))?.stuck).toEqual([]);
  expect((await later)?.stuck).toEqual([]);
});

test('what is sure to end is not given up', { timeout: 30_000 }, async () => {
  expect((await createPool().run(job('sure'), always))?.stuck).toEqual([]);
});

test('what can wait comes after what cannot', async () => {
  const pool = createPool();
  const order: string[] = [];
  const note = (name: string) => (): void => void order.push(name);
  await Promise.all([
    pool.run(job('first'), always).then(note('first')),
    pool.runLater(job('later'), always).then(note('later')),
    pool.run(job('second'), always).then(note('second')),
  ]);
  expect(order).toEqual(['first', 'second', 'later']);
});
