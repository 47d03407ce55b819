import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { bundle, runProgram } from '../../support/program.ts';

export async function runCheck(...args: string[]) {
  return parseCheckOutput(await runProgram(['--check', ...args]));
}

/** Runs --check as an unprivileged user, because tests in containers run as root, which ignores permissions. */
export function runCheckUnprivileged(...args: string[]) {
  const cwd = temporaryFolder();
  const program = path.join(cwd, 'oj-mcp.cjs');
  copyFileSync(bundle, program);
  chmodSync(cwd, 0o755);
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const nodeArgs = [program, '--check', ...args];
  const {
    error,
    status: code,
    ...output
  } = spawnSync(process.execPath, nodeArgs, {
    cwd,
    env: {},
    encoding: 'utf8',
    ...user,
  });
  if (error !== undefined) throw error;
  return parseCheckOutput({ code, ...output });
}

const bundleSum = createHash('sha256').update(readFileSync(bundle)).digest('hex');

/** Returns the exit code and the lines of output, without the lines about the program. Wrapped lines are joined. */
export function parseCheckOutput({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) {
  expect(stderr).toBe('');
  const [about, , file, sum, ...lines] = stdout.trimEnd().split('\n');
  expect(about).toMatch(/^✓ oj-mcp \S+, Node \d+\.\d+\.\d+ on \w+ \w+$/);
  expect([file?.endsWith('oj-mcp.cjs'), sum]).toEqual([true, `  SHA-256 ${bundleSum}`]);
  const text = lines
    .join('\n')
    .replaceAll(/\n {4}/g, ' ')
    .replace(/within \d+ ms/, 'within N ms');
  return { code, text };
}

export function temporaryFolder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}
