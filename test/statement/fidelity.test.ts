import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';
import { tryOracle } from './fidelity/faults.mjs';
import { isRight, judge } from './fidelity/read.mjs';

const folder = path.join(import.meta.dirname, 'fidelity/pages');
const base = 'https://judge.example/problems/1';

/** The pages are written for this test and have the markup of the statements of known judges. */
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.(html|md)$/.test(name))
  .sort()
  .map(name => {
    const source = readFileSync(path.join(folder, name), 'utf8');
    const kind = name.endsWith('.md') ? ('md' as const) : ('html' as const);
    return { name, kind, source, answer: statementMarkdown(source, base), base };
  });

test.each(pages)('the fidelity oracle finds no miss in the conversion of $name', page => {
  const { stars: _, ...categories } = judge(page);
  const misses = Object.values(categories).flatMap(category => category.misses);
  expect(misses).toEqual([]);
});

test('the fidelity oracle reports all 200 faults injected into correct output', () => {
  const { tally, unseen } = tryOracle(
    pages.filter(page => isRight(judge(page))),
    200,
  );
  const put = Object.values(tally).reduce((sum, kind) => sum + kind.put, 0);
  expect(put).toBe(200);
  expect(unseen).toEqual([]);
});
