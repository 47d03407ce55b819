import { describe, expect, test } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import type { FolderTableRows } from '../../../src/toolsets/files/index/folder.ts';
import { FileReadQueue, type ReadQueueEvents } from '../../../src/toolsets/files/index/work-queue.ts';
import { startCallTimeControl } from '../../../src/toolsets/files/workers/control.ts';
import {
  cpuLimitOfFirstAttemptMs,
  cpuLimitOfLastAttemptMs,
  type ReaderPoolJob,
} from '../../../src/toolsets/files/workers/job-source.ts';
import { FileReaderPool } from '../../../src/toolsets/files/workers/pool.ts';
import {
  createReaderAnswer,
  type FileStatus,
  fileStatuses,
  type ReaderAnswer,
} from '../../../src/toolsets/files/workers/reader-job.ts';
import { createFolder } from './open-files.ts';

const names = ['a.txt', 'b.txt', 'c.html', 'd.pdf', 'e.docx'];

/** Creates a queue whose jobs are taken by the test, because its pool has no worker. */
function createQueue({ isBackground = false } = {}) {
  const root = createFolder(Object.fromEntries(names.map(name => [name, ''])));
  const table = new FileTable(createFileTypeTable());
  const folder = table.enter(root);
  folder.list({}, names, table.signatures);
  const log: string[] = [];
  const events: ReadQueueEvents = {
    onRead: ({ path }, status, { qualities, closeness }) =>
      void log.push(`${path.slice(-5)} ${status} ${qualities} ${closeness}`),
    onKnown: ({ path }) => void log.push(`${path.slice(-5)} known`),
    onBatch: count => void log.push(`batch ${count}`),
  };
  const control = isBackground ? undefined : startCallTimeControl(600_000, () => {});
  control?.settle();
  const task = { allowedRoot: root, phrases: ['needle'] };
  const queue = new FileReadQueue(table, new FileReaderPool('', 0), task, control, events);
  queue.start();
  return { table, folder, queue, log, control };
}

function takeJob(queue: FileReadQueue): ReaderPoolJob {
  const job = queue.next();
  if (job === undefined) throw new Error('the queue has no job');
  return job;
}

const namesOf = ({ paths }: ReaderPoolJob): string => paths.map(path => path.slice(-5)).join(' ');

/** Returns the answer of a worker that read the first files of a job with these statuses. */
function answerOf(job: ReaderPoolJob, ...statuses: FileStatus[]): ReaderAnswer {
  const answer = createReaderAnswer(job.paths.length);
  for (const [index, status] of statuses.entries()) {
    answer.statuses[index] = fileStatuses.indexOf(status);
    answer.stats.set([1000 + index, 1000, 10, 7 + index], index * 4);
    answer.qualities[index] = 3 + index;
    answer.closeness[index] = 1 + index;
  }
  return { ...answer, done: statuses.length };
}

const addAll = (queue: FileReadQueue, folder: FolderTableRows, ...indexes: number[]): void => {
  for (const index of indexes) queue.files.add(folder, index);
};

describe('a queue of files', () => {
  test('sends texts before pages, and pages before documents, each in jobs that create signatures', () => {
    const { queue, folder } = createQueue();
    addAll(queue, folder, 0, 1, 2, 3, 4);
    const jobs = [takeJob(queue), takeJob(queue), takeJob(queue)];
    expect(jobs.map(namesOf)).toEqual(['b.txt a.txt', '.html', '.docx d.pdf']);
    expect(jobs.map(({ isSigning, cpuMs, texts, phrases }) => [isSigning, cpuMs, texts, phrases])).toEqual(
      jobs.map(() => [true, cpuLimitOfFirstAttemptMs, undefined, ['needle']]),
    );
    expect(queue.next()).toBeUndefined();
    expect(queue.isDone()).toBe(false);
  });

  test('sends the files that are read first without signatures, with the higher CPU limit and the cached texts', () => {
    const { queue, folder, table } = createQueue();
    folder.setStat(3, { mtimeMs: 1, ctimeMs: 2, size: 3, ino: 4 }, table.signatures);
    const text = { stat: folder.stat(3), bytes: Uint8Array.of(1) };
    table.texts.keep(folder.file(3), text);
    for (const index of [0, 3]) queue.files.first.add(folder, index);
    addAll(queue, folder, 1);
    const job = takeJob(queue);
    expect([namesOf(job), job.isSigning, job.cpuMs, job.texts]).toEqual([
      'd.pdf a.txt',
      false,
      cpuLimitOfLastAttemptMs,
      [text, undefined],
    ]);
    expect([queue.isDone(queue.files.first), queue.isDone(queue.files.texts)]).toEqual([false, false]);
    queue.onAnswer(job, answerOf(job, 'read', 'read'));
    expect([queue.isDone(queue.files.first), queue.isDone(queue.files.texts), queue.isDone()]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('reports each file of an answer, and puts back the files that were not read', () => {
    const { queue, folder, log } = createQueue();
    addAll(queue, folder, 0, 1);
    const job = takeJob(queue);
    queue.onAnswer(job, answerOf(job, 'match'));
    expect(log).toEqual(['b.txt match 3 1', 'batch 1']);
    expect([folder.stat(1).ino, queue.files.texts.size, queue.isDone()]).toEqual([7, 1, false]);
    queue.onAnswer(job, answerOf(job, 'read', 'read'));
    expect(log).toHaveLength(2); // the job has already ended
    const rest = takeJob(queue);
    queue.onAnswer(rest, answerOf(rest, 'binary'));
    expect(log.slice(2)).toEqual(['a.txt binary 3 1', 'batch 1']);
    expect([queue.next(), queue.isDone()]).toEqual([undefined, true]);
  });

  test('tells a file that another call has read in the meantime', () => {
    const { queue, folder, log, table } = createQueue();
    addAll(queue, folder, 0, 1);
    folder.setState(0, 'binary', table.signatures);
    expect([namesOf(takeJob(queue)), log]).toEqual(['b.txt', ['a.txt known']]);
  });

  test('parses a document a second time if the worker was lost, and gives it up at the second loss', () => {
    const { queue, folder, log, table } = createQueue();
    addAll(queue, folder, 3, 4);
    const first = takeJob(queue);
    expect([...table.documentsInProgress.values()]).toEqual([false, false]);
    queue.onWorkerLost(first, 1);
    expect([folder.state(3), queue.files.slow.size, queue.files.documents.size]).toEqual(['slow', 1, 1]);
    expect([log, [...table.documentsInProgress]]).toEqual([[], []]);
    const other = takeJob(queue);
    queue.onAnswer(other, answerOf(other, 'read'));
    const second = takeJob(queue);
    expect([namesOf(second), second.cpuMs, second.isSigning]).toEqual(['d.pdf', cpuLimitOfLastAttemptMs, true]);
    queue.onWorkerLost(second, 0);
    expect([folder.state(3), queue.isDone()]).toEqual(['unparsed', true]);
    expect(log).toEqual(['.docx read 3 1', 'batch 1', 'd.pdf unparsed 0 0']);
    queue.onWorkerLost(second, 0);
    expect(log).toHaveLength(3); // the job has already ended
  });

  test('puts back all files if the worker was lost before its first file', () => {
    const { queue, folder } = createQueue();
    addAll(queue, folder, 0, 1);
    const job = takeJob(queue);
    queue.onWorkerLost(job, -1);
    expect([folder.state(0), folder.state(1), namesOf(takeJob(queue))]).toEqual(['unknown', 'unknown', namesOf(job)]);
  });

  test('keeps the unread files after it was stopped, stores late results, and reports nothing', () => {
    const { queue, folder, log } = createQueue();
    addAll(queue, folder, 0, 1, 3);
    const [texts, documents] = [takeJob(queue), takeJob(queue)];
    queue.stop();
    queue.stop();
    expect([queue.files.texts.size, queue.files.documents.size]).toEqual([2, 1]);
    queue.onAnswer(texts, answerOf(texts, 'match', 'binary'));
    queue.onWorkerLost(documents, 0);
    expect([folder.stat(1).ino, folder.state(0), folder.state(3)]).toEqual([7, 'binary', 'slow']);
    expect([log, queue.files.texts.size, queue.files.documents.size, queue.files.slow.size]).toEqual([[], 2, 1, 0]);
  });

  test('waits until its condition is true, it is stopped, no worker can be started, or the call ends', async () => {
    const never = (): boolean => false;
    const stopped = createQueue();
    const waiting = stopped.queue.until(never);
    stopped.queue.stop();
    await waiting;
    const poor = createQueue({ isBackground: true });
    const poorWaiting = poor.queue.until(never);
    expect([poor.queue.hasNoWorkers, poor.queue.isBackground, poor.queue.isOver]).toEqual([false, true, false]);
    poor.queue.onNoWorkers();
    await poorWaiting;
    expect(poor.queue.hasNoWorkers).toBe(true);
    const cancelled = createQueue();
    const cancelledWaiting = cancelled.queue.until(never);
    expect([cancelled.queue.isOver, cancelled.queue.isBackground]).toEqual([false, false]);
    cancelled.control?.cancel();
    await cancelledWaiting;
    expect(cancelled.queue.isOver).toBe(true);
    const done = createQueue();
    addAll(done.queue, done.folder, 0);
    const doneWaiting = done.queue.until(() => done.queue.isDone());
    const job = takeJob(done.queue);
    done.queue.onAnswer(job, answerOf(job, 'read'));
    await doneWaiting;
  });
});
