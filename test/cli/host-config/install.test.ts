import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { mcpHosts } from '../../../src/cli/host-config/hosts.ts';
import { hostConfigFiles } from '../../../src/cli/host-config/targets.ts';
import { bundle, spawnProgram } from '../../support/program.ts';
import { has } from '../../support/toolsets.ts';
import { fileOf, newHome, run } from './home.ts';

const hasOj = has('oj');

const isWindows = process.platform === 'win32';

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

  test.each([
    ['--install', ['--demo'], 'Rename or remove that server by hand: --print-config HOST'],
    ['--uninstall', [], 'To remove the entry of oj-mcp, edit the file by hand: --print-config HOST'],
  ])('names the next step of %s for a server "oj" of another program', async (mode, flags, remedy) => {
    const home = newHome();
    const file = fileOf('cursor', home);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, '{"mcpServers": {"oj": {"command": "other"}}}');
    const { code, stderr } = await run(home, mode, 'cursor', ...flags, '--yes');
    expect([code, stderr]).toEqual([1, expect.stringContaining(`is not oj-mcp.\nNothing was changed. ${remedy}`)]);
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
