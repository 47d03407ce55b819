import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { configLocationOf, mcpHosts, type ServerCommand } from '../../../src/cli/host-config/hosts.ts';
import { requireKnownHost } from '../../../src/cli/host-config/print-config.ts';
import { bundle, runProgram } from '../../support/program.ts';
import { has } from '../../support/toolsets.ts';

const hasToolsets = has('oj', 'files');

const start: ServerCommand = {
  command: 'C:\\Program Files\\nodejs\\node.exe',
  args: ["C:\\it's here\\oj-mcp.cjs", '--base-url', 'https://judge.example'],
  env: { OJ_MCP_TOKEN: 'your-token' },
  secrets: ['OJ_MCP_TOKEN'],
};
const all = Object.entries(mcpHosts).map(([name, host]) => ({ name, host }));
const jsonHosts = all.filter(({ host }) => host.language === 'json');

/** Returns the command and its arguments, which hosts store under different names. */
function started(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('command' in value) {
    const args = 'args' in value && Array.isArray(value.args) ? value.args : [];
    return Array.isArray(value.command) ? value.command : [value.command, ...args];
  }
  return Object.values(value).flatMap(started);
}

describe('the configuration text of an MCP host', () => {
  test('exists for fourteen hosts', () => {
    expect(all.map(({ name }) => name).sort()).toEqual(
      'claude claude-desktop cline codex copilot cursor gemini goose lmstudio opencode qwen vscode windsurf zed'.split(
        ' ',
      ),
    );
  });

  test.each(jsonHosts)('is JSON that contains the command and the arguments of the server: $name', ({ host }) => {
    expect(started(JSON.parse(host.paste(start, 'windows')))).toEqual([start.command, ...start.args]);
  });

  test.each(all)('escapes backslashes and contains every environment variable: $name', ({ host, name }) => {
    const paste = host.paste(start, 'windows');
    const written = name === 'claude' ? start.command : JSON.stringify(start.command);
    expect(paste).toContain(written);
    expect(paste).toContain('OJ_MCP_TOKEN');
    expect(host.paste({ ...start, env: {}, secrets: [] }, 'linux')).not.toContain('OJ_MCP_TOKEN');
    for (const system of ['windows', 'macos', 'linux'] as const) expect(configLocationOf(host, system)).not.toBe('');
  });

  test('asks the user for secrets instead of containing them, if the host supports this', () => {
    const paste = mcpHosts['vscode']?.paste(start, 'linux') ?? '';
    expect(paste).not.toContain('your-token');
    expect(JSON.parse(paste)).toMatchObject({
      inputs: [{ id: 'oj-mcp-token', password: true }],
      servers: { oj: { env: { OJ_MCP_TOKEN: '${input:oj-mcp-token}' } } },
    });
  });

  // A shell prints the arguments that it has parsed from the text.
  test.skipIf(process.platform === 'win32')('is parsed by a POSIX shell into the original arguments', () => {
    const odd = { ...start, command: '/opt/my node/$HOME', args: ["it's", '"quoted"', '`date`', '*', ''] };
    const paste = mcpHosts['claude']?.paste(odd, 'linux') ?? '';
    const said = execFileSync('/bin/sh', ['-c', `claude() { for word; do echo "<$word>"; done; }\n${paste}`], {
      encoding: 'utf8',
    });
    expect(said.trimEnd().split('\n').slice(-6)).toEqual([odd.command, ...odd.args].map(word => `<${word}>`));
  });

  test('quotes the argument --, because Windows PowerShell removes it without quotes', () => {
    expect(mcpHosts['claude']?.paste(start, 'windows')).toContain(
      `"--" "C:\\Program Files\\nodejs\\node.exe" "C:\\it's here\\oj-mcp.cjs" --base-url https://judge.example`,
    );
  });
});

describe.runIf(hasToolsets)('--print-config', () => {
  test('prints only the configuration, with the paths of this Node and this file and without secrets', async () => {
    const args = ['--print-config', 'cursor', '--base-url', 'https://judge.example', '--token', 'hunter2-hunter2'];
    const { code, stdout, stderr } = await runProgram(args);
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: {
        oj: {
          command: process.execPath,
          args: [bundle, '--base-url', 'https://judge.example'],
          env: { OJ_MCP_TOKEN: '${env:OJ_MCP_TOKEN}' },
        },
      },
    });
    expect(stderr).toBe(
      'For Cursor, into ~/.cursor/mcp.json:\nSet OJ_MCP_TOKEN in the environment of Cursor, or use --token-file.\n',
    );
    expect(code).toBe(0);
  });

  test('prints a reference to the variable of a secret for Gemini CLI, as --install writes it', async () => {
    const { stdout, stderr } = await runProgram([
      '--print-config',
      'gemini',
      '--base-url',
      'https://h',
      '--token',
      'hunter2-hunter2',
    ]);
    expect(stdout).toContain('"OJ_MCP_TOKEN": "${OJ_MCP_TOKEN}"');
    expect(stderr).toContain('Set OJ_MCP_TOKEN in the environment of Gemini CLI, or use --token-file.\n');
  });

  test('prints a placeholder for a secret if the host has no references to variables', async () => {
    const { stdout, stderr } = await runProgram([
      '--print-config',
      'claude-desktop',
      '--base-url',
      'https://h',
      '--token',
      'hunter2-hunter2',
    ]);
    expect(stdout).toContain('"OJ_MCP_TOKEN": "your-token"');
    expect(stderr).toContain('Replace your-token by the real value, or use --token-file.\n');
  });

  test('prints the names of secrets for Codex, as --install writes them', async () => {
    const args = ['--print-config', 'codex', '--base-url', 'https://h', '--token', 'hunter2-hunter2'];
    const { stdout, stderr } = await runProgram(args);
    expect(stdout).toContain('env_vars = ["OJ_MCP_TOKEN"]');
    expect(stdout).not.toContain('your-token');
    expect(stderr).toContain('Set OJ_MCP_TOKEN in the environment of Codex, or use --token-file.\n');
  });

  test('names --token-file only for the token, if the proxy has a password too', async () => {
    const env = { OJ_MCP_TOKEN: 'hunter2-hunter2', HTTPS_PROXY: 'http://user:secret@proxy' };
    const { stderr } = await runProgram(['--print-config', 'zed', '--base-url', 'https://h'], { env });
    expect(stderr).toContain('by the real value, or use --token-file for OJ_MCP_TOKEN.\n');
  });

  test('includes the OJ_MCP_ variables of the shell and makes relative folders absolute', async () => {
    const env = { OJ_MCP_BASE_URL: 'http://h', OJ_MCP_TOKEN: 'hunter2-hunter2', OJ_MCP_TOOLSETS: '' };
    const args = ['--print-config=zed', '--toolsets=oj,files', '--files-root', 'notes', '--files-root', '/a'];
    const { stdout } = await runProgram(args, { env });
    const [, , , first, , second] = started(JSON.parse(stdout));
    expect([path.isAbsolute(String(first)), path.basename(String(first)), second]).toEqual([
      true,
      'notes',
      path.resolve('/a'),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      context_servers: { oj: { env: { OJ_MCP_BASE_URL: 'http://h', OJ_MCP_TOKEN: 'your-token' } } },
    });
    expect(stdout).not.toContain('hunter2');
  });

  test.runIf(has('books'))(
    'makes relative folders in environment variables absolute, because the host starts the server in another folder',
    async () => {
      const home = homedir();
      const env = {
        OJ_MCP_TOOLSETS: 'files,books',
        OJ_MCP_FILES_ROOT: ['notes', '~/papers', path.resolve('/a')].join(path.delimiter),
        OJ_MCP_BOOKS_ROOT: 's3://shelf/books',
        OJ_MCP_TOKEN_FILE: path.join('keys', 'token.txt'),
        [process.platform === 'win32' ? 'USERPROFILE' : 'HOME']: home,
      };
      const { stdout } = await runProgram(['--print-config', 'cursor'], { env });
      const Paste = v.object({ mcpServers: v.object({ oj: v.object({ env: v.record(v.string(), v.string()) }) }) });
      const { env: written } = v.parse(Paste, JSON.parse(stdout)).mcpServers.oj;
      const [notes = '', ...others] = (written['OJ_MCP_FILES_ROOT'] ?? '').split(path.delimiter);
      expect([path.isAbsolute(notes), path.basename(notes)]).toEqual([true, 'notes']);
      expect(others).toEqual([path.join(home, 'papers'), path.resolve('/a')]);
      expect(path.isAbsolute(written['OJ_MCP_TOKEN_FILE'] ?? '')).toBe(true);
      expect(written).toMatchObject({ OJ_MCP_BOOKS_ROOT: 's3://shelf/books', OJ_MCP_TOOLSETS: 'files,books' });
    },
  );

  test('omits a variable that a flag overrides, because the server rejects both together', async () => {
    const env = { OJ_MCP_TOKEN_FILE: path.resolve('/keys'), OJ_MCP_BASE_URL: 'http://h' };
    const { stdout } = await runProgram(['--print-config', 'cursor', '--token', 'hunter2-hunter2'], { env });
    expect(JSON.parse(stdout).mcpServers.oj.env).toEqual({
      OJ_MCP_BASE_URL: 'http://h',
      OJ_MCP_TOKEN: '${env:OJ_MCP_TOKEN}',
    });
  });

  test('copies the proxy and certificate variables that the server needs, and replaces a password by a placeholder', async () => {
    const env = {
      HTTPS_PROXY: 'http://me:hunter2@proxy.example:3128',
      NO_PROXY: 'localhost',
      NODE_EXTRA_CA_CERTS: bundle,
      NODE_OPTIONS: '--max-old-space-size=500',
      AWS_REGION: 'eu-west-1',
    };
    const { stdout, stderr } = await runProgram(['--print-config', 'cursor', '--base-url', 'https://h'], { env });
    expect(JSON.parse(stdout).mcpServers.oj.env).toEqual({
      HTTPS_PROXY: '${env:HTTPS_PROXY}',
      NO_PROXY: 'localhost',
      NODE_EXTRA_CA_CERTS: bundle,
    });
    expect(stderr).toContain('Set HTTPS_PROXY in the environment of Cursor.');
    expect(stderr).toMatch(/^Copied from this environment, .*: NO_PROXY, NODE_EXTRA_CA_CERTS\.$/m);
    const { stdout: offline } = await runProgram(['--print-config', 'cursor', '--demo'], { env });
    expect(offline).not.toContain('"env"');
  });

  test.runIf(has('books'))('copies the variables of the AWS tools for a bucket, but no keys', async () => {
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'hunter2', AWS_REGION: 'eu-west-1' };
    const args = ['--print-config', 'vscode', '--toolsets', 'books', '--books-root'];
    const { stdout } = await runProgram([...args, 's3://shelf/books'], { env });
    const { inputs, servers } = JSON.parse(stdout);
    expect(inputs.map(({ id }: { id: string }) => id)).toEqual([
      'oj-mcp-aws-access-key-id',
      'oj-mcp-aws-secret-access-key',
    ]);
    expect(servers.oj.env).toMatchObject({ AWS_REGION: 'eu-west-1' });
    expect(stdout).not.toContain('hunter2');
    const { stdout: folder } = await runProgram([...args, homedir()], { env });
    expect(folder).not.toContain('AWS_');
  });

  test('fails without a folder to search, and warns on standard error if it is a file', async () => {
    const args = ['--print-config', 'cursor', '--toolsets', 'files'];
    expect(await runProgram(args)).toMatchObject({ code: 2, stderr: expect.stringContaining('needs --files-root') });
    const { stderr } = await runProgram([...args, '--files-root', bundle]);
    expect(stderr).toContain(`Warning: --files-root ${bundle} is not a folder.`);
  });

  test('warns on standard error if a flag names a missing file or folder', async () => {
    const gone = path.resolve('/gone-folder');
    const args = ['--toolsets', 'files', '--files-root', gone, '--files-cache', path.resolve('/gone-cache')];
    const { code, stderr } = await runProgram(['--print-config', 'cursor', ...args]);
    expect(stderr).toContain(`Warning: --files-root ${gone} does not exist or is not accessible.`);
    expect(code).toBe(0);
  });

  test('prints the configuration of the demo when no other flag is given', async () => {
    const { stdout, stderr } = await runProgram(['--print-config', 'qwen']);
    expect(started(JSON.parse(stdout))).toEqual([process.execPath, bundle, '--demo']);
    expect(stderr).toContain('Without other flags it is the demo.');
  });

  test('rejects an unknown host and lists the known hosts', async () => {
    const { code, stdout, stderr } = await runProgram(['--print-config', 'curser']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('there is no host "curser". Did you mean "cursor"?\nKnown hosts: claude, ');
  });

  test.each([
    ['vscode', ['code', 'vs', 'vs-code', 'VS Code', 'visual-studio', 'Visual Studio Code', 'copilot-vscode']],
    ['claude', ['Claude Code', 'claude-code', 'claude_cli', 'claude-vscode']],
    [
      'claude-desktop',
      ['claude.ai', 'claude_desktop', 'Claude Desktop', 'claude-desktop-app', 'claude app', 'desktop'],
    ],
    ['cline', ['cline-vscode']],
    ['copilot', ['copilot-cli', 'GitHub Copilot']],
    ['lmstudio', ['LM Studio', 'lm-studio']],
    ['opencode', ['open-code']],
    ['qwen', ['qwen-code']],
    ['goose', ['goose-desktop']],
    ['gemini', ['google']],
    [undefined, ['vscode-insiders', 'Visual Studio 2022', 'vscodium', 'kiro', 'chatgpt', 'jetbrains', '']],
  ])('suggests %s for the other names %j', (host, names) => {
    const suggestion = host === undefined ? '' : ` Did you mean "${host}"?`;
    for (const name of names)
      expect(() => requireKnownHost(name, '--install')).toThrow(
        expect.objectContaining({ message: `--install: there is no host ${JSON.stringify(name)}.${suggestion}` }),
      );
  });

  const otherNames = all.flatMap(({ name, host }) =>
    [host.title, `my-${name}`, `${name}.json`]
      .filter(given => given.toLowerCase() !== name)
      .map(given => ({ name, given })),
  );

  test.each(otherNames)('suggests the host $name for "$given"', ({ name, given }) => {
    expect(() => requireKnownHost(given, '--install')).toThrow(` Did you mean "${name}"?`);
  });
});
