import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { mcpHosts, operatingSystemOf } from '../../../src/cli/host-config/hosts.ts';
import { hostConfigFiles } from '../../../src/cli/host-config/targets.ts';
import { runProgram } from '../../support/program.ts';

/** Creates an empty home folder that is removed after the test. */
export function newHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 'oj-mcp-home-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

/** Returns the path of the configuration file of a host. */
export function fileOf(host: string, home: string): string {
  const machine = { system: operatingSystemOf(process.platform), home, env: { APPDATA: home } };
  return hostConfigFiles[host]?.files(machine)[0] ?? '';
}

/** Runs the built program with a home folder. */
export async function run(
  home: string,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return await runProgram(args, { env: { HOME: home, USERPROFILE: home, APPDATA: home } });
}

export const jsonHosts = Object.keys(hostConfigFiles).filter(name => mcpHosts[name]?.language === 'json');
