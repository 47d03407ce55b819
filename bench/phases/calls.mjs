// Measures calls of get_problem: in sequence, in parallel, with a slow backend, and the memory afterwards.
import { openServer, textOf } from '../client.mjs';
import { cpuMs, peakMiB, residentMiB } from '../process-stats.mjs';
import { rotated } from '../sample.mjs';
import { sources } from '../statements.mjs';

/** The first calls of a server. Their times and the memory are measured. */
export const earlyCalls = 500;
/** The kinds of parallel calls with their number: a burst, a long run, and large pages. */
export const burst = { kind: 'small', width: 32, count: 2000 };
export const longRun = { kind: 'small', width: 32, count: 20_000 };
export const largeBurst = { kind: 'large', width: 8, count: 100 };
/** A long run takes much time, so that only this number of rounds includes it. */
const longRounds = 2;
const slowCalls = 50;

/**
 * Returns the figures of every kind of load, by name. All servers keep running, and in each round each one is measured
 * in turn.
 */
export async function measureCalls({ candidates, node, origin, rounds }) {
  const runs = [];
  for (const { name, isFull, command } of candidates) {
    const server = openServer(command(node.path, origin));
    await server.initialize();
    runs.push({ name, isFull, server, asked: 0, figures: emptyFigures() });
  }
  const inTurn = async (round, measure) => {
    for (const run of rotated(runs, round)) await measure(run);
  };
  try {
    await inTurn(0, measureEarly);
    await inTurn(0, run => callInTurn(run, 'large', 10));
    for (let round = 1; round <= rounds; round++) {
      await inTurn(round, run => measureInTurn(run, 'small', 200));
      await inTurn(round, run => measureInTurn(run, 'large', 20));
      await inTurn(round, run => measureAtOnce(run, 'burst', burst));
      await inTurn(round, run => measureAtOnce(run, 'largeBurst', largeBurst));
      await inTurn(round, measureSlow);
    }
    for (let round = 1; round <= longRounds; round++) {
      await inTurn(round, run => measureAtOnce(run, 'longRun', longRun));
    }
    for (const { server, figures } of runs) {
      figures.residentAtEndMiB = residentMiB(server.pid);
      figures.peakMiB = peakMiB(server.pid);
    }
  } finally {
    await Promise.all(runs.map(({ server }) => server.close()));
  }
  return { version: node.version, figures: Object.fromEntries(runs.map(({ name, figures }) => [name, figures])) };
}

function emptyFigures() {
  return {
    early: { latencyMs: [], cpuMsPerCall: [] },
    residentAfterEarlyMiB: undefined,
    small: { latencyMs: [], cpuMsPerCall: [] },
    large: { latencyMs: [], cpuMsPerCall: [] },
    burst: { callsPerSecond: [], cpuMsPerCall: [] },
    longRun: { callsPerSecond: [], cpuMsPerCall: [] },
    largeBurst: { callsPerSecond: [], cpuMsPerCall: [] },
    slowMs: [],
    residentAtEndMiB: undefined,
    peakMiB: undefined,
  };
}

async function measureEarly(run) {
  const { figures, server } = run;
  const before = cpuMs(server.pid);
  figures.early.latencyMs = await callInTurn(run, 'small', earlyCalls);
  figures.early.cpuMsPerCall = [cpuSince(before, server, earlyCalls)];
  figures.residentAfterEarlyMiB = residentMiB(server.pid);
}

async function measureInTurn(run, kind, count) {
  const before = cpuMs(run.server.pid);
  run.figures[kind].latencyMs.push(...(await callInTurn(run, kind, count)));
  run.figures[kind].cpuMsPerCall.push(cpuSince(before, run.server, count));
}

async function callInTurn(run, kind, count) {
  const latencies = [];
  for (let index = 0; index < count; index++) latencies.push(await call(run, kind));
  return latencies;
}

async function measureAtOnce(run, name, { kind, width, count }) {
  const before = cpuMs(run.server.pid);
  const startedAt = performance.now();
  let begun = 0;
  const worker = async () => {
    while (begun++ < count) await call(run, kind);
  };
  await Promise.all(Array.from({ length: width }, worker));
  run.figures[name].callsPerSecond.push((count / (performance.now() - startedAt)) * 1000);
  run.figures[name].cpuMsPerCall.push(cpuSince(before, run.server, count));
}

async function measureSlow(run) {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: slowCalls }, () => call(run, 'slow')));
  run.figures.slowMs.push(performance.now() - startedAt);
}

function cpuSince(before, server, calls) {
  return before === undefined ? undefined : (cpuMs(server.pid) - before) / calls;
}

/** Returns the milliseconds of one call. Every candidate gets the same statements, and never the same one twice. */
async function call(run, kind) {
  const { name, isFull, server } = run;
  const serial = run.asked++;
  const number = String(100_000 + serial);
  const answer = await server.getProblem(sources[serial % sources.length], `${kind}-${number}`);
  const text = textOf(answer);
  if (isFull && !text.includes(number)) throw new Error(`${name} answered with another problem than ${number}`);
  return answer.receivedAt - answer.sentAt;
}
