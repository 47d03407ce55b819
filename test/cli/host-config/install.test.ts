import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { mcpHosts, operatingSystemOf } from '../../../src/cli/host-config/hosts.ts';
import { hostConfigFiles } from '../../../src/cli/host-config/targets.ts';
import { bundle, runProgram, spawnProgram } from '../../support/program.ts';
import { has } from '../../support/toolsets.ts';

const hasOj = has('oj');

const isWindows = process.platform === 'win32';
const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true });
});

function newHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 'oj-mcp-home-'));
  homes.push(home);
  return home;
}

function fileOf(host: string, home: string): string {
  const machine = { system: operatingSystemOf(process.platform), home, env: { APPDATA: home } };
  return hostConfigFiles[host]?.files(machine)[0] ?? '';
}

async function run(home: string, ...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return await runProgram(args, { env: { HOME: home, USERPROFILE: home, APPDATA: home } });
}

const jsonHosts = Object.keys(hostConfigFiles).filter(name => mcpHosts[name]?.language === 'json');

describe.runIf(hasOj)('--install', () => {
  test.each(Object.keys(hostConfigFiles))('shows the change for %s and writes nothing without --yes', async host => {
    const home = newHome();
    const { code, stdout } = await run(home, '--install', host, '--demo');
    expect(stdout).toContain(`${fileOf(host, home)} (new file):`);
    expect(stdout).toContain('Repeat the command with --yes');
    expect(code).toBe(0);
    expect(readdirSync(home)).toEqual([]);
  });

  test.each(Object.keys(hostConfigFiles))(
    'creates the file for %s and checks the server, and --uninstall removes the entry',
    async host => {
      const home = newHome();
      const { code, stdout } = await run(home, '--install', host, '--demo', '--yes');
      const file = fileOf(host, home);
      expect(readFileSync(file, 'utf8')).toContain('--demo');
      expect(isWindows ? 0o600 : statSync(file).mode & 0o777).toBe(0o600);
      expect(stdout).toContain('The check passed.');
      expect(code).toBe(0);
      const { stdout: removal } = await run(home, '--uninstall', host, '--yes');
      expect(removal).toContain('Deleted, because the installation had created it.');
      expect(readdirSync(path.dirname(file))).toEqual([`${path.basename(file)}.oj-mcp-backup`]);
    },
  );

  const layouts: [string, (key: string) => string][] = [
    ['other servers', key => `{\n  "${key}": {\n    "other": { "command": "x" }\n  },\n  "theme": "dark"\n}\n`],
    [
      'comments',
      key => `// settings\n{\n  /* servers */\n  "${key}": {\n    // the first\n    "other": {} // last\n  }\n}\n`,
    ],
    ['four blanks and CRLF', key => `{\r\n    "${key}": {\r\n        "other": {}\r\n    }\r\n}\r\n`],
    ['tabs and a byte order mark', key => `\ufeff{\n\t"${key}": {\n\t\t"other": {}\n\t}\n}`],
    ['keys of other hosts', key => `{"${key}":{}, "mcp": [], "context_servers": 1}`],
    ['one line', key => `{"${key}":{"other":{}},"a":[1,2]}`],
  ];
  /** The cases contain one layout for each host, and all layouts for two hosts. */
  const cases = jsonHosts.flatMap(host =>
    layouts
      .filter((_, index) => index === 0 || host === 'cursor' || host === 'vscode')
      .map(([layout, text]) => ({ host, layout, text })),
  );
  test.each(cases)(
    'keeps all other bytes of a file with $layout for $host, and --uninstall restores the file',
    async ({ host, text }) => {
      const home = newHome();
      const file = fileOf(host, home);
      const before = text(hostConfigFiles[host]?.key ?? '');
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, before);
      await run(home, '--install', host, '--demo', '--yes');
      expect(readFileSync(file, 'utf8')).toContain('"--demo"');
      expect(readFileSync(`${file}.oj-mcp-backup`, 'utf8')).toBe(before);
      await run(home, '--uninstall', host, '--yes');
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  test.each(['', 'model = "x"\n', 'model = "x"', '[mcp_servers.other]\r\ncommand = "x"\r\n'])(
    'keeps all other bytes of the TOML file %j, and --uninstall restores the file',
    async before => {
      const home = newHome();
      const file = fileOf('codex', home);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, before);
      await run(home, '--install', 'codex', '--demo', '--yes');
      const installed = readFileSync(file, 'utf8');
      expect(installed.startsWith(before)).toBe(true);
      await run(home, '--install', 'codex', '--demo', '--yes');
      expect(readFileSync(file, 'utf8')).toBe(installed);
      await run(home, '--uninstall', 'codex', '--yes');
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  test.each([
    ['cursor', '{"mcpServers": {', 'is not valid JSON'],
    ['cursor', '{"mcpServers": {"oj": {"command": "other"}}}', 'has a server "oj" that starts another program'],
    ['cursor', `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 'is nested deeper than 500 levels'],
    ['codex', '[mcp_servers.oj]\ncommand = "x"\n', 'has a server "oj" that starts another program'],
    ['codex', '[mcp_servers]\noj = { command = "oj-mcp" }\n', 'write it as the table [mcp_servers.oj]'],
    ['codex', 'a = 1\na = 2\n', 'is not valid TOML: see line 2'],
  ])('leaves the file of %s unchanged if its content is %.80j', async (host, before, message) => {
    const home = newHome();
    const file = fileOf(host, home);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, before);
    const { code, stderr } = await run(home, '--install', host, '--demo', '--yes');
    expect(stderr).toContain(message);
    expect(code).toBe(1);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(path.dirname(file))).toEqual([path.basename(file)]);
  });

  test.each([
    ['--install', ['--demo'], 'Rename or remove that server by hand: --print-config HOST'],
    ['--uninstall', [], 'To remove the entry of oj-mcp, edit the file by hand: --print-config HOST'],
  ])('names the next step of %s for a server "oj" of another program', async (mode, flags, remedy) => {
    const home = newHome();
    const file = fileOf('cursor', home);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{"mcpServers": {"oj": {"command": "other"}}}');
    const { code, stderr } = await run(home, mode, 'cursor', ...flags, '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`another program.\nNothing was changed. ${remedy}`)]);
  });

  test('replaces and removes the entry of a server whose file was renamed', async () => {
    const home = newHome();
    const program = path.join(home, 'judge.cjs');
    copyFileSync(bundle, program);
    const env = { HOME: home, USERPROFILE: home, APPDATA: home };
    const args = [
      ['--install', 'cursor', '--demo'],
      ['--install', 'cursor', '--demo'],
      ['--uninstall', 'cursor'],
    ];
    for (const words of args) {
      const child = spawnProgram({ args: [...words, '--yes'], env, file: program });
      child.stdin.end();
      const [code] = await once(child, 'close');
      expect(code).toBe(0);
    }
    expect(existsSync(fileOf('cursor', home))).toBe(false);
  });

  test.each(Object.keys(hostConfigFiles))(
    'does not replace the entry of %s by the demo if no flags are given, and prints the entry',
    async host => {
      const home = newHome();
      await run(home, '--install', host, '--base-url', 'http://127.0.0.1:1', '--yes');
      const before = readFileSync(fileOf(host, home), 'utf8');
      const { code, stdout, stderr } = await run(home, '--install', host, '--yes');
      expect(stdout).toContain('http://127.0.0.1:1');
      expect(stderr).toContain('--install without flags would replace this entry by the demo');
      expect(code).toBe(1);
      expect(readFileSync(fileOf(host, home), 'utf8')).toBe(before);
      const { code: demo } = await run(home, '--install', host, '--demo', '--yes');
      expect(demo).toBe(0);
    },
  );

  test('runs --check with the flags of the entry, also if the entry is unchanged', async () => {
    const home = newHome();
    for (let time = 0; time < 2; time++) {
      const { code, stdout } = await run(home, '--install', 'cursor', '--yes');
      expect([code, stdout]).toEqual([0, expect.stringContaining('built-in problems (--demo)')]);
      const failing = await run(home, '--install', 'zed', '--base-url', 'http://127.0.0.1:1', '--yes');
      expect([failing.code, failing.stdout]).toEqual([1, expect.stringContaining('nothing listens there')]);
    }
  });

  test('backs up the bytes of the file before each change, and --uninstall restores the bytes before the first change', async () => {
    const home = newHome();
    const file = fileOf('cursor', home);
    const folder = path.dirname(file);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, '{ "mine": 1 }');
    const changes = [
      ['--install', 'cursor', '--demo'],
      ['--install', 'cursor', '--demo', '--oj-extras'],
      ['--uninstall', 'cursor'],
    ];
    for (const args of changes) {
      const before = readFileSync(file, 'utf8');
      const { stdout } = await run(home, ...args, '--yes');
      expect(stdout).toContain(`Backup: ${file}.oj-mcp-backup.`);
      expect(readFileSync(`${file}.oj-mcp-backup`, 'utf8')).toBe(before);
    }
    expect(readFileSync(file, 'utf8')).toBe('{ "mine": 1 }');
    expect(readdirSync(folder)).toEqual(['mcp.json', 'mcp.json.oj-mcp-backup']);
  });

  test.each([
    ...(has('oj') ? [['--problems', 'missing.jsonl']] : []),
    ...(has('files') ? [['--toolsets', 'files', '--files-root', 'missing']] : []),
  ])('writes nothing if the server lacks a file: %s %s', async (...flags) => {
    const home = newHome();
    const missing = path.join(home, flags.at(-1) ?? '');
    const { code, stderr } = await run(home, '--install', 'cursor', ...flags.slice(0, -1), missing, '--yes');
    expect(stderr).toContain(missing);
    expect(code).toBe(1);
    expect(readdirSync(home)).toEqual([]);
  });

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

  test.each(Object.keys(mcpHosts).filter(name => hostConfigFiles[name] === undefined))(
    'prints the configuration of %s, whose configuration is not in an editable file',
    async host => {
      const home = newHome();
      const { code, stdout } = await run(home, '--install', host, '--demo', '--yes');
      expect(stdout).toContain('--demo');
      expect(stdout).toContain('nothing was written');
      expect(readdirSync(home)).toEqual([]);
      const codes = await Promise.all(
        [['--install', '--demo'], ['--install', '--demo', '--yes'], ['--uninstall'], ['--uninstall', '--yes']].map(
          async ([mode = '', ...args]) => (await run(home, mode, host, ...args)).code,
        ),
      );
      expect([code, codes]).toEqual([1, [0, 1, 0, 1]]);
    },
  );

  const inputLayouts = [
    '{}',
    '{\n  "servers": {},\n  "inputs": []\n}',
    '{\n\t"inputs": [ // mine\n\t\t{ "id": "x",   "password": true }, /* y */\n\t],\n\t"servers": {"a": {}}}\n',
    '{"servers":{},"inputs":[{"id":"oj"}]}',
  ];
  test.each(inputLayouts)(
    'adds an input to the file %j of VS Code, and --uninstall restores the file',
    async before => {
      const home = newHome();
      const file = fileOf('vscode', home);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, before);
      const args = ['--install', 'vscode', '--base-url', 'http://127.0.0.1:1', '--token', 'hunter2-hunter2', '--yes'];
      const { stdout } = await run(home, ...args);
      expect(stdout).toContain('VS Code asks for the secret once and stores it.\n');
      const installed = readFileSync(file, 'utf8');
      expect(installed).toContain('"id": "oj-mcp-token"');
      await run(home, ...args);
      expect(readFileSync(file, 'utf8')).toBe(installed);
      await run(home, '--uninstall', 'vscode', '--yes');
      expect(readFileSync(file, 'utf8')).toBe(before);
    },
  );

  test('lets --uninstall remove only its own entry if the file has changed since the installation', async () => {
    const home = newHome();
    const file = fileOf('vscode', home);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{"inputs": [{ "id": "x" }]}');
    await run(home, '--install', 'vscode', '--base-url', 'http://127.0.0.1:1', '--token', 'hunter2-hunter2', '--yes');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"x"', '"y"'));
    await run(home, '--uninstall', 'vscode', '--yes');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ inputs: [{ id: 'y' }] });
  });

  test.each([
    ['cursor', '{ "mcpServers":{},\n "x": 1 }', ''],
    ['cursor', '{ "x": 1, "mcpServers":{  } }', ''],
    ['vscode', '{ "x": 1, "servers": {\n\n}, "inputs":[] }', 'hunter2-hunter2'],
  ])(
    'lets --uninstall from %s restore the blanks in %j if the user changed another part',
    async (host, before, token) => {
      const home = newHome();
      const file = fileOf(host, home);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, before);
      await run(home, '--install', host, '--base-url', 'http://127.0.0.1:1', '--token', token, '--yes');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"x": 1', '"x": 2'));
      await run(home, '--uninstall', host, '--yes');
      expect(readFileSync(file, 'utf8')).toBe(before.replace('"x": 1', '"x": 2'));
    },
  );

  test.skipIf(isWindows)('edits the target file of a symbolic link', async () => {
    const home = newHome();
    const file = fileOf('cursor', home);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(path.join(home, 'dotfile.json'), '{}');
    symlinkSync(path.join(home, 'dotfile.json'), file);
    await run(home, '--install', 'cursor', '--demo', '--yes');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(path.join(home, 'dotfile.json'), 'utf8')).toContain('--demo');
  });

  test.each([
    ['a folder in place of the configuration file', '.cursor/mcp.json/x', 'cannot be read: it is a folder (EISDIR)'],
    [
      'a file in place of the configuration folder',
      '.cursor',
      'cannot be read: it is a file, or a folder of its path is one (ENOTDIR)',
    ],
  ])('fails with a message for %s', async (_, name, message) => {
    const home = newHome();
    mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
    writeFileSync(path.join(home, name), '');
    const { code, stderr } = await run(home, '--install', 'cursor', '--demo', '--yes');
    expect(stderr).toContain(message);
    expect(code).toBe(1);
  });
});

describe('--uninstall', () => {
  test('changes nothing if the server is not installed', async () => {
    const home = newHome();
    const { code, stdout } = await run(home, '--uninstall', 'cursor', '--yes');
    expect(stdout).toContain(`${fileOf('cursor', home)} has no server "oj": nothing to change.`);
    expect(code).toBe(0);
    expect(existsSync(fileOf('cursor', home))).toBe(false);
  });
});

describe.runIf(has('files') && hasOj)('the index of --files-cache', () => {
  const note = (folder: string) => `The index with the texts of your files stays: delete files-*.cache in ${folder}.\n`;
  const withCache = (home: string) => {
    const [notes, cache] = [path.join(home, 'notes'), path.join(home, 'cache')];
    mkdirSync(notes);
    return { cache, flags: ['--toolsets=files', `--files-root=${notes}`, `--files-cache=${cache}`] };
  };

  test.each(['cursor', 'codex', 'opencode'])(
    'is named by --uninstall %s, because its files stay, and the backup may be deleted',
    async host => {
      const home = newHome();
      const { cache, flags } = withCache(home);
      await run(home, '--install', host, ...flags, '--yes');
      expect((await run(home, '--uninstall', host)).stdout).toContain(note(cache));
      const { stdout } = await run(home, '--uninstall', host, '--yes');
      expect(stdout).toContain(note(cache));
      expect(stdout).toContain('Delete the backup when you no longer need it');
      expect((await run(home, '--uninstall', host, '--yes')).stdout).not.toContain('The index');
    },
  );

  test('is named by an installation whose entry has no or another cache folder', async () => {
    const home = newHome();
    const { cache, flags } = withCache(home);
    await run(home, '--install', 'cursor', ...flags, '--yes');
    expect((await run(home, '--install', 'cursor', ...flags)).stdout).not.toContain('The index');
    const { stdout } = await run(home, '--install', 'cursor', '--demo');
    expect(stdout).toContain('For a second server, add the entry of --print-config by hand under another name.');
    expect(stdout).toContain(note(cache));
    expect(
      (await run(home, '--install', 'cursor', ...flags.slice(0, 2), `--files-cache=${home}/new`)).stdout,
    ).toContain(note(cache));
  });
});

describe('the command line of --install', () => {
  test.each([
    [['--yes'], 2, '--yes needs --install, --uninstall or an import.'],
    [['--install', 'cursor', '--uninstall', 'zed'], 2, '--install and --uninstall exclude each other.'],
    [['--install', 'curser'], 1, '--install: there is no host "curser". Did you mean "cursor"?'],
    [['--uninstall', 'code'], 1, '--uninstall: there is no host "code". Did you mean "vscode"?'],
    [['--install', 'visual-studio-code'], 1, 'Did you mean "vscode"?'],
    [['--install', 'desktop'], 1, 'Did you mean "claude-desktop"?'],
  ] as const)('rejects the arguments %j with exit code %i', async (args, expected, message) => {
    const { code, stderr } = await run(newHome(), ...args);
    expect(stderr).toContain(message);
    expect(code).toBe(expected);
  });
});
