// Tests a library while its writers are killed. Several servers write, delete, move, restore and merge a few lessons of one
// book; each is killed at a random moment and replaced by a new one. Imports into a second book are killed too. At the
// end, every acknowledged change must be in the library.
// node bench/books-torture.mjs [--kills 1000] [--servers 4] [--lessons 12] [--imports 0.2] [--through lossy|refusing]
// [--store real|small|folder] [--record FILE]
// `--imports` is the probability of an import after each killed server. `--record` writes the changes that the clients
// observed to a file and keeps the library, so that another program can audit it.
// `lossy` is a proxy that loses, delays and repeats requests and responses, `refusing` one that returns 503 and 409 at
// random. The real store is started for the test, or it is the store in AWS_ENDPOINT_URL_S3 with its bucket `library`.
// The small store is the one of the tests, and `folder` is a folder of this machine. The exit code is 1 if a guarantee was
// broken.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { store as real, startStore, stopStore } from '../test/support/bucket/ceph.mjs';
import { runAuthor } from './torture/author.mjs';
import { openBucket } from './torture/bucket.mjs';
import { openFolder } from './torture/folder.mjs';
import { newImporter } from './torture/importer.mjs';
import { startProxy } from './torture/proxy.mjs';
import { startSmallStore } from './torture/small-store.mjs';
import { judgeLibrary } from './torture/verdict.mjs';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    servers: { type: 'string', default: '4' },
    lessons: { type: 'string', default: '12' },
    imports: { type: 'string', default: '0.2' },
    record: { type: 'string' },
    through: { type: 'string', default: 'straight' },
    store: { type: 'string', default: 'real' },
  },
});
const wanted = {
  kills: Number(values.kills),
  servers: Number(values.servers),
  lessons: Number(values.lessons),
  imports: Number(values.imports),
};

/** The age in milliseconds at which any process may end an unfinished change of another process. */
const abandonedMs = 15_000;
const reportMs = 10_000;

const isFolder = values.store === 'folder';
const store = isFolder ? undefined : await storeOf(values.store);
const proxy = await startProxy(store?.endpoint, isFolder ? 'straight' : values.through);
const prefix = `torture-${Date.now().toString(36)}`;
const temporary = mkdtempSync(path.join(tmpdir(), 'oj-mcp-torture-'));
try {
  const bucket = isFolder ? openFolder() : openBucket(store);
  const root = isFolder ? path.join(bucket.root, prefix) : `s3://library/${prefix}`;
  const chronicle = newChronicle();
  const env = { ...(isFolder ? {} : variablesOf(store, proxy)), TMPDIR: temporary };
  const importer = newImporter(path.join(temporary, 'source'));
  const plan = { ...wanted, bucket, root, prefix, chronicle, importer, env };
  await bucket.put(`${prefix}/books/a-book/content/README.md`, '# A book\n');
  const began = performance.now();
  const report = setInterval(() => console.error(`  ${progressOf(chronicle, began)}`), reportMs);
  await Promise.all(Array.from({ length: wanted.servers }, () => runAuthor(plan)));
  clearInterval(report);
  console.log(progressOf(chronicle, began));
  await new Promise(resolve => setTimeout(resolve, isFolder ? 0 : abandonedMs));
  const { faults, facts } = await judgeLibrary(plan);
  if (values.record !== undefined) {
    const { acknowledged, refused, unknown } = chronicle;
    const observed = { root, kills: chronicle.kills, acknowledged, refused, unknown, pages: [...importer.pages] };
    writeFileSync(values.record, JSON.stringify(observed));
  }
  for (const fact of [...facts, ...proxy.facts()]) console.log(fact);
  for (const fault of faults.slice(0, 20)) console.log(`BROKEN: ${fault}`);
  console.log(faults.length === 0 ? 'every promise was kept' : `${faults.length} promises were broken`);
  process.exitCode = faults.length === 0 ? 0 : 1;
  if (faults.length === 0 && values.record === undefined) bucket.remove?.();
} finally {
  proxy.close();
  await store?.stop();
  rmSync(temporary, { recursive: true, force: true });
}

/** Creates an object that records all results that the clients observed. */
function newChronicle() {
  return {
    kills: 0,
    /** The number of servers that were killed during a pending change. */
    killsInside: 0,
    /** The number of servers that were killed before they acknowledged a change. */
    idle: 0,
    acknowledged: [],
    /** The numbers of successful moves, restored versions and merged texts, and of completed and killed imports. */
    moves: 0,
    restores: 0,
    merges: 0,
    imports: 0,
    killedImports: 0,
    /** The changes that were rejected. */
    refused: [],
    /** The changes whose result is unknown, because there was no response or the store failed. */
    unknown: [],
    /** The number of results with each error code. */
    codes: new Map(),
    /** The contents that a client expects, by path. */
    known: new Map(),
  };
}

function progressOf(chronicle, began) {
  const { kills, killsInside, idle, acknowledged, refused, unknown, codes } = chronicle;
  const { moves, restores, merges, imports, killedImports } = chronicle;
  const kinds = `${moves} moves, ${restores} restored, ${merges} merged, ${imports} imports and ${killedImports} killed`;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const said = [...codes].map(([code, count]) => `${code} ${count}`).join(', ');
  const each = (acknowledged.length / Math.max(1, kills)).toFixed(1);
  return `${seconds} s: ${kills} kills (${killsInside} inside a change, ${idle} before any), ${acknowledged.length} acknowledged (${each} a kill; ${kinds}), ${refused.length} refused, ${unknown.length} unanswered; ${said}`;
}

async function storeOf(name) {
  if (name === 'small') return await startSmallStore();
  const { AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env;
  if (AWS_ENDPOINT_URL_S3 !== undefined) {
    const keys = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
    return { endpoint: AWS_ENDPOINT_URL_S3, region: AWS_REGION, bucket: 'library', ...keys, stop: async () => {} };
  }
  await startStore();
  return { ...real, stop: stopStore };
}

/** Returns the environment variables for a server. With a proxy, its endpoint replaces that of the store. */
function variablesOf({ region, accessKeyId, secretAccessKey }, { endpoint }) {
  return {
    AWS_ENDPOINT_URL_S3: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}
