import { homedir } from 'node:os';
import path from 'node:path';
import { Failure } from '../../errors/failure.ts';
import { findNearest } from '../../text/nearest.ts';
import { variableName } from '../../toolset/flag-value.ts';
import type { Flag, Flags } from '../../toolset/toolset.ts';
import type { GivenFlags } from '../argv.ts';
import { conflictingFlags, isGiven } from '../settings.ts';
import {
  configLocationOf,
  hosts,
  type McpHost,
  type OperatingSystem,
  operatingSystemOf,
  type ServerCommand,
} from './hosts.ts';

export interface PrintedConfig {
  paste: string;
  /** These notes for the user are not part of the configuration. */
  advice: string[];
}

/** Returns the configuration with which a host starts this file, on this version of Node and with the given flags. */
export function configFor(name: string, given: GivenFlags, flags: Flags, env: NodeJS.ProcessEnv): PrintedConfig {
  const host = requireHost(name, '--print-config');
  const start = serverCommandOf(given, flags, env);
  const { paste, advice } = printedConfigOf(host, start, operatingSystemOf(process.platform));
  if (given.size === 0 && start.args.includes('--demo')) {
    advice.push('Without other flags it is the demo. With a backend: add --base-url https://judge.example.');
  }
  return { paste, advice };
}

/** Returns the configuration of a host for a server, with notes for the user. */
export function printedConfigOf(host: McpHost, start: ServerCommand, system: OperatingSystem): PrintedConfig {
  const advice = [`For ${host.title}, into ${configLocationOf(host, system)}:`];
  if (host.note !== undefined) advice.push(host.note);
  const paste = host.paste(start, system);
  const left = start.secrets.map(standIn).filter(word => paste.includes(word));
  if (left.length > 0) advice.push(`Replace ${left.join(', ')} by the real value.`);
  else if (start.secrets.length > 0) advice.push(`${host.title} asks for the token once and stores it.`);
  return { paste, advice };
}

/**
 * Returns the command of a server: its flags become arguments, its environment variables stay variables, and secrets
 * become placeholders.
 */
export function serverCommandOf(given: GivenFlags, flags: Flags, env: NodeJS.ProcessEnv): ServerCommand {
  const variables = new Map<string, string>();
  const words: string[] = [];
  const secrets: string[] = [];
  for (const [name, flag] of Object.entries(flags)) {
    const [values, variable] = [given.get(name), variableName(name)];
    // A --token-file on the command line overrides the environment variable of --token, as it does when the server
    // starts.
    const isOverruled = conflictingFlags(name, flags).some(other => given.has(other));
    const value = isOverruled || !isGiven(env[variable]) ? undefined : env[variable];
    if (flag.isSecret === true) {
      if (values !== undefined || value !== undefined) secrets.push(variable);
    } else if (values === undefined) {
      if (value !== undefined) variables.set(variable, portableVariable(flag, value));
    } else if (values.length === 0) words.push(`--${name}`);
    else for (const argument of values) words.push(`--${name}`, portable(flag, argument));
  }
  for (const name of secrets) variables.set(name, standIn(name));
  if (words.length === 0 && variables.size === 0) words.push('--demo');
  return {
    command: process.execPath,
    args: [path.resolve(process.argv[1] ?? 'oj-mcp.cjs'), ...words],
    env: Object.fromEntries(variables),
    secrets,
  };
}

function portableVariable(flag: Flag, value: string): string {
  if (flag.isList !== true) return portable(flag, value);
  const parts = value.split(path.delimiter).filter(isGiven);
  return parts.map(part => portable(flag, part)).join(path.delimiter);
}

/** Makes the paths in a flag's value absolute, because hosts start servers in other folders and do not expand ~. */
function portable({ valueHint = '' }: Flag, value: string): string {
  if (!/folder|file/.test(valueHint) || /^\w+:\/\//.test(value)) return value;
  return path.resolve(/^~(?=$|[\\/])/.test(value) ? path.join(homedir(), value.slice(1)) : value);
}

function standIn(variable: string): string {
  return `your-${variable
    .replace(/^OJ_MCP_/, '')
    .toLowerCase()
    .replaceAll('_', '-')}`;
}

/** Returns the names that --print-config and --install accept. */
export function listHosts(): string {
  const width = Math.max(...Object.keys(hosts).map(name => name.length));
  const rows = Object.entries(hosts).map(([name, { title }]) => `  ${name.padEnd(width)}  ${title}`);
  return ['Hosts for --print-config and --install:', ...rows].join('\n');
}

/** Returns the host of this name. An unknown name is a usage error of the flag. */
export function requireHost(name: string, flag: string): McpHost {
  const host = Object.hasOwn(hosts, name.toLowerCase()) ? hosts[name.toLowerCase()] : undefined;
  if (host !== undefined) return host;
  const close = findNearest(name, Object.keys(hosts)) ?? hostByTitle(name);
  const suggestion = close === undefined ? '' : ` Did you mean "${close}"?`;
  throw new Failure('usage', `${flag}: there is no host ${JSON.stringify(name)}.${suggestion}`, {
    hint: `Known hosts: ${Object.keys(hosts).join(', ')}. For another host, use the configuration of a similar one.`,
  });
}

/** Finds a host by its title: "claude-code" and "Claude Code" are the host "claude". */
function hostByTitle(name: string): string | undefined {
  const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');
  return Object.keys(hosts).find(host => letters(hosts[host]?.title ?? '') === letters(name));
}
