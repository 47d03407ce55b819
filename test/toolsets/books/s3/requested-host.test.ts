import { afterEach, describe, expect, test, vi } from 'vitest';
import { Failure } from '../../../../src/errors/failure.ts';
import type { Transport } from '../../../../src/http/transport.ts';
import { readBucketSettings } from '../../../../src/toolsets/books/bucket-settings.ts';
import { requestOriginOf } from '../../../../src/toolsets/books/model/bucket-address.ts';
import { openBucket } from '../../../../src/toolsets/books/storage/s3/bucket.ts';
import { ObjectStoreClient } from '../../../../src/toolsets/books/storage/s3/client.ts';

afterEach(() => void vi.unstubAllEnvs());

const target = {
  endpoint: 'https://s3.eu-west-1.amazonaws.com',
  region: 'eu-west-1',
  bucket: 'shelf',
  prefix: '',
  isPathStyle: false,
};
const keys = async () => await Promise.resolve({ accessKeyId: 'a', secretAccessKey: 'b' });

async function failureOf(error: Error): Promise<Failure> {
  const client = new ObjectStoreClient(target, vi.fn<Transport>().mockRejectedValue(error), keys, Date.now);
  try {
    await client.request({ method: 'GET', key: 'x' });
  } catch (failure) {
    if (failure instanceof Failure) return failure;
  }
  throw new Error('the request does not fail');
}

describe('an error of a bucket whose name is in the host name', () => {
  test.each([
    ['ECONNREFUSED', 'The user can check --books-root'],
    ['ENOTFOUND', 'The user can check --books-root'],
    ['ECONNRESET', 'Try again in a moment, or: The user can check --books-root'],
  ])('with the code %s names the requested host and a remedy that can help', async (code, remedy) => {
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']) vi.stubEnv(name, '');
    const failure = await failureOf(Object.assign(new Error('lost'), { code }));
    expect(failure.message).toContain('Cannot reach https://shelf.s3.eu-west-1.amazonaws.com: ');
    expect(failure.remedy?.startsWith(remedy)).toBe(true);
  });

  test('names a proxy that cannot be used for the requested host, although NO_PROXY has the host without the bucket', async () => {
    vi.stubEnv('HTTPS_PROXY', 'ftp://proxy.example');
    vi.stubEnv('NO_PROXY', 's3.eu-west-1.amazonaws.com');
    const failure = await failureOf(Object.assign(new Error('lost'), { code: 'ECONNREFUSED' }));
    expect(failure.remedy).toContain('https://shelf.s3.eu-west-1.amazonaws.com is requested directly');
    vi.stubEnv('NO_PROXY', '.amazonaws.com');
    expect((await failureOf(Object.assign(new Error('lost'), { code: 'ECONNREFUSED' }))).remedy).not.toContain(
      'directly',
    );
  });
});

test.each([
  ['s3://shelf', {}, 'https://shelf.s3.us-east-1.amazonaws.com'],
  ['s3://shelf', { AWS_REGION: 'eu-west-1' }, 'https://shelf.s3.eu-west-1.amazonaws.com'],
  ['s3://shelf', { AWS_REGION: 'us east' }, 'https://shelf.s3.us-east-1.amazonaws.com'],
  ['s3://my.shelf', { AWS_REGION: 'cn-north-1' }, 'https://s3.cn-north-1.amazonaws.com.cn'],
  ['s3://shelf', { AWS_ENDPOINT_URL_S3: 'https://store.example:9000' }, 'https://store.example:9000'],
])('requests for %s with %j go to %s', (root, env, origin) => {
  expect(requestOriginOf(readBucketSettings(root, {}, 0, env))).toBe(origin);
});

test.each(['s3://Bad_Bucket', 's3://Bucket'])('%s is refused at AWS, and allowed in another store', async root => {
  const env = { AWS_REGION: 'eu-west-1', AWS_CONFIG_FILE: '/none', AWS_SHARED_CREDENTIALS_FILE: '/none' };
  await expect(openBucket(readBucketSettings(root, {}, 0, env), env, Date.now)).rejects.toThrow('lower-case letters');
  const other = { ...env, AWS_ENDPOINT_URL_S3: 'https://store.example' };
  const backend = await openBucket(readBucketSettings(root, {}, 0, other), other, Date.now);
  expect(backend.endpoint).toBe('https://store.example');
  await backend.close();
});

test('a bucket with the prefix of an international host name is refused', () => {
  expect(() => readBucketSettings('s3://xn--a', {}, 0, {})).toThrow('must look like s3://bucket');
});
