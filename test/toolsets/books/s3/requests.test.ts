import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OpenedToolset } from '../../../../src/toolset/toolset.ts';
import { formatSegmentFileName } from '../../../../src/toolsets/books/model/segment.ts';
import { type Bucket, startBucket } from '../../../support/bucket/server.ts';
import { callBooks, openBooks } from '../support/open-books.ts';

const book = 'a-book';
const lesson = 'content/01-Part/01-Chapter/01-lesson.md';
const lessons = 40;

let bucket: Bucket;
let opened: OpenedToolset;

beforeEach(async () => {
  bucket = await startBucket();
  const { endpoint, name, customer } = bucket;
  vi.stubEnv('AWS_ENDPOINT_URL_S3', endpoint);
  vi.stubEnv('AWS_REGION', customer.region);
  vi.stubEnv('AWS_ACCESS_KEY_ID', customer.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', customer.secretAccessKey);
  for (let n = 1; n <= lessons; n++) {
    bucket.put(`lib/books/${book}/${lesson.replace('01-l', `${String(n).padStart(2, '0')}-l`)}`, Buffer.from(`# ${n}`));
  }
  opened = await openBooks(`s3://${name}/lib`);
  await callBooks(opened, 'list_books', {}); // archives are listed from time to time
  bucket.requests.length = 0;
});

afterEach(async () => {
  await opened.close();
  await bucket.close();
  vi.unstubAllEnvs();
});

/**
 * Returns the requests that a call sends to the store. The audit note of an earlier list_books may be written at the
 * same time.
 */
async function requestsOf(name: string, args: object): Promise<string[]> {
  bucket.requests.length = 0;
  const answer = await callBooks(opened, name, args);
  expect(answer).not.toHaveProperty('code');
  return bucket.requests.filter(request => !/\/\.oj-books\/(?:_library|probe)\//.test(request));
}

test.each<[string, object, number]>([
  ['list_books', {}, 1],
  ['read_content', { book_id: book, path: lesson }, 1],
  ['read_content', { book_id: book, path: 'content/01-Part/01-Chapter', scope: 'chapter' }, lessons + 1],
  ['glob_search', { book_id: book, pattern: '**' }, 1],
  ['grep_search', { book_id: book, pattern: 'nothing' }, lessons + 1],
])('the tool %s with %j sends %i requests to the object store', async (name, args, count) => {
  expect(await requestsOf(name, args)).toHaveLength(count);
});

test('a second search sends no request for a file again, because all files are in the cache', async () => {
  await requestsOf('grep_search', { book_id: book, pattern: 'nothing' });
  const again = await requestsOf('grep_search', { book_id: book, pattern: 'nothing' });
  // Requests for the journal are ignored, because the audit note of the first search may be written in the meantime.
  expect(again.filter(request => !request.includes('/.oj-books/'))).toHaveLength(1);
});

test('a second change of a lesson sends one read and one write of its object besides the requests for the journal', async () => {
  const path = lesson.replace('01-l', '99-l');
  await requestsOf('write_content', { book_id: book, path, content: 'one' });
  const next = await requestsOf('write_content', { book_id: book, path: path.replace('99', '98'), content: 'two' });
  // Requests for the journal are ignored, because the commit record of the previous change may be written in the
  // meantime.
  const own = next.filter(request => !request.includes('/journal/'));
  expect(own).toEqual([expect.stringMatching(/^HEAD .*98-l/), expect.stringMatching(/^PUT .*98-l/)]);
});

test('the audit note of the first read of a lesson is written without a further request for the lesson', async () => {
  await requestsOf('read_content', { book_id: book, path: lesson });
  bucket.requests.length = 0;
  await opened.close(); // writes pending records
  const own = bucket.requests.filter(request => request.includes('lesson'));
  expect(own).toEqual([]);
});

test('delta_build of a second server takes hashes from the checkpoint and requests no lesson', async () => {
  const since = '2025-01-01T00:00:00Z';
  await requestsOf('delta_build', { book_id: book, since });
  opened = await openBooks(`s3://${bucket.name}/lib`);
  const asked = await requestsOf('delta_build', { book_id: book, since });
  expect(asked.filter(request => request.includes('lesson'))).toEqual([]);
});

test('validate_book requests the first journal segment once and caches its verification', async () => {
  await requestsOf('delta_build', { book_id: book, since: '2025-01-01T00:00:00Z' });
  const isFirst = (request: string): boolean => request.endsWith(formatSegmentFileName(1));
  expect((await requestsOf('validate_book', { book_id: book })).filter(isFirst)).toHaveLength(1);
  expect((await requestsOf('validate_book', { book_id: book })).filter(isFirst)).toEqual([]);
});
test('delta_build finds changes with one listing and the new journal segments', async () => {
  const since = '2025-01-01T00:00:00Z';
  await requestsOf('delta_build', { book_id: book, since });
  const again = await requestsOf('delta_build', { book_id: book, since });
  expect(again.filter(request => !request.includes('/journal/'))).toEqual([`GET ?lib/books/${book}/`]);
  expect(again).toHaveLength(4);
});
