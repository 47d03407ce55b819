// Starts a built oj-api-rs on loopback, with a temporary folder for its files and a replacement for its scripts.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fetchPackage, findNode } from '../peers.mjs';

/** The time after which the backend cancels a text search. */
const embeddingSeconds = 2;
const startMs = 10_000;
/** The framework of the backend limits a request body to this size. */
const maxRecordBytes = 2 * 1024 * 1024;
const secret = 'loopback';

export async function startBackend(checkout) {
  const binary = ['release', 'debug']
    .map(profile => path.resolve(checkout, 'target', profile, 'oj-api-rs'))
    .find(existsSync);
  if (binary === undefined) throw new Error(`${checkout} holds no built oj-api-rs.`);
  // The first Node version with SQLite is 22.5.
  const node = process.versions.node.split('.')[0] < 23 ? await findNode('22.23.3') : process.execPath;
  const extension = await fetchPackage('sqlite-vec-linux-x64', '0.1.6', 'vec0.so');

  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-backend-'));
  const port = await freePort();
  const sqlite = [node, script('sqlite.mjs'), path.join(folder, 'data.db'), extension];
  const runner = path.join(folder, 'bin', 'uv');
  writeFiles(folder, { port, node, runner });
  const child = spawn(binary, {
    cwd: folder,
    env: {
      PATH: `${path.dirname(runner)}:/usr/bin:/bin`,
      CONFIG_PATH: path.join(folder, 'config.toml'),
      OJ_BENCH_SQLITE: JSON.stringify(sqlite),
    },
    stdio: 'ignore',
  });
  const exited = once(child, 'exit');
  // The backend ends with this process, also after an error.
  const leave = () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', leave);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
  const origin = `http://127.0.0.1:${port}`;
  const agent = new http.Agent({ keepAlive: true });

  const admin = async (method, target, value) => {
    const { status, body } = await send(origin + target, { method, agent }, value);
    if (status >= 300) throw new Error(`${method} ${target}: ${status} ${body.slice(0, 200)}`);
    return body;
  };
  const known = new Set();
  const close = async () => {
    agent.destroy();
    child.kill('SIGTERM');
    await exited;
    process.off('exit', leave);
    rmSync(folder, { recursive: true });
  };
  try {
    await untilUp(origin, agent, child);
  } catch (error) {
    await close();
    throw error;
  }

  return {
    origin,
    close,
    /** Adds or replaces a problem. A record above the limit of the backend is removed instead. */
    async setProblem(record) {
      const place = `/admin/api/problems/${record.source}/${encodeURIComponent(record.id)}`;
      const wasThere = known.delete(place);
      if (Buffer.byteLength(JSON.stringify(record)) > maxRecordBytes) {
        if (wasThere) await admin('DELETE', place);
        return;
      }
      await (wasThere ? admin('PUT', place, record) : admin('POST', '/admin/api/problems', record));
      known.add(place);
    },
    createToken: async () => JSON.parse(await admin('POST', '/admin/api/tokens', { label: 'bench' })).token,
    revokeToken: async token => await admin('DELETE', `/admin/api/tokens/${token}`),
    setAuth: async enabled => await admin('PUT', '/admin/api/settings/token-auth', { enabled }),
    /** Executes SQL for data without an endpoint: vectors, daily problems, invalid rows. */
    sql: statements =>
      execFileSync(sqlite[0], ['--no-warnings', ...sqlite.slice(1)], { input: JSON.stringify(statements) }),
    /** Runs a function while the program that computes vectors is missing. */
    async withoutRunner(work) {
      renameSync(runner, `${runner}.away`);
      try {
        return await work();
      } finally {
        renameSync(`${runner}.away`, runner);
      }
    },
  };
}

function script(name) {
  return path.join(import.meta.dirname, name);
}

function writeFiles(folder, { port, node, runner }) {
  for (const name of ['bin', 'scripts']) mkdirSync(path.join(folder, name));
  writeFileSync(runner, `#!/bin/sh\nexec '${node}' --no-warnings '${script('stand-in.mjs')}' "$@"\n`);
  chmodSync(runner, 0o755);
  const settings = {
    server: { listen_addr: `"127.0.0.1:${port}"`, admin_secret: `"${secret}"`, graceful_shutdown_secs: 1 },
    database: { path: '"data.db"' },
    embedding: { timeout_secs: embeddingSeconds },
  };
  const lines = Object.entries(settings).flatMap(([section, values]) => [
    `[${section}]`,
    ...Object.entries(values).map(([name, value]) => `${name} = ${value}`),
  ]);
  writeFileSync(path.join(folder, 'config.toml'), `${lines.join('\n')}\n`);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function untilUp(origin, agent, child) {
  for (const end = performance.now() + startMs; performance.now() < end; await pause(50)) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The backend ended at once.');
    const answered = await send(`${origin}/health`, { agent }).catch(() => undefined);
    if (answered !== undefined) return;
  }
  throw new Error('The backend did not come up.');
}

async function send(url, options, value) {
  const body = value === undefined ? undefined : JSON.stringify(value);
  const request = http.request(url, {
    ...options,
    headers: { 'x-admin-secret': secret, ...(body !== undefined && { 'content-type': 'application/json' }) },
  });
  request.end(body);
  const [response] = await once(request, 'response');
  const chunks = await response.toArray();
  return { status: response.statusCode, body: Buffer.concat(chunks).toString('utf8') };
}
