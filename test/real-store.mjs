// Runs the library tests against a real object store: npm run test:s3 starts Ceph for them. For another store set
// BOOKS_STORE_ENDPOINT, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. The tests use its bucket `library`, which is
// created if it is missing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isStoreAlive, makeBucket, startStore, stopStore, store } from './support/bucket/ceph.mjs';
import { PackagesUnavailable } from './support/bucket/packages.mjs';

const {
  BOOKS_STORE_ENDPOINT: endpoint,
  AWS_REGION: region = 'us-east-1',
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
} = process.env;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs the tests and passes signals on to them, because a test process that does not get the signal would continue
 * without a store.
 */
async function runTests(used) {
  const variables = {
    BOOKS_STORE: 'real',
    AWS_ENDPOINT_URL_S3: used.endpoint,
    AWS_REGION: used.region,
    AWS_ACCESS_KEY_ID: used.accessKeyId,
    AWS_SECRET_ACCESS_KEY: used.secretAccessKey,
  };
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'bucket', ...process.argv.slice(2)];
  const tests = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  const end = signal => tests.kill(signal);
  for (const signal of signals) process.on(signal, end);
  const [status] = await once(tests, 'exit');
  for (const signal of signals) process.off(signal, end);
  process.exitCode = status ?? 1;
}

/**
 * Runs the tests on a new store, and once more if the store has crashed, because test failures after a crash have no
 * meaning.
 */
async function runOnNewStore() {
  await startStore();
  await runTests(store);
  if (process.exitCode === 0 || isStoreAlive()) return;
  console.error('The store has died under the tests. Once more, with a new one.');
  await stopStore();
  await startStore();
  await runTests(store);
}

if (endpoint === undefined) {
  try {
    await runOnNewStore();
  } catch (error) {
    if (!(error instanceof PackagesUnavailable)) throw error;
    console.error(`\n*** THE REAL OBJECT STORE WAS NOT TRIED: ${error.message}. ***\n`);
  } finally {
    await stopStore();
  }
} else {
  const own = { bucket: store.bucket, endpoint, region, accessKeyId, secretAccessKey };
  await makeBucket(own);
  await runTests(own);
}
