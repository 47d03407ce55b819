import { expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import {
  archiveExpiryOf,
  createArchiveEntryName,
  explainUnsafeName,
  isAlreadyCompressed,
} from '../../../src/toolsets/books/model/archive-plan.ts';
import {
  assetNameOfKey,
  createSafeAssetName,
  decodeBase64,
  listPossibleAssetNames,
  mimeTypeOf,
} from '../../../src/toolsets/books/model/asset.ts';
import { JournalAudit } from '../../../src/toolsets/books/model/audit.ts';
import { chooseAuthorName } from '../../../src/toolsets/books/model/author.ts';
import {
  awsEndpointOf,
  isBucketRoot,
  parseBucketRoot,
  parseEndpoint,
} from '../../../src/toolsets/books/model/bucket-address.ts';
import { decideFileDeletion, decideFileMove, decideFileWrite } from '../../../src/toolsets/books/model/decision.ts';
import {
  formatDeltaCursor,
  parseDeltaCursor,
  parseIsoInstant,
  selectDeltaItemsAfterCursor,
  sortDeltaItems,
} from '../../../src/toolsets/books/model/delta.ts';
import { sha256Of } from '../../../src/toolsets/books/model/hash.ts';
import { JournalState, parseJournalRecord } from '../../../src/toolsets/books/model/journal.ts';
import {
  compareCodePoints,
  type FileLayer,
  isBookSortedBeforeKey,
  isKeyInsideFolder,
  locationOfPath,
  mergeBookAndUserFiles,
  removeBookPrefixOfKey,
  storageKeyOf,
} from '../../../src/toolsets/books/model/key.ts';
import { compileLinePattern, shortenMatchedLine, splitLines } from '../../../src/toolsets/books/model/lines.ts';
import {
  compareWithManifest,
  formatManifest,
  isPathInManifest,
  selectHashesOfBaseFiles,
} from '../../../src/toolsets/books/model/manifest.ts';
import { mergeTexts } from '../../../src/toolsets/books/model/merge.ts';
import {
  checkFolderPath,
  checkLessonPath,
  checkPathInBook,
  createNextLessonNumber,
  isAssetPath,
  isContentFolderPath,
  isLessonPath,
  isMarkdownPath,
  isNonTextContentFile,
  isReadmePath,
  parseAssetPath,
  suggestFileName,
  suggestLessonPath,
  toPathInBook,
} from '../../../src/toolsets/books/model/path.ts';
import {
  auditNoteRecordOf,
  externalChangeRecordOf,
  fileOfRecord,
  findRequiredFileOfMove,
  intentRecordOf,
  outcomeRecordOf,
} from '../../../src/toolsets/books/model/record.ts';
import { findExpiredVersions, isRetentionEnabled } from '../../../src/toolsets/books/model/retention.ts';
import {
  CheckpointReader,
  findCheckpointNumbers,
  findSegmentNumbers,
  formatCheckpointFileName,
  formatSegmentFileName,
  serializeCheckpoint,
} from '../../../src/toolsets/books/model/segment.ts';
import { buildAssetStructure, buildContentStructure } from '../../../src/toolsets/books/model/structure.ts';
import { findPathError, groupEqualFindings } from '../../../src/toolsets/books/model/validation.ts';
import { listGenerated } from '../../support/generator.ts';
import {
  assetName,
  base64,
  bookPath,
  bookPaths,
  bucketRoot,
  checkpointText,
  endpoint,
  fileVersions,
  findings,
  hashesByPath,
  instant,
  journalRecords,
  linePattern,
  longLine,
  storedVersions,
  textOfLines,
  textPair,
  threeTexts,
} from './approved/generators.ts';

/** Returns the result of a function, or its error as the client gets it. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof Failure) return error.report;
    throw error;
  }
}

const nextNumber = createNextLessonNumber([
  'content/01-Part/04-x/07-y.md',
  'content/99-z',
  'content/01-Part/01-Chapter/09-z.md',
  'a/b',
]);

function listPath(path: string): unknown {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    is: [
      isLessonPath,
      isReadmePath,
      isMarkdownPath,
      isContentFolderPath,
      isNonTextContentFile,
      isAssetPath,
      isKeyInsideFolder,
      isPathInManifest,
    ]
      .map(check => Number(check(path)))
      .join(''),
    lesson: outcomeOf(() => checkLessonPath(path, nextNumber)),
    inBook: outcomeOf(() => checkPathInBook(path)),
    folder: [outcomeOf(() => checkFolderPath(path, 'chapter')), outcomeOf(() => checkFolderPath(path, 'part'))],
    suggested: [suggestLessonPath(path, nextNumber), suggestFileName(name, '05')],
    asset: outcomeOf(() => parseAssetPath(path)),
    location: locationOfPath('graphs', path),
    inside: [
      toPathInBook({ book: 'graphs', path, user: 'ada' }),
      toPathInBook({ book: 'graphs', path, user: undefined }),
    ],
    archived: [
      explainUnsafeName(path),
      createArchiveEntryName('graphs', `books/graphs/${path}`),
      isAlreadyCompressed(path),
    ],
    error: findPathError({ path, kind: 'file' }, nextNumber),
  };
}

/** Reads generated records as a journal, and compares the state with that of its checkpoint. */
function listJournal(drafts: readonly object[]): unknown {
  const audit = new JournalAudit();
  const state = new JournalState();
  let chain = '0'.repeat(64);
  const facts = drafts.map((draft, index) => {
    const line = JSON.stringify({ ...draft, chain: index === 4 ? 'x' : chain });
    audit.add(line);
    chain = sha256Of(line);
    const record = parseJournalRecord(line);
    if (record === undefined) return 'invalid';
    state.apply(record);
    const place = fileOfRecord('graphs', record);
    return [
      record,
      externalChangeRecordOf(state, place, '1'.repeat(64), 5),
      outcomeRecordOf(record, index % 2 === 0 ? 'commit' : 'abort'),
      findRequiredFileOfMove(record),
    ];
  });
  const place = { book: 'graphs', path: 'content/a.md', user: undefined };
  const note = auditNoteRecordOf(state, place, {
    agent: 'a',
    operation: 'o',
    path: 'p',
    user: undefined,
    status: 's',
    ms: 1,
  });
  const reader = new CheckpointReader();
  const lines = [...serializeCheckpoint({ state, chain: 'c' })];
  for (const line of lines) reader.add(line);
  const copy = reader.finish();
  expect(copy && [...serializeCheckpoint(copy)].join('\n')).toBe(lines.join('\n'));
  return [facts, audit.problems, lines, note.prev, state.nextTime(0), state.nextTime(8e12)];
}

function readCheckpoint(lines: readonly string[]): unknown {
  const reader = new CheckpointReader();
  for (const line of lines) reader.add(line);
  const checkpoint = reader.finish();
  return checkpoint && [...serializeCheckpoint(checkpoint)];
}

const otherFiles = (path: string) => ({
  path,
  hash: '1'.repeat(64),
  changedMs: 0,
  place: { book: 'graphs', path, user: undefined },
});

function listDelta(versions: ReturnType<typeof fileVersions>): unknown {
  const before = new Map([
    ['content/b.md', '1'.repeat(64)],
    ['content/x.md', '2'.repeat(64)],
  ]);
  const base = selectHashesOfBaseFiles([...versions, otherFiles('static/y.md')]);
  const items = sortDeltaItems(versions, 1_700_000_000_000, 'ada', compareWithManifest(before, base));
  const cursors = items.map(item => formatDeltaCursor(1_700_000_009_000, 'f'.repeat(64), item));
  const left = cursors.map(cursor => selectDeltaItemsAfterCursor(items, parseDeltaCursor(cursor)).length);
  return [items.map(({ kind, file }) => [kind, file]), cursors, left, formatManifest(base)];
}

const decisions = [undefined, 'one', 'two'].flatMap(current => [undefined, 'one'].map(expected => [current, expected]));

test.each<[inputs: string, list: () => string]>([
  ['paths', () => listGenerated(bookPath, listPath, { shown: 40, blocks: 20 })],
  [
    'structures',
    () => listGenerated(bookPaths, paths => [buildContentStructure(paths), buildAssetStructure(paths)], { shown: 30 }),
  ],
  [
    'lesson-numbers',
    () =>
      listGenerated(
        bookPaths,
        paths => ['content', 'content/01-Part', 'content/01-Part/01-Chapter'].map(createNextLessonNumber(paths)),
        { shown: 20 },
      ),
  ],
  [
    'asset-names',
    () =>
      listGenerated(
        assetName,
        name => [
          createSafeAssetName(name),
          listPossibleAssetNames(name),
          mimeTypeOf(name),
          assetNameOfKey('graphs', 'img', name),
        ],
        { shown: 40, blocks: 1 },
      ),
  ],
  [
    'base64',
    () => listGenerated(base64, text => outcomeOf(() => decodeBase64(text).toString('hex')), { shown: 40, blocks: 2 }),
  ],
  ['lines', () => listGenerated(textOfLines, text => [...splitLines(text)])],
  ['matched-lines', () => listGenerated(longLine, ([line, at]) => shortenMatchedLine(line, at), { shown: 0 })],
  [
    'line-patterns',
    () =>
      listGenerated(
        linePattern,
        pattern => {
          const matcher = compileLinePattern(pattern);
          return typeof matcher === 'function'
            ? ['', 'abc', 'ABC', 'x cab', 'é word', 'a.b', '\n'].map(matcher)
            : matcher;
        },
        { blocks: 2 },
      ),
  ],
  ['merges', () => listGenerated(threeTexts, ([mine, base, theirs]) => mergeTexts(mine, base, theirs))],
  ['deltas', () => listGenerated(fileVersions, listDelta, { shown: 20, blocks: 5 })],
  ['instants', () => listGenerated(instant, text => outcomeOf(() => parseIsoInstant(text)), { shown: 40, blocks: 0 })],
  [
    'text-order',
    () =>
      listGenerated(textPair, ([one, other]) => {
        const files = [one, other].map(path => ({ path, key: path, source: 'base' as FileLayer }));
        const own = [{ path: one, key: 'own', source: 'overlay' as FileLayer }];
        return [
          Math.sign(compareCodePoints(one, other)),
          isBookSortedBeforeKey(one, `books/${other}`),
          mergeBookAndUserFiles(files, own).map(({ key }) => key),
        ];
      }),
  ],
  [
    'expired-versions',
    () =>
      listGenerated(storedVersions, ({ versions, policy: [maxAgeMs, maxBytes] }) => [
        findExpiredVersions(versions, { maxAgeMs, maxBytes }, 1000).map(({ hash }) => hash),
        isRetentionEnabled({ maxAgeMs, maxBytes }),
      ]),
  ],
  ['journals', () => listGenerated(journalRecords, listJournal, { shown: 12, blocks: 5 })],
  ['checkpoints', () => listGenerated(checkpointText, readCheckpoint)],
  ['bucket-roots', () => listGenerated(bucketRoot, root => [isBucketRoot(root), parseBucketRoot(root)], { blocks: 0 })],
  [
    'endpoints',
    () =>
      listGenerated(endpoint, address => [parseEndpoint(address, false), parseEndpoint(address, true)], { blocks: 0 }),
  ],
  ['findings', () => listGenerated(findings, groupEqualFindings, { shown: 10, blocks: 2 })],
  [
    'manifests',
    () =>
      listGenerated(
        hashesByPath,
        ([before, now]) => compareWithManifest(before && new Map(Object.entries(before)), new Map(Object.entries(now))),
        { blocks: 2 },
      ),
  ],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});

test('the rules for a file and the names of journal files have the approved outcomes', async () => {
  const place = (path: string) => ({ book: 'graphs', path, user: undefined });
  const rows = decisions.map(([current, expected]) => [
    [current, expected],
    outcomeOf(() => decideFileWrite('key', current, expected)),
    ['content/01-Part/01-Chapter/01-a.md', 'content/other.md', '..'].map(path =>
      outcomeOf(() => decideFileDeletion(place(path), current, expected)),
    ),
    [undefined, 'one'].map(moved =>
      outcomeOf(() => decideFileMove('from', 'to', { current, moved, expected: expected ?? 'one' })),
    ),
    intentRecordOf(place('p'), { agent: 'a', operation: 'o' }, { from: current, to: expected }),
  ]);
  const names = [
    '000000000012.jsonl',
    '000000000003.jsonl',
    '3.jsonl',
    '000000000005.jsonl.gz',
    '000000000104.jsonl.gz',
    'x',
  ];
  const others = [
    [findSegmentNumbers(names), findCheckpointNumbers(names), formatSegmentFileName(7), formatCheckpointFileName(8)],
    [
      'a-book-2026-01-02-0123456789abcdef-1234567890123.zip',
      'a-book-2026-01-02-0123456789abcdef.zip.part',
      'a.zip',
    ].map(name => archiveExpiryOf(name, 1000)),
    [
      chooseAuthorName(undefined, ' System ', '\u200b', 'a\u200bb'),
      chooseAuthorName('unnamed', 'x'.repeat(300)),
      chooseAuthorName('__BASE__'),
    ],
    [awsEndpointOf('eu-west-1'), awsEndpointOf('cn-north-1')],
    [
      storageKeyOf(place('p')),
      storageKeyOf({ ...place('p'), user: 'u' }),
      removeBookPrefixOfKey('graphs', 'books/graphs/p'),
    ],
    (['file', 'link', 'other'] as const).flatMap(kind =>
      [undefined, 'Reason.'].map(unreadable => findPathError({ path: 'static/x', kind, unreadable }, nextNumber)),
    ),
  ];
  const list = [...rows, ...others].map(row => `${JSON.stringify(row)}\n`).join('');
  await expect(list).toMatchFileSnapshot('approved/rules.txt');
});
