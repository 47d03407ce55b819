// npm run bench -- [options]: measures dist/oj-mcp.cjs, an empty Node program, and other servers on request.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { floorName, ourName, ownCandidates, parsePeer } from './candidates.mjs';
import { startChart } from './chart.mjs';
import { fetchPeers, findNode } from './peers.mjs';
import { measureCalls } from './phases/calls.mjs';
import { measureFirst } from './phases/first.mjs';
import { measureHostile } from './phases/hostile.mjs';
import { measureStart } from './phases/start.mjs';
import { report, summary } from './report.mjs';

/** The published figures were measured with these versions of Node. */
const publishedNodes = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'];

const usage = `npm run bench -- [options]

  --peers              fetch the reference (oj-mcp-rs) and leetcode-mcp-server from npm and measure them too
  --peer NAME=COMMAND  measure another judge, started with --base-url; "node" in COMMAND is the Node being measured,
                       and NAME "reference" makes it the base of the ratios; repeatable
  --node NODE          a path, or a version to fetch: measure the start under this Node too; repeatable, the first
                       two also run the calls, the first one the hostile pages
  --only PHASES        some of start, first, calls, hostile, separated by commas; a peer gets hostile pages only when
                       nothing else is asked for: where it hangs it costs its ten seconds
  --quick              fewer rounds
  --write              write docs/benchmark.md and its chart; without --node under Node ${publishedNodes.join(', ')}
`;

const phaseNames = ['start', 'first', 'calls', 'hostile'];
const root = path.join(import.meta.dirname, '..');

async function main() {
  const { values } = parseArgs({
    options: {
      peers: { type: 'boolean', default: false },
      peer: { type: 'string', multiple: true, default: [] },
      node: { type: 'string', multiple: true, default: [] },
      only: { type: 'string', default: phaseNames.join() },
      quick: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const phases = readPhases(values.only);
  if (values.write && phases.length < phaseNames.length) throw new Error('--write wants all phases, so not --only.');
  const candidates = [...ownCandidates(), ...(values.peers ? await fetchPeers() : []), ...values.peer.map(parsePeer)];
  const nodes = [];
  const usual = values.write ? publishedNodes : [process.execPath];
  for (const wanted of values.node.length > 0 ? values.node : usual) nodes.push(describeNode(await findNode(wanted)));

  const results = await measure({ candidates, nodes, phases, isQuick: values.quick });
  console.log(report(results));
  if (!values.write) return;
  await mkdir(path.join(root, 'docs'), { recursive: true });
  await writeFile(path.join(root, 'docs/benchmark.md'), summary(results));
  await writeFile(path.join(root, 'docs/benchmark.svg'), startChart(results));
}

async function measure({ candidates, nodes, phases, isQuick }) {
  const rounds = isQuick
    ? { start: 5, first: 5, calls: 2, hostile: 1 }
    : { start: 20, first: 20, calls: 6, hostile: 1 };
  const [loadBefore] = os.loadavg();
  const backend = await startBackend();
  const [node] = nodes;
  const judges = candidates.filter(({ isFull }) => isFull);
  const callable = candidates.filter(({ name, isFull }) => isFull || name === floorName);
  const isHostileOnly = phases.length === 1 && phases[0] === 'hostile';
  const attacked = judges.filter(({ name }) => isHostileOnly || name === ourName);
  const { origin } = backend;
  const underTwo = async measureUnder => {
    const measured = [];
    for (const one of nodes.slice(0, 2)) measured.push(await measureUnder({ origin, node: one }));
    return measured;
  };
  const measureOne = {
    start: () => measureStart({ origin, nodes, candidates, rounds: rounds.start }),
    first: () => underTwo(where => measureFirst({ ...where, candidates: judges, rounds: rounds.first })),
    calls: () => underTwo(where => measureCalls({ ...where, candidates: callable, rounds: rounds.calls })),
    hostile: () => measureHostile({ origin, node, candidates: attacked, rounds: rounds.hostile }),
  };
  const results = {};
  try {
    for (const phase of phases) {
      console.error(`${phase}: ${rounds[phase]} rounds`);
      results[phase] = await measureOne[phase]();
    }
  } finally {
    backend.stop();
  }
  const { size: bundleBytes } = await stat(path.join(root, 'dist/oj-mcp.cjs'));
  const date = new Date().toISOString().slice(0, 10);
  return { ...results, candidates, attacked, bundleBytes, rounds, loadBefore, date };
}

function readPhases(list) {
  const wanted = list.split(',');
  const unknown = wanted.find(name => !phaseNames.includes(name));
  if (unknown !== undefined) throw new Error(`--only: there is no phase ${JSON.stringify(unknown)}`);
  return phaseNames.filter(name => wanted.includes(name));
}

/** Starts the backend in a separate process, so that its CPU time is not part of the measurement. */
async function startBackend() {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'backend.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [origin] = await once(createInterface(child.stdout), 'line');
  return { origin, stop: () => child.stdin.end() };
}

function describeNode(file) {
  return { path: file, version: execFileSync(file, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim() };
}

try {
  await main();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
}
