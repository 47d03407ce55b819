import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { has } from './support/toolsets.ts';

const page = readFileSync('docs/limits.md', 'utf8');
const rows = page.split('\n').filter(line => /^\| (?!what|---)/.test(line));
const units: Readonly<Record<string, number>> = {
  KiB: 1024,
  MiB: 1024 * 1024,
  s: 1000,
  min: 60_000,
  characters: 1,
};

/** Reads a row such as `| a path <!-- file.ts constant --> | 255 characters | error |`. */
function parseRow(row: string) {
  const [, file = '', constant = '', inUnit, limit = '', unit] =
    /<!-- (\S+\.ts) (\w+)( \w+)? --> \| ([\d,.]+)(?: (\w+))? \|/.exec(row) ?? [];
  const factor = inUnit === undefined && unit !== undefined ? (units[unit] ?? Number.NaN) : 1;
  return { file: `src/${file}`, constant, value: Number(limit.replaceAll(',', '')) * factor };
}

/** Computes the value of a constant that is defined by numbers and operators. */
function valueOf(file: string, constant: string): number {
  const expression = new RegExp(`const ${constant} = ([\\d_.* <]+);`).exec(readFileSync(file, 'utf8'))?.[1] ?? '';
  const [base = Number.NaN, ...factors] = expression.split('*').map(part => {
    const [number = Number.NaN, shift = 0] = part.split('<<').map(text => Number(text.replaceAll('_', '')));
    return number * 2 ** shift;
  });
  return factors.reduce((product, factor) => product * factor, base);
}

describe('docs/limits.md', () => {
  const present = rows.map(parseRow).filter(({ file }) => {
    const toolset = /toolsets\/(\w+)\//.exec(file)?.[1];
    return existsSync(file) || (has(...(toolset === undefined ? [] : [toolset])) && has('files'));
  });

  test.each(present)('states the value of $constant in $file', ({ file, constant, value }) => {
    expect(valueOf(file, constant)).toBe(value);
  });

  test('has more than 40 limits, and each names a constant', () => {
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter(row => parseRow(row).constant === '')).toEqual([]);
  });
});
