// npm run bench -- [options]: measures dist/oj-mcp.cjs beside a bare Node and whoever else is asked for.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { floorName, givenPeer, ownCandidates } from './candidates.mjs';
import { startChart } from './chart.mjs';
import { fetchPeers, findNode } from './peers.mjs';
import { measureCalls } from './phases/calls.mjs';
import { measureHostile } from './phases/hostile.mjs';
import { measureStart } from './phases/start.mjs';
import { report, summary } from './report.mjs';

const usage = `npm run bench -- [options]

  --peers              fetch the reference (oj-mcp-rs) and leetcode-mcp-server from npm and measure them too
  --peer NAME=COMMAND  measure another judge, started with --base-url; "node" in COMMAND is the Node being measured,
                       and NAME "reference" makes it what ratios are taken against; repeatable
  --node NODE          a path, or a version to fetch: start under this Node too; repeatable, the first one also
                       runs the calls
  --only PHASES        some of start, calls, hostile, separated by commas
  --quick              fewer rounds
  --write              write docs/benchmark.md and its chart
`;

const phaseNames = ['start', 'calls', 'hostile'];
const root = path.join(import.meta.dirname, '..');

async function main() {
  const { values } = parseArgs({
    options: {
      peers: { type: 'boolean', default: false },
      peer: { type: 'string', multiple: true, default: [] },
      node: { type: 'string', multiple: true, default: [process.execPath] },
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
  const candidates = [...ownCandidates(), ...(values.peers ? await fetchPeers() : []), ...values.peer.map(givenPeer)];
  const nodes = [];
  for (const wanted of values.node) nodes.push(describeNode(await findNode(wanted)));

  const results = await measure({ candidates, nodes, phases, isQuick: values.quick });
  console.log(report(results));
  if (!values.write) return;
  await mkdir(path.join(root, 'docs'), { recursive: true });
  await writeFile(path.join(root, 'docs/benchmark.md'), summary(results));
  await writeFile(path.join(root, 'docs/benchmark.svg'), startChart(results));
}

async function measure({ candidates, nodes, phases, isQuick }) {
  const rounds = isQuick ? { start: 5, calls: 2, hostile: 1 } : { start: 20, calls: 6, hostile: 2 };
  const [loadBefore] = os.loadavg();
  const backend = await startBackend();
  const [node] = nodes;
  const judges = candidates.filter(({ isFull }) => isFull);
  const callable = candidates.filter(({ name, isFull }) => isFull || name === floorName);
  const common = { origin: backend.origin, node, nodes };
  const measureOne = {
    start: () => measureStart({ ...common, candidates, rounds: rounds.start }),
    calls: () => measureCalls({ ...common, candidates: callable, rounds: rounds.calls }),
    hostile: () => measureHostile({ ...common, candidates: judges, rounds: rounds.hostile }),
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
  return { ...results, candidates, node, bundleBytes, rounds, loadBefore, date: new Date().toISOString().slice(0, 10) };
}

function readPhases(list) {
  const wanted = list.split(',');
  const unknown = wanted.find(name => !phaseNames.includes(name));
  if (unknown !== undefined) throw new Error(`--only: there is no phase ${JSON.stringify(unknown)}`);
  return phaseNames.filter(name => wanted.includes(name));
}

/** A process of its own, so that its work is not done between the clock's two readings. */
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
