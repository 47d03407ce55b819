// node test/smoke.mjs [node] starts the built file as a host does and tests the handshake, every toolset and
// differences of file systems. It needs no packages, so that it runs with any Node, and prints one line for each
// result.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const node = process.argv[2] ?? process.execPath;
const program = fileURLToPath(new URL('../dist/oj-mcp.cjs', import.meta.url));
const home = mkdtempSync(path.join(os.tmpdir(), 'oj-mcp-smoke-'));

/** Starts a server and returns a minimal client that writes JSON lines. */
function start(...args) {
  const child = spawn(node, [program, ...args], { stdio: ['pipe', 'pipe', 'pipe'], cwd: home });
  const waiting = new Map();
  let [id, stderr] = [0, ''];
  child.stderr.on('data', chunk => (stderr += chunk));
  createInterface({ input: child.stdout }).on('line', line => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const exit = new Promise(resolve => child.on('close', resolve));
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++id, resolve);
      void exit.then(code => reject(new Error(`it has ended with ${code}: ${stderr}`)));
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  const hello = ask('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'smoke', version: '1' },
  });
  return {
    hello,
    ask,
    async call(name, given = {}) {
      await hello;
      const { result, error } = await ask('tools/call', { name, arguments: given });
      assert.equal(error, undefined, JSON.stringify(error));
      return { isError: result.isError === true, text: result.content[0].text, structured: result.structuredContent };
    },
    async end() {
      child.stdin.end();
      return await exit;
    },
  };
}

async function withServer(args, work) {
  const server = start(...args);
  try {
    await work(server);
  } finally {
    assert.equal(await server.end(), 0);
  }
}

/** Runs the program until it exits and returns its output and exit code. */
async function run(...args) {
  const child = spawn(node, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += chunk));
  return { code: await new Promise(resolve => child.on('close', resolve)), text };
}

const book = 'garden-path';
const lesson = name => `content/01-Basics/01-Start/${name}.md`;
function library(name) {
  const root = path.join(home, name);
  mkdirSync(path.join(root, 'books', book, 'content', '01-Basics', '01-Start'), { recursive: true });
  return root;
}
const sha256 = text => createHash('sha256').update(text).digest('hex');
const write = (server, name, content, expected_hash) =>
  server.call('write_content', { book_id: book, path: lesson(name), content, ...(expected_hash && { expected_hash }) });

/**
 * On a slow machine the other writer can take longer than a call waits. The result then asks the caller to try again.
 */
async function writePatiently(server, name) {
  for (;;) {
    const answer = await write(server, name, name);
    if (!answer.text.includes('"BUSY"')) return answer;
  }
}

const claims = {
  'the handshake names us, and the end is clean': async () =>
    await withServer(['--demo'], async ({ hello, ask }) => {
      assert.equal((await hello).result.serverInfo.name, 'oj-mcp');
      assert.equal((await ask('tools/list', {})).result.tools.length, 5);
    }),
  'the judge answers': async () =>
    await withServer(['--demo'], async ({ call }) => {
      assert.match(
        (await call('get_problem', { source: 'orchard', id: 1, wait_for_previous: true })).text,
        /^# Petal Garland\n/,
      );
      assert.match((await call('get_daily_challenge', { date: '2026-01-01' })).text, /^# /);
      assert.match((await call('find_similar_problems', { query: 'shortest path' })).text, /^# Similar Problems/);
    }),
  'the clerk adds, prints and judges dates': async () =>
    await withServer(['--toolsets', 'clerk'], async ({ call }) => {
      assert.equal((await call('add', { a: 0.1, b: 0.2 })).structured.sum, '0.3');
      assert.equal((await call('format_currency', { amount: 1234.5 })).structured.formatted, '$1,234.50');
      assert.equal((await call('validate_date', { date: '20250229' })).structured.valid, false);
    }),
  'all toolsets serve their samples': async () =>
    await withServer(['--demo', '--toolsets', 'all'], async ({ call }) => {
      assert.equal((await call('list_books')).isError, false);
      const { text } = await call('search', { query: 'a', scope: home });
      assert.match(text, /scope/); // an error that names the permitted folders
    }),
  '--check, --print-config and --help': async () => {
    const { code, text } = await run('--check', '--demo', '--toolsets', 'all');
    assert.equal(code, 0, text);
    const { text: paste } = await run('--print-config', 'cursor', '--demo');
    const { command, args } = JSON.parse(paste.slice(paste.indexOf('{'), paste.lastIndexOf('}') + 1)).mcpServers.oj;
    assert.deepEqual([path.isAbsolute(command), args], [true, [program, '--demo']]);
    assert.equal((await run('--help')).code, 0);
  },
  'a library is created, changed, conflicted and read': async () => {
    const root = library('library one');
    await withServer(['--toolsets', 'books', '--books-root', root], async server => {
      assert.equal((await write(server, '01-new', 'one')).isError, false);
      assert.equal((await write(server, '01-new', 'two', sha256('one'))).isError, false);
      assert.match((await write(server, '01-new', 'three', sha256('one'))).text, /ConflictError/);
      const read = await server.call('read_content', { book_id: book, path: lesson('01-new') });
      assert.equal(read.structured.content, 'two');
      assert.equal((await server.call('get_book_archive', { book_id: book })).structured.status, 'success');
      assert.equal((await server.call('delete_content', { book_id: book, path: lesson('01-new') })).isError, false);
    });
  },
  'the journal outlives the server': async () => {
    const args = ['--toolsets', 'books', '--books-root', library('library two')];
    const since = new Date(Date.now() - 60_000).toISOString();
    await withServer(args, async server => void (await write(server, '01-new', 'one')));
    await withServer(args, async ({ call }) => {
      const { structured } = await call('delta_build', { book_id: book, since });
      assert.deepEqual(
        structured.changed_files.map(file => file.path),
        [lesson('01-new')],
      );
    });
  },
  'two servers share a library by its lock': async () => {
    const args = ['--toolsets', 'books', '--books-root', library('library three')];
    await withServer(
      args,
      async one =>
        await withServer(args, async other => {
          const names = Array.from({ length: 6 }, (_, index) => `1${index}-new`);
          const answers = await Promise.all(
            names.map((name, index) => writePatiently(index % 2 === 0 ? one : other, name)),
          );
          assert.deepEqual(
            answers.filter(({ isError }) => isError),
            [],
          );
        }),
    );
  },
  'a file that somebody has open is replaced': async () => {
    const root = library('library four');
    await withServer(['--toolsets', 'books', '--books-root', root], async server => {
      await write(server, '01-new', 'one');
      const file = path.join(root, 'books', book, ...lesson('01-new').split('/'));
      const descriptor = openSync(file, 'r');
      setTimeout(() => closeSync(descriptor), 600);
      assert.equal((await write(server, '01-new', 'two', sha256('one'))).isError, false);
      assert.equal(readFileSync(file, 'utf8'), 'two');
    });
  },
  'reads do not make writes fail': async () => {
    await withServer(['--toolsets', 'books', '--books-root', library('library five')], async server => {
      let last = 'x'.repeat(400_000);
      await write(server, '01-new', last);
      for (let round = 0; round < 5; round++) {
        const next = `${round}${last}`;
        const reads = [1, 2, 3].map(() => server.call('read_content', { book_id: book, path: lesson('01-new') }));
        assert.equal((await write(server, '01-new', next, sha256(last))).isError, false);
        for (const { isError } of await Promise.all(reads)) assert.equal(isError, false);
        last = next;
      }
    });
  },
  'names that are reserved somewhere are refused or harmless': async () => {
    await withServer(['--toolsets', 'books', '--books-root', library('library six')], async ({ call }) => {
      for (const filename of ['con', 'nul.png', 'aux.txt', 'a:b.png']) {
        const { structured, isError } = await call('upload_asset', {
          book_id: book,
          asset_type: 'img',
          filename,
          binary_data: 'eA==',
        });
        assert.equal(isError || !/^(?:con|nul|aux)(?:\.|$)|:/i.test(structured.filename), true, filename);
      }
    });
  },
  'a long path is written and read': async () => {
    const root = library(path.join('long'.repeat(30), 'long'.repeat(30), 'library'));
    await withServer(['--toolsets', 'books', '--books-root', root], async server => {
      assert.equal((await write(server, '01-new', 'one')).isError, false);
      assert.equal(
        (await server.call('read_content', { book_id: book, path: lesson('01-new') })).structured.content,
        'one',
      );
    });
  },
  'files are found below a root, whatever its slashes': async () => {
    const root = path.join(home, 'notes');
    mkdirSync(path.join(root, 'deep'), { recursive: true });
    writeFileSync(path.join(root, 'deep', 'one.txt'), 'a walrus in the harbour');
    await withServer(['--toolsets', 'files', '--files-root', root], async ({ call }) => {
      for (const scope of [root, path.join(root, 'deep')]) {
        const rows = JSON.parse((await call('search', { query: 'walrus', scope })).text);
        assert.deepEqual(
          rows.map(row => row._path),
          [path.join(root, 'deep', 'one.txt')],
        );
      }
      assert.equal((await call('search', { query: 'walrus', scope: home })).isError, true);
      assert.equal((await call('get_metadata', { path: path.join(root, 'deep', 'one.txt') })).isError, false);
    });
  },
};

let failed = 0;
for (const [claim, prove] of Object.entries(claims)) {
  try {
    await prove();
    console.log(`ok    ${claim}`);
  } catch (error) {
    failed++;
    const said = error instanceof Error ? error.message : String(error);
    console.log(`FAIL  ${claim}: ${said.replace(/\s+/g, ' ').slice(0, 600)}`);
  }
}
rmSync(home, { recursive: true, force: true, maxRetries: 5 });
console.log(
  `${Object.keys(claims).length - failed} of ${Object.keys(claims).length}, Node ${process.versions.node}, ${process.platform}`,
);
process.exit(failed === 0 ? 0 : 1);
