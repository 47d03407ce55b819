import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { mcpHosts, type OperatingSystem } from '../../../src/cli/host-config/hosts.ts';
import { hostConfigFiles } from '../../../src/cli/host-config/targets.ts';
import { emptyFolder, runProgram } from '../../support/program.ts';
import { has } from '../../support/toolsets.ts';

/** Returns the configuration files of a host. The separator in their paths is a slash. */
function filesOf(host: string, system: OperatingSystem, env: NodeJS.ProcessEnv, home = '/home/me'): string[] {
  return (hostConfigFiles[host]?.files({ system, home, env }) ?? []).map(file => file.replaceAll('\\', '/'));
}

describe('the configuration file of a host', () => {
  test.each<[string, OperatingSystem, NodeJS.ProcessEnv, ...string[]]>([
    ['codex', 'linux', {}, '/home/me/.codex/config.toml'],
    ['codex', 'linux', { CODEX_HOME: '' }, '/home/me/.codex/config.toml'],
    ['codex', 'macos', { CODEX_HOME: '/c' }, '/c/config.toml'],
    ['gemini', 'linux', { GEMINI_CLI_HOME: '/g' }, '/g/.gemini/settings.json'],
    ['qwen', 'linux', {}, '/home/me/.qwen/settings.json'],
    ['qwen', 'linux', { QWEN_HOME: '' }, '/home/me/.qwen/settings.json'],
    ['qwen', 'linux', { QWEN_HOME: '/q' }, '/q/settings.json'],
    ['qwen', 'linux', { QWEN_HOME: '~/q' }, '/home/me/q/settings.json'],
    ['copilot', 'linux', { COPILOT_HOME: '/c', XDG_CONFIG_HOME: '/x' }, '/c/mcp-config.json'],
    ['opencode', 'linux', { XDG_CONFIG_HOME: '/x' }, '/x/opencode/opencode.json', '/x/opencode/opencode.jsonc'],
    ['opencode', 'macos', {}, '/home/me/.config/opencode/opencode.json', '/home/me/.config/opencode/opencode.jsonc'],
    ['zed', 'linux', { XDG_CONFIG_HOME: '/x' }, '/x/zed/settings.json'],
    ['zed', 'linux', { XDG_CONFIG_HOME: 'relative' }, '/home/me/.config/zed/settings.json'],
    ['zed', 'linux', { XDG_CONFIG_HOME: '/x', FLATPAK_XDG_CONFIG_HOME: '/f' }, '/f/zed/settings.json'],
    ['zed', 'macos', { XDG_CONFIG_HOME: '/x' }, '/home/me/.config/zed/settings.json'],
    ['zed', 'windows', { APPDATA: '/a' }, '/a/Zed/settings.json'],
    ['vscode', 'linux', { XDG_CONFIG_HOME: '/x' }, '/x/Code/User/mcp.json'],
    ['vscode', 'macos', {}, '/home/me/Library/Application Support/Code/User/mcp.json'],
    ['vscode', 'windows', {}, '/home/me/AppData/Roaming/Code/User/mcp.json'],
    ['vscode', 'linux', { VSCODE_APPDATA: '/v', VSCODE_PORTABLE: '/p' }, '/p/user-data/User/mcp.json'],
    ['vscode', 'linux', { VSCODE_APPDATA: '/v' }, '/v/Code/User/mcp.json'],
    ['claude-desktop', 'linux', { XDG_CONFIG_HOME: '/x' }, '/x/Claude/claude_desktop_config.json'],
    ['cursor', 'linux', { XDG_CONFIG_HOME: '/x' }, '/home/me/.cursor/mcp.json'],
    ['windsurf', 'linux', { XDG_CONFIG_HOME: '/x' }, '/home/me/.codeium/windsurf/mcp_config.json'],
    ['lmstudio', 'linux', {}, '/home/me/.lmstudio/mcp.json'],
  ])('of %s on %s with %j is %s', (host, system, env, ...files) => {
    expect(filesOf(host, system, env)).toEqual(files.map(file => path.resolve(file).replaceAll('\\', '/')));
  });

  test('is for LM Studio in the folder whose path LM Studio stores in a file of the home folder', () => {
    const home = emptyFolder();
    mkdirSync(path.join(home, '.cache', 'lm-studio'), { recursive: true });
    expect(filesOf('lmstudio', 'linux', {}, home)).toEqual([`${home}/.cache/lm-studio/mcp.json`.replaceAll('\\', '/')]);
    writeFileSync(path.join(home, '.lmstudio-home-pointer'), '/elsewhere\n');
    expect(filesOf('lmstudio', 'linux', {}, home)).toEqual(['/elsewhere/mcp.json']);
  });
});

describe.runIf(has('oj'))('--install', () => {
  const run = async (home: string, args: string[], env: Record<string, string> = {}) =>
    await runProgram(args, { env: { HOME: home, USERPROFILE: home, APPDATA: home, ...env } });

  test('writes to the folder that an environment variable of the host names, and --print-config prints this folder', async () => {
    const home = emptyFolder();
    const folder = path.join(home, 'configuration');
    const { stdout } = await run(home, ['--install', 'codex', '--demo'], { CODEX_HOME: folder });
    expect(stdout).toContain(`${path.join(folder, 'config.toml')} (new file):`);
    const { stderr } = await run(home, ['--print-config', 'codex', '--demo'], { CODEX_HOME: folder });
    expect(stderr).toContain(`For Codex, into ${path.join(folder, 'config.toml')}:`);
  });

  const entry = '{"mcp": {"oj": {"type": "local", "command": ["oj-mcp"]}}}';
  test.each([
    ['creates opencode.json', {}, 'opencode.json'],
    ['changes an existing opencode.jsonc', { 'opencode.jsonc': '{}' }, 'opencode.jsonc'],
    [
      'changes opencode.json if both exist, as OpenCode does',
      { 'opencode.json': '{}', 'opencode.jsonc': '{}' },
      'opencode.json',
    ],
    ['changes the file with the entry', { 'opencode.json': '{}', 'opencode.jsonc': entry }, 'opencode.jsonc'],
    ['changes the file that takes precedence', { 'opencode.json': entry, 'opencode.jsonc': entry }, 'opencode.jsonc'],
  ])('%s', async (_, files, changed) => {
    const home = emptyFolder();
    const folder = path.join(home, '.config', 'opencode');
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(path.join(folder, name), content);
    const { stdout } = await run(home, ['--install', 'opencode', '--demo']);
    expect(stdout).toContain(path.join(folder, changed));
    expect(stdout.match(/^\S+opencode\.jsonc?.*:$/gm)).toHaveLength(1);
    const { stdout: removal } = await run(home, ['--uninstall', 'opencode']);
    const count = Object.values(files).filter(content => content === entry).length;
    expect(removal.match(/"oj-mcp"/g)?.length ?? 0).toBe(count);
  });
});

test.each([
  [104, 1],
  [105, 3],
])('the configuration for a host has a list of %i characters after 6 blanks on as many lines: %i', (length, count) => {
  const word = 'x'.repeat(length - '[""]'.length);
  const paste = mcpHosts['cursor']?.paste({ command: 'node', args: [word], env: {}, secrets: [] }, 'linux') ?? '';
  expect(JSON.parse(paste).mcpServers.oj).toEqual({ command: 'node', args: [word] });
  expect(paste.split('\n').slice(4, -3)).toHaveLength(count);
});
