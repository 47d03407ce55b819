// The queries in one round of bench/files.mjs. `note(name, ours, other)` receives the cost of a search, and the cost of
// another program for the same query just before.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDraw } from './files-oracle/phrases.mjs';
import { scan } from './files-oracle/scanner.mjs';
import { measureProgram, measureSearch, startServer } from './files-server.mjs';
import { cpuMs, residentMiB, threadCpuMs } from './process-stats.mjs';
import { rotated } from './sample.mjs';

const flags = ['--files-timeout-ms', '120000', '--files-engine', 'scan'];
/** The time after which the list of a folder tree is not reused. */
const windowMs = 3000;

const ripgrep = (word, scope) => measureProgram('rg', ['-uu', '-liF', word, scope]);

async function beside(client, name, query, scope, note) {
  const other = ripgrep(query, scope);
  const ours = await measureSearch(client, { query, scope, limit: 1000 });
  const theirs = other.stdout.split('\n').filter(Boolean).length;
  // Only rg searches hidden folders, and only this program finds accents and legacy encodings, so that small
  // differences are accepted.
  if (Math.abs(ours.answer.results.length - theirs) > 5 + theirs / 5)
    throw new Error(`${name}: ${query} is in ${ours.answer.results.length} files, for rg in ${theirs}`);
  note(name, ours, other);
}

/**
 * Runs five different queries and then the first one again, each after the list of the folder tree has expired. Then
 * runs two queries in a row.
 */
export async function textRound({ label, scope, words }, round, note) {
  const [first, second, ...others] = rotated(words, round);
  const other = await startServer(scope, flags);
  await beside(other, `${label}: query 1`, second, scope, note);
  await beside(other, `${label}: query 2 at once`, first, scope, note);
  await other.end();
  const client = await startServer(scope, flags);
  for (const [index, word] of [first, second, ...others].slice(0, 5).entries()) {
    await beside(client, `${label}: query ${index + 1}`, word, scope, note);
    const before = cpuMs(client.pid);
    await sleep(windowMs);
    if (index === 0) note(`${label}: signing meanwhile`, { wallMs: undefined, cpuMs: cpuMs(client.pid) - before });
  }
  await beside(client, `${label}: the first again`, first, scope, note);
  await beside(client, `${label}: inside the window`, others.at(-1), scope, note);
  await client.end();
}

/** Runs ten different queries in a row, phrases and pairs of words in turn, and then the same queries with rg. */
export async function burstRound(scope, seed, note) {
  const draw = createDraw(scan(scope).texts, seed);
  const questions = Array.from({ length: 10 }, (_, number) => (number % 2 === 0 ? draw(1) : `${draw(0)} ${draw(0)}`));
  const client = await startServer(scope, flags);
  const ours = [];
  for (const query of questions) {
    const [before, started] = [threadCpuMs(client.pid), performance.now()];
    const { results } = await client.search({ query, scope });
    const wallMs = performance.now() - started;
    let sum = 0;
    for (const [id, ms] of threadCpuMs(client.pid)) sum += ms - (before.get(id) ?? 0);
    ours.push({ wallMs, cpuMs: sum, stage: results.length === 0 ? 'nothing' : (results[0].matched ?? 'phrase') });
  }
  await client.end();
  for (const [index, query] of questions.entries())
    note(`burst: question ${index + 1} (${ours[index].stage})`, ours[index], ripgrep(query, scope));
}

/**
 * Measures the first use of a folder: the time of the first result, and the time until all texts are indexed, compared
 * with `cat` of all files.
 */
export async function firstUseRound({ label, scope, words: [query] }, note) {
  const other = measureProgram('sh', ['-c', 'find "$0" -type f -print0 | xargs -0 cat > /dev/null', scope]);
  const client = await startServer(scope, ['--files-engine', 'scan']);
  const [cpuBefore, started] = [cpuMs(client.pid), performance.now()];
  const spent = () => ({ wallMs: performance.now() - started, cpuMs: cpuMs(client.pid) - cpuBefore });
  const { results, timedOut } = await client.search({ query, scope });
  note(`${label}: first answer (${results.length} results${timedOut ? ', not complete' : ''})`, spent(), other);
  for (let engine = 'scan'; engine !== 'index'; )
    ({ engine } = await client.search({ query: 'nosuchwordanywhere', scope }));
  note(`${label}: all texts indexed`, spent(), other);
  await client.end();
}

const isSaved = folder => existsSync(folder) && readdirSync(folder).some(name => name.endsWith('.cache'));

async function untilSaved(folder) {
  while (!isSaved(folder)) await sleep(200);
}

/** Measures calls of a host that starts one process for each call, with and without a cache. */
export async function processRound({ label, scope, words }, folder, note) {
  for (const more of [[], ['--files-cache', folder]]) {
    for (const [index, query] of words.slice(0, 3).entries()) {
      const other = ripgrep(query, scope);
      const client = await startServer(scope, [...flags, ...more]);
      const name = `${label}: process ${index + 1}${more.length > 0 ? ' with a cache' : ''}`;
      note(name, await measureSearch(client, { query, scope }), other);
      // The cache is written after all files are indexed.
      if (more.length > 0 && index === 0) await untilSaved(folder);
      await client.end();
    }
  }
}

/** Runs the first query of a server that loads the cache of another server. */
export async function cacheRound({ label, scope, words }, round, folder, note) {
  const [first, second] = rotated(words, round);
  const started = await startServer(scope, [...flags, '--files-cache', folder]);
  await measureSearch(started, { query: first, scope });
  for (;;) {
    await sleep(1000);
    const { engine } = await started.search({ query: 'nosuchwordanywhere', scope });
    if (engine === 'index' && isSaved(folder)) break;
  }
  await started.end();
  const client = await startServer(scope, [...flags, '--files-cache', folder]);
  await beside(client, `${label}: first with a cache`, second, scope, note);
  await client.end();
}

/** Runs two searches in PDFs, and pdftotext with one process per processor. */
export async function documentRound(folder, note) {
  const other = pdftotext(folder);
  const client = await startServer(folder, flags);
  note('documents: first', await measureSearch(client, { query: 'nosuchwordanywhere', scope: folder }), other);
  note('documents: second', await measureSearch(client, { query: 'therefore', scope: folder }));
  await client.end();
}

function pdftotext(folder) {
  if (spawnSync('pdftotext', ['-v']).error !== undefined) return undefined;
  const files = readdirSync(folder, { recursive: true }).filter(name => /\.pdf$/i.test(name));
  const input = files.map(name => path.join(folder, name)).join('\0');
  const args = ['-0', '-P', availableParallelism(), '-I', '{}', 'pdftotext', '-q', '{}', '/dev/null'];
  return measureProgram('xargs', args.map(String), input);
}

/** Runs small searches during a large one that reads everything, including documents. */
export async function concurrentRound(root, note) {
  const client = await startServer(root, flags);
  const big = client.search({ query: 'nosuchwordanywhere', scope: root });
  const end = big.then(() => 'over');
  while ((await Promise.race([end, sleep(50, 'running')])) === 'running') {
    const small = { query: 'nosuchwordeither', scope: path.join(root, 'plain', 'odds') };
    note('small search beside a big one', await measureSearch(client, small));
  }
  await big;
  await client.end();
}

/** Measures the memory after five searches and an idle time. */
export async function memoryRound({ scope, words }, idleSeconds, note) {
  const client = await startServer(scope, flags);
  for (const query of words.slice(0, 5)) {
    await measureSearch(client, { query, scope });
    await sleep(windowMs);
  }
  note('memory after five queries, MiB', { wallMs: residentMiB(client.pid) });
  await sleep(idleSeconds * 500);
  const before = cpuMs(client.pid);
  await sleep(idleSeconds * 500);
  note('memory when idle, MiB', { wallMs: residentMiB(client.pid) });
  note('idle', { cpuMs: cpuMs(client.pid) - before });
  await client.end();
}
