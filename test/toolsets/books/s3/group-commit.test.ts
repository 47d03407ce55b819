import { expect, test, vi } from 'vitest';
import { JournalLineSplitter, type SegmentLines } from '../../../../src/toolsets/books/library/journal-reader.ts';
import type { JournalStore } from '../../../../src/toolsets/books/library/journal-tail.ts';
import type { JournalRecord, JournalRecordDraft } from '../../../../src/toolsets/books/model/journal.ts';
import type { AuditNote } from '../../../../src/toolsets/books/model/record.ts';
import { createStorageFailure } from '../../../../src/toolsets/books/model/refusal.ts';
import { GroupCommit } from '../../../../src/toolsets/books/storage/s3/group-commit.ts';
import { findJournalErrors } from '../support/journal.ts';

const book = 'a-book';
const draftFor = (path: string, rest: Partial<JournalRecordDraft> = {}): JournalRecordDraft => ({
  kind: 'external',
  agent: 'ada',
  operation: 'external',
  path,
  user: '__base__',
  prev: null,
  new: null,
  status: 'success',
  ...rest,
});
const noteAbout = (path: string): AuditNote => ({
  agent: 'ada',
  operation: 'read_content',
  path,
  user: undefined,
  status: 'success',
  ms: 1,
});

/** A store that keeps its segments in memory. */
class MemoryStore implements JournalStore {
  readonly segmentTexts: string[] = [];
  readonly saved: number[] = [];
  isDue = false;
  /** Another writer that appends before the next write. */
  rival: (() => void) | undefined;
  readonly checkpoints: JournalStore['checkpoints'] = {
    numbers: async () => [],
    read: async () => undefined,
    save: async segment => void this.saved.push(segment),
    deleteOld: async () => {},
  };

  isCheckpointDue(): boolean {
    return this.isDue;
  }
  async isAt(): Promise<boolean> {
    return true;
  }
  async segments() {
    return this.segmentTexts.map((_, index) => ({ number: index + 1, version: '' }));
  }
  async *lines(segment: number): AsyncGenerator<SegmentLines> {
    yield { segment, lines: new JournalLineSplitter().add(Buffer.from(this.segmentTexts[segment - 1] ?? '')) };
  }
  async *linesAfter(segment: number): AsyncGenerator<SegmentLines> {
    for (let next = segment + 1; next <= this.segmentTexts.length; next++) yield* this.lines(next);
  }
  async *newLines({ segment }: { segment: number }): AsyncGenerator<SegmentLines> {
    yield* this.linesAfter(segment);
  }
  async append(bytes: Buffer, { segment }: { segment: number }): Promise<number | undefined> {
    const rival = this.rival;
    this.rival = undefined;
    rival?.();
    if (segment !== this.segmentTexts.length) return undefined;
    return this.segmentTexts.push(bytes.toString());
  }

  /** Returns the types and paths of the records in each segment. */
  get paths(): string[][] {
    return this.segmentTexts.map(text =>
      text
        .trimEnd()
        .split('\n')
        .map((line): string => {
          const { kind, path }: JournalRecord = JSON.parse(line);
          return `${kind} ${path}`;
        }),
    );
  }
}

/** Waits until the journal has finished the work of the records that were appended. */
const settled = async (): Promise<void> => await new Promise(resolve => setImmediate(resolve));

function openJournal(store = new MemoryStore(), requireWritable = async (): Promise<void> => {}) {
  const draftOf = ({ path }: AuditNote): JournalRecordDraft => draftFor(path, { kind: 'note' });
  const commits = new GroupCommit(store, book, () => 1000, { requireWritable, draftOf });
  const append = async (key: string | undefined, ...drafts: JournalRecordDraft[]) => {
    const records = await commits.append({ ...(key !== undefined && { key }), draft: () => drafts });
    return records?.map(({ seq }) => seq);
  };
  const errors = (): string[] => findJournalErrors(store.segmentTexts.flatMap(text => text.trimEnd().split('\n')));
  return { store, commits, append, errors };
}

test('records of different files share a segment, and those of one file and exclusive ones do not', async () => {
  const { store, commits, append, errors } = openJournal();
  const first = append('first', draftFor('first'));
  const exclusive = commits.append({ key: 'x', isExclusive: true, draft: () => [draftFor('x')] });
  expect(commits.isIdle).toBe(false);
  const others = [append('a', draftFor('a'), draftFor('a2')), append('b', draftFor('b')), append('a', draftFor('a3'))];
  const free = [append(undefined, draftFor('n')), append(undefined, draftFor('n'))];
  expect([await first, await Promise.all(others), await Promise.all(free)]).toEqual([
    [1],
    [[2, 3], [4], [8]],
    [[5], [6]],
  ]);
  // An exclusive record waits for the records before it and around it.
  expect((await exclusive)?.map(({ seq }) => seq)).toEqual([7]);
  expect(store.paths).toEqual([
    ['external first', 'external a', 'external a2', 'external b', 'external n', 'external n'],
    ['external x'],
    ['external a3'],
  ]);
  await settled();
  expect([errors(), commits.isIdle]).toEqual([[], true]);
});

test('a draft of no records writes no segment, and an undefined one tells the caller to read the file again', async () => {
  const { store, commits } = openJournal();
  expect(await commits.append({ draft: () => [] })).toEqual([]);
  expect(await commits.append({ draft: () => undefined })).toBeUndefined();
  expect(store.paths).toEqual([]);
});

test('records are drafted again if another process appends first', async () => {
  const { store, append, commits, errors } = openJournal();
  await append('a', draftFor('a'));
  const other = openJournal(store);
  const rival = other.append('b', draftFor('b'));
  store.rival = () => {};
  await rival;
  const states: number[] = [];
  const appended = commits.append({
    draft: ({ seq }) => {
      states.push(seq);
      return [draftFor('c')];
    },
  });
  expect([(await appended)?.[0]?.seq, states]).toEqual([3, [1, 2]]);
  expect(store.paths).toEqual([['external a'], ['external b'], ['external c']]);
  expect(errors()).toEqual([]);
});

test('the outcome of a change is written with records of other files, before they are appended, and not twice', async () => {
  const { store, commits, append } = openJournal();
  const drafts = [draftFor('a', { kind: 'intent' }), draftFor('b', { kind: 'intent' })];
  const intents = await commits.append({ key: 'a', draft: () => drafts });
  const [one, two] = (intents ?? []).map(({ seq }) => seq);
  const endOf = (key: string, intent = 0) => ({
    key,
    intent,
    draft: () => [draftFor(key, { kind: 'commit', intent })],
  });
  commits.appendLater(endOf('a', one));
  expect(commits.isIdle).toBe(false);
  // The next change of the same file depends on the outcome, and is written to the segment after it.
  await Promise.all([append('a', draftFor('a')), append('c', draftFor('c'))]);
  commits.appendLater(endOf('b', two));
  await append('d', draftFor('b', { kind: 'commit', intent: two }));
  expect(store.paths).toEqual([['intent a', 'intent b'], ['commit a', 'external c'], ['external a'], ['commit b']]);
  await settled();
  expect(commits.isIdle).toBe(true);
});

test('outcomes are written immediately on request, and exclusive records come before them', async () => {
  const { store, commits } = openJournal();
  const intents = await commits.append({ draft: () => [draftFor('a', { kind: 'intent' })] });
  commits.note(noteAbout('n'));
  commits.appendLater({
    key: 'a',
    intent: intents?.[0]?.seq ?? 0,
    draft: () => [draftFor('a', { kind: 'abort', intent: 1 })],
  });
  await commits.append({ isExclusive: true, draft: () => [draftFor('x')] });
  expect(store.paths.at(-1)).toEqual(['external x']);
  await commits.flushEnds();
  expect(store.paths.at(-1)).toEqual(['note n', 'abort a']);
  commits.note(noteAbout('m'));
  await commits.flushEnds();
  expect([store.paths.length, commits.isIdle]).toEqual([3, false]);
  await commits.flush();
  await settled();
  expect([store.paths.at(-1), commits.isIdle]).toEqual([['note m'], true]);
});

test('waiting records are written after a delay: outcomes after 15 ms, and notes after 5 seconds or if 256 wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const { store, commits } = openJournal();
    const segmentsAfter = async (ms: number): Promise<number> => {
      await vi.advanceTimersByTimeAsync(ms);
      return store.segmentTexts.length;
    };
    commits.note(noteAbout('n'));
    expect([await segmentsAfter(4999), await segmentsAfter(1)]).toEqual([0, 1]);
    const intents = await commits.append({ draft: () => [draftFor('a', { kind: 'intent' })] });
    commits.note(noteAbout('n'));
    const intent = intents?.[0]?.seq ?? 0;
    commits.appendLater({ key: 'a', intent, draft: () => [draftFor('a', { kind: 'abort', intent })] });
    expect([await segmentsAfter(14), await segmentsAfter(1)]).toEqual([2, 3]);
    for (let count = 1; count < 256; count++) commits.note(noteAbout('n'));
    expect(await segmentsAfter(0)).toBe(3);
    commits.note(noteAbout('n'));
    expect([await segmentsAfter(0), store.paths[3]?.length, commits.isIdle]).toEqual([4, 256, true]);
    // A note does not postpone an outcome, and the outcome waits again after an exclusive record.
    const others = await commits.append({ draft: () => [draftFor('b', { kind: 'intent' })] });
    const other = others?.[0]?.seq ?? 0;
    commits.appendLater({ key: 'b', intent: other, draft: () => [draftFor('b', { kind: 'abort', intent: other })] });
    commits.note(noteAbout('n'));
    await commits.append({ isExclusive: true, draft: () => [draftFor('x')] });
    expect([await segmentsAfter(14), await segmentsAfter(1), store.paths[6]]).toEqual([6, 7, ['note n', 'abort b']]);
    commits.appendLater({ key: 'c', intent: 0, draft: () => [draftFor('c')] });
    commits.note(noteAbout('n'));
    expect([await segmentsAfter(14), await segmentsAfter(1)]).toEqual([7, 8]);
    // After other records were written, the remaining notes wait again.
    commits.note(noteAbout('n'));
    await vi.advanceTimersByTimeAsync(3000);
    await commits.append({ isExclusive: true, draft: () => [draftFor('x')] });
    expect([await segmentsAfter(4999), await segmentsAfter(1)]).toEqual([9, 10]);
  } finally {
    vi.useRealTimers();
  }
});

test('an error rejects only the records of its segment, and notes wait unless the library is read-only', async () => {
  const failures: Error[] = [
    createStorageFailure('UNAVAILABLE', 'The store is busy.'),
    createStorageFailure('UNAVAILABLE', 'The library is read-only: no permission.'),
  ];
  const store = new MemoryStore();
  const { commits, append } = openJournal(store, async () => {
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
  });
  commits.note(noteAbout('n'));
  await expect(append('a', draftFor('a'))).rejects.toThrow('The store is busy.');
  expect(commits.notes.length).toBe(1);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await expect(append('a', draftFor('a'))).rejects.toThrow('The library is read-only');
  stderr.mockRestore();
  expect([commits.notes.length, commits.isIdle]).toEqual([0, true]);
  expect(await append('a', draftFor('a'))).toEqual([1]);
});

test('the process that writes a segment saves the checkpoint that is due, and none without records', async () => {
  const { store, append } = openJournal();
  await append('a', draftFor('a'));
  store.isDue = true;
  await append('a');
  expect(store.saved).toEqual([]);
  await append('a', draftFor('a'));
  expect(store.saved).toEqual([2]);
});

test('a journal is read before its first records are drafted', async () => {
  const { store, append } = openJournal();
  await append('a', draftFor('a'));
  const states: number[] = [];
  await openJournal(store).commits.append({ draft: ({ seq }) => (states.push(seq), []) });
  expect(states).toEqual([1]);
});

test('parallel refreshes read the journal once, and a later one reads it again', async () => {
  const { store, commits } = openJournal();
  const reads = vi.spyOn(store, 'linesAfter');
  const states = await Promise.all([commits.refresh(), commits.refresh(), commits.refresh()]);
  expect([new Set(states).size, reads.mock.calls.length]).toEqual([1, 1]);
  await openJournal(store).append('a', draftFor('a'));
  expect((await commits.refresh()).seq).toBe(1);
});
