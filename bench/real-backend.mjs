// Calls every tool with the real backend: node bench/real-backend.mjs FOLDER [--full], where FOLDER is a checkout of
// oj-api-rs that has been built. It starts the backend on loopback with a temporary database, and prints the result of
// each call.
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openServer } from './client.mjs';
import {
  brokenCalls,
  calls,
  chineseCalls,
  openCalls,
  runnerlessCalls,
  tokenlessCalls,
  unauthorizedCalls,
} from './real-backend/calls.mjs';
import { broken, mended, problems, statements } from './real-backend/records.mjs';
import { startBackend } from './real-backend/start.mjs';
import { table } from './table.mjs';

const bundle = path.join(import.meta.dirname, '../dist/oj-mcp.cjs');
const maxShown = 60;

const { values, positionals } = parseArgs({ options: { full: { type: 'boolean' } }, allowPositionals: true });
if (positionals.length !== 1) {
  console.error('node bench/real-backend.mjs FOLDER [--full]: a checkout of oj-api-rs that has been built');
  process.exit(2);
}
const backend = await startBackend(positionals[0]);
const folder = await mkdtemp(path.join(tmpdir(), 'oj-mcp-token-'));
try {
  const rows = await runAll();
  const wrong = rows.filter(row => !row.isRight);
  console.log(summary(rows));
  if (values.full) console.log(`\n${table(['call', 'outcome', 'what it says'], rows.map(shown))}`);
  for (const row of wrong) console.log(`\nNOT AS IT SHOULD BE: ${row.call}\n${row.outcome}: ${row.text}`);
  console.log(`\n${rows.length - wrong.length} of ${rows.length} calls ended as they should.`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await backend.close();
  await rm(folder, { recursive: true });
}

async function runAll() {
  for (const problem of problems) await backend.setProblem(problem);
  backend.sql(statements);
  const token = await backend.createToken();
  const revoked = await backend.createToken();
  await backend.revokeToken(revoked);

  const rows = await run('token', token, calls);
  rows.push(...(await run('token, cn', token, chineseCalls, ['--oj-language', 'cn'])));
  backend.sql(broken);
  rows.push(...(await run('token, broken tags', token, brokenCalls)));
  backend.sql(mended);
  rows.push(...(await backend.withoutRunner(async () => await run('token, nothing to run', token, runnerlessCalls))));
  rows.push(...(await run('unknown token', 'a'.repeat(64), unauthorizedCalls)));
  rows.push(...(await run('revoked token', revoked, unauthorizedCalls)));
  rows.push(...(await run('no token', undefined, tokenlessCalls)));
  await backend.setAuth(false);
  rows.push(...(await run('no token, none wanted', undefined, openCalls)));
  return rows;
}

async function run(circumstance, token, cases, more = []) {
  const file = path.join(folder, 'token');
  writeFileSync(file, token ?? '');
  const flags = token === undefined ? [] : ['--token-file', file];
  const server = openServer([process.execPath, bundle, '--base-url', backend.origin, '--oj-extras', ...flags, ...more]);
  await server.initialize();
  const rows = [];
  // The calls run one after the other, because some results depend on the previous call.
  for (const [tool, args, outcome, pattern] of cases) {
    const came = read(await server.request('tools/call', { name: tool, arguments: args }));
    const isRight = came.outcome === outcome && pattern.test(came.text);
    rows.push({ circumstance, tool, call: `${tool} ${JSON.stringify(args)} (${circumstance})`, isRight, ...came });
  }
  await server.close();
  return rows;
}

function read({ result, error }) {
  if (error !== undefined) return { outcome: 'protocol error', text: error.message };
  const text = result.content.map(block => block.text).join('\n');
  if (!result.isError) return { outcome: / is being fetched /.test(text) ? 'pending' : 'answered', text };
  const [, status] = /^\[(\d+)\]/.exec(text) ?? [];
  return { outcome: status === undefined ? 'refused' : `upstream ${status}`, text };
}

/** Returns a table with one row per tool and one column per result. */
function summary(rows) {
  const outcomes = [...new Set(rows.map(({ outcome }) => outcome))].sort((a, b) => a.localeCompare(b));
  const tools = [...new Set(rows.map(({ tool }) => tool))];
  const count = (tool, outcome) => rows.filter(row => row.tool === tool && row.outcome === outcome).length || '';
  return table(
    ['tool', ...outcomes],
    tools.map(tool => [tool, ...outcomes.map(outcome => count(tool, outcome))]),
  );
}

function shown({ call, outcome, text, isRight }) {
  const cut = line => (line.length > maxShown ? `${line.slice(0, maxShown)}…` : line);
  return [cut(call), isRight ? outcome : `${outcome} (wrong)`, cut(text.replaceAll(/\s+/g, ' '))];
}
