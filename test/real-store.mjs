// The tests of every library against a real object store: npm run test:s3
// Ceph is brought up for them. Against a store of one's own, in a bucket `library`, which is made if it is not there:
//   BOOKS_STORE_ENDPOINT=http://127.0.0.1:9000 AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… npm run test:s3
import { spawnSync } from 'node:child_process';
import { isStoreAlive, makeBucket, OutOfReach, startStore, stopStore, store } from './support/bucket/ceph.mjs';

const {
  BOOKS_STORE_ENDPOINT: endpoint,
  AWS_REGION: region = 'us-east-1',
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
} = process.env;

function runTests(used) {
  const variables = {
    BOOKS_STORE: 'real',
    AWS_ENDPOINT_URL_S3: used.endpoint,
    AWS_REGION: used.region,
    AWS_ACCESS_KEY_ID: used.accessKeyId,
    AWS_SECRET_ACCESS_KEY: used.secretAccessKey,
  };
  // A store is slower than memory, and machines are busy.
  const options = ['--project', 'bucket', '--testTimeout', '60000'];
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...options, ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...variables } });
  process.exitCode = status ?? 1;
}

if (endpoint === undefined) {
  try {
    await startStore();
    runTests(store);
    if (process.exitCode !== 0 && !isStoreAlive()) throw new OutOfReach('it has died under the tests');
  } catch (error) {
    if (!(error instanceof OutOfReach)) throw error;
    console.error(`\n*** THE REAL OBJECT STORE WAS NOT TRIED: ${error.message}. ***\n`);
    process.exitCode = 0;
  } finally {
    await stopStore();
  }
} else {
  const own = { bucket: store.bucket, endpoint, region, accessKeyId, secretAccessKey };
  await makeBucket(own);
  runTests(own);
}
