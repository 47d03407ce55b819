import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';
import { tryOracle } from './fidelity/faults.mjs';
import { isRight, judge } from './fidelity/read.mjs';

const folder = path.join(import.meta.dirname, 'fidelity/pages');
const base = 'https://judge.example/problems/1';

/** These pages are written for this test. Their markup resembles the statements of known judges. */
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => /\.(html|md)$/.test(name))
  .sort()
  .map(name => {
    const source = readFileSync(path.join(folder, name), 'utf8');
    const kind = name.endsWith('.md') ? ('md' as const) : ('html' as const);
    return { name, kind, source, answer: statementMarkdown(source, base), base };
  });

test.each(pages)('an independent comparison of the page with the Markdown finds no difference for $name', page => {
  const { stars: _, ...categories } = judge(page);
  const misses = Object.values(categories).flatMap(category => category.misses);
  expect(misses).toEqual([]);
});

test('an independent comparison of page and Markdown finds all of 200 faults that are inserted into correct Markdown', () => {
  const { tally, unseen } = tryOracle(
    pages.filter(page => isRight(judge(page))),
    200,
  );
  const put = Object.values(tally).reduce((sum, kind) => sum + kind.put, 0);
  expect(put).toBe(200);
  expect(unseen).toEqual([]);
});
