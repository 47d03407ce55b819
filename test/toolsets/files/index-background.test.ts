import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { BackgroundIndexer } from '../../../src/toolsets/files/index/background.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import type { FolderWalk } from '../../../src/toolsets/files/index/folder-walk.ts';
import type { ReaderJobSource, ReaderPoolJob } from '../../../src/toolsets/files/workers/job-source.ts';
import { FileReaderPool } from '../../../src/toolsets/files/workers/pool.ts';
import { createReaderAnswer, fileStatuses } from '../../../src/toolsets/files/workers/reader-job.ts';
import { createFolder } from './open-files.ts';

/** A pool without threads: the test takes the jobs of its sources and answers them. */
class ManualPool extends FileReaderPool {
  readonly joined: ReaderJobSource[] = [];
  readonly present = new Set<ReaderJobSource>();

  override join(source: ReaderJobSource): void {
    this.joined.push(source);
    this.present.add(source);
  }

  override leave(source: ReaderJobSource): void {
    this.present.delete(source);
  }

  get source(): ReaderJobSource {
    const source = this.joined.at(-1);
    if (source === undefined) throw new Error('the pool has no source');
    return source;
  }

  take(): ReaderPoolJob | undefined {
    return this.source.next();
  }

  answer(job: ReaderPoolJob | undefined): void {
    if (job === undefined) throw new Error('there is no job');
    const answer = createReaderAnswer(job.paths.length);
    answer.statuses.fill(fileStatuses.indexOf('binary'));
    for (const [index] of job.paths.entries()) answer.stats.set([1000, 1000, 1, 7 + index], index * 4);
    this.source.onAnswer(job, answer);
  }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function createIndexer(content: Record<string, string>) {
  const root = createFolder(content);
  const table = new FileTable(createFileTypeTable());
  const pool = new ManualPool('', 2);
  const done = vi.fn<() => void>();
  const indexer = new BackgroundIndexer(table, pool, done);
  const walk = table.walk(root);
  const pathsOf = (job: ReaderPoolJob | undefined): string[] | undefined =>
    job?.paths.map(path => path.slice(root.length + 1));
  return { root, table, pool, done, indexer, walk, pathsOf };
}

function callOnce(indexer: BackgroundIndexer, ...walks: FolderWalk[]): void {
  indexer.callBegins();
  for (const walk of walks) indexer.add(walk);
  indexer.callEnds();
}

/** Lets the pause after a call pass, and the indexing begin. */
async function pass(ms = 20): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise(resolve => void setImmediate(resolve));
}

describe('the background indexing', () => {
  test('lists the folders to their end, sends their files in order, and reports the end once all are read', async () => {
    const { pool, done, indexer, walk, pathsOf } = createIndexer({
      'b.txt': 'b',
      'a.txt': 'a',
      'deep/er/c.txt': 'c',
      'image.png': '',
      'x.bin': '',
    });
    walk.step();
    callOnce(indexer, walk);
    await pass();
    expect([walk.isComplete, pool.joined.length, pool.source.isBackground]).toEqual([true, 1, true]);
    const job = pool.take();
    const first = walk.listed[0]?.names.filter(name => name.endsWith('.txt')) ?? [];
    expect(pathsOf(job)?.filter(path => path.endsWith('.txt'))).toEqual([...first, 'deep/er/c.txt']);
    expect(pathsOf(job)).not.toContain('image.png');
    expect([pool.take(), pool.present.size]).toEqual([undefined, 1]);
    await pass();
    expect(done).not.toHaveBeenCalled();
    pool.answer(job);
    await pass();
    expect([done.mock.calls.length, pool.present.size]).toEqual([1, 0]);
    // The folders are forgotten: the next call alone starts nothing.
    callOnce(indexer);
    await pass(1000);
    expect([pool.joined.length, vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('sends no file that is already indexed', async () => {
    const { pool, table, indexer, walk, pathsOf } = createIndexer({ 'a.txt': 'a', 'b.txt': 'b' });
    walk.step();
    const folder = walk.listed[0];
    folder?.setState(folder.names.indexOf('a.txt'), 'binary', table.signatures);
    callOnce(indexer, walk);
    await pass();
    expect(pathsOf(pool.take())).toEqual(['b.txt']);
  });

  test('begins 20 ms after the last of several calls, and not during a call', async () => {
    const { pool, indexer, walk } = createIndexer({ 'a.txt': 'a' });
    indexer.callBegins();
    callOnce(indexer, walk);
    await pass(1000);
    expect(pool.joined).toEqual([]);
    indexer.callEnds();
    await pass(19);
    expect(pool.joined).toEqual([]);
    indexer.callBegins();
    await pass(1000);
    expect(pool.joined).toEqual([]);
    indexer.callEnds();
    await pass(19);
    expect(pool.joined).toEqual([]);
    callOnce(indexer);
    await pass(19);
    expect(pool.joined).toEqual([]);
    await pass(1);
    expect(pool.joined).toHaveLength(1);
  });

  test('stops for the next call without reporting the end, and continues after it', async () => {
    const { pool, done, indexer, walk, pathsOf } = createIndexer({ 'a.txt': 'a' });
    callOnce(indexer, walk);
    await pass();
    indexer.callBegins();
    await pass();
    expect([pool.present.size, done.mock.calls.length]).toEqual([0, 0]);
    indexer.callEnds();
    await pass();
    expect([pool.joined.length, pool.present.size]).toEqual([2, 1]);
    const job = pool.take();
    expect(pathsOf(job)).toEqual(['a.txt']);
    pool.answer(job);
    await pass();
    expect(done).toHaveBeenCalledTimes(1);
  });

  test('stops listing folders as soon as a call begins', async () => {
    const { pool, indexer, walk } = createIndexer({ 'a/a.txt': 'a', 'b/b.txt': 'b', 'c/c.txt': 'c' });
    const step = walk.step.bind(walk);
    vi.spyOn(walk, 'step').mockImplementation(() => {
      step();
      if (walk.listed.length === 2) indexer.callBegins();
    });
    callOnce(indexer, walk);
    await pass();
    expect([walk.listed.length, walk.isComplete, pool.joined]).toEqual([2, false, []]);
    indexer.callEnds();
    await pass();
    expect([walk.isComplete, pool.joined.length]).toEqual([true, 1]);
  });

  test('lets the server handle a message after some milliseconds of listing', async () => {
    const { indexer, walk } = createIndexer({ 'a/a.txt': 'a', 'b/b.txt': 'b', 'c/c.txt': 'c' });
    const step = walk.step.bind(walk);
    vi.spyOn(walk, 'step').mockImplementation(() => {
      step();
      vi.advanceTimersByTime(4);
    });
    callOnce(indexer, walk);
    setImmediate(() => indexer.callBegins());
    vi.advanceTimersByTime(20);
    await pass();
    expect([walk.listed.length, walk.isComplete]).toEqual([1, false]);
  });

  test('does not report the end if no worker thread can be started, and tries again after the next call', async () => {
    const { pool, done, indexer, walk } = createIndexer({ 'a.txt': 'a' });
    callOnce(indexer, walk);
    await pass();
    pool.source.onNoWorkers();
    await pass();
    expect(done).not.toHaveBeenCalled();
    callOnce(indexer);
    await pass();
    expect(pool.joined).toHaveLength(2);
  });

  test('ends although files are left if the memory for trigram signatures is used up', async () => {
    const { table, pool, done, indexer, walk } = createIndexer({ 'a.txt': 'a' });
    Object.defineProperty(table.signatures, 'isFull', { value: true });
    callOnce(indexer, walk);
    await pass();
    expect([done.mock.calls.length, pool.joined.length, pool.present.size]).toEqual([1, 1, 0]);
  });
});
