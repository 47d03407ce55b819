// Sends hostile contents with a quarter, a half and the whole of the maximum size, and a ping every 20 ms at the same
// time.
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileInputs, hostileNumber, shares } from '../../test/statement/hostile.mjs';
import { openServer, textOf } from '../client.mjs';
import { cpuMs, peakMiB } from '../process-stats.mjs';
import { rotated } from '../sample.mjs';

const pingEveryMs = 20;
/** The time limit in milliseconds after which a server that does not respond is stopped. */
export const limitMs = 10_000;

/**
 * Returns a row for each input: for each server the longest time without a ping response, the CPU time of the calls,
 * and their results.
 */
export async function measureHostile({ candidates, node, origin, rounds }) {
  const rows = hostileInputs.map(({ name }) => ({ name, results: {} }));
  const servers = new Map();
  const serverOf = async candidate => {
    const running = servers.get(candidate.name);
    if (running?.isAlive) return running;
    const server = openServer(candidate.command(node.path, origin));
    await server.initialize();
    await server.getProblem('leetcode', 'small-1');
    servers.set(candidate.name, server);
    return server;
  };

  for (let round = 0; round < rounds; round++) {
    for (const [index, { results }] of rows.entries()) {
      for (const candidate of rotated(candidates, round + index)) {
        for (const share of shares) {
          const server = await serverOf(candidate);
          const result = await callWithPings(server, hostileNumber(index, share));
          results[candidate.name] = together(results[candidate.name], result, share);
        }
      }
    }
  }
  await Promise.all([...servers.values()].map(server => server.close()));
  return rows;
}

async function callWithPings(server, number) {
  const cpuBefore = cpuMs(server.pid);
  const startedAt = performance.now();
  let longestMs = 0;
  const pings = [];
  const ping = async () => {
    const { sentAt, receivedAt } = await server.request('ping');
    longestMs = Math.max(longestMs, receivedAt - sentAt);
  };
  const sendPing = () => pings.push(ping().catch(() => {}));

  const call = server.getProblem('leetcode', `hostile-${number}`).then(describeAnswer, describeDeath);
  sendPing();
  const timer = setInterval(sendPing, pingEveryMs);
  const isOver = new AbortController();
  const limit = sleep(limitMs, `no answer within ${limitMs / 1000} s`, { signal: isOver.signal }).catch(() => {});
  const outcome = await Promise.race([call, limit]);
  clearInterval(timer);
  isOver.abort();

  const totalMs = performance.now() - startedAt;
  if (typeof outcome === 'string') {
    await server.kill();
    return { answer: outcome, isOk: false, isAlive: false, longestMs: totalMs, totalMs, usedMs: totalMs };
  }
  await Promise.all(pings);
  const { isAlive, pid } = server;
  const usedMs = isAlive ? cpuMs(pid) - cpuBefore : totalMs;
  return { ...outcome, isAlive, longestMs: isAlive ? longestMs : totalMs, totalMs, usedMs, peakMiB: peakMiB(pid) };
}

function describeAnswer(answer) {
  try {
    return { answer: `${Buffer.byteLength(textOf(answer)).toLocaleString('en')} bytes`, isOk: true };
  } catch (error) {
    return { answer: error.message, isOk: false };
  }
}

function describeDeath(error) {
  return { answer: error.message, isOk: false };
}

/**
 * Merges the results of all sizes and rounds. The worst result counts, and the minimum CPU time for each size, because
 * noise only increases it.
 */
function together(before, now, share) {
  const isWorse = before === undefined || !now.isAlive || (before.isAlive && now.longestMs > before.longestMs);
  const cpu = { ...before?.cpuMs };
  cpu[share] = Math.min(cpu[share] ?? Infinity, now.usedMs);
  return {
    ...(isWorse ? now : before),
    cpuMs: cpu,
    peakMiB: Math.max(before?.peakMiB ?? 0, now.peakMiB ?? 0),
  };
}
