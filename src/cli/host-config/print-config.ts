import { homedir } from 'node:os';
import { Failure } from '../../errors/failure.ts';
import { findNearestName } from '../../text/nearest.ts';
import { configLocationOf, type McpHost, mcpHosts, type OperatingSystem, operatingSystemOf } from './hosts.ts';
import { createSecretPlaceholder, type DescribedServerCommand } from './server-command.ts';
import { type HostConfigFile, hostConfigFiles } from './targets.ts';

export interface PrintedConfig {
  paste: string;
  /** These notes for the user are not part of the configuration. */
  advice: string[];
}

/** Returns the configuration text with which a host starts a server. */
export function createHostConfig(host: McpHost, entry: DescribedServerCommand): PrintedConfig {
  const system = operatingSystemOf(process.platform);
  const { secrets, env } = entry.command;
  const { reference, isForwarding = false } = fileOf(host) ?? {};
  const referring = reference === undefined && !isForwarding ? [] : secrets;
  const variables = Object.entries(env).flatMap(([name, value]): [string, string][] => {
    if (!referring.includes(name)) return [[name, value]];
    return reference === undefined ? [] : [[name, reference(name)]];
  });
  const forwarded = isForwarding ? secrets : [];
  const paste = host.paste({ ...entry.command, env: Object.fromEntries(variables), forwarded }, system);
  const advice = [`For ${host.title}, into ${placeOf(host, system)}:`, ...(host.notes ?? [])];
  const left = secrets.map(createSecretPlaceholder).filter(word => paste.includes(word));
  const asksItself = left.length + referring.length < secrets.length;
  if (secrets.length > 0 && !asksItself) {
    const way = left.length > 0 ? `Replace ${left.join(', ')} by the real value` : describeReferenceUse(secrets, host);
    advice.push(`${way}${describeSecretAlternatives(entry)}.`);
  }
  return { paste, advice: [...advice, ...createEntryNotes(host, entry, asksItself)] };
}

/** Returns notes about the entry. `asksItself` means that the host asks the user for the secrets. */
export function createEntryNotes(
  { title }: McpHost,
  { isDefaultDemo, copied }: DescribedServerCommand,
  asksItself: boolean,
): string[] {
  return [
    ...(asksItself ? [`${title} asks for the secret once and stores it.`] : []),
    ...(isDefaultDemo
      ? ['Without other flags it is the demo. With a backend: add --base-url https://judge.example.']
      : []),
    ...(copied.length > 0
      ? [`Copied from this environment, because many hosts do not pass it on: ${copied.join(', ')}.`]
      : []),
  ];
}

/** Returns how the user passes secrets to which the entry refers. */
export function describeReferenceUse(names: readonly string[], { title }: McpHost): string {
  return `Set ${names.join(', ')} in the environment of ${title}`;
}

function fileOf(host: McpHost): HostConfigFile | undefined {
  return hostConfigFiles[Object.keys(mcpHosts).find(key => mcpHosts[key] === host) ?? ''];
}

/**
 * Returns the place of the host's configuration file. If an environment variable changes the place, the full path is
 * returned.
 */
function placeOf(host: McpHost, system: OperatingSystem): string {
  const { APPDATA } = process.env;
  const [file, standard] = [process.env, { APPDATA }].map(env => {
    return fileOf(host)?.files({ system, home: homedir(), env })[0];
  });
  return file === undefined || file === standard ? configLocationOf(host, system) : file;
}

/** Returns the end of a sentence that lists other ways to configure the server without a secret in the entry. */
export function describeSecretAlternatives({ alternatives, command }: DescribedServerCommand): string {
  return Object.entries(alternatives)
    .map(([way, names]) => `, or use ${way}${names.length < command.secrets.length ? ` for ${names.join(', ')}` : ''}`)
    .join('');
}

/** Returns the names that --print-config and --install accept. */
export function listHostNames(): string {
  const width = Math.max(...Object.keys(mcpHosts).map(name => name.length));
  const rows = Object.entries(mcpHosts).map(([name, { title }]) => `  ${name.padEnd(width)}  ${title}`);
  return ['Hosts for --print-config and --install:', ...rows].join('\n');
}

/** Returns the host with this name. */
export function requireKnownHost(name: string, flag: string): McpHost {
  const host = Object.hasOwn(mcpHosts, name.toLowerCase()) ? mcpHosts[name.toLowerCase()] : undefined;
  if (host !== undefined) return host;
  const close = findHostByOtherName(name) ?? findNearestName(name, Object.keys(mcpHosts));
  const suggestion = close === undefined ? '' : ` Did you mean "${close}"?`;
  throw new Failure('setting', `${flag}: there is no host ${JSON.stringify(name)}.${suggestion}`, {
    hint: `Known hosts: ${Object.keys(mcpHosts).join(', ')}. For another host, adapt what --print-config prints for a similar one.`,
  });
}

/**
 * Finds a host by another name: "Claude Code" means the host "claude", "copilot-vscode" VS Code. Otherwise it is the
 * longest name that the given name contains; "vscode" beside another host is the place of its extension.
 */
function findHostByOtherName(name: string): string | undefined {
  const wanted = lettersOf(name);
  // VS Code Insiders and Visual Studio 2022 have other configuration files.
  if (wanted.includes('insider') || /studio.*20\d\d/i.test(name)) return undefined;
  if (wanted.includes('google')) return 'gemini';
  if (/visualstudio|^(?:code|vsc?)$|copilotchat|copilotvscode|vscodecopilot/.test(wanted)) return 'vscode';
  if (/^desktop|^claude(?:ai|app|web)/.test(wanted)) return 'claude-desktop';
  const hosts = Object.keys(mcpHosts).filter(host => wanted.includes(lettersOf(host)));
  hosts.sort((a, b) => b.length - a.length);
  return hosts.find(host => host !== 'vscode') ?? hosts[0];
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '');
}
