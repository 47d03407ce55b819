import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder, startProgram } from '../../support/program.ts';
import { has } from '../../support/toolsets.ts';

const fault = path.resolve(import.meta.dirname, 'fault.cjs');
const before = '{\n  // other servers\n  "mcpServers": { "other": { "command": "x" } }\n}\n';
const install = ['--install', 'cursor', '--demo', '--yes'];

/** Runs the command with a fault and returns its output, the host's file and the names of all files in its folder. */
async function run(args: readonly string[], content: string | undefined, plan: string) {
  const home = emptyFolder();
  const folder = path.join(home, '.cursor');
  const file = path.join(folder, 'mcp.json');
  if (content !== undefined) {
    mkdirSync(folder);
    writeFileSync(file, content);
  }
  const env = { HOME: home, USERPROFILE: home, APPDATA: home, FAULT: plan };
  const program = startProgram(args, env, ['--require', fault]);
  program.child.stdin.end();
  const { code } = await program.exit;
  const names = content === undefined && !readdirSync(home).includes('.cursor') ? [] : readdirSync(folder);
  const text = names.includes('mcp.json') ? readFileSync(file, 'utf8') : undefined;
  return { code, text, names, stderr: program.stderr() };
}

/** Runs the command without a fault and returns the number of its file operations and the resulting content. */
async function complete(args: readonly string[], content: string | undefined) {
  const { stderr, text, code } = await run(args, content, '');
  expect(code).toBe(0);
  return { steps: Number(/^steps: (\d+)$/m.exec(stderr)?.[1]), after: text };
}

describe.runIf(has('oj'))('a process that is killed at any file operation', () => {
  test.each([
    ['--install of a new file', install, undefined],
    ['--install into a file with other servers', install, before],
    ['--uninstall', ['--uninstall', 'cursor', '--yes'], '{"mcpServers":{"oj":{"command":"oj-mcp"},"other":{}}}'],
  ])(
    'during %s leaves either the old or the new file',
    async (_, args, content) => {
      const { steps, after } = await complete(args, content);
      expect(steps).toBeGreaterThan(5);
      const states = new Set<string | undefined>();
      for (let step = 1; step <= steps; step++) {
        const { text } = await run(args, content, `kill ${step}`);
        expect([content, after]).toContain(text);
        states.add(text);
      }
      expect(states.size).toBe(2);
    },
    120_000,
  );
});

describe.runIf(has('oj'))('a process that is killed during a second installation', () => {
  const args = ['--install', 'cursor', '--base-url', 'http://127.0.0.1:1', '--yes'];
  const installWith = async (home: string, variable: string, plan = ''): Promise<string> => {
    const env = { HOME: home, USERPROFILE: home, APPDATA: home, FAULT: plan, [variable]: 'http://localhost' };
    const program = startProgram(args, env, ['--require', fault]);
    program.child.stdin.end();
    await program.exit;
    return program.stderr();
  };
  const contentsIn = (folder: string): Record<string, string> =>
    Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(path.join(folder, name), 'utf8')]));

  test('leaves the old or the new list of written variables and the old or the new backup', async () => {
    const prepare = (files: Record<string, string>): { home: string; folder: string } => {
      const home = emptyFolder();
      const folder = path.join(home, '.cursor');
      mkdirSync(folder);
      for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
      return { home, folder };
    };
    const { home, folder } = prepare({ 'mcp.json': before });
    await installWith(home, 'NO_PROXY');
    const first = contentsIn(folder);
    const steps = Number(/steps: (\d+)/.exec(await installWith(home, 'HTTPS_PROXY'))?.[1]);
    const second = contentsIn(folder);
    expect(steps).toBeGreaterThan(10);
    for (let step = 1; step <= steps; step++) {
      const killed = prepare(first);
      await installWith(killed.home, 'HTTPS_PROXY', `kill ${step}`);
      const left = contentsIn(killed.folder);
      for (const name of Object.keys(first))
        expect([first[name], second[name]], `${name} after step ${step}`).toContain(left[name]);
      await installWith(killed.home, 'HTTPS_PROXY');
      expect(contentsIn(killed.folder)).toEqual({ ...second, 'mcp.json.oj-mcp-backup': expect.any(String) });
    }
  }, 120_000);
});

describe.runIf(has('oj'))('an installation on a full disk', () => {
  test('an installation on a full disk leaves the old file, removes its temporary file and reports the full disk', async () => {
    const { steps } = await complete(install, before);
    let failures = 0;
    for (let step = 1; step <= steps; step++) {
      const { code, text, names, stderr } = await run(install, before, `full ${step}`);
      if (code === 0) continue;
      failures++;
      expect(text).toBe(before);
      expect(names.filter(name => name.endsWith('.tmp'))).toEqual([]);
      expect(stderr).toMatch(/mcp\.json(?:\.oj-mcp-\w+)? cannot be written: the disk is full \(ENOSPC\)\./);
    }
    expect(failures).toBeGreaterThan(5);
  });
});
