import { expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import {
  type FilesSnapshot,
  findUnrecordedChanges,
  listFilesRecordedInJournal,
  manifestHashOf,
} from '../../../src/toolsets/books/library/file-scan.ts';
import {
  compareWithJournal,
  isExplainedByJournal,
  reconcileFileWithJournal,
  replaceExternalChangesWithCommits,
  unfinishedIntentsOf,
} from '../../../src/toolsets/books/library/recovery.ts';
import { JournalState, parseJournalRecord } from '../../../src/toolsets/books/model/journal.ts';
import { type FileLocation, storageKeyOf } from '../../../src/toolsets/books/model/key.ts';
import {
  auditNoteRecordOf,
  externalChangeRecordOf,
  fileOfRecord,
  scanRecordOf,
} from '../../../src/toolsets/books/model/record.ts';
import type { StorageEntry } from '../../../src/toolsets/books/storage/file-storage.ts';
import { type Generator, listGenerated, pieces } from '../../support/generator.ts';

const kinds = ['intent', 'intent', 'intent', 'commit', 'abort', 'external', 'scan'] as const;
const paths = pieces('content/a.md¦content/a.md¦content/b.md¦static/c.png¦book.yaml');
const hashes = pieces('1¦2¦3');

interface GeneratedFile {
  place: FileLocation;
  hash: string | undefined;
  tag: string | undefined;
  writer: number | undefined;
  arrivedMs: number;
  isReadable: boolean;
}

interface GeneratedLibrary {
  records: Record<string, unknown>[];
  files: GeneratedFile[];
  abandoned: number[];
  unreadable: string[];
}

const placeOf = (random: Generator): FileLocation => ({
  book: 'graphs',
  path: random.pick(paths),
  user: random.below(4) === 0 ? 'ada' : undefined,
});

/** A journal with unfinished changes, and the files that are in the library. */
function library(random: Generator): GeneratedLibrary {
  const orMissing = <Value>(value: Value): Value | undefined => (random.below(4) === 0 ? undefined : value);
  const records = Array.from({ length: 1 + random.below(7) }, (_, index) => {
    const { path, user } = placeOf(random);
    const hash = (): string | null => orMissing(random.pick(hashes)) ?? null;
    return {
      kind: random.pick(kinds),
      seq: index + 1,
      time: `2026-01-01T00:00:0${index}.000Z`,
      chain: '',
      book: 'graphs',
      agent: 'ada',
      operation: 'write_content',
      path,
      user: user ?? '__base__',
      prev: hash(),
      new: hash(),
      status: 'success',
      ...(random.below(2) === 0 && { tag: random.pick(pieces('"1"¦"2"')) }),
      ...(random.below(2) === 0 && { intent: 1 + random.below(4) }),
      ...(random.below(4) === 0 && { manifest: 'm' }),
    };
  });
  const files = Array.from({ length: 1 + random.below(3) }, () => ({
    place: placeOf(random),
    hash: orMissing(random.pick(hashes)),
    tag: orMissing(random.pick(pieces('"1"¦"2"'))),
    writer: orMissing(random.below(5)),
    arrivedMs: 1_600_000_000_000 + random.below(3),
    isReadable: random.below(5) > 0,
  }));
  return {
    records,
    files,
    abandoned: [1, 2, 3, 4, 5, 6, 7].filter(() => random.below(2) === 0),
    unreadable: ['books/graphs/static/', 'books/graphs/users/'].filter(() => random.below(4) === 0),
  };
}

function stateOf(records: readonly object[]): JournalState {
  const state = new JournalState();
  for (const record of records) {
    const parsed = parseJournalRecord(JSON.stringify(record));
    if (parsed !== undefined) state.apply(parsed);
  }
  return state;
}

function recover({ records, files, abandoned }: GeneratedLibrary): unknown {
  const state = stateOf(records);
  const session = { isAbandoned: ({ seq }: { seq: number }) => abandoned.includes(seq) };
  return files.map(({ place, ...found }) => {
    const observation = compareWithJournal(state, place, found);
    const draft = externalChangeRecordOf(state, place, found.hash, found.arrivedMs);
    const changed = stateOf([
      ...records,
      { ...records[0], kind: 'intent', seq: 9, path: place.path, user: place.user },
    ]);
    const note = { agent: 'a', operation: 'o', path: place.path, user: place.user, status: 's', error: 'BUSY', ms: 1 };
    return [
      [observation.appliedIntent?.seq, observation.openIntents.map(({ seq }) => seq), observation.revision],
      isExplainedByJournal(observation, state, place),
      reconcileFileWithJournal(session, state, place, observation),
      reconcileFileWithJournal(session, changed, place, observation) === undefined,
      draft && replaceExternalChangesWithCommits([{ ...draft, tag: found.tag }, scanRecordOf('m')], state),
      unfinishedIntentsOf(state, place).map(({ seq }) => seq),
      auditNoteRecordOf(state, place, note),
      [...state.open.values()].map(record => fileOfRecord('graphs', record)),
    ];
  });
}

function snapshotOf({ files, unreadable }: GeneratedLibrary): FilesSnapshot {
  const entries = files.map(({ place, hash, tag, arrivedMs, isReadable }) => {
    const key = storageKeyOf(place);
    const time = new Date(arrivedMs);
    const entry: StorageEntry = {
      key,
      kind: 'file',
      size: 1,
      version: '',
      modified: time,
      arrived: time,
      ...(tag && { tag }),
    };
    const seen = isReadable ? { hash } : new Failure('refused', 'It cannot be read.');
    return [key, { entry, place, seen }] as const;
  });
  return { seq: 0, files: new Map(entries), unreadable, isThere: true };
}

function scan(generated: GeneratedLibrary): unknown {
  const state = stateOf(generated.records);
  const missed = findUnrecordedChanges(state, snapshotOf(generated), 1_600_000_000_001);
  return [
    missed.map(({ draft }) => draft),
    manifestHashOf(state, missed).slice(0, 8),
    listFilesRecordedInJournal(state),
  ];
}

test.each([
  ['recoveries', () => listGenerated(library, recover, { shown: 10, blocks: 8 })],
  ['scans', () => listGenerated(library, scan, { shown: 10, blocks: 8 })],
])('the approved file lists the %s of generated journals', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});
