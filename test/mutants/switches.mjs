// @ts-check
// Writes all mutants into the sources at once, each behind a switch.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {import('./places.mjs').Mutant} Mutant */
/** @typedef {Pick<Mutant, 'code' | 'node'> & { number: number }} Switch */

export const switchFile = 'src/mutant-switch.ts';

/**
 * @param {ReadonlyMap<string, string>} originals
 * @param {readonly Mutant[]} mutants
 * @param {string} workFolder
 */
export function writeSwitches(originals, mutants, workFolder) {
  setActive(workFolder, 0);
  writeFileSync(switchFile, switchSource(workFolder));
  for (const [file, original] of originals) {
    /** @type {Map<string, Switch>} */
    const changes = new Map();
    for (const [index, { code, file: changed, node }] of mutants.entries()) {
      if (changed === file) changes.set(node.join(), { code, node, number: index + 1 });
    }
    writeFileSync(file, changes.size === 0 ? original : switched(file, original, changes));
  }
}

/**
 * Chooses the mutant for all processes that start from now on. Number 0 is none.
 * @param {string} workFolder
 * @param {number} number
 */
export function setActive(workFolder, number) {
  writeFileSync(path.join(workFolder, 'active'), String(number));
}

/**
 * A process reads the number of the active mutant once, when it loads the sources. While the log exists, it records the
 * mutants that it reaches and the test file, which is that of the process, or of its nearest ancestor if a test starts the
 * program. The log is opened at the start, because a test can use up the descriptors. `let` is needed, because
 * constants.test.ts lists the constants of all files.
 * @param {string} workFolder
 */
function switchSource(workFolder) {
  return `import { existsSync, openSync, readFileSync, writeSync } from 'node:fs';
let active = Number(readFileSync(${JSON.stringify(path.join(workFolder, 'active'))}, 'utf8'));
let log = ${JSON.stringify(path.join(workFolder, 'log'))};
let isRecording = existsSync(log);
let descriptor = isRecording ? openSync(log, 'a') : 0;
let test = isRecording ? testOf(process.pid) : '';
let seen = new Set<number>();
function record(number: number): void {
  seen.add(number);
  writeSync(descriptor, \`\${number} \${test}\\n\`);
}
function testOf(pid: number): string {
  const file = \`${workFolder}/pid-\${pid}\`;
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const stat = pid > 1 && existsSync(\`/proc/\${pid}/stat\`) ? readFileSync(\`/proc/\${pid}/stat\`, 'utf8') : '';
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0] ?? '');
  return parent > 0 ? testOf(parent) : '';
}
export function isMutant(number: number): boolean {
  if (isRecording && !seen.has(number)) record(number);
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
