import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { type PreparedInstallation, prepareInstallation } from '../../../src/cli/host-config/install.ts';
import { fileOf, newHome } from './home.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const args = ['/x/oj-mcp.cjs', '--base-url', 'http://127.0.0.1:1'];

interface Prepared extends PreparedInstallation {
  file: string;
  lines: string[];
}

/** Prepares an installation over an entry that has these environment variables. */
function prepare(
  present: Record<string, string> | undefined,
  env: Record<string, string>,
  secrets: readonly string[],
  { host = 'cursor', isConfirmed = false } = {},
): Prepared {
  const home = newHome();
  for (const name of ['HOME', 'USERPROFILE', 'APPDATA']) vi.stubEnv(name, home);
  const file = fileOf(host, home);
  if (present !== undefined) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ mcpServers: { oj: { command: 'node', args, env: present } } }));
  }
  const lines: string[] = [];
  const command = { command: 'node', args, env, secrets: [...secrets] };
  const entry = { command, isDefaultDemo: false, copied: [], alternatives: {}, pathFaults: [] };
  const prepared = prepareInstallation({ host, isConfirmed, write: line => lines.push(line) }, entry);
  return { ...prepared, file, lines };
}

test.each<[string, Record<string, string> | undefined, Record<string, string>, string[], Record<string, string>]>([
  ['no entry', undefined, { A: 'a' }, [], {}],
  ['no variables', {}, { A: 'a' }, [], {}],
  ['a variable of the user', { OWN: 'own' }, { A: 'a' }, [], { OWN: 'own' }],
  ['an empty variable of the user', { OWN: '' }, {}, [], { OWN: '' }],
  ['a variable that the new entry sets', { A: 'old', OWN: 'own' }, { A: 'a' }, [], { OWN: 'own' }],
  ['a reference to a variable of the host', { OWN: '${env:OWN}', B: 'b${x}' }, {}, [], { B: 'b${x}' }],
  ['a secret of the new entry', { OJ_MCP_TOKEN: 'hunter2' }, { OJ_MCP_TOKEN: '<x>' }, ['OJ_MCP_TOKEN'], {}],
  ['a secret that only the entry has', { OJ_MCP_TOKEN: 'hunter2' }, {}, [], { OJ_MCP_TOKEN: 'hunter2' }],
])('an installation is checked with the variables that stay in the entry: %s', (_, present, env, secrets, kept) => {
  expect(prepare(present, env, secrets).kept).toEqual(kept);
});

test('an installation prints the values that it writes, and hides those of the user', () => {
  const { lines, file, ...prepared } = prepare({ OWN: 'hidden-own', A: 'old' }, { A: 'new' }, []);
  const before = readFileSync(file, 'utf8');
  expect(prepared.run()).toBe('shown');
  const text = lines.join('\n');
  expect(text).toMatch(/"A": ?"new"/);
  expect(text).not.toContain('hidden-own');
  expect(text).toContain('Nothing was written. Repeat the command with --yes to change the file.');
  expect(text).toContain('This replaces the server "oj".');
  expect(readFileSync(file, 'utf8')).toBe(before);
});

test('an installation reports a secret that the user must provide, and no secret that the entry already has', () => {
  const missing = prepare({}, { OJ_MCP_TOKEN: '<x>' }, ['OJ_MCP_TOKEN']);
  expect(missing.secretNote).toContain('OJ_MCP_TOKEN');
  missing.run();
  expect(missing.lines.at(-1)).toBe(`No secret is written. ${missing.secretNote}`);
  const present = prepare({ OJ_MCP_TOKEN: 'hunter2' }, { OJ_MCP_TOKEN: '<x>' }, ['OJ_MCP_TOKEN']);
  expect('secretNote' in present).toBe(false);
  expect(present.run()).toBe('unchanged');
  expect(present.lines.filter(line => /secret|replaces|hunter2/i.test(line))).toEqual([]);
});

test('a confirmed installation writes the entry once, and a new file is named as new', () => {
  const { lines, file, restart, ...prepared } = prepare(undefined, { A: 'a' }, [], { isConfirmed: true });
  expect(prepared.run()).toBe('written');
  expect(lines.slice(0, 1)).toEqual([`${file} (new file):`]);
  expect(lines.join('\n')).toContain('Written.');
  expect(lines.join('\n')).not.toMatch(/Backup|replaces/);
  expect(restart).toBe('Quit Cursor completely and start it again.');
  expect(JSON.parse(readFileSync(file, 'utf8')).mcpServers.oj.env).toEqual({ A: 'a' });
  expect(JSON.parse(readFileSync(`${file}.oj-mcp-variables`, 'utf8'))).toEqual({ env: { A: 'a' } });
});
