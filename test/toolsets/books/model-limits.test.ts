import { describe, expect, test } from 'vitest';
import { createListResult, ResultListPage } from '../../../src/toolsets/books/answer/page.ts';
import { isAlreadyCompressed } from '../../../src/toolsets/books/model/archive-plan.ts';
import { decodeBase64, mimeTypeOf } from '../../../src/toolsets/books/model/asset.ts';
import { requestOriginOf } from '../../../src/toolsets/books/model/bucket-address.ts';
import { decideFileMove } from '../../../src/toolsets/books/model/decision.ts';
import { parseDeltaCursor } from '../../../src/toolsets/books/model/delta.ts';
import { type JournalRecord, JournalState, parseJournalRecord } from '../../../src/toolsets/books/model/journal.ts';
import { checkPathInBook, toPathInBook } from '../../../src/toolsets/books/model/path.ts';
import { computeElapsedMs } from '../../../src/toolsets/books/model/record.ts';
import { isRetentionEnabled } from '../../../src/toolsets/books/model/retention.ts';
import { createCentralHeader, createEndRecords } from '../../../src/toolsets/books/model/zip-records.ts';

describe('the state of a journal', () => {
  test('contains the last 1000 manifests, of which a repeated one is the latest', () => {
    const state = new JournalState();
    for (let seq = 1; seq <= 1000; seq++) state.keepManifest(`m${seq}`, seq);
    state.keepManifest('m1', 1001);
    expect([state.manifests.size, state.manifests.get('m1')]).toEqual([1000, 1001]);
    state.keepManifest('new', 1002);
    expect([state.manifests.size, state.manifests.has('m2'), state.manifests.has('m3')]).toEqual([1000, false, true]);
  });

  test('contains at most 10,000 unfinished changes', () => {
    const state = new JournalState();
    const intent = (seq: number): JournalRecord => ({
      kind: 'intent',
      seq,
      time: '',
      book: 'graphs',
      agent: 'ada',
      operation: 'write_content',
      path: 'content/a.md',
      user: '__base__',
      prev: null,
      new: null,
      status: 'pending',
      chain: '',
    });
    for (let seq = 1; seq <= 10_000; seq++) state.addOpen(intent(seq));
    state.addOpen(intent(10_000));
    expect(() => state.addOpen(intent(10_001))).toThrow('has more than 10000 unfinished changes');
    expect(state.open.size).toBe(10_000);
  });

  test.each([
    ['1970-01-01T00:00:00.000Z', true],
    ['1969-12-31T23:59:59.999Z', false],
    ['8999-12-31T23:59:59.999Z', true],
    ['9000-01-01T00:00:00.000Z', false],
  ])('accepts a record of the time %s: %s', (time, isValid) => {
    const record = parseJournalRecord(JSON.stringify({ kind: 'note', seq: 1, time, chain: '' }));
    expect(record?.time === time).toBe(isValid);
  });
});

const hash = 'a'.repeat(64);
const instant = '2026-01-01T00:00:00.000Z';

test.each([
  [`${instant} ${hash} changed base ${instant} content/a b.md`, true],
  [`${instant} ${hash} deleted overlay ${instant} `, true],
  [`x ${hash} changed base ${instant} content/a.md`, false],
  [`${instant} ${'A'.repeat(64)} changed base ${instant} content/a.md`, false],
  [`${instant} ${hash} other base ${instant} content/a.md`, false],
  [`${instant} ${hash} changed base ${instant}`, false],
  ['', false],
])('the text %j is a cursor of delta_build: %s', (text, isValid) => {
  const outcome = (): boolean => {
    try {
      return parseDeltaCursor(text).manifestHash === hash;
    } catch {
      return false;
    }
  };
  expect(outcome()).toBe(isValid);
});

test.each([
  [' content/a.md', 'has a space at its start or end'],
  ['content/a.md\u00a0', 'has a space at its start or end'],
  ['content/a\u2028.md', 'has a control character'],
  ['/content', 'starts with "/"'],
  ['~/a', 'starts with "~"'],
  ['a\\b', 'has a backslash'],
  ['a/../b', 'has the segment ".."'],
  ['a/./b', 'has the segment "."'],
  ['C:a', 'starts with a drive'],
])('the path %j is rejected, because it %s', (given, reason) => {
  expect(() => checkPathInBook(given)).toThrow(reason);
});

test.each([
  ['books/graphs/content/a.md', undefined, 'content/a.md'],
  ['books/graphs/users/ada/content/a.md', 'ada', 'content/a.md'],
  ['books/graphs/users/ada/content/a.md', undefined, 'users/ada/content/a.md'],
  ['users/ada/content/a.md', 'ada', 'users/ada/content/a.md'],
  ['users/ada/content/a.md', 'bob', 'users/ada/content/a.md'],
  ['content/a.md', 'ada', 'content/a.md'],
  ['books/other/content/a.md', 'ada', 'books/other/content/a.md'],
])('the path %s of the user %s is %s inside the book', (given, user, expected) => {
  expect(toPathInBook({ book: 'graphs', path: given, user })).toBe(expected);
});

test.each([
  ['library', undefined, 'https://library.s3.eu-west-1.amazonaws.com'],
  ['my.library', undefined, 'https://s3.eu-west-1.amazonaws.com'],
  ['library', 'http://127.0.0.1:9000', 'http://127.0.0.1:9000'],
])('requests for the bucket %s at %s have the origin %s', (bucket, endpoint, origin) => {
  expect(requestOriginOf({ bucket, prefix: '', endpoint, region: 'eu-west-1' })).toBe(origin);
});

test('a file is moved only if it has the expected hash', () => {
  const move = (moved: string | undefined, current?: string) => () =>
    decideFileMove('from', 'to', { current, moved, expected: 'one' });
  expect(move('one')).not.toThrow();
  expect(move('two')).toThrow('from has changed since it was read');
  expect(move(undefined)).toThrow('from does not exist');
  expect(move('one', 'other')).toThrow('to exists already');
});

test('a file name without a dot has no extension', () => {
  expect([mimeTypeOf('png'), mimeTypeOf('a.PNG'), mimeTypeOf('a.png/b')]).toEqual([
    'application/octet-stream',
    'image/png',
    'application/octet-stream',
  ]);
  expect([isAlreadyCompressed('zip'), isAlreadyCompressed('a.zip')]).toEqual([false, true]);
});

test.each([
  ['QUJD', 'ABC'],
  ['QUI=\r\n', 'AB'],
  ['QQ', undefined],
  ['QQ=', undefined],
  ['QR==', undefined],
  ['QUJD====', undefined],
  ['Q!JD', undefined],
  ['-_-_', undefined],
  ['QUJD QUJD', undefined],
  ['', undefined],
])('the text %j is decoded as base64 to %j', (encoded, expected) => {
  const outcome = (): string | undefined => {
    try {
      return decodeBase64(encoded).toString();
    } catch {
      return undefined;
    }
  };
  expect(outcome()).toBe(expected);
});

test('a duration has three decimals, and retention needs both limits', () => {
  expect([computeElapsedMs(1, 2.234_567), computeElapsedMs(0, 1000)]).toEqual([1.235, 1000]);
  const limits = [
    [1, 1],
    [0, 1],
    [1, 0],
  ] as const;
  expect(limits.map(([maxAgeMs, maxBytes]) => isRetentionEnabled({ maxAgeMs, maxBytes }))).toEqual([
    true,
    false,
    false,
  ]);
});

const max32 = 2 ** 32 - 1;

test.each([
  [65_534, max32 - 1, max32 - 1, 22],
  [65_535, 0, 0, 98],
  [0, max32, 0, 98],
  [0, 0, max32, 98],
])('the end of a ZIP file with %i entries of %i bytes at %i has %i bytes', (count, size, offset, length) => {
  expect(createEndRecords(count, size, offset)).toHaveLength(length);
});

test.each([
  [0, max32 - 1, max32 - 1, 0],
  [max32, 0, 0, 20],
  [0, max32, 0, 20],
  [0, 0, max32, 12],
  [max32, max32, max32, 28],
])(
  'the header of a ZIP entry of %i bytes, compressed to %i bytes, at %i has %i further bytes',
  (size, packedSize, offset, more) => {
    const entry = { name: Buffer.from('a'), method: 'deflate', crc: 0, size, packedSize, offset } as const;
    expect(createCentralHeader(entry).length - 47).toBe(more);
  },
);

test('the result of a list has notes only if there are any', () => {
  const page = new ResultListPage<string>({});
  expect(createListResult(page, { what: 'files', notes: ['one'] }).notes).toEqual(['one']);
  expect(createListResult(page, { what: 'files', notes: [] })).not.toHaveProperty('notes');
  expect(createListResult(page, { what: 'files', next: 'a', notes: ['one'] }).notes).toHaveLength(2);
});
