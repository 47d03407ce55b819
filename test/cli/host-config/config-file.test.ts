import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder, runProgram } from '../../support/program.ts';
import { has } from '../../support/toolsets.ts';

const isWindows = process.platform === 'win32';
const isRoot = process.getuid?.() === 0;
const otherUser = 65_534;
const before = '{\n  "mcpServers": { "other": { "command": "x" } }\n}\n';

/** Creates a home folder with a configuration file of Cursor that has this content. Returns functions for the file. */
function homeWith(content?: string) {
  const home = emptyFolder();
  const folder = path.join(home, '.cursor');
  const file = path.join(folder, 'mcp.json');
  if (content !== undefined) {
    mkdirSync(folder);
    writeFileSync(file, content);
  }
  const run = async (...args: string[]) =>
    await runProgram([...args, '--yes'], { env: { HOME: home, USERPROFILE: home, APPDATA: home } });
  const install = async (...args: string[]) => await run('--install', 'cursor', '--demo', ...args);
  const uninstall = async () => await run('--uninstall', 'cursor');
  return { home, folder, file, install, uninstall };
}

describe.runIf(has('oj') && !isWindows)('the configuration file of a host', () => {
  test.each([0o644, 0o600, 0o664, 0o640])(
    'the configuration file of a host keeps its mode %o when the server is installed and uninstalled',
    async mode => {
      const { file, install, uninstall } = homeWith(before);
      chmodSync(file, mode);
      await install();
      expect(readFileSync(file, 'utf8')).toContain('--demo');
      expect(statSync(file).mode & 0o777).toBe(mode);
      await uninstall();
      expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([before, mode]);
    },
  );

  test.runIf(isRoot)(
    'the configuration file of a host keeps its owner if the superuser installs the server, and the backup gets the same owner',
    async () => {
      const { file, folder, install } = homeWith(before);
      for (const name of [folder, file]) chownSync(name, otherUser, otherUser);
      await install();
      for (const name of readdirSync(folder)) {
        const { uid, gid } = statSync(path.join(folder, name));
        expect([name, uid, gid]).toEqual([name, otherUser, otherUser]);
      }
    },
  );

  test('a new folder for the configuration file of a host has no rights for other users', async () => {
    const { folder, file, install } = homeWith();
    await install();
    expect([statSync(folder).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  test.runIf(isRoot)(
    'a new configuration file of a host belongs to the owner of the home folder if the superuser creates it',
    async () => {
      const { home, file, folder, install } = homeWith();
      chownSync(home, otherUser, otherUser);
      await install();
      expect([statSync(folder).uid, statSync(file).uid, statSync(file).mode & 0o777]).toEqual([
        otherUser,
        otherUser,
        0o600,
      ]);
    },
  );

  test('the configuration file of a host keeps its other hard links when the server is installed', async () => {
    const { home, file, folder, install, uninstall } = homeWith(before);
    const other = path.join(home, 'dotfile.json');
    linkSync(file, other);
    const { ino } = statSync(file);
    await install();
    expect(readFileSync(other, 'utf8')).toContain('--demo');
    await uninstall();
    expect(readFileSync(other, 'utf8')).toBe(before);
    expect([statSync(file).ino, statSync(file).nlink]).toEqual([ino, 2]);
    expect(readdirSync(folder)).toEqual(['mcp.json', 'mcp.json.oj-mcp-backup']);
  });

  test('an uninstallation does not delete a configuration file that is the target of a symbolic link', async () => {
    const { home, file, folder, install, uninstall } = homeWith();
    const target = path.join(home, 'dotfile.json');
    mkdirSync(folder);
    writeFileSync(target, '');
    symlinkSync(target, file);
    await install();
    await uninstall();
    expect(readFileSync(target, 'utf8')).toBe('');
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  test.each([0o444, 0o400])(
    'a read-only configuration file with the mode %o is not changed, and nothing is printed',
    async mode => {
      const { file, folder, install, uninstall } = homeWith(before);
      chmodSync(file, mode);
      const { code, stdout, stderr } = await install();
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`${file} is read-only.\nNothing was changed. Make it writable, or edit it by hand`);
      expect(await uninstall()).toMatchObject({ code: 0 });
      expect(readdirSync(folder)).toEqual(['mcp.json']);
    },
  );

  test('a named pipe in place of the configuration file is rejected, because reading it would never end', async () => {
    const { file, folder, install } = homeWith();
    mkdirSync(folder);
    execFileSync('mkfifo', [file]);
    const { code, stderr } = await install();
    expect(stderr).toContain(`${file} is not a regular file.`);
    expect(code).toBe(1);
  });

  test('a repeated installation completes an interrupted installation and removes its temporary file', async () => {
    const { file, folder, install, uninstall } = homeWith(before);
    const unused = 4_000_000; // greater than every process id
    writeFileSync(`${file}.oj-mcp-${unused}.tmp`, '{');
    writeFileSync(`${file}.oj-mcp-original`, 'outdated');
    await install();
    await uninstall();
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(folder)).toEqual(['mcp.json', 'mcp.json.oj-mcp-backup']);
  });

  test('a folder in place of the backup stops the installation with its name, and leaves no other file', async () => {
    const { file, folder, install } = homeWith(before);
    mkdirSync(`${file}.oj-mcp-backup`);
    const { code, stderr } = await install();
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`${file}.oj-mcp-backup cannot be written: it is a folder`),
    ]);
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['mcp.json', 'mcp.json.oj-mcp-backup'], before]);
  });

  test('an installation keeps the temporary file of another process that is still running', async () => {
    const { file, install } = homeWith(before);
    const temporary = `${file}.oj-mcp-${process.pid}.tmp`;
    writeFileSync(temporary, '{');
    await install();
    expect(existsSync(temporary)).toBe(true);
  });
});

describe.runIf(has('oj'))('a repeated installation', () => {
  test('a repeated installation checks the server with the environment variables that a user has added to the entry', async () => {
    const { file, install } = homeWith();
    await install();
    const added = JSON.parse(readFileSync(file, 'utf8'));
    added.mcpServers.oj.env = { OJ_MCP_LOG: 'loud' };
    writeFileSync(file, JSON.stringify(added));
    const { stdout } = await install();
    expect(stdout).toContain('OJ_MCP_LOG: "loud" is not a level');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(added);
  });
});
