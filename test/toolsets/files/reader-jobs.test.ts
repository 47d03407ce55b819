import { mkdirSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { parseQuery } from '../../../src/toolsets/files/query/parse.ts';
import { createAllWordsStage } from '../../../src/toolsets/files/query/plan.ts';
import { type CompressedText, decompressTextIfUnchanged } from '../../../src/toolsets/files/workers/compressed-text.ts';
import { startReaderThread } from '../../../src/toolsets/files/workers/reader.ts';
import {
  fileStatuses,
  type ReaderAnswer,
  type ReaderJob,
  sharedMemoryFields,
} from '../../../src/toolsets/files/workers/reader-job.ts';
import { line, pdf } from '../../documents/pdf.ts';
import { createFolder } from './open-files.ts';

const unnamedFont =
  '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [ << /Subtype /CIDFontType2 /CIDSystemInfo << /Ordering (Identity) >> >> ] >>';

/** A PDF of whose text most characters are missing, because a font does not state its characters. */
function partialPdf(text: string): Buffer {
  const missing = `BT /F2 12 Tf 50 600 Td <${'0041'.repeat(60)}> Tj ET`;
  return pdf({ pages: [`${line(text)} ${missing}`], extra: [unnamedFont], resources: '/F2 4 0 R' });
}

const contents = {
  'both.txt': 'The needle lies in the haystack.\nAn invoice is another line.',
  'one.txt': 'A needle, and many other words.',
  'none.txt': 'Nothing of it.',
  'empty.txt': '',
  'binary.txt': `needle${'\0'.repeat(400)}`,
  'photo.png': 'needle',
  'page.html': '<p>nee<b>dle</b> and invoice</p>',
  'attribute.html': '<p title="needle invoice">text</p>',
  'mail.eml': 'Subject: needle\n\ninvoice',
  'document.pdf': pdf({ pages: [line('needle'), line('invoice')] }),
  'partial.pdf': partialPdf('needle invoice'),
  'other.pdf': pdf({ pages: [line('other')] }),
  'damaged.docx': 'needle',
  'damaged.pages': 'needle',
  script: '#!/bin/sh\nneedle',
  unnamed: pdf({ pages: [line('needle')] }),
};
const absent = ['missing.txt', 'folder.txt', 'link.txt', 'large.txt'];
const names = [...Object.keys(contents), ...absent];

function createReadFolder(): string {
  const root = createFolder({ ...contents, 'large.txt': 'x '.repeat(10_000) });
  mkdirSync(path.join(root, 'folder.txt'));
  symlinkSync(path.join(root, 'both.txt'), path.join(root, 'link.txt'));
  truncateSync(path.join(root, 'large.txt'), 50 * 1024 * 1024 + 1);
  return root;
}

/** Replaces the clock, because a worker returns a job early if it takes long. Each reading advances it by a step. */
function mockClock(): { stepMs: number } {
  const clock = { stepMs: 0 };
  let now = 0;
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => (now += clock.stepMs));
  onTestFinished(() => spy.mockRestore());
  return clock;
}

/** Runs the code of a worker in the thread of the test. */
function createWorker(): { state: Int32Array; run: (job: ReaderJob) => Promise<ReaderAnswer> } {
  const { port1, port2 } = new MessageChannel();
  const state = new Int32Array(new SharedArrayBuffer(4 * sharedMemoryFields.count));
  startReaderThread(port2, state);
  onTestFinished(() => port1.close());
  const run = async (job: ReaderJob): Promise<ReaderAnswer> => {
    const answered = new Promise<ReaderAnswer>(resolve => port1.once('message', resolve));
    port1.postMessage({ ...job, paths: job.paths.join('\0') });
    return await answered;
  };
  return { state, run };
}

/** Returns the compressed text of each file in an answer, or undefined for a file without one. */
function textsOf(root: string, { textLengths, texts }: ReaderAnswer): (CompressedText | undefined)[] {
  let at = 0;
  return names.map((name, index) => {
    const length = textLengths[index] ?? 0;
    const bytes = texts.slice(at, (at += length));
    return length === 0 ? undefined : { stat: statSync(path.join(root, name)), bytes };
  });
}

function listAnswer(root: string, answer: ReaderAnswer): string[] {
  const { done, statuses, stats, signatureLengths, partly, qualities, closeness, newWords } = answer;
  const texts = textsOf(root, answer);
  const lines = names.map((name, index) => {
    const [mtimeMs, ctimeMs, size, ino] = stats.subarray(index * 4);
    const stat = statSync(path.join(root, name), { throwIfNoEntry: false });
    const hasStat = mtimeMs === stat?.mtimeMs && ctimeMs === stat?.ctimeMs && size === stat?.size && ino === stat?.ino;
    const known = texts[index];
    const text = known && decompressTextIfUnchanged(known, known.stat)?.toString();
    const facts = [hasStat ? 'stat' : `${mtimeMs} ${ino}`, signatureLengths[index], partly[index]];
    const match = [qualities[index]?.toString(4), closeness[index]];
    return `${name}: ${[fileStatuses[statuses[index] ?? 0], ...facts, ...match, JSON.stringify(text)].join(' ')}`;
  });
  const signed = signatureLengths.reduce((sum, length) => sum + length, 0) === answer.signatures.length;
  return [`${done} of ${names.length} ${signed} ${newWords.join(' ')}`, ...lines];
}

test('a worker returns the approved results for files of all kinds', async () => {
  const root = createReadFolder();
  const { run } = createWorker();
  mockClock();
  const { terms } = createAllWordsStage(parseQuery('needle invoice').words);
  const common = { allowedRoot: root, paths: names.map(name => path.join(root, name)), phrases: ['needle', 'invoice'] };
  const lines: string[] = [];
  const list = (title: string, answer: ReaderAnswer): void =>
    void lines.push(`> ${title}`, ...listAnswer(root, answer), '');
  const first = await run({ ...common, isSigning: false });
  list('phrases, without signatures', first);
  const texts = textsOf(root, first);
  list('phrases, with the cached texts', await run({ ...common, isSigning: false, texts }));
  list('phrases, with signatures', await run({ ...common, isSigning: true }));
  list('one phrase', await run({ ...common, phrases: ['needle'], isSigning: false, texts }));
  list('no phrase', await run({ ...common, phrases: [], isSigning: true, texts }));
  list('words', await run({ ...common, terms, isSigning: true, texts }));
  const { excerpts } = await run({ ...common, kind: 'excerpt', isSigning: false });
  lines.push('> excerpts', ...names.map((name, index) => `${name}: ${JSON.stringify(excerpts[index])}`), '');
  for (const name of ['document.pdf', 'none.txt', 'missing.txt']) {
    const { description } = await run({
      ...common,
      kind: 'describe',
      paths: [path.join(root, name)],
      isSigning: false,
    });
    lines.push(`> description of ${name}`, JSON.stringify(description));
  }
  const { done, description } = await run({ ...common, kind: 'describe', paths: [], isSigning: false });
  expect([done, description]).toEqual([0, undefined]);
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('approved/reader-jobs.txt');
});

test('a worker returns a job of texts after 12 ms, but only after a multiple of four files', async () => {
  const root = createReadFolder();
  const { run } = createWorker();
  const clock = mockClock();
  const paths = Array.from({ length: 14 }, () => path.join(root, 'one.txt'));
  const doneWith = async (stepMs: number): Promise<number> => {
    clock.stepMs = stepMs;
    return (await run({ allowedRoot: root, paths, phrases: ['needle'], isSigning: false })).done;
  };
  // The clock is read at the start and before the files 4, 8 and 12.
  expect([await doneWith(0), await doneWith(4), await doneWith(6), await doneWith(12), await doneWith(13)]).toEqual([
    14, 14, 12, 8, 4,
  ]);
});

test('a worker returns no excerpt and reads no further file after its job was stopped', async () => {
  const root = createReadFolder();
  const { state, run } = createWorker();
  const job = { allowedRoot: root, paths: [path.join(root, 'one.txt')], phrases: ['needle'], isSigning: false };
  Atomics.store(state, sharedMemoryFields.isStopped, 1);
  expect((await run({ ...job, kind: 'excerpt' })).excerpts).toEqual([undefined]);
  expect((await run(job)).done).toBe(0);
  Atomics.store(state, sharedMemoryFields.isStopped, 0);
  expect((await run({ ...job, kind: 'excerpt' })).excerpts).toEqual([
    { line: 1, text: 'A needle, and many other words.' },
  ]);
});
