import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { startJudge } from './support/judge.ts';
import { bundle, emptyFolder } from './support/program.ts';
import { has } from './support/toolsets.ts';

/** The Node versions to test with, as a list like PATH: the variable DOC_NODES, otherwise the running one. */
const nodes = (process.env['DOC_NODES'] ?? process.execPath).split(path.delimiter);
const pages = ['README.md', ...readdirSync('docs').flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : []))];

/** Commands that this test does not run, with the reason. */
const exceptions: readonly [command: RegExp, reason: string][] = [
  [/^docker run /, 'needs a container runtime and downloads an image'],
  [/^claude mcp add /, 'changes the configuration of an installed host'],
  [/^npm ci && npm run (demo|check)$/, 'needs a package registry; CI runs the check, and a test below the demo'],
  [/^npm install --prefix (agents|suite) /, 'downloads the packages of a measurement'],
  [/^python3 -m venv /, 'downloads the clients of bench/hosts.mjs'],
  [/^node bench\//, 'is a measurement that runs for minutes'],
];

interface Command {
  page: string;
  command: string;
}

/** The commands in shell blocks, in indented blocks, and in the text of a page. */
function commandsOf(page: string): Command[] {
  const source = readFileSync(page, 'utf8');
  const blocks = Array.from(source.matchAll(/^ *```sh\n([^]*?)^ *```$/gm), ([, block = '']) => block).join('\n');
  const prose = source.replaceAll(/^ *(`{3,}).*\n[^]*?^ *\1$/gm, '');
  const indented = Array.from(prose.matchAll(/^ {4}((?:node|npm|oj-mcp) .+)$/gm), ([, command = '']) => command);
  const inline = Array.from(
    prose.matchAll(/`((?:node (?:oj-mcp|bench)|npm ci)[^`]*)`/g),
    ([, command = '']) => command,
  );
  const commands = [...blocks.split('\n'), ...indented, ...inline].map(line => line.trim());
  return [...new Set(commands)].filter(command => command !== '').map(command => ({ page, command }));
}

const all = pages.flatMap(commandsOf);
const isException = ({ command }: Command): boolean => exceptions.some(([pattern]) => pattern.test(command));
const runnable = all.filter(entry => !isException(entry));

/** Creates a home folder with the built file and the files that the documentation names. */
function prepareHome(node: string): string {
  const home = emptyFolder();
  copyFileSync(bundle, path.join(home, 'oj-mcp.cjs'));
  for (const folder of ['bin', 'Documents', 'solutions', 'my-docs', 'school']) mkdirSync(path.join(home, folder));
  symlinkSync(node, path.join(home, 'bin/node'));
  writeFileSync(path.join(home, 'my-docs/intro.md'), '# Introduction\n');
  writeFileSync(path.join(home, 'token.txt'), 'a-token-of-tests\n');
  writeFileSync(path.join(home, 'problems.jsonl'), record('1'));
  writeFileSync(path.join(home, 'club.json'), `[${record('2')}]`);
  writeFileSync(path.join(home, 'school/a.jsonl'), record('3'));
  return home;
}

function record(id: string): string {
  return `${JSON.stringify({ source: 'school', id, title: 'Lamps', content: 'Count the lamps.' })}\n`;
}

/** Replaces addresses in a command by loopback addresses, and the example folders by folders of the test. */
function localize(command: string, home: string, origin: string): string {
  return command
    .replace(/https:\/\/craboj\.zeabur\.app|http:\/\/127\.0\.0\.1:7856|https:\/\/judge\.example/g, origin)
    .replace(/\/srv\/library|…/g, path.join(home, 'library'))
    .replace(/\/home\/me(?=\/)|\/data(?=\/)/g, home);
}

async function run(command: string, home: string): Promise<{ code: number | null; output: string }> {
  const env = { HOME: home, PATH: `${path.join(home, 'bin')}${path.delimiter}/usr/bin:/bin` };
  const child = spawn('sh', ['-c', command], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, output: stdout + stderr };
}

describe('the commands of README.md and docs/', () => {
  test('contain no command of a program that users may not have installed', () => {
    expect(all.filter(({ command }) => command.startsWith('oj-mcp '))).toEqual([]);
    expect(runnable.filter(({ command }) => !/^(node oj-mcp\.cjs|mkdir|echo) /.test(command))).toEqual([]);
    expect(runnable.length).toBeGreaterThan(12);
  });

  test('contain no comment, which an interactive zsh passes as arguments', () => {
    expect(all.filter(({ command }) => /(?:^| )#/.test(command))).toEqual([]);
  });

  test.each(exceptions)('contain a command that matches %s, which this test does not run because it %s', pattern => {
    expect(all.some(({ command }) => pattern.test(command))).toBe(true);
  });

  test.runIf(has('oj', 'books', 'files', 'clerk') && process.platform !== 'win32').each(nodes)(
    'succeed in a clean home with %s',
    async node => {
      const platforms = [{ source: 'leetcode', total: 1, missing_content: 0, not_embedded: 0 }];
      const resolved = { source: 'leetcode', id: '1', problem: null };
      const judge = await startJudge({ json: { version: '1.0', platforms, ...resolved } });
      const home = prepareHome(node);
      const failed: string[] = [];
      for (const { page, command } of runnable) {
        const { code, output } = await run(localize(command, home, judge.origin), home);
        if (code !== 0) failed.push(`${page}: ${command}: exit code ${code}\n${output}`);
      }
      expect(failed).toEqual([]);
    },
    120_000,
  );
});

test.runIf(has('oj') && process.platform !== 'win32')(
  'the command of README.md for one call without a host prints the problem',
  async () => {
    const entry = all.find(({ command }) => command.startsWith('echo '));
    const { output } = await run(entry?.command ?? '', prepareHome(process.execPath));
    expect(output).toContain('"text":"# Petal Garland');
  },
);

test.runIf(has('oj'))('the demo of a fresh clone shows every tool', async () => {
  const child = spawn(process.execPath, ['examples/demo.mjs'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect([child.exitCode, output]).toEqual([0, expect.stringContaining('Show me orchard problem 1.')]);
});

describe('docs/problems.md', () => {
  test.runIf(has('oj') && process.platform !== 'win32').each(nodes)(
    'contains a script that exports a folder of Markdown files with %s',
    async node => {
      const home = prepareHome(node);
      const [, script = ''] = /^```js\n([^]*?)^```$/m.exec(readFileSync('docs/problems.md', 'utf8')) ?? [];
      writeFileSync(path.join(home, 'export.mjs'), script);
      mkdirSync(path.join(home, 'school-2'));
      writeFileSync(path.join(home, 'school-2/1A Lamp Row.md'), '# Lamps\n');
      const command = 'node export.mjs school-2 > export.jsonl && node oj-mcp.cjs --check --problems ~/export.jsonl';
      const { code, output } = await run(command, home);
      expect([code, output]).toEqual([0, expect.stringContaining('1 problem from files: 1 in "school-2"')]);
    },
  );
});
