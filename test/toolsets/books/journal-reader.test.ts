import { expect, test } from 'vitest';
import {
  compressCheckpoint,
  decompressCheckpoint,
  findLastLine,
  findLatestCheckpoint,
  type JournalSegmentReader,
  replayJournalUpTo,
} from '../../../src/toolsets/books/library/checkpoints.ts';
import { JournalLineSplitter, JournalReader } from '../../../src/toolsets/books/library/journal-reader.ts';
import { firstChainHash, type JournalRecordDraft, JournalState } from '../../../src/toolsets/books/model/journal.ts';
import { JournalRecordChain } from '../../../src/toolsets/books/model/record-chain.ts';
import { type Checkpoint, serializeCheckpoint } from '../../../src/toolsets/books/model/segment.ts';
import { sha256 } from './support/library.ts';

const mebibyte = 1 << 20;

/** Splits chunks into lines and copies them, because lines reuse the buffer of their chunk. */
function splitLines(chunks: readonly string[]): { text: string; length: number; hash: string }[] {
  const splitter = new JournalLineSplitter();
  return chunks.flatMap(chunk =>
    Array.from(splitter.add(Buffer.from(chunk)), ({ bytes, length, hash }) => ({
      text: bytes.toString(),
      length,
      hash: hash(),
    })),
  );
}

const line = (text: string) => ({ text, length: Buffer.byteLength(text), hash: sha256(text) });

test.each([
  ['no line feed', ['abc'], []],
  ['several lines', ['a\nb\n\nc\n'], ['a', 'b', '', 'c']],
  ['a line in three chunks', ['a', 'b', 'c\nd\n'], ['abc', 'd']],
  ['a line feed of its own', ['a', '\n', '\n', 'b', '\n'], ['a', '', 'b']],
  ['a character in two chunks', ['é', 'é\n'], ['éé']],
  ['an unfinished last line', ['a\nb'], ['a']],
])('JournalLineSplitter yields the complete lines of chunks with %s', (_, chunks, lines) => {
  expect(splitLines(chunks)).toEqual(lines.map(line));
});

test.each([
  [[mebibyte], 'complete'],
  [[mebibyte - 1, 1], 'complete'],
  [[mebibyte + 1], 'empty'],
  [[1, mebibyte], 'empty'],
  [[mebibyte, 1, 5], 'empty'],
])('JournalLineSplitter only hashes a line that begins with chunks of more than 1 MiB: %j', (sizes, expected) => {
  const chunks = sizes.map((size, index) => 'abc'.charAt(index).repeat(size));
  const text = chunks.join('');
  const long = { ...line(`${text}x`), text: expected === 'empty' ? '' : `${text}x` };
  expect(splitLines([...chunks, 'x\ny\n', ...chunks, 'x\nz', '\n'])).toEqual([long, line('y'), long, line('z')]);
});

const place = { book: 'graphs', path: 'content/a.md', user: undefined };
const facts = { agent: 'ada', operation: 'write_content', user: '__base__', path: place.path, status: 'success' };
const found = (next: string | null): JournalRecordDraft => ({ kind: 'external', ...facts, prev: null, new: next });
const note: JournalRecordDraft = { kind: 'note', ...facts, prev: null, new: null };

/** A journal of three segments with two lines each, and the state after each line. */
function sampleJournal() {
  const drafts = [found('1'), note, found('2'), found(null), note, found('3')];
  const chain = new JournalRecordChain({ state: new JournalState(), chain: firstChainHash }, 'graphs', 'fs', 1000);
  chain.add(drafts);
  const stateAfter = (count: number): JournalState => {
    const state = new JournalState();
    for (const record of chain.records.slice(0, count)) state.apply(record);
    return state;
  };
  const checkpointAfter = (count: number): Checkpoint => ({
    state: stateAfter(count),
    chain: sha256(chain.lines[count - 1] ?? ''),
  });
  return { lines: chain.lines, stateAfter, checkpointAfter };
}

type Saved = ReadonlyMap<number, Checkpoint | undefined>;

/** Reads the segments of the sample journal, and records which ones were read. */
function segmentsOf(lines: readonly string[], saved: Saved): JournalSegmentReader & { read: number[] } {
  const read: number[] = [];
  async function* linesIn(segment: number) {
    const own = lines.slice(segment * 2 - 2, segment * 2);
    if (segment < 1 || own.length === 0) return;
    read.push(segment);
    for (const text of own) yield { segment, lines: new JournalLineSplitter().add(Buffer.from(`${text}\n`)) };
  }
  const none = async (): Promise<void> => {};
  return {
    read,
    checkpoints: {
      numbers: async () => [...saved.keys()],
      read: async segment => saved.get(segment),
      save: none,
      deleteOld: none,
    },
    segments: async () => [],
    lines: linesIn,
    async *linesAfter(after) {
      for (let segment = after + 1; segment <= lines.length / 2; segment++) yield* linesIn(segment);
    },
  };
}

const facetsOf = ({ seq, lastMs, files }: JournalState) => [seq, lastMs, [...files.values()]];

test.each([0, 1, 2, 3, 4, 5, 6, 7])('JournalReader replays the records up to number %i', upTo => {
  const { lines, stateAfter } = sampleJournal();
  const reader = new JournalReader();
  const size = Buffer.byteLength(lines.join('\n')) + 1;
  const added = reader.add(new JournalLineSplitter().add(Buffer.from(`${lines.join('\n')}\n`)), upTo);
  expect(added).toEqual({ size, length: lines.at(-1)?.length });
  expect(reader.chain).toBe(sha256(lines.at(-1) ?? ''));
  // A note that is followed by other lines is not replayed, because it changes only the number of the last record.
  const number = upTo === 2 || upTo === 5 ? upTo - 1 : upTo;
  expect(facetsOf(reader.state)).toEqual(facetsOf(stateAfter(number)));
});

test('JournalReader keeps its state and chain if there are no lines, and ignores lines that are no records', () => {
  const reader = new JournalReader();
  expect([reader.add([]), reader.chain]).toEqual([{ size: 0, length: 0 }, firstChainHash]);
  expect(reader.add(new JournalLineSplitter().add(Buffer.from('x\n\n')))).toEqual({ size: 3, length: 0 });
  expect([reader.state.seq, reader.chain]).toEqual([0, sha256('')]);
});

const { lines: sample, stateAfter, checkpointAfter } = sampleJournal();

test.each<[name: string, saved: Saved]>([
  ['no checkpoint', new Map()],
  ['a checkpoint after segment 1', new Map([[1, checkpointAfter(2)]])],
  [
    'checkpoints after segments 2 and 1',
    new Map([
      [2, checkpointAfter(4)],
      [1, checkpointAfter(2)],
    ]),
  ],
  [
    'a damaged checkpoint after segment 2',
    new Map([
      [2, undefined],
      [1, checkpointAfter(2)],
    ]),
  ],
])('replayJournalUpTo with %s reads only the segments after it that it needs', async (_, saved) => {
  for (let seq = 0; seq <= 6; seq++) {
    const segments = segmentsOf(sample, new Map([...saved].map(([number, one]) => [number, copyOf(one)])));
    const state = await replayJournalUpTo(segments, seq);
    const start = [...saved].find(([, one]) => one !== undefined && one.state.seq <= seq)?.[0] ?? 0;
    expect(segments.read).toEqual([1, 2, 3].filter(segment => segment > start && segment * 2 - 2 < seq));
    expect(state.file(place)).toEqual(stateAfter(seq).file(place));
    expect(state.seq).toBeLessThanOrEqual(seq);
  }
});

/** Copies a checkpoint, because a replay continues its state. */
function copyOf(checkpoint: Checkpoint | undefined): Checkpoint | undefined {
  if (checkpoint === undefined) return undefined;
  const reader = new JournalReader(new JournalState());
  reader.add(new JournalLineSplitter().add(Buffer.from(`${sample.slice(0, checkpoint.state.seq).join('\n')}\n`)));
  return { state: reader.state, chain: checkpoint.chain };
}

test.each<[name: string, saved: Saved, segment: number | undefined]>([
  ['no checkpoint', new Map(), undefined],
  [
    'two valid checkpoints',
    new Map([
      [3, checkpointAfter(6)],
      [2, checkpointAfter(4)],
    ]),
    3,
  ],
  [
    'a latest checkpoint of another journal',
    new Map([
      [3, checkpointAfter(5)],
      [2, checkpointAfter(4)],
    ]),
    2,
  ],
  [
    'a damaged latest checkpoint',
    new Map([
      [3, undefined],
      [1, checkpointAfter(2)],
    ]),
    1,
  ],
  ['a checkpoint after a missing segment', new Map([[4, checkpointAfter(6)]]), undefined],
])('findLatestCheckpoint with %s returns the position of the last line before it', async (_, saved, segment) => {
  const own = segment === undefined ? [] : sample.slice(segment * 2 - 2, segment * 2);
  const end = Buffer.byteLength(own.join('\n')) + 1;
  const expected = segment && { checkpoint: saved.get(segment), last: { segment, end, length: own[1]?.length } };
  expect(await findLatestCheckpoint(segmentsOf(sample, saved))).toEqual(expected);
});

test('findLastLine returns the last line of a segment, and undefined for a missing segment', async () => {
  const segments = segmentsOf(sample, new Map());
  const last = await findLastLine(segments, 2);
  expect(last?.hash).toBe(sha256(sample[3] ?? ''));
  expect(await findLastLine(segments, 4)).toBeUndefined();
});

test('a checkpoint of more than one batch of lines is the same after compression, and damaged ones are rejected', async () => {
  const state = new JournalState();
  for (let number = 0; number < 2000; number++)
    state.setFile({
      place: { ...place, path: `content/${number}.md` },
      hash: sha256(`${number}`),
      changedMs: 1,
      agent: 'a',
    });
  const packed = await compressCheckpoint({ state, chain: 'c' });
  async function* chunksOf(bytes: Buffer) {
    // All chunks share one buffer, as those of a file do.
    const shared = Buffer.alloc(1000);
    for (let at = 0; at < bytes.length; at += shared.length) yield shared.subarray(0, bytes.copy(shared, 0, at));
  }
  const copy = await decompressCheckpoint(chunksOf(packed));
  expect(copy && [...serializeCheckpoint(copy)]).toEqual([...serializeCheckpoint({ state, chain: 'c' })]);
  expect(await decompressCheckpoint(chunksOf(packed.subarray(0, -100)))).toBeUndefined();
  expect(await decompressCheckpoint(chunksOf(Buffer.from('not packed')))).toBeUndefined();
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield packed;
    throw new TypeError('a bug');
  }
  await expect(decompressCheckpoint(failing())).rejects.toThrow('a bug');
});
