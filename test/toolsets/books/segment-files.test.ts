import { constants, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCheckpoints } from '../../../src/toolsets/books/library/checkpoints.ts';
import { JournalTail } from '../../../src/toolsets/books/library/journal-tail.ts';
import { openDiskBackend } from '../../../src/toolsets/books/library/library.ts';
import { firstChainHash, type JournalRecordDraft, JournalState } from '../../../src/toolsets/books/model/journal.ts';
import { JournalRecordChain } from '../../../src/toolsets/books/model/record-chain.ts';
import { formatSegmentFileName } from '../../../src/toolsets/books/model/segment.ts';
import { OpenFolder } from '../../../src/toolsets/books/storage/disk/folder.ts';
import { openLibraryRoot } from '../../../src/toolsets/books/storage/disk/root.ts';
import { JournalSegmentFiles } from '../../../src/toolsets/books/storage/disk/segment-files.ts';
import { countOpenDescriptors } from '../../support/descriptors.ts';
import { sha256, type TemporaryLibrary, temporaryLibrary } from './support/library.ts';

const book = 'graphs';
const segmentBytes = 1 << 20;
const forWriting = constants.O_RDWR | constants.O_APPEND;
const modes = { folder: 0o700, file: 0o600 };
const keyOf = (segment: number): string => `.oj-books/${book}/journal/${formatSegmentFileName(segment)}`;

interface Journal {
  library: TemporaryLibrary;
  files: JournalSegmentFiles;
  /** Opens the journal as another process does. */
  reopen: () => JournalSegmentFiles;
}

/** Opens a journal whose segments have these contents. */
function openJournal(segments: Readonly<Record<number, string>>): Journal {
  const library = temporaryLibrary('memory');
  onTestFinished(() => library[Symbol.dispose]());
  library.put(`.oj-books/${book}/other`, '');
  for (const [number, text] of Object.entries(segments)) library.put(keyOf(Number(number)), text);
  const root = openLibraryRoot(library.root);
  const { storage, internal } = openDiskBackend(root, Date.now);
  const reopen = (): JournalSegmentFiles => {
    const folder = OpenFolder.open(root, ['.oj-books', book]);
    const files = new JournalSegmentFiles(folder, createCheckpoints(storage, internal, book), forWriting);
    onTestFinished(() => {
      files.close();
      folder?.close();
    });
    return files;
  };
  return { library, files: reopen(), reopen };
}

async function listLines(batches: ReturnType<JournalSegmentFiles['lines']>): Promise<[number, string[]][]> {
  const list: [number, string[]][] = [];
  for await (const { segment, lines } of batches)
    list.push([segment, Array.from(lines, ({ bytes }) => bytes.toString())]);
  return list;
}

test('a journal lists its segments with versions, and yields the lines of one segment or of all after it', async () => {
  const { library, files, reopen } = openJournal({ 1: 'a\nb\n', 2: 'c\n', 4: '', 5: 'd\nunfinished' });
  library.put(`.oj-books/${book}/journal/README.md`, 'x');
  const before = await files.segments();
  expect(before.map(({ number }) => number)).toEqual([1, 2, 4, 5]);
  library.put(keyOf(2), 'changed\n');
  const after = await reopen().segments();
  expect(after.map(({ version }, index) => version === before[index]?.version)).toEqual([true, false, true, true]);
  const [one, two, five] = [
    [
      [1, []],
      [1, ['a', 'b']],
    ],
    [
      [2, []],
      [2, ['changed']],
    ],
    [
      [5, []],
      [5, ['d']],
    ],
  ];
  expect(await listLines(reopen().linesAfter(0))).toEqual([...(one ?? []), ...(two ?? []), [4, []], ...(five ?? [])]);
  expect(await listLines(reopen().linesAfter(2))).toEqual([[4, []], ...(five ?? [])]);
  expect(await listLines(reopen().linesAfter(5))).toEqual([]);
  expect(await listLines(reopen().lines(1))).toEqual(one);
  expect([await listLines(reopen().lines(0)), await listLines(reopen().lines(3))]).toEqual([[], []]);
});

test.each<[name: string, segment: number, end: number, length: number, text: string, expected: boolean]>([
  ['the first line', 1, 4, 3, 'abc', true],
  ['another text', 1, 4, 3, 'abd', false],
  ['the last line', 1, 7, 2, 'de', true],
  ['a line behind the end', 1, 8, 2, 'de', false],
  ['a line of a missing segment', 3, 4, 3, 'abc', false],
  ['the start of the second segment', 2, 0, 0, 'de', true],
  ['the start of the second segment after another line', 2, 0, 0, 'abc', false],
  ['a line of segment 0', 0, 0, 0, '', false],
])('isAt is right for %s', async (_, segment, end, length, text, expected) => {
  const { files } = openJournal({ 1: 'abc\nde\n', 2: 'f\n' });
  expect(await files.isAt({ segment, end, length }, sha256(text))).toBe(expected);
});

test('isAt is right for the start of the journal, and for a line that is too long to be read again', async () => {
  const long = 'x'.repeat(segmentBytes);
  const { files, reopen } = openJournal({ 1: `${long}\n`, 2: `${long}x\n` });
  const at = async (segment: number, end: number, length: number, hash: string) =>
    await reopen().isAt({ segment, end, length }, hash);
  expect(await files.isAt({ segment: 1, end: 0, length: 0 }, firstChainHash)).toBe(true);
  expect(await at(1, 0, 0, sha256(''))).toBe(false);
  expect(await at(1, segmentBytes + 1, segmentBytes, sha256(long))).toBe(true);
  expect(await at(1, segmentBytes + 1, segmentBytes, sha256('other'))).toBe(false);
  expect(await at(2, segmentBytes + 2, segmentBytes + 1, sha256('other'))).toBe(true);
  expect(await at(2, segmentBytes + 3, segmentBytes + 2, sha256('other'))).toBe(false);
});

test('newLines yields the lines after a position, and continues in the next segment only after a full one', async () => {
  const full = `${'x'.repeat(segmentBytes - 3)}\na\n`;
  expect(full).toHaveLength(segmentBytes);
  const newLines = async (segments: Record<number, string>, end: number): Promise<unknown> => {
    const lines = await listLines(openJournal(segments).files.newLines({ segment: 1, end, length: 1 }));
    return lines.map(([segment, texts]) => [segment, texts.map(text => text.slice(0, 9))]);
  };
  expect(await newLines({ 1: 'a\nb\nc\n' }, 2)).toEqual([[1, ['b', 'c']]]);
  expect(await newLines({ 1: 'a\nb\n' }, 4)).toEqual([]);
  expect(await newLines({}, 4)).toEqual([]);
  expect(await newLines({ 1: full, 2: 'b\n' }, segmentBytes - 2)).toEqual([
    [1, ['a']],
    [2, []],
    [2, ['b']],
  ]);
  expect(await newLines({ 1: full }, segmentBytes - 2)).toEqual([[1, ['a']]]);
  expect(await newLines({ 1: full.slice(1), 2: 'b\n' }, segmentBytes - 3)).toEqual([[1, ['a']]]);
  expect(await newLines({ 1: full, 3: 'b\n' }, segmentBytes)).toEqual([]);
});

const note = (text: string): JournalRecordDraft => ({
  kind: 'note',
  agent: 'ada',
  operation: 'read_content',
  path: text,
  user: '__base__',
  prev: null,
  new: null,
  status: 'success',
});

/** Returns journal lines with a total size, of which the last line is a part. */
function linesOfSize(size: number): string {
  const chainOf = (text: string): string => {
    const chain = new JournalRecordChain({ state: new JournalState(), chain: firstChainHash }, book, 'fs', 1000);
    chain.add([note(text)]);
    return chain.bytes.toString();
  };
  return chainOf('x'.repeat(size - chainOf('').length));
}

test.each([
  [segmentBytes - 1, 1],
  [segmentBytes, 2],
  [segmentBytes + 1, 2],
])(
  'records after a segment of %i bytes are appended to segment %i, and an incomplete line is removed',
  async (size, segment) => {
    const text = linesOfSize(size);
    const { library, files } = openJournal({ 1: `${text}incomplete` });
    const checkpoint = (number: number): string => `.oj-books/${book}/state/${formatSegmentFileName(number)}.gz`;
    for (const number of [7, 8, 9]) library.put(checkpoint(number), 'damaged');
    const tail = new JournalTail();
    const before = countOpenDescriptors();
    await tail.refresh(files);
    await files.prepare(tail, modes);
    expect(library.read(keyOf(1))?.toString()).toBe(text);
    const chain = new JournalRecordChain(tail, book, 'fs', 2000);
    chain.add([note('next'), note('last')]);
    expect(await tail.append(files, chain)).toBe(true);
    await files.sync();
    expect(library.read(keyOf(segment))?.toString()).toBe(
      segment === 1 ? text + chain.bytes.toString() : chain.bytes.toString(),
    );
    expect([tail.last.segment, tail.state.seq, tail.chain]).toEqual([segment, 3, sha256(chain.lines[1] ?? '')]);
    expect(library.audit(book)).toEqual([]);
    // At the start of a segment, all checkpoints except the last two are deleted.
    const left = [1, 7, 8, 9].filter(number => library.read(checkpoint(number)) !== undefined);
    expect(left).toEqual(segment === 1 ? [7, 8, 9] : [8, 9]);
    files.close();
    expect(countOpenDescriptors()).toBe(before);
    expect(statSync(path.join(library.root, keyOf(segment))).mode & 0o777).toBe(
      segment === 1 ? 0o644 & ~process.umask() : 0o600,
    );
  },
);

test('a new journal starts with segment 1, whose folder and file have the given modes', async () => {
  const { library, files } = openJournal({});
  const tail = new JournalTail();
  const before = countOpenDescriptors();
  await tail.refresh(files);
  await files.prepare(tail, modes);
  const chain = new JournalRecordChain(tail, book, 'fs', 1000);
  chain.add([note('first')]);
  expect([await tail.append(files, chain), library.journal(book).length]).toEqual([true, 1]);
  const modeOf = (key: string): number => statSync(path.join(library.root, key)).mode & 0o777;
  expect([modeOf(keyOf(1)), modeOf(path.dirname(keyOf(1)))]).toEqual([0o600, 0o700]);
  expect(library.read(`.oj-books/${book}/state/000000000001.jsonl.gz`)).toBeUndefined();
  files.close();
  files.close();
  expect(countOpenDescriptors()).toBe(before);
});

test('nothing is appended to a journal that another process has changed, and none without a segment', async () => {
  const { library, files, reopen } = openJournal({ 1: linesOfSize(1000) });
  const tail = new JournalTail();
  await tail.refresh(files);
  await files.prepare(tail, modes);
  const file = path.join(library.root, keyOf(1));
  const text = readFileSync(file, 'utf8');
  const chain = new JournalRecordChain(tail, book, 'fs', 2000);
  chain.add([note('x')]);
  for (const other of [`${text}y\n`, text.slice(0, -1)]) {
    writeFileSync(file, other);
    await expect(tail.append(files, chain)).rejects.toThrow('Another process has taken over the journal.');
    expect(readFileSync(file, 'utf8')).toBe(other);
  }
  await expect(reopen().append(chain.bytes, tail.last)).rejects.toThrow('no journal segment is open');
  const none = new JournalSegmentFiles(undefined, files.checkpoints);
  expect([await none.segments(), await listLines(none.linesAfter(0))]).toEqual([[], []]);
  await expect(none.prepare(new JournalTail(), modes)).rejects.toThrow('has no metadata folder');
});

test.each([
  [10, 0, 5, true],
  [9, 0, 5, true],
  [10, 0, 20, true],
  [10, 0, 21, false],
  [10, 5, 10, true],
  [10, 5, 11, false],
])(
  'after %i records, a checkpoint after record %i and with %i files, a checkpoint is due: %s',
  (seq, saved, count, isDue) => {
    const { files } = openJournal({});
    const tail = new JournalTail();
    tail.state.seq = seq;
    Object.defineProperty(tail, 'saved', { value: { segment: 0, seq: saved } });
    for (let number = 0; number < count; number++) {
      const place = { book, path: `content/${number}.md`, user: undefined };
      tail.state.setFile({ place, hash: null, changedMs: 0, agent: 'ada' });
    }
    expect(files.isCheckpointDue(tail)).toBe(isDue);
  },
);
