import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../../../src/errors/failure.ts';
import { UnreadableResponseError } from '../../../../src/http/transport.ts';
import { LruMap } from '../../../../src/toolsets/books/library/lru-map.ts';
import {
  checkLiveness,
  describeProcess,
  parseLockHolder,
} from '../../../../src/toolsets/books/storage/disk/lock-holder.ts';
import { toStorageEntry } from '../../../../src/toolsets/books/storage/s3/listing.ts';
import { describeMissingCredentials, readAwsProfile } from '../../../../src/toolsets/books/storage/s3/profile.ts';
import {
  checkStoreResponse,
  ReceivedRequestIds,
  StoreErrorResponse,
  type StoreMethod,
} from '../../../../src/toolsets/books/storage/s3/response.ts';
import { presignUrl, signRequest } from '../../../../src/toolsets/books/storage/s3/target.ts';
import { escapeXml, findElementContents, findFirstElementText } from '../../../../src/toolsets/books/storage/s3/xml.ts';
import { toStorageFailure } from '../../../../src/toolsets/books/storage/system-error.ts';
import { Generator, listGenerated, pieces } from '../../../support/generator.ts';

const xmlPieces = pieces(
  '<Key>¦</Key>¦<Key >¦<Key/>¦<Key a="/>">¦<KeyCount>¦</KeyCount>¦<Size>¦</Size>¦text¦&amp;¦&#65;¦&#x41;¦&#55296;¦&#x110000;¦&#x10ffff;¦&unknown;¦&LT;¦ ¦<¦>¦<Key',
);

function xml(random: Generator): string {
  return random.repeat(1, 9, () => random.pick(xmlPieces));
}

const statuses = [200, 204, 206, 301, 304, 307, 400, 403, 404, 409, 412, 416, 429, 500, 501, 503, 507] as const;
const codes = pieces(
  '¦¦AccessDenied¦NoSuchBucket¦NoSuchKey¦RequestTimeout¦SlowDown¦ExpiredToken¦ExpiredTokenException¦TokenRefreshRequired¦RequestTimeTooSkewed¦AuthorizationHeaderMalformed¦PermanentRedirect¦XMinioStorageFull¦QuotaExceeded¦InvalidToken¦InvalidBucketName¦SignatureDoesNotMatch¦Other',
);

interface GeneratedAnswer {
  method: StoreMethod;
  key?: string;
  headers?: Record<string, string>;
  status: number;
  received: Record<string, string>;
  body: string;
}

function storeAnswer(random: Generator): GeneratedAnswer {
  const is = (): boolean => random.below(3) > 0;
  const code = random.pick(codes);
  const region = random.below(6) === 0 ? `<Region>${random.pick(pieces('eu-west-1¦us-east-1'))}</Region>` : '';
  return {
    method: random.pick(['GET', 'HEAD', 'PUT', 'POST', 'DELETE']),
    ...(is() && { key: 'books/a.md' }),
    ...(random.below(3) === 0 && {
      headers: random.pick<Record<string, string>>([{ 'if-match': '"a"' }, { 'if-none-match': '*' }, { range: 'x' }]),
    }),
    status: random.pick(statuses),
    received: {
      ...(is() && { etag: '"b"' }),
      ...(is() && { 'content-length': '3' }),
      ...(random.below(8) === 0 && { 'x-amz-bucket-region': 'eu-west-1' }),
      ...(is() && { date: 'Thu, 01 Jan 2026 00:00:00 GMT' }),
    },
    body: code === '' ? 'plain' : `<Error><Code>${code}</Code>${region}</Error>`,
  };
}

async function listAnswer({ status, received, body, ...asked }: GeneratedAnswer): Promise<unknown> {
  const answer = { status, headers: received, body: Readable.from([Buffer.from(body)]) };
  try {
    const checked = await checkStoreResponse(asked, answer);
    if (!(checked instanceof StoreErrorResponse)) return [checked.status, checked.body === answer.body];
    const { code, dateMs, isRetryable, isDenial } = checked;
    const about = [undefined, 'token'].map(token => checked.isAboutTime(token));
    return [status, code, dateMs, isRetryable, isDenial, about, checked.words('s3://bucket/a', 'us-east-1')];
  } catch (error) {
    if (error instanceof UnreadableResponseError) return error.message;
    throw error;
  }
}

/** Like listGenerated, for a function that returns a promise. */
async function listAnswers(count: number): Promise<string> {
  const lines: string[] = [];
  for (let seed = 0; seed < count; seed++) {
    const answer = storeAnswer(new Generator(seed));
    lines.push(`${JSON.stringify(answer)}\n    ${JSON.stringify(await listAnswer(answer))}\n`);
  }
  return lines.join('');
}

const systemErrors = pieces(
  'EACCES¦EPERM¦EROFS¦ENOENT¦ENOSPC¦EDQUOT¦EMFILE¦ENFILE¦ENOMEM¦EXDEV¦EISDIR¦ENOTDIR¦ELOOP¦EIO¦EOTHER',
);

function objectKey(random: Generator): { key: string; size: number } {
  const key =
    random.repeat(1, 3, () => random.pick(pieces('a¦b.md¦.git¦..¦.¦¦x\\y¦\u0001¦c d')), '/') +
    random.pick(pieces('¦¦/'));
  return { key, size: random.below(2) };
}

function signedRequest(random: Generator) {
  const target = {
    endpoint: random.pick(pieces('https://s3.eu-west-1.amazonaws.com¦http://127.0.0.1:9000')),
    region: 'eu-west-1',
    bucket: 'bucket',
    prefix: random.pick(pieces('¦some prefix/')),
    isPathStyle: random.below(2) === 0,
  };
  const request = {
    method: random.pick(['GET', 'PUT']),
    key: random.below(4) === 0 ? undefined : random.pick(pieces("a.md¦a b+c&d=e.md¦it's (50%) *new*!.md¦é/日本.md")),
    query: random.pick<Record<string, string>>([{}, { 'list-type': '2', prefix: 'a/b c' }]),
    headers: random.pick<Record<string, string>>([{}, { 'if-match': '"a"', 'content-length': '3' }]),
    nowMs: 1_767_225_600_123,
  };
  const credentials = {
    accessKeyId: 'AKID',
    secretAccessKey: 'secret',
    ...(random.below(2) === 0 && { sessionToken: 'to/ken=' }),
  };
  return { target, request, credentials };
}

test.each<[inputs: string, list: () => string | Promise<string>]>([
  [
    'xml',
    () =>
      listGenerated(
        xml,
        text => [
          findFirstElementText(text, 'Key'),
          findFirstElementText(text, 'Key', 6),
          [...findElementContents(text, 'Key')],
          escapeXml(text),
        ],
        { blocks: 20 },
      ),
  ],
  ['store-answers', () => listAnswers(400)],
  [
    'object-keys',
    () =>
      listGenerated(objectKey, object => toStorageEntry({ ...object, version: 'v', modified: new Date(0) }), {
        shown: 30,
        blocks: 2,
      }),
  ],
  [
    'signatures',
    () =>
      listGenerated(
        signedRequest,
        ({ target, request, credentials }) => [
          signRequest(target, request, '0'.repeat(64), credentials),
          presignUrl(target, request, 60, credentials),
        ],
        { shown: 20, blocks: 1 },
      ),
  ],
  [
    'system-errors',
    () =>
      listGenerated(
        random => random.pick(systemErrors),
        code => {
          const failure = toStorageFailure(
            Object.assign(new Error('failed'), { code, syscall: 'open', errno: 1 }),
            'The file a.md',
            'a.md',
          );
          return failure instanceof Failure ? failure.report : 'other';
        },
        { shown: 40, blocks: 0 },
      ),
  ],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(await list()).toMatchFileSnapshot(`../approved/generated-${name}.txt`);
});

const profileLines = pieces(
  '[default]¦[profile work]¦[work]¦[ other ] # x¦[unclosed¦[services s]¦aws_access_key_id = A # x¦aws_secret_access_key=B;c¦  nested = x¦region = eu-west-1 ; y¦# comment¦; comment¦¦services = s¦endpoint_url = https://x¦s3 =¦KEY = a = b¦no setting',
);

test('the settings of an AWS profile, or the error about it, equal the approved ones', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const files = {
    AWS_SHARED_CREDENTIALS_FILE: path.join(home, 'credentials'),
    AWS_CONFIG_FILE: path.join(home, 'config'),
  };
  const lines: string[] = [];
  for (let seed = 0; seed < 30; seed++) {
    const random = new Generator(seed);
    const texts = Object.values(files).map(() =>
      random.repeat(0, 7, () => random.pick(profileLines), random.pick(pieces('\n¦\r\n'))),
    );
    for (const [index, file] of Object.values(files).entries()) writeFileSync(file, texts[index] ?? '');
    const env = { ...files, AWS_PROFILE: random.pick(['', 'work', 'other', 'none']) };
    const settings = await readAwsProfile({ env, home }).then(
      profile => profile && [...profile],
      (error: unknown) => (error instanceof Failure ? [error.message, error.report?.['suggestion']] : String(error)),
    );
    lines.push(
      `${JSON.stringify([texts, env.AWS_PROFILE])}\n    ${JSON.stringify([settings, await describeMissingCredentials({ env, home })])}\n`,
    );
  }
  const gone = { ...files, AWS_CONFIG_FILE: path.join(home, 'gone') };
  lines.push(`${await describeMissingCredentials({ env: gone, home })}\n`);
  lines.push(
    `${JSON.stringify([await readAwsProfile({ env: {}, home: '' }), await describeMissingCredentials({ env: {}, home })])}\n`,
  );
  await expect(lines.join('').replaceAll(home, 'HOME')).toMatchFileSnapshot('../approved/generated-profiles.txt');
});

test('a map with a limit of the total size evicts the least recently used entries above it', () => {
  const cache = new LruMap<string, Buffer>(80, bytes => bytes.length);
  const keep = (key: string, size: number): void => cache.set(key, Buffer.alloc(size, key));
  const kept = (): string =>
    'abcdefghijklm'
      .split('')
      .filter(key => cache.get(key) !== undefined)
      .join('');
  for (const key of 'abcdefghij') keep(key, 8);
  expect(kept()).toBe('abcdefghij');
  expect(cache.get('a')?.toString()).toBe('aaaaaaaa');
  for (const key of 'bcdefghija') cache.get(key);
  keep('k', 1);
  expect(kept()).toBe('acdefghijk');
  keep('l', 81);
  expect([cache.size, kept()]).toEqual([0, '']);
  keep('m', 10);
  keep('d', 4);
  cache.delete('c');
  cache.delete('m');
  keep('d', 2);
  expect([cache.get('l'), cache.get('m'), cache.get('d')?.length, cache.size]).toEqual([undefined, undefined, 2, 2]);
});

test('a response whose request id an earlier response had is outdated, unless all responses have the same id', () => {
  const ids = new ReceivedRequestIds();
  const isOld = (id?: string): boolean => ids.isOld(id === undefined ? {} : { 'x-amz-request-id': id });
  expect([isOld('a'), isOld('b'), isOld('a'), isOld('a'), isOld(), isOld()]).toEqual([
    false,
    false,
    true,
    false,
    false,
    false,
  ]);
  for (let count = 0; count < 998; count++) isOld(`other ${count}`);
  expect(isOld('b')).toBe(true);
  isOld('one more');
  expect([isOld('a'), isOld('b')]).toEqual([false, false]);
});

const nonce = '01234567-89ab-cdef-0123-456789abcdef';

test.each([
  [{}, 'alive'],
  [{ host: 'other' }, 'unknown'],
  [{ boot: 'other' }, 'dead'],
  [{ pidNamespace: 'other' }, 'unknown'],
  [{ folder: 'other' }, 'unknown'],
  [{ started: 'other' }, 'dead'],
  [{ pid: 2 ** 30 }, 'dead'],
])('the holder of a lock that differs from this process in %j is %s', (difference, liveness) => {
  const self = { ...describeProcess(), folder: '1:2', nonce };
  if (self.started === '') return;
  expect(checkLiveness({ ...self, ...difference }, self)).toBe(liveness);
});

test.each([
  [{}, true],
  [{ host: 1 }, false],
  [{ boot: null }, false],
  [{ pidNamespace: undefined }, false],
  [{ started: 2 }, false],
  [{ nonce: 'short' }, false],
  [{ nonce: undefined }, false],
  [{ pid: '1' }, false],
  [{ folder: undefined }, true],
])('a lock file with %j is valid: %s', (difference, isValid) => {
  const holder = { host: 'h', boot: 'b', pidNamespace: 'n', pid: 1, started: 's', folder: 'f', nonce, ...difference };
  const parsed = parseLockHolder(JSON.stringify(holder));
  expect(parsed).toEqual(isValid ? { ...holder, folder: holder.folder ?? '' } : undefined);
  expect(parseLockHolder('null')).toBeUndefined();
});
