import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { type FlagValues, openToolset } from '../../../../src/toolset/toolset.ts';
import { oj } from '../../../../src/toolsets/oj/index.ts';
import { type Connection, connect } from '../../../support/client.ts';

/** The records contain three problems of two sources. */
export const records = [
  {
    source: 'school',
    id: '1A',
    slug: 'lamp-row',
    title: 'Lamp Row',
    tags: ['Greedy', 'arrays'],
    difficulty: 'Easy',
    rating: 900,
    link: 'https://judge.example/contest/1/problem/A',
    content: '<p>Switch every lamp of a row, <code>n &lt;= 10<sup>5</sup></code>.</p>',
  },
  {
    source: 'school',
    id: '1B',
    title: 'Bridge Toll',
    tags: ['graphs'],
    content: 'Find the cheapest path over bridges.',
  },
  { source: 'club', id: 'x', title: 'Lamp Graph', title_cn: '灯图', tags: ['graphs'], content: null },
];

export function jsonLines(list: readonly unknown[] = records): string {
  return list.map(record => `${JSON.stringify(record)}\n`).join('');
}

/** Writes files into a temporary folder, which is removed after the test. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}

export function fileWith(content: string, name = 'problems.jsonl'): string {
  return path.join(folderWith({ [name]: content }), name);
}

/** Connects a client to a server that serves the problems of these paths. */
export async function connectToProblems(
  paths: string | readonly string[],
  values: FlagValues = {},
): Promise<Connection> {
  return await connect({ toolsets: [oj], values: { problems: [paths].flat(), 'oj-extras': true, ...values } });
}

/** Expects that the server rejects these paths at start, and returns the error message. */
export async function rejectionOf(...paths: readonly string[]): Promise<string> {
  const rejected: unknown = await openToolset(oj, { problems: paths }, { isDemo: false }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(rejected).toMatchObject({ code: 'setting', exitCode: 1 });
  return rejected instanceof Error ? rejected.message : '';
}

/** Runs the check of --check and returns its lines. */
export async function checkLines(...paths: readonly string[]): Promise<string[]> {
  return await checkLinesUntil(new AbortController().signal, ...paths);
}

/** Runs the check of --check with its time limit and returns its lines. */
export async function checkLinesUntil(limit: AbortSignal, ...paths: readonly string[]): Promise<string[]> {
  const open = await openToolset(oj, { problems: paths }, { isDemo: false });
  onTestFinished(() => open.close());
  const lines: string[] = [];
  for await (const { isGood, line } of open.check(limit)) lines.push(`${isGood ? '✓' : '✗'} ${line}`);
  return lines;
}
