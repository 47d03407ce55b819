import { onTestFinished } from 'vitest';
import { openBucket } from '../../../../src/toolsets/books/storage/s3/bucket.ts';
import type { StorageBackend } from '../../../../src/toolsets/books/storage/storage-backend.ts';
import { type Bucket, type BucketOptions, startBucket } from '../../../support/bucket/server.ts';

export interface Store {
  bucket: Bucket;
  env: NodeJS.ProcessEnv;
  /** Opens the library in the store as another process would. */
  open: (prefix?: string) => Promise<StorageBackend>;
}

/** Starts an object store on the loopback interface, which is closed after the test. */
export async function openStore(options: BucketOptions & { clock?: () => number } = {}): Promise<Store> {
  const bucket = await startBucket(options);
  onTestFinished(async () => await bucket.close());
  const { endpoint, name, customer } = bucket;
  const env = { AWS_ACCESS_KEY_ID: customer.accessKeyId, AWS_SECRET_ACCESS_KEY: customer.secretAccessKey };
  return {
    bucket,
    env,
    open: async (prefix = '') => {
      const settings = {
        bucket: name,
        prefix,
        endpoint,
        region: customer.region,
        cacheBytes: 1 << 20,
        isInsecureAllowed: false,
      };
      const backend = await openBucket(settings, env, options.clock ?? Date.now);
      onTestFinished(async () => await backend.close());
      return backend;
    },
  };
}
