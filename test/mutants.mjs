// @ts-check
// node test/mutants.mjs SEED COUNT: breaks the sources in COUNT places, one after another, drawn by SEED from all places in
// src/ where an operator, a condition, a number or a call can be changed; tells which of the changes no test has noticed.
// A change that does not compile is no mutant, and another is drawn. The tree is as before at the end; use a clone.
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
const maxMs = 10 * 60_000;

const [seed = Number.NaN, count = Number.NaN] = process.argv.slice(2).map(Number);
if (!Number.isInteger(seed) || !Number.isInteger(count)) throw new Error('usage: node test/mutants.mjs SEED COUNT');
if (execFileSync('git', ['status', '--porcelain', 'src'], { encoding: 'utf8' }) !== '') {
  throw new Error('src/ has changes that are not committed: they could be lost');
}

const tests = filesBelow('test').filter(file => file.endsWith('.test.ts'));
const places = filesBelow('src')
  .filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .flatMap(file => mutantsOf(file, readFileSync(file, 'utf8')));
console.log(`${places.length} places in src/, seed ${seed}`);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1)); // and so restores
const survivors = [];
for (let [draw, tried] = [0, 0]; tried < count; draw++) {
  const chance = createHash('sha256').update(`${seed} ${draw}`).digest().readUInt32BE();
  const [mutant] = places.splice(chance % places.length, 1);
  if (mutant === undefined) break;
  const began = performance.now();
  const original = readFileSync(mutant.file, 'utf8');
  const restore = () => writeFileSync(mutant.file, original);
  process.once('exit', restore);
  writeFileSync(mutant.file, original.slice(0, mutant.start) + mutant.by + original.slice(mutant.end));
  const verdict = await tryMutant(mutant.file);
  restore();
  process.off('exit', restore);
  if (verdict === undefined) continue;
  tried++;
  const line = original.slice(0, mutant.start).split('\n').length;
  const was = original.slice(mutant.start, mutant.end).replaceAll(/\s+/g, ' ').slice(0, 60);
  const told = `${mutant.file}:${line} ${was} → ${mutant.by === '' ? 'nothing' : mutant.by}`;
  if (verdict === 'survived') survivors.push(told);
  console.log(`${tried} ${told}: ${verdict} (${Math.round((performance.now() - began) / 1000)} s)`);
}
await run('node', ['build.mjs']);
console.log(`${survivors.length} of ${count} survived${survivors.map(told => `\n  ${told}`).join('')}`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/**
 * undefined: it does not compile.
 * @param {string} file
 */
async function tryMutant(file) {
  if (!(await run('npx', ['tsc'])).isGood) return undefined;
  if (!(await run('node', ['build.mjs'])).isGood) return 'killed by the build';
  for (const files of relatedTests(file)) {
    for (let waiting = files; waiting.length > 0; ) {
      const { isGood, output } = await run('npx', ['vitest', 'run', '--bail', '1', ...waiting]);
      if (isGood) break;
      const killer = /FAIL .*?(test\/\S+?\.ts)/.exec(output)?.[1];
      // What fails once only has another reason, such as a busy machine.
      if (killer === undefined || !(await run('npx', ['vitest', 'run', killer])).isGood)
        return `killed by ${killer ?? 'a test that does not end'}`;
      waiting = waiting.filter(test => test !== killer);
    }
  }
  return 'survived';
}

/**
 * First the tests that speak of the file, then those of the core, then the others of its part. All parts stand on the core.
 * @param {string} file
 */
function relatedTests(file) {
  const toolset = /^src\/toolsets\/([^/]+)\//.exec(file)?.[1];
  const part = tests.filter(
    test => toolset === undefined || !test.includes('/toolsets/') || test.includes(`/${toolset}/`),
  );
  const noun = path.basename(file, '.ts');
  const name = noun === 'index' ? path.basename(path.dirname(file)) : noun;
  const near = part.filter(
    test => path.basename(test).startsWith(name) || readFileSync(test, 'utf8').includes(`/${noun}.ts'`),
  );
  const rest = part.filter(test => !near.includes(test));
  return [near, rest.filter(test => !test.includes('/toolsets/')), rest.filter(test => test.includes('/toolsets/'))];
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
 * With all that it starts ended at the end: a broken program may never end by itself.
 * @param {string} command
 * @param {string[]} args
 * @returns {Promise<{ isGood: boolean, output: string }>}
 */
function run(command, args) {
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
    const timer = setTimeout(end, maxMs);
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
