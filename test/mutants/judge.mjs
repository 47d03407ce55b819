// @ts-check
// Runs the tests that reach a mutant until one of them detects it.
import { availableParallelism } from 'node:os';
import { setActive } from './switches.mjs';
import { noLimit, runTests } from './test-process.mjs';

/** @typedef {import('./reached.mjs').TestFile} TestFile */

/** A mutant counts as killed if a test takes this many times as long as without it. */
const maxSlowdown = 5;
/** The time limit for the start of vitest and its processes. */
const startMs = 10_000;
/** Most mutants are killed by one of the first tests, so that the others need not start. */
const chunkSizes = [3, 12];
/**
 * The test files that passed without a mutant.
 * @type {Map<string, import('./test-process.mjs').Run>}
 */
const passedRuns = new Map();

/**
 * Returns a sentence that starts with "killed" or tells why the mutant survives.
 * @param {number} number
 * @param {readonly TestFile[]} tests
 * @param {string} workFolder
 */
export async function judge(number, tests, workFolder) {
  if (tests.length === 0) return 'survived: no test reaches it';
  let left = [...tests];
  const sizes = [...chunkSizes];
  while (left.length > 0) {
    const part = left.slice(0, sizes.shift() ?? left.length);
    setActive(workFolder, number);
    const { files, isGood } = await runTests(namesOf(part), { bail: 1, isolate: false, limit: limitOf(part) });
    const passed = new Set(isGood ? namesOf(part) : []);
    const suspect = files.find(result => !result.isGood)?.file ?? (part.length === 1 ? part[0]?.file : undefined);
    if (suspect !== undefined) {
      const reason = await confirm(number, suspect, workFolder);
      if (reason !== undefined) return `killed by ${suspect}${reason}`;
      passed.add(suspect);
    } else if (!isGood) {
      sizes.unshift(...part.map(() => 1)); // finds the file that hangs or ends its process
    }
    left = left.filter(({ file }) => !passed.has(file));
  }
  return `survived ${tests.length} test files`;
}

/**
 * A test that failed counts only if it passes without the mutant and fails with it once more, because a test can also fail
 * by chance or on a busy machine.
 * @param {number} number
 * @param {string} file
 * @param {string} workFolder
 * @returns {Promise<string | undefined>}
 */
async function confirm(number, file, workFolder) {
  const hasPassed = passedRuns.has(file);
  const without = passedRuns.get(file) ?? (await runWithout(file, workFolder));
  if (!without.isGood) return undefined;
  setActive(workFolder, number);
  const limit = { wallMs: startMs + maxSlowdown * without.wallMs, cpuMs: startMs + maxSlowdown * without.cpuMs };
  const { isGood, isTimeout, wallMs, cpuMs } = await runTests([file], { bail: 1, isolate: false, limit });
  if (isGood) return undefined;
  if (!isTimeout) return '';
  if (hasPassed) {
    // The machine may be slower now than when the test ran without a mutant.
    passedRuns.delete(file);
    return confirm(number, file, workFolder);
  }
  const seconds = [cpuMs, wallMs, without.cpuMs, without.wallMs].map(ms => (ms / 1000).toFixed(1));
  return `, which takes more than ${seconds[0]} s of CPU in ${seconds[1]} s (${seconds[2]} in ${seconds[3]} s without)`;
}

/**
 * @param {string} file
 * @param {string} workFolder
 */
async function runWithout(file, workFolder) {
  setActive(workFolder, 0);
  const run = await runTests([file], { bail: 1, isolate: false, limit: noLimit });
  if (run.isGood) passedRuns.set(file, run);
  return run;
}

/** @param {readonly TestFile[]} tests */
function namesOf(tests) {
  return tests.map(({ file }) => file);
}

/**
 * Test files run in parallel. The CPU time of a file is known after it passed alone. Before that, the time that it took in
 * the run of all tests is an upper limit.
 * @param {readonly TestFile[]} tests
 */
function limitOf(tests) {
  const sumMs = tests.reduce((sum, { ms }) => sum + ms, 0);
  const wallMs = startMs + maxSlowdown * Math.max(sumMs / availableParallelism(), ...tests.map(({ ms }) => ms));
  const cpuMs = tests.reduce((sum, { file, ms }) => sum + (passedRuns.get(file)?.cpuMs ?? startMs + ms), 0);
  return { wallMs, cpuMs: startMs + maxSlowdown * cpuMs };
}
