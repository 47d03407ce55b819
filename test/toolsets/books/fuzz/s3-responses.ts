import assert from 'node:assert/strict';
import { openTools } from '../../../fuzz/open-tools.ts';
import { ChoiceReader, defineTarget } from '../../../fuzz/target.ts';
import { type Mishap, startBucket } from '../../../support/bucket/server.ts';

const book = 'fuzz-book';
const chapter = `books/${book}/content/01-Part/01-Chapter`;
const lesson = `${chapter}/01-lesson.md`;
const fresh = `${chapter}/02-fresh.md`;
const inBook = (key: string): string => key.slice(`books/${book}/`.length);

const listing = (...keys: string[]): string =>
  `<?xml version="1.0"?><ListBucketResult><IsTruncated>false</IsTruncated>${keys.map(key => `<Contents><Key>${key}</Key><Size>3</Size><ETag>&quot;a&quot;</ETag><LastModified>2026-01-01T00:00:00.000Z</LastModified></Contents>`).join('')}</ListBucketResult>`;
const error = (code: string): string =>
  `<Error><Code>${code}</Code><Message>m</Message><Region>eu-west-1</Region></Error>`;

/** Statuses after which the client waits before a retry are excluded. */
const statuses = [200, 204, 206, 304, 400, 403, 404, 405, 412, 416, 301, 307, 501];

/** An input contains the number of a request, and the status, the ETag and the body of its response. */
const input = (request: number, status: number, body: string): Buffer =>
  Buffer.concat([Buffer.of(request, statuses.indexOf(status), 1), Buffer.from(body)]);

export const target = defineTarget({
  name: 's3-responses',
  corpus: [
    input(0, 200, listing(lesson)),
    input(1, 200, listing(lesson, fresh, `${chapter}/README.md`)),
    input(2, 200, '# Lesson\n'),
    input(3, 404, error('NoSuchBucket')),
    input(4, 403, error('RequestTimeTooSkewed')),
    input(5, 400, error('AuthorizationHeaderMalformed')),
    input(6, 412, error('PreconditionFailed')),
    input(7, 200, error('InternalError')),
    input(8, 200, '<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>'),
  ],
  dictionary: [
    ...'<Contents>|</Contents>|<Key>|</Key>|<Size>|<ETag>|<LastModified>|<NextContinuationToken>x</NextContinuationToken>'.split(
      '|',
    ),
    ...'<IsTruncated>true</IsTruncated>|<CommonPrefixes><Prefix>|<Code>|</Code>|&amp;|&#55296;|&#x|../|%2F|"'.split(
      '|',
    ),
    ...'<Key/>|-1|1e9|9999-99-99T00:00:00Z|<![CDATA[|]]>|.oj-books/|users/ada/'.split('|'),
  ],
  mutations: 40,
  async run(bytes) {
    const choice = new ChoiceReader(bytes);
    const number = choice.below(24);
    const status = statuses[choice.below(statuses.length)] ?? 200;
    const etag = choice.pick<Record<string, string>>({}, { etag: '"a"' }, { etag: 'W/"a"' }, { etag: '' });
    const body = choice.rest();
    const { bucket, setMishap } = await shared;
    bucket.objects.clear();
    bucket.put(lesson, Buffer.from('# Lesson\n'));
    let replaced = '';
    let count = 0;
    setMishap((method, key) => {
      // The server responds correctly to requests that test the store. Otherwise the library would be read-only, and
      // most inputs would test only this.
      if (key.includes('/probe/') || count++ !== number) return undefined;
      replaced = `${method} ${key}`;
      return { kind: 'answer', reply: { status, headers: etag, body } };
    });
    const isWritten = await useLibrary(bucket.name);
    if (isWritten && replaced !== `PUT ${fresh}`) {
      assert.equal(bucket.objects.get(fresh)?.bytes.toString(), 'fresh', 'an acknowledged write is not in the bucket');
    }
  },
});

const shared = openBucket();

async function openBucket() {
  let mishap: (method: string, key: string) => Mishap | undefined = () => undefined;
  const bucket = await startBucket({ mishap: (method, key) => mishap(method, key) });
  bucket.unref();
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
    AWS_REGION: bucket.customer.region,
    AWS_ACCESS_KEY_ID: bucket.customer.accessKeyId,
    AWS_SECRET_ACCESS_KEY: bucket.customer.secretAccessKey,
  });
  const setMishap = (next: typeof mishap): void => {
    mishap = next;
  };
  return { bucket, setMishap };
}

/** Calls tools that list, read, search and write. Returns whether the write was successful. */
async function useLibrary(bucketName: string): Promise<boolean> {
  const tools = await openTools('books', { 'books-root': `s3://${bucketName}` });
  try {
    await tools.call('list_books', {});
    await tools.call('read_content', { book_id: book, path: inBook(lesson) });
    await tools.call('glob_search', { book_id: book, pattern: '**' });
    const written = await tools.call('write_content', { book_id: book, path: inBook(fresh), content: 'fresh' });
    return !written.isError;
  } finally {
    await tools.close();
  }
}
