// Calls of get_problem: one after another, many at once, slow ones, and what 500 of them leave in memory.
import { openServer, textOf } from '../client.mjs';
import { cpuMs, residentMiB } from '../process-stats.mjs';
import { rotated } from '../sample.mjs';
import { sources } from '../statements.mjs';

const callsBeforeMemory = 500;
const parallelCalls = 2000;
const parallelWidth = 32;
const slowCalls = 50;

/** By name: the figures of every kind of load. All servers stay up, and in each round each has its turn. */
export async function measureCalls({ candidates, node, origin, rounds }) {
  const runs = [];
  for (const { name, isFull, command } of candidates) {
    const server = openServer(command(node.path, origin));
    await server.initialize();
    runs.push({ name, isFull, server, figures: emptyFigures() });
  }
  try {
    for (const run of runs) await measureMemory(run);
    for (const run of runs) await callInTurn(run, 'large', 0, 10);
    for (let round = 1; round <= rounds; round++) {
      for (const run of rotated(runs, round)) await measureInTurn(run, 'small', round, 200);
      for (const run of rotated(runs, round)) await measureInTurn(run, 'large', round, 20);
      for (const run of rotated(runs, round)) await measureParallel(run, round);
      for (const run of rotated(runs, round)) await measureSlow(run, round);
    }
  } finally {
    await Promise.all(runs.map(({ server }) => server.close()));
  }
  return Object.fromEntries(runs.map(({ name, figures }) => [name, figures]));
}

function emptyFigures() {
  return {
    residentAfterCallsMiB: undefined,
    small: { latencyMs: [], cpuMsPerCall: [] },
    large: { latencyMs: [], cpuMsPerCall: [] },
    parallel: { callsPerSecond: [], cpuMsPerCall: [] },
    slowMs: [],
  };
}

async function measureMemory(run) {
  await callInTurn(run, 'small', 0, callsBeforeMemory);
  run.figures.residentAfterCallsMiB = residentMiB(run.server.pid);
}

async function measureInTurn(run, kind, round, count) {
  const before = cpuMs(run.server.pid);
  run.figures[kind].latencyMs.push(...(await callInTurn(run, kind, round, count)));
  run.figures[kind].cpuMsPerCall.push(cpuSince(before, run.server, count));
}

async function callInTurn(run, kind, round, count) {
  const latencies = [];
  for (let index = 0; index < count; index++) latencies.push(await call(run, kind, round, index));
  return latencies;
}

async function measureParallel(run, round) {
  const before = cpuMs(run.server.pid);
  const startedAt = performance.now();
  let index = 0;
  const worker = async () => {
    while (index < parallelCalls) await call(run, 'small', round, 1000 + index++);
  };
  await Promise.all(Array.from({ length: parallelWidth }, worker));
  run.figures.parallel.callsPerSecond.push((parallelCalls / (performance.now() - startedAt)) * 1000);
  run.figures.parallel.cpuMsPerCall.push(cpuSince(before, run.server, parallelCalls));
}

async function measureSlow(run, round) {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: slowCalls }, (_, index) => call(run, 'slow', round, index)));
  run.figures.slowMs.push(performance.now() - startedAt);
}

function cpuSince(before, server, calls) {
  return before === undefined ? undefined : (cpuMs(server.pid) - before) / calls;
}

/** The milliseconds of one call. Every candidate gets the same statements, and none of them twice. */
async function call({ name, isFull, server }, kind, round, index) {
  const number = String(round * 10_000 + index + 100_000);
  const answer = await server.getProblem(sources[index % sources.length], `${kind}-${number}`);
  const text = textOf(answer);
  if (isFull && !text.includes(number)) throw new Error(`${name} answered with another problem than ${number}`);
  return answer.receivedAt - answer.sentAt;
}
