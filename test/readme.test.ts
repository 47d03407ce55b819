import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { mcpHosts, type ServerCommand } from '../src/cli/host-config/hosts.ts';
import { emptyFolder, runProgram, spawnProgram } from './support/program.ts';
import { has } from './support/toolsets.ts';

const readme = readFileSync('README.md', 'utf8');
const lines = readme.split('\n');
const start: ServerCommand = {
  command: 'node',
  args: ['/path/to/oj-mcp.cjs', '--base-url', 'https://judge.example'],
  env: { OJ_MCP_TOKEN: 'your-token' },
  secrets: ['OJ_MCP_TOKEN'],
};

describe('README.md', () => {
  test('has at most 2,000 words', () => {
    expect(readme.split(/\s+/).filter(word => word !== '').length).toBeLessThanOrEqual(2000);
  });

  test('shows a command within the first 30 lines, and LeetCode and an MCP host within 40', () => {
    expect(lines.indexOf('```sh')).toBeLessThan(30);
    expect(lines.slice(0, 40).join('\n')).toMatch(/LeetCode[^]*Claude|Claude[^]*LeetCode/);
  });

  test('contains the commands for a fresh clone', () => {
    expect(readme).toContain('`npm ci && npm run demo`');
    expect(readme).toContain('`npm ci && npm run check`');
  });

  test.each(Object.entries(mcpHosts))('names the host %s for --print-config', (name, host) => {
    expect(readme).toContain(`\`${name}\``);
    expect(readme.replaceAll('\n', ' ')).toContain(`**${host.title}**`);
  });

  test.each(['claude', 'cursor'])('contains the configuration of %s as --print-config prints it', name => {
    const host = mcpHosts[name];
    // A token in the command of Claude Code would be visible to other users.
    const withFile = { ...start, args: [...start.args, '--token-file', '/path/to/token.txt'], env: {}, secrets: [] };
    const shown = name === 'claude' ? withFile : start;
    expect(readme).toContain(`\`\`\`${host?.language}\n${host?.paste(shown, 'linux')}\n\`\`\`\n`);
  });

  test('links only to existing files and headings', () => {
    const links = Array.from(readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g), ([, file = '']) => file);
    expect(links.length).toBeGreaterThan(5);
    for (const file of links) expect(() => readFileSync(file)).not.toThrow();
    const headings = lines.flatMap(line =>
      line.startsWith('## ') ? [line.slice(3).toLowerCase().replaceAll(' ', '-')] : [],
    );
    for (const [, heading] of readme.matchAll(/\]\(#([\w-]+)\)/g)) expect(headings).toContain(heading);
  });

  test.runIf(has('oj') && has('books') && has('files'))('names only flags and variables that exist', async () => {
    const { stdout } = await runProgram(['--help']);
    for (const [flag] of readme.matchAll(/(?<=oj-mcp\.cjs .*|\| `)--[a-z][a-z-]+/g)) expect(stdout).toContain(flag);
    for (const [variable] of readme.matchAll(/\bOJ_MCP_\w+/g)) expect(stdout).toContain(variable);
  });

  test.runIf(has('oj') && has('books') && has('files'))('contains only --print-config commands that work', async () => {
    const cwd = emptyFolder();
    mkdirSync(path.join(cwd, 'library/books'), { recursive: true });
    mkdirSync(path.join(cwd, 'Documents'));
    const commands = Array.from(
      readme.matchAll(/^node oj-mcp\.cjs (--print-config [^#\n]+)/gm),
      ([, args = '']) => args,
    );
    expect(commands.length).toBeGreaterThanOrEqual(3);
    for (const args of commands) {
      const child = spawnProgram({ args: args.trim().split(/\s+/), cwd });
      const output = await text(child.stdout);
      expect(output).toContain('claude mcp add oj');
    }
  });
});
