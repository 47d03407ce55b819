// @ts-check
// node test/fuzz/run.mjs TARGET SECONDS: mutates inputs of a target, guided by coverage. A failing input is minimised and
// saved as a regression, which `npm test` runs from then on. Inputs that reach new code are kept for the next run.
// node test/fuzz/run.mjs pump [READER]: prints CPU seconds per megabyte of repeated pieces at n, 2n and 4n bytes.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { bundle } from './bundle.mjs';
import { printPumpTable } from './pump.mjs';

/** @typedef {{ input: Uint8Array, counts: Int32Array }} Shared */
/** @typedef {{ error?: string, input?: Uint8Array }} Result */

/** The CPU time limit of an execution. An execution takes milliseconds, so that a longer one never ends. */
const maxCpuMs = 30_000;
/**
 * The time limit for an execution that waits and uses no CPU. On a busy machine an execution can wait for a processor
 * up to a minute.
 */
const maxWaitMs = 600_000;
const maxInputBytes = 1 << 20;
/** The maximum number of attempts to make a failing input smaller. */
const maxAttempts = 3000;
const maxHangAttempts = 12;

if (process.argv[2] === 'pump') process.exit(await printPumpTable(process.argv[3]));

const [name = '', seconds = '60', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
const file = targetFile(name);
const cache = path.resolve('node_modules/.cache/fuzz');
const corpusFolder = path.join(cache, name);
mkdirSync(corpusFolder, { recursive: true });
const outfile = path.join(cache, `${name}-${process.pid}.cjs`);
await bundle({
  code: `import { serveTarget } from './test/fuzz/worker.ts';
    import { target } from './${file}';
    serveTarget(target);`,
  outfile,
});

const shared = {
  input: new Uint8Array(new SharedArrayBuffer(maxInputBytes)),
  counts: new Int32Array(new SharedArrayBuffer(12)),
};
console.log(`${name}: seed ${seed}, ${readdirSync(corpusFolder).length} inputs from earlier runs`);
const began = performance.now();
const end = began + Number(seconds) * 1000;
/** @type {Worker | undefined} */
let thread;
/** @type {string[]} */
const known = [];
while (performance.now() < end) {
  const left = (end - performance.now()) / 1000;
  const result = await runInThread({ kind: 'fuzz', seconds: left, seed: Number(seed) + known.length, known }, true);
  if (result.error === undefined || result.input === undefined) break;
  known.push(result.error);
  console.log(`FAILED ${result.error}`);
  const input = await minimised(result.input, result.error);
  const saved = save(input);
  console.log(
    `  ${input.length} bytes in ${saved}: ${JSON.stringify(Buffer.from(input).toString('latin1')).slice(0, 300)}`,
  );
}
const [total = 0, , blocks = 0] = shared.counts;
const perSecond = Math.round((total * 1000) / (performance.now() - began));
console.log(
  `${name}: ${total} executions (${perSecond} per second), ${blocks} covered blocks, ${readdirSync(corpusFolder).length} inputs, ${known.length} kinds of failures`,
);
process.exit(known.length === 0 ? 0 : 1);

/**
 * @param {string} wanted
 * @returns {string}
 */
function targetFile(wanted) {
  const parts = ['test', 'test/toolsets'].flatMap(folder => readdirSync(folder).map(part => `${folder}/${part}/fuzz`));
  const folders = ['test/fuzz/targets', ...parts];
  const files = folders.flatMap(folder => filesIn(folder).map(entry => `${folder}/${entry}`));
  const found = files.find(entry => path.basename(entry, '.ts') === wanted);
  if (found !== undefined) return found;
  const names = files.map(entry => path.basename(entry, '.ts'));
  console.error(`usage: npm run fuzz -- TARGET [SECONDS [SEED]]\ntargets: ${names.join(', ')}`);
  return process.exit(2);
}

/** @param {string} folder */
function filesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/**
 * Sends a command to the fuzzing thread and starts the thread if necessary. If the thread hangs or ends, its current
 * input has failed.
 * @param {object} command
 * @param {boolean} isLong the command consists of many executions
 * @returns {Promise<Result>}
 */
function runInThread(command, isLong = false) {
  const running = (thread ??= new Worker(outfile, {
    workerData: { ...shared, bundle: path.basename(outfile), corpusFolder },
  }));
  return new Promise(resolve => {
    let last = { executions: shared.counts[0], cpuMs: cpuMs(), at: performance.now() };
    const timer = setInterval(() => {
      const now = { executions: shared.counts[0], cpuMs: cpuMs(), at: performance.now() };
      if (now.executions !== last.executions) last = now;
      else if (now.cpuMs - last.cpuMs > maxCpuMs || now.at - last.at > maxWaitMs)
        finish({ error: 'hangs', input: currentInput() });
    }, 1000);
    const fail = (/** @type {unknown} */ error) => finish({ error: `ends: ${String(error)}`, input: currentInput() });
    const finish = (/** @type {Result} */ result) => {
      clearInterval(timer);
      running.off('message', finish).off('error', fail).off('exit', fail);
      // After a failure the state of the program is unknown, and the coverage of the thread is not needed any more.
      if (result.error?.startsWith('hangs') || result.error?.startsWith('ends') || isLong) {
        thread = undefined;
        void running.terminate();
      }
      resolve(result);
    };
    running.once('message', finish).once('error', fail).once('exit', fail);
    running.postMessage(command);
  });
}

/** Returns the CPU time of the process, most of which the fuzzing thread uses. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function currentInput() {
  return shared.input.slice(0, shared.counts[1]);
}

/**
 * Removes ranges of the input while the error stays the same, the longest ranges first.
 * @param {Uint8Array} input
 * @param {string} error
 */
async function minimised(input, error) {
  let smallest = input;
  let attempts = error.startsWith('hangs') ? maxHangAttempts : maxAttempts;
  for (let length = Math.ceil(input.length / 2); length >= 1; length = Math.floor(length / 2)) {
    for (let start = 0; start < smallest.length && attempts > 0; attempts--) {
      const shorter = Buffer.concat([smallest.subarray(0, start), smallest.subarray(start + length)]);
      const result = await runInThread({ kind: 'run', input: shorter });
      if (result.error === error) smallest = shorter;
      else start += length;
    }
  }
  return smallest;
}

/** @param {Uint8Array} input */
function save(input) {
  const folder = `test/fuzz/regressions/${name}`;
  mkdirSync(folder, { recursive: true });
  const saved = `${folder}/${createHash('sha256').update(input).digest('hex').slice(0, 12)}`;
  writeFileSync(saved, input);
  return saved;
}
