import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { tryOrUndefined } from '../../errors/system-error.ts';
import type { ServerListLocation } from './entry.ts';
import type { OperatingSystem } from './hosts.ts';

/** The properties of a machine on which the paths of configuration files depend. */
export interface MachineEnvironment {
  system: OperatingSystem;
  home: string;
  env: NodeJS.ProcessEnv;
}

/** The configuration file of a host for one user. */
export interface HostConfigFile extends ServerListLocation {
  /**
   * Returns the files that the host reads. If several exist, later files take precedence. If none exists, the first one
   * is created.
   */
  files: (machine: MachineEnvironment) => string[];
  /**
   * Returns a reference to an environment variable in the syntax of the host's file. The field is missing for a host
   * without such a syntax.
   */
  reference?: (variable: string) => string;
  /** True if the host's file can contain a list of environment variables that the host passes to the server. */
  isForwarding?: boolean;
}

const shellReference = (variable: string): string => `\${${variable}}`;
const editorReference = (variable: string): string => `\${env:${variable}}`;

/** The hosts whose configuration file can be edited. For other hosts, --install prints the configuration. */
export const hostConfigFiles: Readonly<Record<string, HostConfigFile>> = {
  'claude-desktop': {
    ...jsonServers('mcpServers'),
    files: machine => [path.join(dataFolder(machine), 'Claude', 'claude_desktop_config.json')],
  },
  vscode: { ...jsonServers('servers'), files: machine => [path.join(codeFolder(machine), 'User', 'mcp.json')] },
  cursor: {
    ...jsonServers('mcpServers'),
    files: ({ home }) => [path.join(home, '.cursor', 'mcp.json')],
    reference: editorReference,
  },
  codex: {
    language: 'toml',
    key: 'mcp_servers',
    files: ({ home, env }) => [path.join(env['CODEX_HOME'] || path.join(home, '.codex'), 'config.toml')],
    isForwarding: true,
  },
  gemini: {
    ...jsonServers('mcpServers'),
    files: ({ home, env }) => [path.join(env['GEMINI_CLI_HOME'] || home, '.gemini', 'settings.json')],
    reference: shellReference,
  },
  opencode: {
    ...jsonServers('mcp'),
    files: machine => ['opencode.json', 'opencode.jsonc'].map(name => path.join(xdgFolder(machine), 'opencode', name)),
    reference: variable => `{env:${variable}}`,
  },
  zed: { ...jsonServers('context_servers'), files: machine => [path.join(zedFolder(machine), 'settings.json')] },
  windsurf: {
    ...jsonServers('mcpServers'),
    files: ({ home }) => [path.join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    reference: editorReference,
  },
  copilot: {
    ...jsonServers('mcpServers'),
    files: ({ home, env }) => [path.join(env['COPILOT_HOME'] || path.join(home, '.copilot'), 'mcp-config.json')],
    reference: shellReference,
  },
  lmstudio: { ...jsonServers('mcpServers'), files: ({ home }) => [path.join(lmStudioFolder(home), 'mcp.json')] },
  qwen: {
    ...jsonServers('mcpServers'),
    files: ({ home, env }) => [path.join(qwenFolder(home, env['QWEN_HOME']), 'settings.json')],
    reference: shellReference,
  },
};

function jsonServers(key: string): ServerListLocation {
  return { language: 'json', key };
}

/** Returns the folder in XDG_CONFIG_HOME. A relative path is ignored, as the specification requires. */
function xdgFolder({ home, env }: MachineEnvironment): string {
  const folder = env['XDG_CONFIG_HOME'] ?? '';
  return path.isAbsolute(folder) ? folder : path.join(home, '.config');
}

/** Returns the folder in which programs made with Electron store their data. */
function dataFolder(machine: MachineEnvironment): string {
  const { system, home, env } = machine;
  if (system === 'windows') return env['APPDATA'] || path.join(home, 'AppData', 'Roaming');
  return system === 'macos' ? path.join(home, 'Library', 'Application Support') : xdgFolder(machine);
}

function codeFolder(machine: MachineEnvironment): string {
  const { VSCODE_PORTABLE: portable, VSCODE_APPDATA: data } = machine.env;
  return portable ? path.join(portable, 'user-data') : path.join(data || dataFolder(machine), 'Code');
}

function zedFolder(machine: MachineEnvironment): string {
  const { system, home, env } = machine;
  if (system === 'windows') return path.join(dataFolder(machine), 'Zed');
  if (system === 'macos') return path.join(home, '.config', 'zed');
  return path.join(env['FLATPAK_XDG_CONFIG_HOME'] || xdgFolder(machine), 'zed');
}

function qwenFolder(home: string, folder: string | undefined): string {
  if (!folder) return path.join(home, '.qwen');
  return path.resolve(/^~(?=$|[\\/])/.test(folder) ? path.join(home, folder.slice(1)) : folder);
}

/** LM Studio stores the path of its folder in a file in the home folder. Old versions used a folder below ~/.cache. */
function lmStudioFolder(home: string): string {
  const pointer = tryOrUndefined(() => readFileSync(path.join(home, '.lmstudio-home-pointer'), 'utf8').trim());
  if (pointer) return pointer;
  const old = path.join(home, '.cache', 'lm-studio');
  return existsSync(old) ? old : path.join(home, '.lmstudio');
}
