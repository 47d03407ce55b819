import { formatTomlTable } from './toml-text.ts';

/** The command with which a host starts the server: program, arguments and environment variables. */
export interface ServerCommand {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The variables in `env` whose value is a placeholder for a secret. */
  secrets: readonly string[];
  /** The variables that the host passes to the server from its own environment. */
  forwarded?: readonly string[];
}

export type OperatingSystem = 'windows' | 'macos' | 'linux';

export interface McpHost {
  title: string;
  /** Where the user adds the configuration: one text for all systems, or one for each system. */
  place: string | Readonly<Record<OperatingSystem, string>>;
  /** Notes that are printed for the user. */
  notes?: readonly string[];
  /** The instructions to remove the server from a host whose files this program does not change. */
  removal?: string;
  language: 'sh' | 'json' | 'toml' | 'yaml';
  paste(start: ServerCommand, system: OperatingSystem): string;
}

/** The name of this server in the configuration file of a host. */
export const serverName = 'oj';
/** The prefix of the input ids of this server in VS Code. */
export const vsCodeInputPrefix = 'oj-mcp-';

/** The table of hosts, from which the README is generated. */
export const mcpHosts: Readonly<Record<string, McpHost>> = {
  claude: {
    title: 'Claude Code',
    place: 'a terminal',
    notes: [
      'Without --scope user the server is configured for the current folder only.',
      'For Claude Desktop, the host is claude-desktop.',
      'Before a second installation, remove the first: claude mcp remove oj --scope user',
      'In a new session, /mcp shows whether the server is connected.',
    ],
    removal: 'Run in a terminal: claude mcp remove oj --scope user.',
    language: 'sh',
    paste({ command, args, env }, system) {
      const variables = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
      // Windows PowerShell removes the argument -- if it is not quoted.
      const dashes = system === 'windows' ? '"--"' : '--';
      const quoted = (words: readonly string[]): string => words.map(word => shellWord(word, system)).join(' ');
      const head = ['claude', 'mcp', 'add', serverName, '--scope', 'user', ...variables];
      return `${quoted(head)} ${dashes} ${quoted([command, ...args])}`;
    },
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    place: {
      macos: '~/Library/Application Support/Claude/claude_desktop_config.json',
      windows: '%APPDATA%\\Claude\\claude_desktop_config.json',
      linux: '~/.config/Claude/claude_desktop_config.json',
    },
    language: 'json',
    paste: mcpServers,
  },
  vscode: {
    title: 'VS Code',
    place: '.vscode/mcp.json, or the command "MCP: Open User Configuration"',
    language: 'json',
    paste({ command, args, env, secrets }) {
      const asked = Object.fromEntries(secrets.map(name => [name, `\${input:${inputId(name)}}`]));
      const inputs = secrets.map(name => ({
        type: 'promptString',
        id: inputId(name),
        description: `${name} for oj-mcp`,
        password: true,
      }));
      const variables = { ...env, ...asked };
      const server = { type: 'stdio', command, args, ...(Object.keys(variables).length > 0 && { env: variables }) };
      return json({ ...(inputs.length > 0 && { inputs }), servers: { [serverName]: server } });
    },
  },
  cursor: { title: 'Cursor', place: '~/.cursor/mcp.json', language: 'json', paste: mcpServers },
  codex: {
    title: 'Codex',
    place: '~/.codex/config.toml',
    language: 'toml',
    paste({ command, args, env, forwarded = [] }) {
      const members = { command, args, ...(Object.keys(env).length > 0 && { env }) };
      const server = { ...members, ...(forwarded.length > 0 && { env_vars: forwarded }) };
      return formatTomlTable(['mcp_servers', serverName], server).join('\n');
    },
  },
  gemini: {
    title: 'Gemini CLI',
    place: '~/.gemini/settings.json',
    notes: ['Gemini CLI starts no servers in an untrusted folder: trust the folder, or start it in another one.'],
    language: 'json',
    paste: mcpServers,
  },
  opencode: {
    title: 'OpenCode',
    place: '~/.config/opencode/opencode.json',
    language: 'json',
    paste({ command, args, env }) {
      const environment = Object.keys(env).length > 0 && { environment: env };
      return json({ mcp: { [serverName]: { type: 'local', command: [command, ...args], ...environment } } });
    },
  },
  zed: {
    title: 'Zed',
    place: {
      macos: '~/.config/zed/settings.json',
      linux: '~/.config/zed/settings.json',
      windows: '%APPDATA%\\Zed\\settings.json',
    },
    language: 'json',
    paste: start => json({ context_servers: { [serverName]: entry(start) } }),
  },
  windsurf: { title: 'Windsurf', place: '~/.codeium/windsurf/mcp_config.json', language: 'json', paste: mcpServers },
  cline: {
    title: 'Cline',
    place: 'MCP Servers → Configure in the editor; ~/.cline/data/settings/cline_mcp_settings.json for its CLI',
    language: 'json',
    paste: mcpServers,
  },
  copilot: {
    title: 'Copilot CLI',
    place: '~/.copilot/mcp-config.json',
    language: 'json',
    paste: start => json({ mcpServers: { [serverName]: { type: 'local', ...entry(start), tools: ['*'] } } }),
  },
  lmstudio: { title: 'LM Studio', place: '~/.lmstudio/mcp.json', language: 'json', paste: mcpServers },
  goose: {
    title: 'Goose',
    place: {
      macos: '~/.config/goose/config.yaml',
      linux: '~/.config/goose/config.yaml',
      windows: '%APPDATA%\\Block\\goose\\config\\config.yaml',
    },
    language: 'yaml',
    // A JSON value on one line is also valid YAML.
    paste: ({ command, args, env }) =>
      [
        'extensions:',
        `  ${serverName}:`,
        `    name: ${serverName}`,
        '    type: stdio',
        '    enabled: true',
        `    cmd: ${JSON.stringify(command)}`,
        `    args: ${inline(args)}`,
        ...(Object.keys(env).length > 0 ? [`    envs: ${inline(env)}`] : []),
        '    timeout: 60',
      ].join('\n'),
  },
  qwen: { title: 'Qwen Code', place: '~/.qwen/settings.json', language: 'json', paste: mcpServers },
};

export function operatingSystemOf(platform: NodeJS.Platform): OperatingSystem {
  return platform === 'win32' ? 'windows' : platform === 'darwin' ? 'macos' : 'linux';
}

export function configLocationOf({ place }: McpHost, system: OperatingSystem): string {
  return typeof place === 'string' ? place : place[system];
}

function mcpServers(start: ServerCommand): string {
  return json({ mcpServers: { [serverName]: entry(start) } });
}

function entry({ command, args, env }: ServerCommand): object {
  return { command, args, ...(Object.keys(env).length > 0 && { env }) };
}

/** Returns the id of an input of VS Code. The prefix distinguishes it from the inputs of other servers. */
function inputId(variable: string): string {
  return `${vsCodeInputPrefix}${variable
    .replace(/^OJ_MCP_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;
}

/** Quotes an argument for a POSIX shell, or for Windows PowerShell and cmd. */
function shellWord(word: string, system: OperatingSystem): string {
  if (system !== 'windows') return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return /^[\w@+=:./\\-]+$/.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}

const lineWidth = 110;

/** Formats JSON with two spaces per level. A flat object or array stays on one line if it fits. */
function json(value: object, indent = ''): string {
  const line = inline(value);
  const isFlat = Object.values(value).every(inner => typeof inner !== 'object');
  if (isFlat && indent.length + line.length <= lineWidth) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const rows = Object.entries(value).map(([name, part]: [string, unknown]) => {
    const shown = typeof part === 'object' && part !== null ? json(part, inner) : JSON.stringify(part);
    return `${inner}${Array.isArray(value) ? '' : `${JSON.stringify(name)}: `}${shown}`;
  });
  return `${open}\n${rows.join(',\n')}\n${indent}${close}`;
}

function inline(value: object): string {
  const parts = Object.entries(value).map(([name, part]: [string, unknown]) =>
    Array.isArray(value) ? JSON.stringify(part) : `${JSON.stringify(name)}: ${JSON.stringify(part)}`,
  );
  if (Array.isArray(value)) return `[${parts.join(', ')}]`;
  return `{ ${parts.join(', ')} }`;
}
