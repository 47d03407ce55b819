// @ts-check
// node test/fuzz/soak.mjs [MINUTES]: runs the built file with all toolsets under calls, cancellations and faults, and
// reports memory, descriptors, threads and requests without a response. Reads /proc, so it needs Linux.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** @typedef {{ minute: number, rssMiB: number, descriptors: number, threads: number }} Sample */
/** @typedef {[name: string, args: object]} Call */

const minutes = Number(process.argv[2] ?? 30);
/** In the first part of the run the memory grows, because caches are filled and code is compiled. */
const warmUpShare = 1 / 3;
const maxInFlight = 12;
const pauseMs = 15;
const sampleMs = 10_000;
const lastAnswerMs = 60_000;
const maxSlopeMiB = 1;

let state = 1;
/** @param {number} limit */
function random(limit) {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return (state >>> 8) % limit;
}

/**
 * @template Value
 * @param {readonly [Value, ...Value[]]} values
 * @returns {Value}
 */
function pick(...values) {
  return values[random(values.length)] ?? values[0];
}

const book = 'soak-book';
const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-soak-'));
const [booksRoot, filesRoot] = [path.join(folder, 'library'), path.join(folder, 'files')];
const lessons = Array.from({ length: 30 }, (_, index) => {
  const two = String(index + 1).padStart(2, '0');
  return `content/01-Part/01-Chapter/${two}-lesson.md`;
});
for (const lesson of lessons)
  put(path.join(booksRoot, 'books', book, lesson), `# Lesson\n\n${'TODO: words of text. '.repeat(50)}\n`);
for (let index = 0; index < 200; index++) {
  const extension = pick('txt', 'md', 'html', 'rtf', 'eml', 'csv');
  put(
    path.join(filesRoot, `folder-${index % 7}`, `note-${index}.${extension}`),
    `Subject: note ${index}\n\nbudget 2026 `.repeat(1 + random(200)),
  );
}

/** @param {string} file @param {string} content */
function put(file, content) {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** A backend that simulates faults: slow, broken, compressed and hostile responses. */
const backend = http.createServer((request, response) => {
  const problem = {
    id: '1',
    source: 'atcoder',
    slug: 'a',
    title: 'Title',
    content: `<p>${'text <b>bold</b> $x<y$ '.repeat(random(300))}`,
    tags: ['dp'],
  };
  const body = JSON.stringify(request.url?.includes('similar') ? { results: [problem] } : problem);
  const type = { 'content-type': 'application/json' };
  switch (random(24)) {
    case 0:
      request.socket.destroy();
      return;
    case 1:
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>error</h1>'.repeat(1000));
      return;
    case 2:
      response.writeHead(200, { ...type, 'content-encoding': 'gzip' }).end(gzipSync(body));
      return;
    case 3:
      response.writeHead(200, { ...type, 'content-length': '100000' }).write(body, () => request.socket.destroy());
      return;
    case 4:
      response.writeHead(200, type);
      for (const character of body.slice(0, 2000)) response.write(character);
      response.end();
      return;
    case 5:
      response.writeHead(302, { location: '/again' }).end();
      return;
    case 6:
      setTimeout(() => response.writeHead(200, type).end(body), 2000);
      return;
    case 7:
      response.writeHead(404, { 'content-type': 'application/problem+json' }).end('{"title":"Not Found","status":404}');
      return;
    case 8:
      response.writeHead(200, type).end('{"a":"\\ud800"');
      return;
    default:
      response.writeHead(200, type).end(body);
  }
});
await new Promise(resolve => backend.listen(0, '127.0.0.1', () => resolve(undefined)));
const address = backend.address();
if (typeof address !== 'object' || address === null) throw new Error('the backend has no port');

/** @type {(() => Call)[]} */
const calls = [
  () => ['get_problem', { source: 'atcoder', id: String(random(100)) }],
  () => ['get_daily_challenge', {}],
  () => ['find_similar_problems', { query: `shortest path ${random(100)}` }],
  () => ['resolve_problem', { query: `https://judge.example/${random(100)}` }],
  () => ['get_platform_status', {}],
  () => ['add', { a: `${random(1000)}.5`, b: '0.25' }],
  () => ['format_currency', { amount: random(100_000), picture: pick('$$$,$$9.99', 'ZZZ,ZZ9.99CR', '((') }],
  () => ['validate_date', { date: `20${10 + random(20)}02${10 + random(20)}` }],
  () => ['list_books', { include_structure: pick('none', 'all') }],
  () => ['read_content', { book_id: book, path: pick(lessons[0] ?? '', 'content/../x', lessons[random(30)] ?? '') }],
  () => ['read_content', { book_id: book, path: 'content/01-Part', scope: 'part' }],
  () => ['write_content', { book_id: book, path: lessons[random(30)], content: `# ${random(1e6)}\n` }],
  () => ['write_content', { book_id: book, path: `content/02-New/01-New/${10 + random(20)}-new.md`, content: 'new\n' }],
  () => ['delete_content', { book_id: book, path: `content/02-New/01-New/${10 + random(20)}-new.md` }],
  () => ['glob_search', { book_id: book, pattern: pick('**/*.md', 'content/{01,02}*/**', '[') }],
  () => ['grep_search', { book_id: book, pattern: pick('TODO', '(?i)words', '(a+)+b', '(?=x)y', '(') }],
  () => [
    'upload_asset',
    { book_id: book, asset_type: 'img', filename: `${random(9)}.png`, binary_data: 'iVBORw0KGgo=' },
  ],
  () => ['get_asset', { book_id: book, asset_type: 'img', filename: `${random(9)}.png`, include_binary: true }],
  () => ['validate_book', { book_id: book }],
  () => ['delta_build', { book_id: book, since: '2026-01-01T00:00:00Z' }],
  () => ['get_book_archive', { book_id: book }],
  () => ['search', { query: pick('budget 2026', 'note', 'nothing'), scope: filesRoot, excerpts: true }],
  () => ['get_metadata', { path: path.join(filesRoot, 'folder-1', `note-${1 + 7 * random(20)}.txt`) }],
  () => ['search_by_kind', { kind: 'document', scope: filesRoot }],
  () => ['recent_files', { scope: filesRoot, limit: 10 }],
  () => ['get_problem', { source: '', idd: random(9) }],
  () => ['no_such_tool', {}],
];

const server = spawn(
  process.execPath,
  [
    path.resolve('dist/oj-mcp.cjs'),
    '--toolsets=all',
    `--base-url=http://127.0.0.1:${address.port}`,
    `--books-root=${booksRoot}`,
    `--files-root=${filesRoot}`,
  ],
  { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, OJ_MCP_LOG: 'off', OJ_MCP_TOKEN: 'soak-token-soak' } },
);
const pid = server.pid ?? 0;

/**
 * Requests that need a response.
 * @type {Set<unknown>}
 */
const waiting = new Set();
const cancelled = new Set();
let [answered, errors, unexpected, nextId] = [0, 0, 0, 1];
createInterface(server.stdout).on('line', line => {
  const message = JSON.parse(line);
  if (!('id' in message)) return;
  if (message.id === null) return; // the response to a line that is no message
  if (!waiting.delete(message.id) && !cancelled.has(message.id)) unexpected++;
  answered++;
  if ('error' in message || message.result?.isError === true) errors++;
});

/** @param {unknown} message */
function send(message) {
  server.stdin.write(
    typeof message === 'string' ? `${message}\n` : `${JSON.stringify({ jsonrpc: '2.0', ...Object(message) })}\n`,
  );
}

waiting.add(0);
send({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } },
});
send({ method: 'notifications/initialized' });

/** @type {Sample[]} */
const samples = [];
const began = performance.now();
const timer = setInterval(() => {
  const sample = measure();
  samples.push(sample);
  if (samples.length % 30 === 0) print(sample);
}, sampleMs);

while (performance.now() - began < minutes * 60_000) {
  await sleep(pauseMs);
  if (waiting.size >= maxInFlight) continue;
  const chance = random(100);
  if (chance === 0) send(pick('{', '[]', '{"jsonrpc":"2.0","id":null}', '"\\ud800"'));
  const id = nextId++;
  const [name, args] = (calls[random(calls.length)] ?? calls[0])?.() ?? ['ping', {}];
  waiting.add(id);
  send(chance < 5 ? { id, method: 'ping' } : { id, method: 'tools/call', params: { name, arguments: args } });
  if (chance < 90) continue;
  await sleep(random(20));
  if (!waiting.delete(id)) continue;
  cancelled.add(id);
  send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'soak' } });
}
clearInterval(timer);
const lastAnswerAt = performance.now() + lastAnswerMs;
while (waiting.size > 0 && performance.now() < lastAnswerAt) await sleep(100);
report();
server.stdin.end();
const [code] = await new Promise(resolve => server.once('close', (...args) => resolve(args)));
console.log(`exit code ${code}`);
backend.closeAllConnections();
backend.close();
rmSync(folder, { recursive: true });

/** @returns {Sample} */
function measure() {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return {
    minute: (performance.now() - began) / 60_000,
    rssMiB: Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]),
  };
}

/** @param {Sample} sample */
function print({ minute, rssMiB, descriptors, threads }) {
  console.log(
    `minute ${minute.toFixed(0)}: ${rssMiB.toFixed(1)} MiB, ${descriptors} descriptors, ${threads} threads, ${nextId - 1} calls`,
  );
}

function report() {
  const steady = samples.filter(({ minute }) => minute >= minutes * warmUpShare);
  const slope = 10 * slopeOf(steady.map(({ minute, rssMiB }) => [minute, rssMiB]));
  const range = (/** @type {number[]} */ values) => `${Math.min(...values)} to ${Math.max(...values)}`;
  console.log(`${nextId - 1} calls: ${answered} responses (${errors} errors), ${cancelled.size} cancelled`);
  console.log(`without a response: ${waiting.size}; responses without a request: ${unexpected}`);
  console.log(
    `memory: ${slope.toFixed(2)} MiB per 10 minutes, ${range(steady.map(({ rssMiB }) => Math.round(rssMiB)))} MiB`,
  );
  console.log(
    `descriptors: ${range(steady.map(({ descriptors }) => descriptors))}; threads: ${range(steady.map(({ threads }) => threads))}`,
  );
  process.exitCode = waiting.size === 0 && unexpected === 0 && slope < maxSlopeMiB ? 0 : 1;
}

/**
 * The slope of the line with the least squared errors.
 * @param {[x: number, y: number][]} points
 */
function slopeOf(points) {
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const covariance = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)));
  return covariance / mean(points.map(([x]) => (x - meanX) ** 2));
}
