// Measures calls to a library in a bucket: their requests, and their time with a store on this machine and with a
// latency of 4 ms.
// node bench/books-s3.mjs [calls] [archive] [keys]
// It starts a Ceph store, or uses the store in BOOKS_STORE_ENDPOINT and the AWS_… variables.
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import aws4 from 'aws4';
import { store as ceph, makeBucket, startStore, stopStore } from '../test/support/bucket/ceph.mjs';
import { quantile, startServer } from './books-server.mjs';
import { peakMiB, residentMiB } from './process-stats.mjs';

const farMs = 4;
const wanted = process.argv.slice(2);
const isWanted = name => wanted.length === 0 || wanted.includes(name);
const { BOOKS_STORE_ENDPOINT: ownEndpoint, AWS_REGION: region = 'us-east-1' } = process.env;
const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
const store =
  ownEndpoint === undefined
    ? ceph
    : { bucket: ceph.bucket, endpoint: ownEndpoint, region, accessKeyId, secretAccessKey };
const run = `bench-${Date.now().toString(36)}`;
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

/** Starts a proxy to the store that adds latency and counts the requests. */
async function farStore() {
  const { hostname, port } = new URL(store.endpoint);
  const counted = { requests: 0 };
  const forward = (request, response) => {
    const { method, url: path, headers } = request;
    const asked = http.request({ hostname, port, method, path, headers, agent }, answer => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    request.pipe(asked);
  };
  const server = http.createServer((request, response) => {
    counted.requests++;
    setTimeout(() => forward(request, response), farMs);
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return { counted, endpoint: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

async function put(key, body) {
  const { host, hostname, port } = new URL(store.endpoint);
  const path = `/${store.bucket}/${run}/${key}`;
  const headers = {
    host,
    'content-length': body.length,
    'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
  };
  const signed = aws4.sign({ service: 's3', region: store.region, method: 'PUT', path, headers }, store);
  const status = await new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, method: 'PUT', path, headers: signed.headers, agent }, answer => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode));
    });
    request.on('error', reject);
    request.end(body);
  });
  if (status !== 200) throw new Error(`${key} could not be put: ${status}`);
}

async function putAll(count, fileOf) {
  let next = 0;
  const work = async () => {
    while (next < count) await put(...fileOf(next++));
  };
  await Promise.all(Array.from({ length: 32 }, work));
}

const two = n => String(n).padStart(2, '0');
/** A chapter has fifteen lessons. */
const lessonOf = n =>
  `content/${two(Math.floor(n / 1500))}-Part/${two(Math.floor(n / 15) % 100)}-Chapter/${two(n % 15)}-l-${n}.md`;

let far;
/** Opens a server for the library, with a fast connection to the store or through the proxy with latency. */
async function openLibrary(side) {
  const args = ['--toolsets', 'books', '--books-root', `s3://${store.bucket}/${run}/${side}`];
  const server = await startServer('dist/oj-mcp.cjs', args, {
    AWS_ENDPOINT_URL_S3: side === 'near' ? store.endpoint : far.endpoint,
    AWS_REGION: store.region,
    AWS_ACCESS_KEY_ID: store.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
  });
  await server.call('list_books', {}); // the program is loaded, and old archives have been looked for
  return server;
}

const sides = ['near', 'far'];

/** Runs the calls of both servers alternately, and measures their time and requests. */
async function measure(servers, rounds, make) {
  const took = { near: [], far: [] };
  const requests = [];
  for (let n = 0; n < rounds; n++) {
    for (const side of sides) {
      const [tool, args] = make(n);
      far.counted.requests = 0;
      const { tookMs, isError, content } = await servers[side].ask(tool, args);
      if (isError) throw new Error(JSON.stringify(content).slice(0, 500));
      took[side].push(tookMs);
      if (side === 'far') requests.push(far.counted.requests);
      await pause(40); // ends of changes go out by themselves
    }
  }
  return { near: quantile(took.near, 0.5), far: quantile(took.far, 0.5), requests: quantile(requests, 0.5) };
}

function row(what, { requests, near, far: away }, more = '') {
  const ms = value => value.toFixed(value < 100 ? 1 : 0).padStart(9);
  console.log(`${what.padEnd(44)}${String(requests).padStart(8)}${ms(near)}${ms(away)} ${more}`);
}

const openBoth = async () => ({ near: await openLibrary('near'), far: await openLibrary('far') });
const stopBoth = async servers => await Promise.all(sides.map(async side => await servers[side].stop()));

/** Measures calls on a book of 5,000 lessons with 4 KB each. */
async function calls() {
  const text = 'A line of a lesson, as they are in books that teach.\n'.repeat(75);
  for (const side of sides)
    await putAll(5000, n => [`${side}/books/a-book/${lessonOf(n)}`, Buffer.from(`# ${n}\n${text}`)]);
  const book = { book_id: 'a-book' };
  let servers = await openBoth();
  const repeated = {
    list_books: [20, () => ['list_books', {}]],
    read_content: [40, n => ['read_content', { ...book, path: lessonOf(n * 17) }]],
    'read_content again': [40, n => ['read_content', { ...book, path: lessonOf(n * 17) }]],
    'a chapter of 15': [20, n => ['read_content', { ...book, scope: 'chapter', path: chapterOf(n * 45) }]],
    'glob_search, 5,000 files': [10, () => ['glob_search', { ...book, pattern: 'content/**/*7.md' }]],
    'grep_search, 5,000 lessons, first': [1, () => ['grep_search', { ...book, pattern: 'zzz' }]],
    'grep_search, again': [10, () => ['grep_search', { ...book, pattern: 'zzz' }]],
    'validate_book, 5,000 files, first': [1, () => ['validate_book', book]],
    'write_content, first': [1, () => ['write_content', { ...book, path: newLesson(0), content: 'one' }]],
    'write_content, a new lesson': [40, n => ['write_content', { ...book, path: newLesson(n + 1), content: 'one' }]],
    delete_content: [40, n => ['delete_content', { ...book, path: newLesson(n + 1) }]],
    'delta_build, 5,000 files, first': [1, () => ['delta_build', { ...book, since: new Date().toISOString() }]],
    'delta_build, again': [10, () => ['delta_build', { ...book, since: new Date().toISOString() }]],
    'validate_book, again': [5, () => ['validate_book', book]],
  };
  for (const [what, [rounds, make]] of Object.entries(repeated)) row(what, await measure(servers, rounds, make));
  await stopBoth(servers);
  servers = await openBoth();
  row('delta_build by another server, first', await measure(servers, 1, repeated['delta_build, again'][1]));
  await stopBoth(servers);
}

const chapterOf = n => lessonOf(n).split('/').slice(0, 3).join('/');
const newLesson = n => `content/99-New/01-Chapter/${two(n % 100)}-new.md`;

/** Measures an archive of 500 files with 200 MB, most of them images. */
async function archive() {
  for (const side of sides) {
    await putAll(400, n => [`${side}/books/big-book/${lessonOf(n)}`, randomBytes(25_000).toString('hex')].map(asBytes));
    await putAll(100, n => [`${side}/books/big-book/static/img/p${n}.png`, randomBytes(1_800_000)]);
  }
  const servers = await openBoth();
  const before = Object.fromEntries(sides.map(side => [side, residentMiB(servers[side].pid)]));
  for (const side of sides) writeFileSync(`/proc/${servers[side].pid}/clear_refs`, '5'); // the peak counts from here
  const figures = await measure(servers, 1, () => ['get_book_archive', { book_id: 'big-book', scope: 'all' }]);
  const extra = sides.map(side => (peakMiB(servers[side].pid) - before[side]).toFixed(0));
  row('get_book_archive, 500 files, 200 MB', figures, `${extra.join(' and ')} MiB more memory`);
  await stopBoth(servers);
}

const asBytes = (value, index) => (index === 0 ? value : Buffer.from(value));

/** Measures a listing of a book with 100,000 files. */
async function keys() {
  for (const side of sides)
    await putAll(100_000, n => [
      `${side}/books/long-book/content/${two(n % 90)}-P/${two(n % 97)}-C/${n}.md`,
      Buffer.of(35),
    ]);
  const servers = await openBoth();
  row(
    'glob_search, 100,000 files',
    await measure(servers, 3, () => ['glob_search', { book_id: 'long-book', pattern: '**/*77.md' }]),
  );
  await stopBoth(servers);
}

if (ownEndpoint === undefined) await startStore();
else await makeBucket(store);
far = await farStore();
try {
  console.log(`${''.padEnd(44)}requests  near ms  ${farMs} ms away`);
  if (isWanted('calls')) await calls();
  if (isWanted('archive')) await archive();
  if (isWanted('keys')) await keys();
} finally {
  far.close();
  agent.destroy();
  if (ownEndpoint === undefined) await stopStore();
}
