// @ts-check
// Runs all tests once without a mutant, and records which test files reach which mutant.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { noLimit, runTests } from './test-process.mjs';

/** @typedef {import('./places.mjs').Mutant} Mutant */
/** @typedef {{ file: string, ms: number }} TestFile */

/** Matches tests that compare whole outputs. They run first, because they detect most changes. */
const isComparison = /(?:approved|constants)\.test\.ts$/;

/**
 * Returns for each mutant the test files that reach it. Tests that fail without a mutant are not used.
 * @param {readonly Mutant[]} mutants
 * @param {{ workFolder: string, filters: readonly string[] }} options
 * @returns {Promise<TestFile[][]>}
 */
export async function recordReached(mutants, { workFolder, filters }) {
  const log = path.join(workFolder, 'log');
  writeFileSync(log, '');
  // The log file is writable for all users, because some tests start the program as another user.
  chmodSync(log, 0o666);
  const { files } = await runTests(filters, { bail: 0, isolate: true, limit: noLimit });
  const failed = new Set(files.filter(({ isGood }) => !isGood).map(({ file }) => file));
  console.log(`${files.length} test files, not used because they fail: ${[...failed].join(', ')}`);
  const durations = new Map(files.map(({ file, ms }) => [file, ms]));
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  rmSync(log);
  /** @type {Map<number, Set<string>>} */
  const reached = new Map();
  for (const line of lines) {
    const number = Number.parseInt(line);
    const file = path.relative(process.cwd(), line.slice(line.indexOf(' ') + 1));
    reached.set(number, (reached.get(number) ?? new Set()).add(file));
  }
  const unknown = [...reached.values()].filter(tests => tests.has('')).length;
  if (unknown > 0) console.log(`${unknown} mutants are reached by a process of an unknown test`);
  return mutants.map((mutant, index) =>
    [...(reached.get(index + 1) ?? [])]
      .filter(file => file !== '' && !failed.has(file))
      .map(file => ({ file, ms: durations.get(file) ?? 0 }))
      .toSorted(
        (a, b) =>
          Number(isComparison.test(b.file)) - Number(isComparison.test(a.file)) ||
          nearness(b.file, mutant.file) - nearness(a.file, mutant.file) ||
          a.ms - b.ms,
      ),
  );
}

/**
 * Returns the number of folders at the start of the paths that two files in `src/` and `test/` share.
 * @param {string} test
 * @param {string} source
 */
function nearness(test, source) {
  const [left, right] = [test.split('/').slice(1), source.replace(/\.ts$/, '.test.ts').split('/').slice(1)];
  const different = left.findIndex((name, index) => name !== right[index]);
  return different === -1 ? left.length : different;
}
