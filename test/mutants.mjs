// @ts-check
// node test/mutants.mjs SEED COUNT [PREFIX [TEST…]]: changes COUNT operators, conditions, numbers or calls of src/, drawn by
// SEED, and reports the changes that no test notices. PREFIX limits the changes to files such as src/documents/, and TEST…
// limits the tests to files or folders, so that a part can be measured quickly. All changes are written into src/ at once, each behind a switch. One run of all tests
// records which test files reach which change, and then each change is switched on alone for the tests that reach it.
// src/ and dist/ are restored at the end; use a clone, because the tests run on the changed files.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseAst } from 'vitest/node';

/**
 * A change of one node of the syntax tree. `code` prints the node with a switch, `alone` replaces a range of the file.
 * @typedef {{
 *   file: string,
 *   node: [number, number],
 *   change: string,
 *   code: (part: (node: any) => string) => string,
 *   alone: [number, number, string],
 * }} Mutant
 */
/** @typedef {Pick<Mutant, 'code' | 'node'> & { number: number }} Switch */
/** @typedef {{ file: string, ms: number }} TestFile */

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
/** A mutant counts as killed if its tests take this many times as long as without it. */
const maxSlowdown = 5;
/** The time limit for the start of vitest, which is slow on a busy machine. */
const startMs = 20_000;
/** Most mutants are killed by one of the first tests, so that the others need not start. */
const chunkSizes = [3, 12, Infinity];
/** Matches tests that compare whole outputs. They run first, because they detect most changes. */
const isComparison = /(?:approved|constants)\.test\.ts$/;

const [seed = Number.NaN, count = Number.NaN] = process.argv.slice(2, 4).map(Number);
const [prefix = 'src/', ...testFilters] = process.argv.slice(4);
if (!Number.isInteger(seed) || !Number.isInteger(count))
  throw new Error('usage: node test/mutants.mjs SEED COUNT [PREFIX [TEST…]]');
if (execFileSync('git', ['status', '--porcelain', 'src', 'dist'], { encoding: 'utf8' }) !== '') {
  throw new Error('src/ or dist/ has changes that are not committed: they could be lost');
}

const root = process.cwd();
/** The folder is in node_modules, so that git and the tests of the whole source tree ignore it. */
const workFolder = path.join(root, 'node_modules/.mutants');
const switchFile = 'src/mutant-switch.ts';
const sources = filesBelow('src').filter(file => file.endsWith('.ts') && !file.endsWith('.d.ts'));
/** @type {Map<string, string>} */
const originals = new Map(sources.map(file => [file, readFileSync(file, 'utf8')]));

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1)); // the exit handler restores
process.once('exit', () => {
  rmSync(switchFile, { force: true });
  rmSync(workFolder, { recursive: true, force: true });
  execFileSync('git', ['checkout', '--quiet', '--', 'src', 'dist']);
});

const mutants = await draw();
writeSwitches(mutants);
if (!(await run('node', ['build.mjs'], Infinity)).isGood) throw new Error('the build fails with the switches');
const reached = await recordReached();
const survivors = [];
for (const [number, mutant] of mutants.entries()) {
  const began = performance.now();
  const verdict = await tryMutant(number + 1, reached[number] ?? []);
  if (!verdict.startsWith('killed')) survivors.push(`${mutant.change}: ${verdict}`);
  console.log(`${number + 1} ${mutant.change}: ${verdict} (${Math.round((performance.now() - began) / 1000)} s)`);
}
console.log(`${survivors.length} of ${mutants.length} survived${survivors.map(change => `\n  ${change}`).join('')}`);
process.exitCode = survivors.length === 0 ? 0 : 1;

/** Draws random places in the sources. If the compiler rejects a change, another place is drawn instead. */
async function draw() {
  const wanted = sources.filter(file => file.startsWith(prefix));
  const places = wanted.flatMap(file => mutantsOf(file, originals.get(file) ?? ''));
  console.log(`${places.length} places in ${prefix}, seed ${seed}`);
  /** @type {Mutant[]} */
  let drawn = [];
  for (let number = 0; ; ) {
    for (; drawn.length < count && places.length > 0; number++) {
      const chance = createHash('sha256').update(`${seed} ${number}`).digest().readUInt32BE();
      drawn.push(...places.splice(chance % places.length, 1));
    }
    writeAlone(drawn);
    const rejected = await rejectedFiles();
    if (rejected.size === 0) return drawn;
    const remaining = drawn.filter(mutant => !rejected.has(mutant.file));
    if (remaining.length === drawn.length)
      throw new Error(`files without a change do not compile: ${[...rejected].join(', ')}`);
    drawn = remaining;
  }
}

/** @param {readonly Mutant[]} drawn */
function writeAlone(drawn) {
  for (const [file, original] of originals) {
    let text = original;
    const own = drawn.filter(mutant => mutant.file === file).toSorted((a, b) => b.alone[0] - a.alone[0]);
    let limit = Infinity;
    for (const {
      alone: [start, end, by],
    } of own) {
      if (end > limit) continue; // it contains another change, which the compiler checks
      text = text.slice(0, start) + by + text.slice(end);
      limit = start;
    }
    writeFileSync(file, text);
  }
}

async function rejectedFiles() {
  const { output } = await run('npx', ['tsc', '--pretty', 'false'], Infinity);
  return new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file));
}

/** @param {readonly Mutant[]} drawn */
function writeSwitches(drawn) {
  mkdirSync(workFolder, { recursive: true });
  writeFileSync(path.join(workFolder, 'active'), '0');
  writeFileSync(switchFile, switchSource());
  for (const [file, original] of originals) {
    /** @type {Map<string, Switch>} */
    const changes = new Map();
    for (const [index, { code, file: changed, node }] of drawn.entries()) {
      if (changed === file) changes.set(node.join(), { code, node, number: index + 1 });
    }
    writeFileSync(file, changes.size === 0 ? original : switched(file, original, changes));
  }
}

/**
 * The test file is that of the process, or of its nearest ancestor if a test starts the program. `let` is needed, because
 * constants.test.ts lists the constants of all files.
 */
function switchSource() {
  return `import { appendFileSync, existsSync, readFileSync } from 'node:fs';
let active = Number(readFileSync(${JSON.stringify(path.join(workFolder, 'active'))}, 'utf8'));
const log = ${JSON.stringify(path.join(workFolder, 'log'))};
const seen = new Set<number>();
function record(number: number): void {
  seen.add(number);
  if (!existsSync(log)) return;
  appendFileSync(log, \`\${number} \${testOf(process.pid)}\\n\`);
}
function testOf(pid: number): string {
  const file = \`${workFolder}/pid-\${pid}\`;
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const stat = pid > 1 && existsSync(\`/proc/\${pid}/stat\`) ? readFileSync(\`/proc/\${pid}/stat\`, 'utf8') : '';
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0] ?? '');
  return parent > 0 ? testOf(parent) : '';
}
export function isMutant(number: number): boolean {
  if (!seen.has(number)) record(number);
  return number === active;
}
`;
}

/**
 * Writes all changes of a file into its code, each with a switch that enables it. A change can contain another one.
 * @param {string} file
 * @param {string} original
 * @param {ReadonlyMap<string, Switch>} changes
 */
function switched(file, original, changes) {
  /** @type {(start: number, end: number) => string} */
  const print = (start, end) => {
    const own = changes.get([start, end].join());
    if (own !== undefined) {
      return own.code(node => print(node.start, node.end)).replaceAll('$SWITCH', `isMutant(${own.number})`);
    }
    let [text, at] = ['', start];
    const inner = [...changes.values()]
      .filter(({ node }) => node[0] >= start && node[1] <= end && node[1] - node[0] < end - start)
      .toSorted((a, b) => a.node[0] - b.node[0] || b.node[1] - a.node[1]);
    for (const { node } of inner) {
      if (node[0] < at) continue;
      text += original.slice(at, node[0]) + print(node[0], node[1]);
      at = node[1];
    }
    return text + original.slice(at, end);
  };
  const specifier = path.posix.relative(path.posix.dirname(file), switchFile);
  return `import { isMutant } from '${specifier.startsWith('.') ? specifier : `./${specifier}`}';\n${print(0, original.length)}`;
}

/** Runs all tests once and returns for each mutant the tests that reach it. Tests that fail without a mutant are not used. */
async function recordReached() {
  const setup = path.join(workFolder, 'setup.mjs');
  const report = path.join(workFolder, 'report.json');
  const logFile = path.join(workFolder, 'log');
  writeFileSync(logFile, '');
  // The log file is writable for all users, because some tests start the program as another user.
  chmodSync(logFile, 0o666);
  writeFileSync(
    setup,
    `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(`${workFolder}/pid-`)} + process.pid, globalThis.__vitest_worker__.filepath);\n`,
  );
  writeFileSync(
    path.join(workFolder, 'config.mjs'),
    `import { mergeConfig } from 'vitest/config';
import base from ${JSON.stringify(path.join(root, 'vitest.config.ts'))};
export default mergeConfig(base, { root: ${JSON.stringify(root)}, test: { setupFiles: [${JSON.stringify(setup)}] } });\n`,
  );
  const args = ['--config', path.join(workFolder, 'config.mjs'), '--reporter', 'json', '--outputFile', report];
  await runTests([...args, ...testFilters], Infinity);
  /** @type {{ testResults: { name: string, status: string, startTime: number, endTime: number }[] }} */
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults.filter(({ status }) => status !== 'passed').map(({ name }) => path.relative(root, name));
  console.log(`${testResults.length} test files, not used because they fail: ${failed.join(', ')}`);
  const durations = new Map(testResults.map(({ name, startTime, endTime }) => [name, endTime - startTime]));
  const log = readFileSync(logFile, 'utf8').trim().split('\n');
  rmSync(logFile);
  const pairs = [...new Set(log)].map(line => ({
    number: Number.parseInt(line),
    name: line.slice(line.indexOf(' ') + 1),
  }));
  console.log(`${pairs.filter(({ name }) => name === '').length} times a process of an unknown test reaches a mutant`);
  return mutants.map((mutant, index) =>
    pairs
      .filter(({ number }) => number === index + 1)
      .map(({ name }) => ({ file: path.relative(root, name), ms: durations.get(name) ?? 0 }))
      .filter(({ file }) => file !== '' && !failed.includes(file))
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

/**
 * @param {number} number
 * @param {readonly TestFile[]} tests
 */
async function tryMutant(number, tests) {
  if (tests.length === 0) return 'no test reaches it';
  writeFileSync(path.join(workFolder, 'active'), String(number));
  for (let [start, chunk] = [0, 0]; start < tests.length; chunk++) {
    const part = tests.slice(start, start + (chunkSizes[chunk] ?? Infinity));
    start += part.length;
    // Test files run in parallel.
    const sumMs = part.reduce((sum, { ms }) => sum + ms, 0);
    const maxMs = startMs + maxSlowdown * Math.max(sumMs / availableParallelism(), ...part.map(({ ms }) => ms));
    const { isGood, output } = await runTests(['--bail', '1', ...part.map(({ file }) => file)], maxMs);
    if (!isGood) return `killed by ${/FAIL .*?(test\/\S+?\.ts)/.exec(output)?.[1] ?? 'the time limit'}`;
  }
  return `survived ${tests.length} test files`;
}

/**
 * @param {readonly string[]} args
 * @param {number} maxMs
 */
function runTests(args, maxMs) {
  return run('npx', ['vitest', 'run', '--project', 'all', ...args], maxMs);
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
    /** @type {(start: number, end: number, by: string, code: Mutant['code']) => void} */
    const add = (start, end, by, code) => {
      const line = text.slice(0, start).split('\n').length;
      const was = text.slice(start, end).replaceAll(/\s+/g, ' ').slice(0, 60);
      const change = `${file}:${line} ${was} → ${by === ';' ? 'nothing' : by}`;
      found.push({ file, node: [node.start, node.end], change, code, alone: [start, end, by] });
    };
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const at = text.indexOf(node.operator, node.left.end);
        const by = opposites[node.operator];
        if (by === undefined) break;
        add(at, at + node.operator.length, by, part => {
          const [left, right] = [part(node.left), part(node.right)];
          return `($SWITCH ? (${left}) ${by} (${right}) : (${left}) ${node.operator} (${right}))`;
        });
        break;
      }
      case 'Literal': {
        if (typeof node.value !== 'boolean' && typeof node.value !== 'number') break;
        const by = String(typeof node.value === 'number' ? node.value + 1 : !node.value);
        add(node.start, node.end, by, () => `($SWITCH ? ${by} : ${node.raw})`);
        break;
      }
      case 'IfStatement':
      case 'ConditionalExpression':
        add(node.test.start, node.test.end, 'false', part => {
          const rest =
            node.type === 'IfStatement' ? [node.consequent, node.alternate] : [node.consequent, node.alternate];
          const [yes, no] = rest.map(child => (child === null ? undefined : part(child)));
          return node.type === 'IfStatement'
            ? `if (!$SWITCH && (${part(node.test)})) ${yes}${no === undefined ? '' : ` else ${no}`}`
            : `(!$SWITCH && (${part(node.test)}) ? ${yes} : ${no})`;
        });
        break;
      case 'UnaryExpression':
        if (node.operator === '!') {
          add(
            node.start,
            node.start + 1,
            '',
            part => `($SWITCH ? (${part(node.argument)}) : !(${part(node.argument)}))`,
          );
        }
        break;
      case 'ExpressionStatement':
        if (/^(?:Await|Call)Expression$/.test(node.expression.type)) {
          // The braces are needed, because an `else` after the condition would otherwise belong to the switch.
          add(node.start, node.end, ';', part => `{ if (!$SWITCH) ${part(node.expression)}; }`);
        }
        break;
    }
    for (const [key, child] of Object.entries(node)) {
      const isName = key === 'key' && node.computed === false;
      if (typeof child === 'object' && !isName) visit(child);
    }
  };
  visit(parseAst(text, { lang: 'ts' }));
  return found;
}

/**
 * Runs a command in a process group of its own. The group is killed at the time limit, because a mutant may never end.
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
