import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { hostConfigFiles } from '../../../src/cli/host-config/targets.ts';
import { runProgram } from '../../support/program.ts';
import { has } from '../../support/toolsets.ts';
import { fileOf, newHome, run } from './home.ts';

const hasOj = has('oj');

describe.runIf(hasOj)('--install', () => {
  test('copies the proxy variable without its password, and lists each secret that the file does not contain', async () => {
    const home = newHome();
    const env = {
      HOME: home,
      USERPROFILE: home,
      APPDATA: home,
      HTTP_PROXY: 'http://127.0.0.1:1',
      HTTPS_PROXY: 'http://me:hunter2@127.0.0.1:1',
    };
    const args = ['--install', 'lmstudio', '--base-url', 'http://127.0.0.1:1', '--yes'];
    const { stdout } = await runProgram(args, { env });
    const server = JSON.parse(readFileSync(fileOf('lmstudio', home), 'utf8')).mcpServers.oj;
    expect(server.env).toEqual({ HTTP_PROXY: 'http://127.0.0.1:1' });
    expect(stdout).toMatch(/^Copied from this environment, .*: HTTP_PROXY\.$/m);
    expect(stdout).toMatch(/^No secret is written\. Add HTTPS_PROXY to the "env" of "oj" there/m);
    expect(stdout).not.toContain('hunter2');
  });

  test('keeps a secret that the user has added to the entry, and does not print it', async () => {
    const home = newHome();
    const file = fileOf('zed', home);
    const env = { HOME: home, USERPROFILE: home, APPDATA: home, HTTPS_PROXY: 'http://me:hunter2@127.0.0.1:1' };
    const install = async (port: string): Promise<string> => {
      const args = ['--install', 'zed', '--base-url', `http://127.0.0.1:${port}`, '--yes'];
      return (await runProgram(args, { env })).stdout;
    };
    expect(await install('1')).toContain('No secret is written');
    const added = readFileSync(file, 'utf8').replace(
      '"args"',
      `"env": { "HTTPS_PROXY": "${env.HTTPS_PROXY}" }, "args"`,
    );
    writeFileSync(file, added);
    const stdout = await install('2');
    expect(stdout).toContain('"http://127.0.0.1:2"');
    expect(stdout).not.toMatch(/hunter2|No secret is/);
    expect(JSON.parse(readFileSync(file, 'utf8')).context_servers.oj.env).toEqual({ HTTPS_PROXY: env.HTTPS_PROXY });
  });

  test.each(Object.keys(hostConfigFiles))(
    'removes the variables of the former installation for %s, and keeps those that the user has added or changed',
    async host => {
      const home = newHome();
      const env = { HOME: home, USERPROFILE: home, APPDATA: home };
      const install = async (flags: readonly string[], more: Record<string, string> = {}): Promise<string> =>
        (await runProgram(['--install', host, '--yes', ...flags], { env: { ...env, ...more } })).stdout;
      const backend = ['--base-url', 'http://127.0.0.1:1'];
      await install(backend);
      const plain = readFileSync(fileOf(host, home), 'utf8');
      const variables = { HTTPS_PROXY: 'http://127.0.0.1:2', NO_PROXY: 'localhost', OJ_MCP_TOKEN: 'hunter2' };
      await install(backend, variables);
      const full = readFileSync(fileOf(host, home), 'utf8');
      expect(full).toContain('HTTPS_PROXY');
      expect(full).not.toContain('hunter2');
      await install(backend);
      expect(readFileSync(fileOf(host, home), 'utf8')).toBe(plain);
      await install(backend, variables);
      writeFileSync(fileOf(host, home), readFileSync(fileOf(host, home), 'utf8').replace('localhost', 'own.example'));
      await install(backend);
      const changed = readFileSync(fileOf(host, home), 'utf8');
      expect([changed.includes('own.example'), changed.includes('HTTPS_PROXY')]).toEqual([true, false]);
      await runProgram(['--uninstall', host, '--yes'], { env });
      const left = existsSync(path.dirname(fileOf(host, home))) ? readdirSync(path.dirname(fileOf(host, home))) : [];
      expect(left.filter(name => /oj-mcp-(?!backup)/.test(name))).toEqual([]);
    },
    30_000,
  );

  test('keeps a secret that the user wrote into the entry, and does not copy it into the file of installed variables', async () => {
    const home = newHome();
    const env = { HOME: home, USERPROFILE: home, APPDATA: home, OJ_MCP_TOKEN: 'hunter2-of-the-user' };
    const file = fileOf('cursor', home);
    const install = ['--install', 'cursor', '--base-url', 'http://127.0.0.1:1', '--yes'];
    await runProgram(install, { env });
    writeFileSync(file, readFileSync(file, 'utf8').replace('${env:OJ_MCP_TOKEN}', env.OJ_MCP_TOKEN));
    await runProgram([...install, '--oj-extras'], { env: { ...env, NO_PROXY: 'localhost' } });
    expect(readFileSync(file, 'utf8')).toContain('hunter2');
    expect(readFileSync(`${file}.oj-mcp-variables`, 'utf8')).toBe('{"env":{"NO_PROXY":"localhost"}}');
  });

  test('hides secrets in the changed lines that it prints', async () => {
    const home = newHome();
    const file = fileOf('vscode', home);
    const server = {
      command: 'node',
      args: ['oj-mcp.cjs', '--token', 'hunter2-hunter2'],
      env: { OJ_MCP_TOKEN: 'hunter2 "hunter2"', OTHER_API_KEY: 'hunter2' },
    };
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ servers: { oj: server } }, null, 2));
    const { stdout } = await run(home, '--install', 'vscode', '--demo');
    expect(stdout).toContain('"OJ_MCP_TOKEN": "…"');
    expect(stdout).not.toContain('hunter2');
  });

  test('never writes a token and names the environment variable instead', async () => {
    for (const host of Object.keys(hostConfigFiles)) {
      const home = newHome();
      const token = 'hunter2-hunter2';
      const args = ['--base-url', 'http://127.0.0.1:1', '--token', token];
      const { stdout } = await run(home, '--install', host, ...args, '--yes');
      const content = readFileSync(fileOf(host, home), 'utf8');
      expect(content + stdout).not.toContain(token);
      expect(content).not.toContain('your-token');
      expect(content + stdout).toContain('OJ_MCP_TOKEN');
    }
  });

  test('names a token in env_vars of Codex, so that Codex passes it from its environment', async () => {
    const home = newHome();
    const args = ['--base-url', 'http://127.0.0.1:1', '--token', 'hunter2-hunter2'];
    const { stdout } = await run(home, '--install', 'codex', ...args, '--yes');
    expect(readFileSync(fileOf('codex', home), 'utf8')).toContain('\nenv_vars = ["OJ_MCP_TOKEN"]\n');
    expect(stdout).toContain('Set OJ_MCP_TOKEN in the environment of Codex');
  });

  test('says after the check that the host does not get the token of the terminal, and how to pass it', async () => {
    const home = newHome();
    const args = ['--base-url', 'http://127.0.0.1:1', '--token', 'hunter2-hunter2'];
    const { stdout } = await run(home, '--install', 'zed', ...args, '--yes');
    const [, end = ''] = stdout.split('The check failed');
    expect(end).toContain('The check used secrets of this terminal, which the host does not get from it.');
    expect(end).toContain('Add OJ_MCP_TOKEN to the "env" of "oj" there, or use --token-file.');
  });
});
