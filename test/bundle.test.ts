import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { callTool } from './support/client.ts';
import { startJudge } from './support/judge.ts';
import { bundle, connectProgram, longTimeouts, runProgram, startProgram } from './support/program.ts';
import { has, known } from './support/toolsets.ts';
import { initialize } from './support/wire.ts';

const hasOj = has('oj');

const line = (message: object): string => `${JSON.stringify(message)}\n`;
const handshake = line(initialize) + line({ jsonrpc: '2.0', method: 'notifications/initialized' });
const call = (id: number, name: string, args: object) =>
  line({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

describe('the built file', () => {
  test('is executable and smaller than 640 KB', () => {
    expect(statSync(bundle).mode & 0o111).toBe(0o111);
    expect(statSync(bundle).size).toBeLessThan(640_000);
    expect(readFileSync(bundle, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  test('uses native private class members instead of helper functions of the bundler', () => {
    expect(readFileSync(bundle, 'utf8')).not.toContain('__private');
  });

  test('is pure ASCII, because any other character would make V8 store the script in twice the memory', () => {
    expect(readFileSync(bundle, 'latin1')).toMatch(/^[\0-\x7f]*$/);
  });

  test.skipIf(process.platform === 'win32')('runs as an executable through its shebang line', () => {
    expect(execFileSync(bundle, ['--version'], { encoding: 'utf8' })).toBe(`oj-mcp ${version}\n`);
  });

  test('exits with an error that states the found and the required version when Node is too old', async () => {
    const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`;
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`];
    expect(await runProgram(['--demo'], { nodeArgs })).toEqual({
      code: 1,
      stdout: '',
      stderr: `oj-mcp needs Node 20 or newer, but ${process.execPath} is Node 18.20.8. Install a newer one from https://nodejs.org.\n`,
    });
  });
});

describe.runIf(hasOj)('the demo, called through an MCP client,', () => {
  test('responds to calls of all five tools', async () => {
    const { client } = await connectProgram({ args: ['--demo'] });
    onTestFinished(() => client.close());
    const calls: [string, Record<string, unknown>, RegExp][] = [
      ['get_daily_challenge', { date: '2026-01-01' }, /^# .+\n\n- Source: \w+ \| ID: \w+ \| Difficulty: /],
      ['get_problem', { source: 'orchard', id: '1' }, /^# Petal Garland\n/],
      ['resolve_problem', { query: 'https://quarry.example/contest/41/problem/B' }, /^# Wagons in Order\n/],
      ['find_similar_problems', { query: 'shortest path in a graph' }, /^# Similar Problems\n/],
      ['get_platform_status', {}, /^# OJ Platform Status \(v/],
    ];
    for (const [name, args, text] of calls) {
      expect((await callTool(client, name, args)).text).toMatch(text);
    }
  });
});

describe.runIf(hasOj)('the command line of the built file', () => {
  test.each([['--version'], ['-V'], ['--demo', '--version']])(
    'prints the version for %s %s and exits with code 0',
    async (...args) => {
      expect(await runProgram(args)).toEqual({ code: 0, stdout: `oj-mcp ${version}\n`, stderr: '' });
    },
  );

  test.each(['--help', '-h'])('prints every flag and variable for %s, without colours and secrets', async flag => {
    const { code, stdout, stderr } = await runProgram([flag], {
      env: { FORCE_COLOR: '1', OJ_MCP_TOKEN: 'hunter2-hunter2' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of ['base-url', 'token', 'token-file', 'toolsets', 'demo']) {
      expect(stdout).toContain(`--${name}`);
      expect(stdout).toContain(`OJ_MCP_${name.replace('-', '_').toUpperCase()}`);
    }
    expect(stdout).toMatch(/-V, --version/);
    // Disabled toolsets follow the enabled ones.
    const sections = Array.from(stdout.matchAll(/^(?:MODES|SERVER|TOOLSET \w+)/gm), ([heading]) => heading);
    const [on, off] = [
      [...known.values()].filter(one => one.isDefault),
      [...known.values()].filter(one => !one.isDefault),
    ];
    expect(sections).toEqual(['MODES', 'SERVER', ...[...on, ...off].map(({ name }) => `TOOLSET ${name}`)]);
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('hunter2');
    expect(stdout).not.toMatch(/ \n/);
  });

  test.each([
    [[], 2, '--base-url is missing'],
    [['--base-ulr', 'x'], 2, 'unknown flag --base-ulr. Did you mean --base-url?'],
    [['demo'], 2, 'unexpected argument at position 1. Did you mean --demo?'],
    [['--demo', '--demo'], 2, '--demo is given twice.'],
    [['--base-url'], 2, '--base-url needs a value'],
    [['--base-url', 'https://example.com/api/v1'], 1, '--base-url must be an origin'],
    [['--base-url', 'ftp://example.com'], 1, '--base-url must start with http:// or https://'],
    [['--demo', '--toolsets', 'jo'], 1, 'Did you mean "oj"?'],
    [['--base-url', 'http://h', '--token', 'two words'], 1, '--token contains white space.'],
  ])('rejects %j with exit code %i and one reason on stderr, before the handshake', async (args, code, reason) => {
    const result = await runProgram(args, { input: handshake });
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toContain(`oj-mcp: `);
    expect(result.stderr).toContain(reason);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  test('accepts every flag as an environment variable', async () => {
    const env = { OJ_MCP_BASE_URL: 'http://127.0.0.1:1', OJ_MCP_TOKEN: 'a-token-here', OJ_MCP_TOOLSETS: 'oj' };
    const { code, stderr } = await runProgram([], { env });
    expect(code).toBe(0);
    expect(stderr).toContain('token: configured');
    expect((await runProgram([], { env: { OJ_MCP_DEMO: '1' } })).stderr).toContain(', demo');
  });

  test('logs one warning for a token in the arguments and suggests the environment variable', async () => {
    const { stderr } = await runProgram(['--base-url', 'http://127.0.0.1:1', '--token', 'hunter2-hunter2']);
    expect(stderr.match(/WARN/g)).toHaveLength(1);
    expect(stderr).toContain('OJ_MCP_TOKEN');
    expect(stderr).not.toContain('hunter2');
  });
});

describe.runIf(hasOj)('the server process', () => {
  test('exits with code 0 when standard input is empty', async () => {
    expect(await runProgram(['--demo'])).toMatchObject({ code: 0, stdout: '' });
  });

  test('answers requests that arrived before the end of standard input', async () => {
    const { code, stdout } = await runProgram(['--demo'], {
      input: handshake + call(5, 'get_platform_status', {}),
      nodeArgs: longTimeouts,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('OJ Platform Status');
  });

  test('exits at the end of standard input without waiting for a backend that does not respond', async () => {
    const judge = await startJudge(() => {});
    const input = handshake + call(5, 'get_problem', { source: 'x', id: '1' });
    const { code, stdout } = await runProgram(['--base-url', judge.origin], { input });
    expect(code).toBe(0);
    expect(stdout).not.toContain('"id":5');
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('exits with code 0 on %s, even during a call', async signal => {
    const judge = await startJudge(() => program.child.kill(signal));
    const program = startProgram(['--base-url', judge.origin]);
    program.child.stdin.write(handshake + call(5, 'get_problem', { source: 'x', id: '1' }));
    expect(await program.exit).toEqual({ code: 0, signal: null });
    expect(program.stderr()).not.toMatch(/^\s+at /m);
  });

  test('exits with code 0 and without a stack trace when its standard output is closed', async () => {
    const program = startProgram(['--demo']);
    program.child.stdin.write(handshake);
    await once(program.child.stdout, 'data');
    program.child.stdout.destroy();
    program.child.stdin.write(line({ jsonrpc: '2.0', id: 9, method: 'tools/list' }));
    program.child.stdin.write(line({ jsonrpc: '2.0', id: 10, method: 'tools/list' }));
    expect(await program.exit).toEqual({ code: 0, signal: null });
    expect(program.stderr()).not.toMatch(/^\s+at /m);
  });

  test('keeps running after the client has closed its standard error', async () => {
    const program = startProgram(['--demo'], { OJ_MCP_LOG: 'trace' });
    program.child.stderr.destroy();
    program.child.stdin.end(handshake + call(5, 'get_platform_status', {}));
    expect(await program.exit).toMatchObject({ signal: null });
    expect(program.stdout()).toContain('"id":"init"');
  });
});

describe.runIf(hasOj)('the output of the server process', () => {
  const loud = {
    DEBUG: '*',
    CONSOLA_LEVEL: '5',
    CI: '1',
    FORCE_COLOR: '1',
    RUST_LOG: 'trace',
    OJ_MCP_LOG: 'trace',
    NODE_ENV: 'test',
  };
  const token = '3f0c1a5e-9a0b-4f4f-8b5e-5d8f1f0e7a11';

  test('contains only JSON-RPC messages on stdout and never the token, even if all variables that increase logging are set (INVARIANT S6)', async () => {
    const judge = await startJudge({ status: 401, type: 'text/plain', body: `no such token: ${token}` });
    const input = `${handshake}nonsense\n[]\n${call(5, 'get_problem', { source: 'x', id: token })}${call(6, token, {})}`;
    const { stdout, stderr } = await runProgram(['--base-url', judge.origin], {
      input,
      env: { ...loud, OJ_MCP_TOKEN: token },
      nodeArgs: longTimeouts,
    });
    const messages = stdout
      .trimEnd()
      .split('\n')
      .map(text => JSON.parse(text));
    expect(messages).toHaveLength(5);
    for (const message of messages) expect(message).toMatchObject({ jsonrpc: '2.0' });
    expect(judge.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(stdout + stderr).not.toContain(token);
    expect(stderr).toContain('token: configured');
  });

  test('is empty on stderr with RUST_LOG=off (INVARIANT S6.3)', async () => {
    const { stderr } = await runProgram(['--demo'], { input: handshake, env: { RUST_LOG: 'off' } });
    expect(stderr).toBe('');
  });

  test('states in the log that the demo uses no network, and reports an unknown log level', async () => {
    const env = { OJ_MCP_LOG: 'loud' };
    const { stderr } = await runProgram(['--demo', '--base-url', 'http://user:pass@h'], { env });
    expect(stderr).toContain('INFO  oj-mcp: built-in problems: no requests are sent\n');
    expect(stderr).toContain('WARN  oj-mcp: --base-url is ignored because of --demo\n');
    expect(stderr).toContain(
      'WARN  oj-mcp: OJ_MCP_LOG: "loud" is not a level. The levels are off, error, warn, info, debug, trace.\n',
    );
    expect(stderr).not.toMatch(/token|pass/);
  });

  test('states in the log by default whether a token is configured', async () => {
    const { stderr } = await runProgram(['--base-url', 'http://127.0.0.1:1']);
    expect(stderr).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z INFO {2}oj-mcp: token: not configured$/m);
    expect(stderr).not.toContain('\u001b');
  });
});
