// @ts-check
// Runs test files in a vitest process that stays ready, and kills it with all processes that it started if it hangs.
import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {import('./vitest-process.mjs').FileResult} FileResult */
/** @typedef {{ wallMs: number, cpuMs: number }} Limit */
/** @typedef {{ isGood: boolean, files: FileResult[], isTimeout: boolean, wallMs: number, cpuMs: number }} Run */

export const noLimit = { wallMs: Infinity, cpuMs: Infinity };
const tickMs = 250;
/** The processes wait for something that never comes if they use almost no CPU for this long. */
const idleMs = 10_000;
const idleShare = 0.01;

/** @type {import('node:child_process').ChildProcess | undefined} */
let child;

export function killTests() {
  if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    process.kill(-child.pid, 'SIGKILL');
  }
  child = undefined;
}

/**
 * Runs test files. After `bail` failed tests the others do not start. A run is killed when it exceeds the limit of CPU
 * time, or when it is idle after the wall limit, because a busy machine can delay tests for any time. Without
 * `isolate`, test files share processes and the loaded sources, which is faster.
 * @param {readonly string[]} files
 * @param {{ bail: number, isolate: boolean, limit: Limit }} options
 * @returns {Promise<Run>}
 */
export function runTests(files, { bail, isolate, limit }) {
  child ??= fork(path.join(import.meta.dirname, 'vitest-process.mjs'), {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NO_COLOR: '1' },
  });
  const current = child;
  const group = current.pid ?? 0;
  const began = performance.now();
  const cpuBefore = cpuMs(group);
  /** @type {FileResult[]} */
  const results = [];
  current.send({ files, bail, isolate });
  return new Promise(resolve => {
    let idleSince = began;
    let lastCpu = cpuBefore;
    const timer = setInterval(() => {
      const [now, cpu] = [performance.now(), cpuMs(group)];
      if (cpu - lastCpu > idleShare * (now - idleSince)) [idleSince, lastCpu] = [now, cpu];
      const isIdle = now - began > limit.wallMs && now - idleSince > idleMs;
      if (isIdle || cpu - cpuBefore > limit.cpuMs) {
        killTests();
        end(false, true);
      }
    }, tickMs);
    /** @type {(message: any) => void} */
    const onMessage = message => {
      if (message.isEnd === undefined) results.push(message);
      else end(message.errorCount === 0 && results.every(({ isGood }) => isGood), false);
    };
    const onExit = () => {
      child = undefined;
      end(false, false);
    };
    /** @type {(isGood: boolean, isTimeout: boolean) => void} */
    const end = (isGood, isTimeout) => {
      clearInterval(timer);
      current.off('message', onMessage);
      current.off('exit', onExit);
      resolve({
        isGood: isGood && results.length > 0,
        files: results,
        isTimeout,
        wallMs: performance.now() - began,
        cpuMs: cpuMs(group) - cpuBefore,
      });
    };
    current.on('message', onMessage);
    current.once('exit', onExit);
  });
}

/**
 * Returns the CPU time of all processes of a group, including the ended processes that they waited for.
 * @param {number} group
 */
function cpuMs(group) {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d/.test(name)) continue;
    const fields = statOf(name);
    // The fields are in proc(5): the process group, and the times of the process and its children.
    if (Number(fields[2]) !== group) continue;
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks * 10;
}

/** @param {string} pid */
function statOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // the process has ended
  }
}
