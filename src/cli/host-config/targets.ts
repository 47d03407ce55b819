import path from 'node:path';
import type { OperatingSystem } from './hosts.ts';

/** The configuration file that a host reads for one user, and the functions that add and remove this server in it. */
export interface HostTarget {
  /** The path is relative to the user's home folder, or on Windows to the folder in an environment variable. */
  file: Readonly<Record<OperatingSystem, string>>;
  /**
   * Returns the syntax with which the host's file refers to an environment variable. It is left out if the host has no
   * such syntax.
   */
  reference?: (variable: string) => string;
}

const everywhere = (file: string): Record<OperatingSystem, string> => ({ windows: file, macos: file, linux: file });
const shellReference = (variable: string): string => `\${${variable}}`;

/**
 * The table of hosts whose configuration file can be edited. For the other hosts, --install prints the configuration.
 */
export const hostTargets: Readonly<Record<string, HostTarget>> = {
  'claude-desktop': {
    file: {
      macos: '~/Library/Application Support/Claude/claude_desktop_config.json',
      windows: '%APPDATA%/Claude/claude_desktop_config.json',
      linux: '~/.config/Claude/claude_desktop_config.json',
    },
  },
  vscode: {
    file: {
      macos: '~/Library/Application Support/Code/User/mcp.json',
      windows: '%APPDATA%/Code/User/mcp.json',
      linux: '~/.config/Code/User/mcp.json',
    },
  },
  cursor: { file: everywhere('~/.cursor/mcp.json'), reference: variable => `\${env:${variable}}` },
  codex: { file: everywhere('~/.codex/config.toml') },
  gemini: { file: everywhere('~/.gemini/settings.json'), reference: shellReference },
  opencode: { file: everywhere('~/.config/opencode/opencode.json'), reference: variable => `{env:${variable}}` },
  zed: {
    file: {
      macos: '~/.config/zed/settings.json',
      linux: '~/.config/zed/settings.json',
      windows: '%APPDATA%/Zed/settings.json',
    },
  },
  windsurf: { file: everywhere('~/.codeium/windsurf/mcp_config.json'), reference: variable => `\${env:${variable}}` },
  copilot: { file: everywhere('~/.copilot/mcp-config.json'), reference: shellReference },
  lmstudio: { file: everywhere('~/.lmstudio/mcp.json') },
  qwen: { file: everywhere('~/.qwen/settings.json'), reference: shellReference },
};

/** Returns the full path of a target's file, or undefined if the environment variable in its path is not set. */
export function targetFile(
  { file }: HostTarget,
  system: OperatingSystem,
  home: string,
  env: NodeJS.ProcessEnv,
): string | undefined {
  const [base = '', ...rest] = file[system].split('/');
  const folder = base === '~' ? home : env[base.replaceAll('%', '')];
  return folder === undefined || folder === '' ? undefined : path.join(folder, ...rest);
}
