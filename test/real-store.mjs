// The tests of every library against a real object store, which is brought up for them: npm run test:s3
import { spawnSync } from 'node:child_process';
import { OutOfReach, startStore, stopStore, store } from './support/bucket/ceph.mjs';

const variables = {
  BOOKS_STORE: 'real',
  AWS_ENDPOINT_URL_S3: store.endpoint,
  AWS_REGION: store.region,
  AWS_ACCESS_KEY_ID: store.accessKeyId,
  AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
};

try {
  await startStore();
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'bucket', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  process.exitCode = status ?? 1;
} catch (error) {
  if (!(error instanceof OutOfReach)) throw error;
  console.error(`*** THE REAL OBJECT STORE WAS NOT TRIED: ${error.message}. ***`);
} finally {
  await stopStore();
}
