import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkBucketAccess } from '../../../../src/toolsets/books/library/check.ts';
import type { BucketOptions } from '../../../support/bucket/server.ts';
import { openStore } from './support.ts';

async function findings(options: BucketOptions, env: Record<string, string> = {}, objects: readonly string[] = []) {
  const { bucket, env: own } = await openStore(options);
  for (const key of objects) bucket.put(key, Buffer.from('# Text'));
  const { endpoint, name, customer } = bucket;
  const settings = {
    bucket: name,
    prefix: 'lib/',
    endpoint,
    region: customer.region,
    cacheBytes: 0,
    isInsecureAllowed: false,
  };
  const found = [];
  for await (const finding of checkBucketAccess(settings, { ...own, ...env })) found.push(finding);
  return found.map(
    ({ isGood, isWarning, line, hint }) =>
      `${isGood ? (isWarning === true ? '!' : '✓') : '✗'} ${line.replaceAll(/:\d+/g, '')}${hint === undefined ? '' : ` | ${hint}`}`,
  );
}

test('--check reports that an object store supports conditional writes', async () => {
  expect(await findings({})).toEqual([
    '✓ s3://library/lib/ at http://127.0.0.1 can be read: 0 books',
    '✓ s3://library/lib/ at http://127.0.0.1 can be written: it supports conditional writes',
  ]);
});

test('--check states why a library in an object store is read-only', async () => {
  expect(await findings({ weakness: { ignoresIfMatch: true } })).toEqual([
    '✓ s3://library/lib/ at http://127.0.0.1 can be read: 0 books',
    expect.stringMatching(
      /^✗ .* cannot be written: the object store does not support conditional writes: .* \| Reading works/,
    ),
  ]);
});

test.each([
  ['only warns', 'contains a book', ['lib/books/a-book/README.md'], '! '],
  ['fails', 'is empty', [], '✗ '],
])(
  '--check %s if the credentials have no permission to write and the bucket %s',
  async (_result, _state, keys, mark) => {
    const mishap: BucketOptions['mishap'] = method =>
      method === 'PUT' ? { kind: 'refuse', status: 403, code: 'AccessDenied' } : undefined;
    const [readable, writable = ''] = await findings({ mishap }, {}, keys);
    expect(readable).toMatch(/^✓ .* can be read: \d books?$/);
    expect(writable.slice(0, 2)).toBe(mark);
    expect(writable).toMatch(/403 AccessDenied.* \| Reading works\. For changes, use credentials with write/);
  },
);

test('--check suggests a remedy if the object store rejects the credentials', async () => {
  expect(await findings({}, { AWS_SECRET_ACCESS_KEY: 'wrong' })).toEqual([
    expect.stringMatching(/^✗ .*403 SignatureDoesNotMatch.* \| .*AWS_SECRET_ACCESS_KEY/),
  ]);
});

test.each([
  [404, 'NoSuchBucket', 'does not exist (404 NoSuchBucket). | The user can create it, or correct --books-root'],
  [507, 'XMinioStorageFull', ' | The user can free space in the object store, or raise its quota.'],
  [
    400,
    'InvalidToken',
    ' | The user can check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for temporary ones, AWS_SESSION',
  ],
  [400, 'InvalidBucketName', ' | The user can correct the name of the bucket in --books-root.'],
  [501, 'NotImplemented', ' | The user needs an object store that supports these requests.'],
])('--check names the remedy if the object store answers with %i %s', async (status, code, remedy) => {
  const [line] = await findings({ mishap: () => ({ kind: 'refuse', status, code }) });
  expect(line).toContain(remedy);
});

test('--check with --books-verify does not count a temporary test object as a book', async () => {
  const { bucket, env } = await openStore();
  bucket.put('.oj-books/probe/left-behind', Buffer.from('x'));
  const { endpoint, name, customer } = bucket;
  const settings = {
    bucket: name,
    prefix: '',
    endpoint,
    region: customer.region,
    cacheBytes: 0,
    isInsecureAllowed: false,
  };
  const lines: string[] = [];
  for await (const { line } of checkBucketAccess(settings, env, true)) lines.push(line);
  expect(lines).toHaveLength(2);
});

test('--check uses the address of the object store in the AWS profile, or names it if it is invalid', async () => {
  const { bucket, env } = await openStore();
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'config');
  const settings = { bucket: bucket.name, prefix: '', endpoint: undefined, region: undefined };
  const firstLine = async (endpoint: string): Promise<string | undefined> => {
    writeFileSync(file, `[default]\nendpoint_url = ${endpoint}\nregion = ${bucket.customer.region}\n`);
    const limits = { cacheBytes: 0, isInsecureAllowed: false };
    const results = checkBucketAccess({ ...settings, ...limits }, { ...env, AWS_CONFIG_FILE: file });
    for await (const { line } of results) return line;
    return undefined;
  };
  expect(await firstLine(bucket.endpoint)).toBe(`s3://library/ at ${bucket.endpoint} can be read: 0 books`);
  await expect(firstLine(`${bucket.endpoint}/x`)).rejects.toThrow('endpoint_url of the AWS profile must be an origin');
});
