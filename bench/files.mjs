// The room `files` beside ripgrep and grep on the same 50,000 files, interleaved in one run: node bench/files.mjs
// [--rounds 8] [--corpus DIR, kept and reused] [--scale 1]. Needs rg and grep on the path.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCorpus, rareWords } from './files-corpus.mjs';

const option = name => {
  const index = process.argv.indexOf(`--${name}`);
  return index === -1 ? undefined : process.argv[index + 1];
};
const rounds = Number(option('rounds') ?? 8);
const server = path.resolve('dist/oj-mcp.cjs');
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

/** A server with its client, as thin as can be: what is measured is the answer. */
function startServer(root) {
  const child = spawn(
    process.execPath,
    [server, '--toolsets', 'files', '--files-root', root, '--files-timeout-ms', '60000'],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const waiting = new Map();
  let [rest, id] = ['', 0];
  child.stdout.setEncoding('utf8').on('data', chunk => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message.result ?? message.error);
    }
  });
  const ask = (method, params) =>
    new Promise(resolve => {
      waiting.set(++id, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  return {
    pid: child.pid,
    ask,
    search: async (query, scope, limit = 100) => {
      const { structuredContent } = await ask('tools/call', { name: 'search', arguments: { query, scope, limit } });
      return structuredContent;
    },
    end: () => new Promise(resolve => child.on('exit', resolve).stdin.end()),
  };
}

const timed = async work => {
  const started = performance.now();
  const value = await work();
  return [performance.now() - started, value];
};
const times = new Map();
const note = (name, milliseconds) => times.set(name, [...(times.get(name) ?? []), milliseconds]);
const quantile = (name, share) =>
  (times.get(name) ?? []).toSorted((a, b) => a - b)[Math.floor(((times.get(name) ?? []).length - 1) * share)];
const residentMB = pid => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

function check(name, found, expected) {
  if (found !== expected) throw new Error(`${name} found ${found} files, not ${expected}`);
}

function program(name, command, args, expected) {
  const started = performance.now();
  const { stdout } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
  note(name, performance.now() - started);
  if (expected !== undefined) check(name, stdout.split('\n').filter(Boolean).length, expected);
}

async function untilIndexed(client, scope) {
  for (;;) {
    // Asking reads what has no signature yet, so it must not be asked too often.
    await sleep(500);
    const { engine } = await client.search('nosuchwordanywhere', scope);
    if (engine === 'index') return;
  }
}

async function round(root, scopes, word) {
  for (const { label, scope } of scopes) {
    // After a first query signatures are made in the background: nothing else may be measured until they are there.
    program(`${label}: rg`, 'rg', ['-uu', '-liF', word, scope], 5);
    const other = startServer(root);
    await other.ask('initialize', hello);
    await other.search(word, path.join(root, 'plain', 'odds'));
    const [scan] = await timed(() => other.search(word, scope));
    note(`${label}: first query of a folder, threads running`, scan);
    await other.end();
    // Per word: some have letters the texts hardly have, which is the best case of every search for bytes.
    program(`${label}: rg for ${word}`, 'rg', ['-uu', '-liF', word, scope], 5);
    const client = startServer(root);
    await client.ask('initialize', hello);
    const [first, firstFound] = await timed(() => client.search(word, scope));
    note(`${label}: first query`, first);
    note(`${label}: first query for ${word}`, first);
    check('the first query', firstFound.results.length, 5);
    const [indexing] = await timed(() => untilIndexed(client, scope));
    note(`${label}: index ready after`, indexing);
    program(`${label}: grep -r`, 'grep', ['-rilF', word, scope], 5);
    for (let turn = 0; turn < 3; turn++) {
      await sleep(2200);
      const [strict, strictFound] = await timed(() => client.search(word, scope));
      check('the strict query', strictFound.results.length, 5);
      note(`${label}: repeated, strict`, strict);
      const [inside] = await timed(() => client.search(rareWords[turn], scope));
      note(`${label}: repeated, inside the window`, inside);
      program(`${label}: rg`, 'rg', ['-uu', '-liF', word, scope], 5);
    }
    const [common] = await timed(() => client.search(firstFound.results.length > 0 ? 'the' : '', scope));
    note(`${label}: a frequent word, inside the window`, common);
    note(`${label}: resident MB`, residentMB(client.pid));
    await client.end();
  }
}

async function cold(root, scope, word) {
  const drop = () => {
    spawnSync('sync');
    writeFileSync('/proc/sys/vm/drop_caches', '3');
  };
  try {
    drop();
  } catch {
    console.log('cold: this system does not let caches be dropped');
    return;
  }
  program('cold: rg', 'rg', ['-uu', '-liF', word, scope]);
  const client = startServer(root);
  await client.ask('initialize', hello);
  drop();
  note('cold: first query', (await timed(() => client.search(word, scope)))[0]);
  await client.end();
  drop();
  program('cold: grep -r', 'grep', ['-rilF', word, scope]);
}

const kept = option('corpus');
const root = kept ?? (await mkdtemp(path.join(tmpdir(), 'oj-mcp-corpus-')));
try {
  if (kept === undefined || !existsSync(path.join(root, 'plain'))) {
    const [built, size] = await timed(() => buildCorpus(root, Number(option('scale') ?? 1)));
    console.log(`built ${size.files} files, ${Math.round(size.bytes / 1e6)} MB, in ${Math.round(built / 1000)} s`);
  }
  // ripgrep does not look into office files and PDFs: like is compared with like without them, and then the whole.
  const scopes = [
    { label: 'without documents', scope: path.join(root, 'plain') },
    { label: 'everything', scope: root },
  ];
  program('warming', 'rg', ['-uu', '-liF', rareWords[0], root]);
  for (let number = 0; number < rounds; number++) await round(root, scopes, rareWords[number % rareWords.length]);
  await cold(root, root, rareWords[0]);
  for (const name of times.keys())
    console.log(
      `${name.padEnd(50)} p10 ${quantile(name, 0.1).toFixed(1).padStart(8)}   median ${quantile(name, 0.5).toFixed(1).padStart(8)}`,
    );
  for (const { label } of scopes) {
    const rg = quantile(`${label}: rg`, 0.5);
    const against = name => (quantile(`${label}: ${name}`, 0.5) / rg).toFixed(2);
    for (const word of rareWords.slice(0, rounds)) {
      const ratio = quantile(`${label}: first query for ${word}`, 0.5) / quantile(`${label}: rg for ${word}`, 0.5);
      console.log(`${label}, first query for ${word} against rg: ${ratio.toFixed(2)}`);
    }
    console.log(
      `${label}, medians against rg: first ${against('first query')} (threads running ${against('first query of a folder, threads running')}), strict ${against('repeated, strict')}, inside the window ${against('repeated, inside the window')}`,
    );
  }
} finally {
  if (kept === undefined) await rm(root, { recursive: true, force: true });
}
