import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createFileTypeTable } from '../../../src/documents/file-type.ts';
import { FileTable } from '../../../src/toolsets/files/index/file-table.ts';
import { type TableFile, tableFileAt } from '../../../src/toolsets/files/index/folder.ts';
import {
  markSlowDocument,
  markUnparsedDocument,
  storeReaderResults,
} from '../../../src/toolsets/files/index/reader-results.ts';
import { TrigramSignatureStore } from '../../../src/toolsets/files/index/signature-store.ts';
import { createReaderAnswer, type FileStatus, fileStatuses } from '../../../src/toolsets/files/workers/reader-job.ts';
import { createFolder } from './open-files.ts';

interface Given {
  status: FileStatus;
  stat?: readonly [mtimeMs: number, ctimeMs: number, size: number, ino: number];
  signature?: number;
  text?: number;
  isPartly?: boolean;
}

const changedAt = 50_000;
const usual = [40_000, changedAt, 3, 7] as const;

/** Stores the results of files in a new table, and returns the table with the reported statuses. */
function store(all: readonly Given[], sentAt = changedAt + 2100, prepare: (table: FileTable) => void = () => {}) {
  const table = new FileTable(createFileTypeTable());
  prepare(table);
  const folder = table.enter('/a');
  folder.list(
    {},
    all.map((_, index) => `${index}.pdf`),
    table.signatures,
  );
  const files = all.map((_, index): TableFile => tableFileAt(folder, index));
  const answer = { ...createReaderAnswer(all.length), newWords: ['word'] };
  for (const [index, { status, stat = usual, signature = 0, text = 0, isPartly = false }] of all.entries()) {
    answer.statuses[index] = fileStatuses.indexOf(status);
    answer.stats.set(stat, index * 4);
    answer.signatureLengths[index] = signature;
    answer.textLengths[index] = text;
    answer.partly[index] = isPartly ? 1 : 0;
  }
  answer.signatures = Uint8Array.from(all.flatMap(({ signature = 0 }, index) => Array<number>(signature).fill(index)));
  answer.texts = Uint8Array.from(all.flatMap(({ text = 0 }, index) => Array<number>(text).fill(index)));
  const told: string[] = [];
  storeReaderResults(table, files, answer, sentAt, ({ path }, status, index) =>
    told.push(`${path} ${status} ${index}`),
  );
  return { table, folder, files, told };
}

describe('the result of a worker', () => {
  test('is stored for each file with its own signature and text', () => {
    const { table, folder, files, told } = store([
      { status: 'read', signature: 8, text: 2 },
      { status: 'match', stat: [41_000, changedAt, 4, 8] },
      { status: 'read', signature: 16, text: 3, isPartly: true },
    ]);
    expect(told).toEqual(['/a/0.pdf read 0', '/a/1.pdf match 1', '/a/2.pdf partly 2']);
    expect([0, 1, 2].map(index => folder.state(index))).toEqual(['indexed', 'read', 'partly']);
    expect([0, 2].map(index => [...table.signatures.get(folder.signature(index))])).toEqual([
      Array<number>(8).fill(0),
      Array<number>(16).fill(2),
    ]);
    expect([0, 1, 2].map(index => table.textOf(`/a/${index}.pdf`)?.bytes)).toEqual([
      Uint8Array.of(0, 0),
      undefined,
      Uint8Array.of(2, 2, 2),
    ]);
    expect([files[0]?.mtimeMs, folder.stat(1), table.vocabulary.has('word')]).toEqual([
      40_000,
      { mtimeMs: 41_000, ctimeMs: changedAt, size: 4, ino: 8 },
      true,
    ]);
  });

  test.each([
    ['read', 'read'],
    ['match', 'read'],
    ['binary', 'binary'],
    ['tooLarge', 'tooLarge'],
    ['unparsed', 'unparsed'],
    ['online', 'online'],
  ] as const)('without a signature and with the status "%s" is stored as "%s"', (status, expected) => {
    expect(store([{ status }]).folder.state(0)).toBe(expected);
  });

  test.each([
    [2099, 'unknown', undefined],
    [2100, 'indexed', 1],
  ] as const)('for a file that was changed %i ms before the job is stored as "%s"', (ageMs, state, length) => {
    const { table, folder } = store([{ status: 'read', signature: 8, text: 1 }], changedAt + ageMs);
    expect([folder.state(0), folder.stat(0).ino, table.textOf('/a/0.pdf')?.bytes.length]).toEqual([state, 7, length]);
  });

  test.each([
    ['unreadable', [0, 0, 0, 0], 'unreadable'],
    ['read', [0, 0, 0, 0], 'read'],
    ['match', [0, 0, 0, 0], 'unknown'],
    ['binary', [0, 0, 0, 0], 'unknown'],
    ['binary', [0, 1, 0, 0], 'binary'],
    ['binary', [0, 0, 0, 1], 'binary'],
  ] as const)('with the status "%s" and the stat %j is stored as "%s"', (status, stat, expected) => {
    expect(store([{ status, stat }]).folder.state(0)).toBe(expected);
  });

  test('is stored without a signature if the memory for signatures is used up', () => {
    const { folder } = store([{ status: 'read', signature: 8 }], undefined, table =>
      Object.defineProperty(table.signatures, 'isFull', { value: true }),
    );
    expect(folder.state(0)).toBe('read');
  });
});

test('a document that takes too long is marked only if its file exists and still has its row', () => {
  const table = new FileTable(createFileTypeTable());
  const folder = table.enter(createFolder({ 'a.pdf': 'text', 'b.pdf': '' }));
  folder.list({}, ['a.pdf'], table.signatures);
  const file = tableFileAt(folder, 0);
  markSlowDocument(table, file);
  expect([folder.state(0), folder.stat(0).size]).toEqual(['slow', 4]);
  markUnparsedDocument(table, file);
  expect(folder.state(0)).toBe('unparsed');
  rmSync(file.path);
  markSlowDocument(table, file);
  expect(folder.state(0)).toBe('gone');
  folder.list({}, ['b.pdf'], table.signatures);
  markSlowDocument(table, file);
  expect([folder.state(0), folder.stat(0).ino]).toEqual(['unknown', 0]);
});

test('the store of signatures splits none between two buffers, also if it is created from their bytes', () => {
  const [mebibyte, first] = [1 << 20, new TrigramSignatureStore()];
  const half = first.add(new Uint8Array(mebibyte / 2).fill(1));
  const rest = first.add(new Uint8Array(mebibyte / 2).fill(2));
  const whole = first.add(new Uint8Array(mebibyte).fill(3));
  const small = first.add(new Uint8Array(1).fill(4));
  const large = first.add(new Uint8Array(mebibyte).fill(5));
  expect([half, rest, whole, small, large].map(reference => Math.floor(reference / 32) / mebibyte)).toEqual([
    0, 0.5, 1, 2, 3,
  ]);
  expect([first.bytes, first.isFull]).toEqual([4 * mebibyte, false]);
  const bytes = Buffer.alloc(4 * mebibyte);
  for (const reference of [half, rest, whole, small, large])
    bytes.set(first.get(reference), Math.floor(reference / 32));
  const second = new TrigramSignatureStore(bytes);
  for (const reference of [half, rest, whole, small, large]) {
    expect(Buffer.compare(second.get(reference), first.get(reference))).toBe(0);
    expect(first.get(reference).length).toBe(2 ** (reference % 32));
  }
  expect(second.bytes).toBe(4 * mebibyte);
});
