// @ts-check
// node test/mutants.mjs SEED COUNT: changes COUNT operators, conditions, numbers or calls of src/, one after another, drawn
// by SEED, and reports the changes that no test notices. Changes that do not compile are replaced by others. The files are
// restored at the end; use a clone, because the tests run on the changed files.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseAst } from 'vitest/node';

/** @typedef {{ file: string, start: number, end: number, by: string }} Mutant */

/** @type {Readonly<Record<string, string>>} */
const opposites = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
  '*': '/',
};
/** A mutant is killed if its tests take this many times as long as without it. */
const maxSlowdown = 5;
/** The start of vitest and of a build, which a busy machine delays. */
const startMs = 20_000;
/** The nearest tests by imports are run. The remaining ones rarely kill a mutant that these do not kill. */
const maxTests = 15;
/** Test files that take no longer run first: most mutants are killed by one of them, and vitest starts with slow files. */
const quickMs = 3000;

const [seed = Number.NaN, count = Number.NaN] = process.argv.slice(2).map(Number);
if (!Number.isInteger(seed) || !Number.isInteger(count)) throw new Error('usage: node test/mutants.mjs SEED COUNT');
if (execFileSync('git', ['status', '--porcelain', 'src'], { encoding: 'utf8' }) !== '') {
  throw new Error('src/ has changes that are not committed: they could be lost');
}

const sources = filesBelow('src').filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts'));
const tests = filesBelow('test').filter(file => file.endsWith('.test.ts'));
const importers = importersOf([...sources, ...filesBelow('test').filter(file => file.endsWith('.ts'))]);
const startsProgram = new Set(reachedFrom('test/support/program.ts').keys());
/** @type {Map<string, number>} */
const durations = new Map();
/** @type {Set<string>} */
const failing = new Set();
const places = sources.flatMap(file => mutantsOf(file, readFileSync(file, 'utf8')));
console.log(`${places.length} places in src/, seed ${seed}`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1)); // the exit handler restores the file
const survivors = [];
for (let [draw, tried] = [0, 0]; tried < count; draw++) {
  const chance = createHash('sha256').update(`${seed} ${draw}`).digest().readUInt32BE();
  const [mutant] = places.splice(chance % places.length, 1);
  if (mutant === undefined) break;
  const began = performance.now();
  const original = readFileSync(mutant.file, 'utf8');
  const verdict = await tryMutant(mutant, original);
  if (verdict === undefined) continue;
  tried++;
  const line = original.slice(0, mutant.start).split('\n').length;
  const was = original.slice(mutant.start, mutant.end).replaceAll(/\s+/g, ' ').slice(0, 60);
  const change = `${mutant.file}:${line} ${was} → ${mutant.by === '' ? 'nothing' : mutant.by}`;
  if (verdict === 'survived') survivors.push(change);
  console.log(`${tried} ${change}: ${verdict} (${Math.round((performance.now() - began) / 1000)} s)`);
}
await run('node', ['build.mjs'], Infinity);
console.log(`${survivors.length} of ${count} survived${survivors.map(change => `\n  ${change}`).join('')}`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/**
 * Returns undefined if the changed file does not compile.
 * @param {Mutant} mutant
 * @param {string} original
 */
async function tryMutant({ file, start, end, by }, original) {
  const restore = () => writeFileSync(file, original);
  const change = () => writeFileSync(file, original.slice(0, start) + by + original.slice(end));
  process.once('exit', restore);
  try {
    for (const stage of relatedTests(file)) {
      await measure(stage.filter(test => !failing.has(test)));
      const used = stage.filter(test => !failing.has(test));
      for (const part of [used.filter(isQuick), used.filter(test => !isQuick(test))]) {
        if (part.length === 0) continue;
        change();
        const { killer } = await runTests(part, timeLimit(part));
        if (killer !== undefined) return (await compiles()) ? `killed by ${killer}` : undefined;
        restore();
      }
    }
    change();
    return (await compiles()) ? 'survived' : undefined;
  } finally {
    restore();
    process.off('exit', restore);
  }
}

async function compiles() {
  return (await run('npx', ['tsc'], Infinity)).isGood;
}

/**
 * First the tests that import the file, then the others that reach it, then those of its part that start the built file.
 * @param {string} file
 */
function relatedTests(file) {
  const distances = reachedFrom(file);
  const reaching = tests
    .filter(test => distances.has(test))
    .toSorted((left, right) => (distances.get(left) ?? 0) - (distances.get(right) ?? 0))
    .slice(0, maxTests);
  const near = reaching.filter(test => (distances.get(test) ?? 0) <= 1);
  const part = /^src\/(toolsets\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? '';
  const program = tests.filter(test => startsProgram.has(test) && !reaching.includes(test));
  const own = program
    .filter(test => test.startsWith(`test/${part}/`) || test === 'test/bundle.test.ts')
    .slice(0, maxTests);
  return [near, reaching.filter(test => !near.includes(test)), own].filter(stage =>
    stage.some(test => !failing.has(test)),
  );
}

/** @param {readonly string[]} stage */
function usesBuiltFile(stage) {
  return stage.some(test => startsProgram.has(test));
}

/** @param {string} test */
function isQuick(test) {
  return (durations.get(test) ?? 0) <= quickMs;
}

/** @param {readonly string[]} stage */
function timeLimit(stage) {
  return startMs + maxSlowdown * stage.reduce((sum, test) => sum + (durations.get(test) ?? 0), 0);
}

/**
 * Runs tests on the unchanged files once, to know how long they take. Tests that fail then are not used.
 * @param {readonly string[]} stage
 */
async function measure(stage) {
  const unknown = stage.filter(test => !durations.has(test));
  if (unknown.length === 0) return;
  const { killer, output } = await runTests(unknown, Infinity);
  const reported = output.matchAll(/(test\/\S+\.test\.ts) \(\d+ tests?[^)]*\) (\d+)ms/g);
  for (const [, test = '', ms] of reported) durations.set(test, Number(ms));
  if (killer === undefined) return;
  console.log(`${killer} fails without a mutant and is not used`);
  failing.add(killer);
  durations.delete(killer);
  for (const test of unknown) durations.delete(test);
  await measure(unknown.filter(test => test !== killer));
}

/**
 * Returns the first test that fails, if one does.
 * @param {readonly string[]} stage
 * @param {number} maxMs
 */
async function runTests(stage, maxMs) {
  if (usesBuiltFile(stage) && !(await run('node', ['build.mjs'], Infinity)).isGood) {
    return { killer: 'the build', output: '' };
  }
  const { isGood, output } = await run('npx', ['vitest', 'run', '--project', 'all', '--bail', '1', ...stage], maxMs);
  return isGood
    ? { killer: undefined, output }
    : { output, killer: /FAIL .*?(test\/\S+?\.ts)/.exec(output)?.[1] ?? 'the time limit' };
}

/**
 * Returns for each file the files that import it, also by `packed:`, `worker:` and `import()`.
 * @param {readonly string[]} files
 */
function importersOf(files) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const file of files) {
    const specifiers = readFileSync(file, 'utf8').matchAll(/'(?:worker:|packed:)?((?:\.|src\/)[^'\n]*\.ts)'/g);
    for (const [, specifier = ''] of specifiers) {
      const base = specifier.startsWith('.') ? path.posix.dirname(file) : '.';
      const imported = path.posix.join(base, specifier);
      found.set(imported, [...(found.get(imported) ?? []), file]);
    }
  }
  return found;
}

/**
 * Returns the files that import a file, directly or through others, with the number of files between them.
 * @param {string} file
 */
function reachedFrom(file) {
  /** @type {Map<string, number>} */
  const distances = new Map();
  let next = [file];
  for (let distance = 1; next.length > 0; distance++) {
    next = next.flatMap(imported => importers.get(imported) ?? []).filter(importer => !distances.has(importer));
    for (const importer of next) distances.set(importer, distance);
  }
  return distances;
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Mutant[]}
 */
function mutantsOf(file, text) {
  /** @type {Mutant[]} */
  const found = [];
  /** @param {any} node */
  const visit = node => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node?.type !== 'string') return;
    if (/^TS(?!As|NonNull|Satisfies)/.test(node.type)) return;
    /** @type {(from: number, to: number, by: string) => void} */
    const change = (start, end, by) => void found.push({ file, start, end, by });
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const at = text.indexOf(node.operator, node.left.end);
        const opposite = opposites[node.operator];
        if (opposite !== undefined) change(at, at + node.operator.length, opposite);
        break;
      }
      case 'Literal':
        if (typeof node.value === 'boolean') change(node.start, node.end, String(!node.value));
        if (typeof node.value === 'number') change(node.start, node.end, String(node.value + 1));
        break;
      case 'IfStatement':
      case 'ConditionalExpression':
        change(node.test.start, node.test.end, 'false');
        break;
      case 'UnaryExpression':
        if (node.operator === '!') change(node.start, node.start + 1, '');
        break;
      case 'ExpressionStatement':
        if (/^(?:Await|Call)Expression$/.test(node.expression.type)) change(node.start, node.end, ';');
        break;
    }
    for (const child of Object.values(node)) if (typeof child === 'object') visit(child);
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

/**
 * Runs a command in a process group of its own, which is killed at the time limit: a mutant may never end by itself.
 * @param {string} command
 * @param {string[]} args
 * @param {number} maxMs
 * @returns {Promise<{ isGood: boolean, output: string }>}
 */
function run(command, args, maxMs) {
  return new Promise(resolve => {
    const child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    });
    /** @type {Buffer[]} */
    const chunks = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => chunks.push(chunk));
    const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL');
    const timer = maxMs === Infinity ? undefined : setTimeout(end, maxMs);
    process.once('exit', end);
    child.once('close', code => {
      clearTimeout(timer);
      process.off('exit', end);
      resolve({ isGood: code === 0, output: Buffer.concat(chunks).toString() });
    });
  });
}

/** @param {string} folder */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}
