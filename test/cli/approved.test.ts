import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { main } from '../../src/cli/command.ts';
import { mcpHosts } from '../../src/cli/host-config/hosts.ts';
import { canUseProxies } from '../../src/http/proxy.ts';
import * as stderr from '../../src/log/stderr.ts';
import * as server from '../../src/mcp/server.ts';
import { has } from '../support/toolsets.ts';
import { type Command, commands } from './approved/commands.ts';

const { argv, execPath } = process;
/** Configuration files are wrapped by the length of this path, which differs between machines. */
const nodePath = '/opt/app/node';
const environment = { ...process.env };
afterEach(() => {
  vi.restoreAllMocks();
  process.argv = argv;
  process.execPath = execPath;
  replaceEnvironment(environment);
});

/** Changes the variables of this process, because `homedir()` does not read a new object in `process.env`. */
function replaceEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, variables);
}

function createHome(): string {
  const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-')));
  onTestFinished(() => rmSync(home, { recursive: true }));
  for (const folder of ['notes', 'library/books', 'program']) mkdirSync(path.join(home, folder), { recursive: true });
  writeFileSync(path.join(home, 'program/oj-mcp.cjs'), 'the program');
  writeFileSync(path.join(home, 'token'), 'token-in-a-file\n');
  writeFileSync(path.join(home, 'problems.jsonl'), '{"source":"school","id":"1","title":"One"}\n');
  mkdirSync(path.join(home, '.cursor'));
  writeFileSync(
    path.join(home, '.cursor/mcp.json'),
    '{\n  // mine\n  "mcpServers": { "other": { "command": "x" } },\n}\n',
  );
  mkdirSync(path.join(home, '.codex'));
  writeFileSync(path.join(home, '.codex/config.toml'), 'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "y"\n');
  return home;
}

/** Runs the program in this process. Returns its output, and the files that it has changed in the home folder. */
async function listCommand({ args, env: variables }: Command, home: string): Promise<string> {
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation(text => lines.push(String(text).trimEnd()) > 0);
  vi.spyOn(stderr, 'writeToStderr').mockImplementation(text => void lines.push(`stderr: ${text}`));
  process.execPath = nodePath;
  process.argv = [nodePath, path.join(home, 'program/oj-mcp.cjs')];
  vi.spyOn(server, 'serveMcp').mockResolvedValue(undefined); // the host has closed the input
  replaceEnvironment({ HOME: home, ...variables });
  expect(homedir()).toBe(home); // otherwise the commands would change files of the real user
  const before = filesIn(home);
  const code = await main(args.split(' ').map(word => word.replace(/^~/, home)));
  vi.restoreAllMocks();
  const changed = Object.entries(filesIn(home)).filter(([name, content]) => before[name] !== content);
  lines.push(`exit code ${code}`, ...changed.map(([name, content]) => `file ${name}:\n${content}`));
  const given = Object.entries(variables ?? {}).map(([name, value]) => `${name}=${value} `);
  return `> ${given.join('')}oj-mcp ${args}\n${lines.join('\n').replaceAll(/^(?=.)/gm, '  ')}`;
}

function filesIn(home: string): Record<string, string> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  const names = entries
    .map(entry => path.join(entry.parentPath, entry.name))
    .filter(name => !/library|program/.test(name));
  return Object.fromEntries(names.sort().map(name => [path.relative(home, name), readFileSync(name, 'utf8')]));
}

test.runIf(process.platform === 'linux' && has('oj', 'books', 'files', 'clerk'))(
  'the command line prints the approved output and writes the approved files',
  async () => {
    const home = createHome();
    const lists: string[] = [];
    for (const command of commands) lists.push(await listCommand(command, home));
    const output = lists.join('\n');
    // Only Node versions that do not support proxies print this warning.
    const proxyWarning = /^ {2}stderr: Warning: HTTPS_PROXY is set, but Node \S+ does not support proxies: .*\n/gm;
    expect(output.match(proxyWarning) ?? []).toHaveLength(canUseProxies(process.versions.node) ? 0 : 15);
    const list = output
      .replaceAll(proxyWarning, '')
      .replaceAll(home, 'HOME')
      .replaceAll(nodePath, 'NODE')
      .replaceAll(/stderr: 20\S+Z/g, 'stderr: NOW')
      .replaceAll(/Node \d+\.\S+ on linux \w+/g, 'Node VERSION on linux');
    await expect(list).toMatchFileSnapshot('approved/commands.txt');
  },
);

test('the configuration for each MCP host on each operating system equals the approved file', async () => {
  const command = {
    command: 'C:\\Program Files\\nodejs\\node.exe',
    args: ["C:\\it's here\\oj-mcp.cjs", '--base-url', 'https://judge.example', '"quoted" $HOME', ''],
    env: { OJ_MCP_TOKEN: 'your-token', OJ_MCP_LOG: 'debug' },
    secrets: ['OJ_MCP_TOKEN'],
  };
  const plain = { command: 'node', args: ['/oj-mcp.cjs'], env: {}, secrets: [] };
  const lists = Object.entries(mcpHosts).flatMap(([name, host]) => [
    ...(['windows', 'macos', 'linux'] as const).map(system => `> ${name} ${system}\n${host.paste(command, system)}\n`),
    `> ${name} without variables\n${host.paste(plain, 'linux')}\n`,
  ]);
  await expect(lists.join('\n')).toMatchFileSnapshot('approved/hosts.txt');
});
