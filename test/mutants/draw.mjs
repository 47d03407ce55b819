// @ts-check
// Draws places in the sources by a seed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mutantsOf } from './places.mjs';

/** @typedef {import('./places.mjs').Mutant} Mutant */

/**
 * Draws `count` places in the files whose names start with `prefix`. If the compiler rejects a change, another place is
 * drawn instead.
 * @param {ReadonlyMap<string, string>} originals the text of each source file
 * @param {{ seed: number, count: number, prefix: string }} options
 */
export function draw(originals, { seed, count, prefix }) {
  const places = [...originals].flatMap(([file, text]) => (file.startsWith(prefix) ? mutantsOf(file, text) : []));
  console.log(`${places.length} places in ${prefix}, seed ${seed}`);
  /** @type {Mutant[]} */
  let drawn = [];
  for (let number = 0; ; ) {
    for (; drawn.length < count && places.length > 0; number++) {
      const chance = createHash('sha256').update(`${seed} ${number}`).digest().readUInt32BE();
      drawn.push(...places.splice(chance % places.length, 1));
    }
    writeAlone(originals, drawn);
    const rejected = rejectedLines();
    if (rejected.size === 0) return drawn;
    const remaining = withoutRejected(drawn, rejected);
    drawn = remaining.length < drawn.length ? remaining : withoutFirstRejected(originals, drawn);
  }
}

/**
 * Removes one change that causes an error in another file. A search by halves finds the shortest start of the list that does
 * not compile; its last change is the cause.
 * @param {ReadonlyMap<string, string>} originals
 * @param {readonly Mutant[]} drawn
 */
function withoutFirstRejected(originals, drawn) {
  writeAlone(originals, []);
  if (rejectedLines().size > 0) throw new Error('the sources do not compile without a change');
  let compiling = 0;
  let rejected = drawn.length;
  while (rejected - compiling > 1) {
    const middle = (compiling + rejected) >> 1;
    writeAlone(originals, drawn.slice(0, middle));
    if (rejectedLines().size === 0) compiling = middle;
    else rejected = middle;
  }
  return drawn.filter((_, index) => index !== rejected - 1);
}

/**
 * Removes the changes in lines with an error. If no change is there, such as for a variable that is no longer used, it
 * removes all changes of the file.
 * @param {readonly Mutant[]} drawn
 * @param {ReadonlyMap<string, number[]>} rejected
 */
function withoutRejected(drawn, rejected) {
  /** @type {(mutant: Mutant) => boolean} */
  const isInLine = ({ file, lines: [first, last] }) =>
    rejected.get(file)?.some(line => line >= first && line <= last) === true;
  const files = new Set(drawn.filter(isInLine).map(({ file }) => file));
  return drawn.filter(mutant => (files.has(mutant.file) ? !isInLine(mutant) : !rejected.has(mutant.file)));
}

/**
 * Writes the changes into the files as they would be without switches. Line numbers do not change.
 * @param {ReadonlyMap<string, string>} originals
 * @param {readonly Mutant[]} drawn
 */
function writeAlone(originals, drawn) {
  for (const [file, original] of originals) {
    let text = original;
    const own = drawn.filter(mutant => mutant.file === file).toSorted((a, b) => b.alone[0] - a.alone[0]);
    let limit = Infinity;
    for (const { alone, lines } of own) {
      const [start, end, by] = alone;
      if (end > limit) continue; // it contains another change, which the compiler checks
      text = text.slice(0, start) + by + '\n'.repeat(lines[1] - lines[0]) + text.slice(end);
      limit = start;
    }
    writeFileSync(file, text);
  }
}

/** Returns the lines with errors of each file. */
function rejectedLines() {
  const { stdout } = spawnSync('npx', ['tsc', '--pretty', 'false'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  /** @type {Map<string, number[]>} */
  const lines = new Map();
  for (const [, file = '', line] of stdout.matchAll(/^(\S+?)\((\d+),\d+\): error/gm)) {
    lines.set(file, [...(lines.get(file) ?? []), Number(line)]);
  }
  return lines;
}
