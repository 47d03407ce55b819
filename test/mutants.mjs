// @ts-check
// node test/mutants.mjs SEED COUNT [PREFIX [TEST…]]: changes COUNT operators, conditions, numbers or calls of src/, drawn by
// SEED, and reports the changes that no test notices. PREFIX limits the changes to files such as src/documents/, and TEST…
// limits the tests to files or folders, so that a part can be measured quickly. All changes are written into src/ at once, each behind a switch. One run of all tests
// records which test files reach which change, and then each change is switched on alone for the tests that reach it.
// src/ and dist/ are restored at the end; use a clone, because the tests run on the changed files.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { draw } from './mutants/draw.mjs';
import { judge } from './mutants/judge.mjs';
import { recordReached } from './mutants/reached.mjs';
import { switchFile, writeSwitches } from './mutants/switches.mjs';
import { killTests } from './mutants/test-process.mjs';

const [seed = Number.NaN, count = Number.NaN] = process.argv.slice(2, 4).map(Number);
const [prefix = 'src/', ...filters] = process.argv.slice(4);
if (!Number.isInteger(seed) || !Number.isInteger(count))
  throw new Error('usage: node test/mutants.mjs SEED COUNT [PREFIX [TEST…]]');
if (execFileSync('git', ['status', '--porcelain', 'src', 'dist'], { encoding: 'utf8' }) !== '') {
  throw new Error('src/ or dist/ has changes that are not committed: they could be lost');
}

/** The folder is in node_modules, so that git and the tests of the whole source tree ignore it. */
const workFolder = path.resolve('node_modules/.mutants');
mkdirSync(workFolder, { recursive: true });
const originals = readSources();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1)); // the exit handler restores
process.once('exit', () => {
  killTests();
  rmSync(switchFile, { force: true });
  rmSync(workFolder, { recursive: true, force: true });
  execFileSync('git', ['checkout', '--quiet', '--', 'src', 'dist']);
});

const mutants = draw(originals, { seed, count, prefix });
writeSwitches(originals, mutants, workFolder);
execFileSync('node', ['build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
const reached = await recordReached(mutants, { workFolder, filters });
/** @type {Map<string, { drawn: number, survived: string[] }>} */
const folders = new Map();
for (const [index, { file, change }] of mutants.entries()) {
  const began = performance.now();
  const verdict = await judge(index + 1, reached[index] ?? [], workFolder);
  const folder = folders.get(path.dirname(file)) ?? { drawn: 0, survived: [] };
  folder.drawn += 1;
  if (verdict.startsWith('survived')) folder.survived.push(`${change}: ${verdict}`);
  folders.set(path.dirname(file), folder);
  console.log(`${index + 1} ${change}: ${verdict} (${((performance.now() - began) / 1000).toFixed(1)} s)`);
}
report();
process.exit();

/** Prints the number of survivors and their share of each folder. */
function report() {
  for (const [folder, { drawn, survived }] of [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(`${folder}: ${survived.length} of ${drawn}`);
  }
  const survivors = [...folders.values()].flatMap(({ survived }) => survived);
  console.log(`${survivors.length} of ${mutants.length} survived${survivors.map(change => `\n  ${change}`).join('')}`);
  process.exitCode = survivors.length === 0 ? 0 : 1;
}

/** @returns {Map<string, string>} */
function readSources() {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map(name => `src/${name}`);
  const sources = files.filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts')).sort();
  return new Map(sources.map(file => [file, readFileSync(file, 'utf8')]));
}
