import { homedir } from 'node:os';
import path from 'node:path';
import { Failure } from '../../errors/failure.ts';
import type { Flags } from '../../toolset/toolset.ts';
import type { GivenFlags } from '../argv.ts';
import { type ConfigFile, notEditableFailure, readConfigFile, writeConfigFile } from './config-file.ts';
import { appendItem, NotEditableError, readProperty, removeProperty, setProperty } from './edit-json.ts';
import { hasBlock, removeBlock, setBlock } from './edit-toml.ts';
import { type McpHost, type OperatingSystem, operatingSystemOf, type ServerCommand } from './hosts.ts';
import { printedConfigOf, requireHost, serverCommandOf } from './print-config.ts';
import { type HostTarget, hostTargets, targetFile } from './targets.ts';

export { configFor, listHosts, serverCommandOf } from './print-config.ts';

export interface InstallOptions {
  host: string;
  given: GivenFlags;
  flags: Flags;
  env: NodeJS.ProcessEnv;
  /** If false, the change is printed but the file is not written. */
  isConfirmed: boolean;
  write: (line: string) => void;
}

/**
 * The effect on the host's file. `shown` means that the change was not confirmed, `printed` that the host has no file
 * that the program can edit.
 */
export type InstallResult = 'written' | 'unchanged' | 'shown' | 'printed';

/** Adds this server with the given flags to the configuration file of a host. */
export function install(options: InstallOptions): InstallResult {
  const { given, flags, env, write } = options;
  const host = requireHost(options.host, '--install');
  const system = operatingSystemOf(process.platform);
  const location = placeFor(options, system);
  const start = serverCommandOf(given, flags, env);
  if (location === undefined) {
    const { paste, advice } = printedConfigOf(host, start, system);
    for (const line of [...advice, paste, '', `${host.title} is configured by hand: nothing was written.`]) write(line);
    return 'printed';
  }
  const { target, file } = location;
  const { start: stored, left } = withoutSecrets(start, host, target, system);
  const edited = edit(file, content => addEntry(content, host, host.paste(stored, system)));
  if (given.size === 0 && start.args.at(-1) === '--demo') requireNoFlags(options, host, file);
  if (entryLines(host, file).length > 0 && edited !== file.content) {
    write('This replaces the server "oj". One server can have several toolsets: --toolsets oj,books,files.');
  }
  const result = change(options, host, file, edited);
  // Many hosts pass only a few variables of their own environment to a server.
  const place = target.reference === undefined ? '' : `set it in the environment of ${host.title}, or `;
  for (const name of left) write(`${name} is not in the file: ${place}use --token-file FILE in place of --token.`);
  return result;
}

/** Removes this server from the configuration file of a host. */
export function uninstall(options: InstallOptions): InstallResult {
  const host = requireHost(options.host, '--uninstall');
  const place = placeFor(options, operatingSystemOf(process.platform));
  if (place === undefined) {
    options.write(`${host.title} is configured by hand: remove the server "oj" there. Nothing was written.`);
    return 'printed';
  }
  return change(
    options,
    host,
    place.file,
    edit(place.file, content => removeEntry(content, host)),
  );
}

function placeFor(
  { host, env }: InstallOptions,
  system: OperatingSystem,
): { target: HostTarget; file: ConfigFile } | undefined {
  const target = hostTargets[host.toLowerCase()];
  const name = target && targetFile(target, system, homedir(), env);
  return target === undefined || name === undefined ? undefined : { target, file: readConfigFile(name) };
}

/**
 * Replaces secrets by the host's syntax for environment variables. If the host has no such syntax, the secrets are left
 * out.
 */
function withoutSecrets(
  start: ServerCommand,
  host: McpHost,
  { reference }: HostTarget,
  system: OperatingSystem,
): { start: ServerCommand; left: readonly string[] } {
  const asksItself = !start.secrets.some(name => host.paste(start, system).includes(start.env[name] ?? ''));
  if (asksItself) return { start, left: [] };
  const env = Object.entries(start.env).flatMap(([name, value]): [string, string][] => {
    if (!start.secrets.includes(name)) return [[name, value]];
    return reference === undefined ? [] : [[name, reference(name)]];
  });
  return { start: { ...start, env: Object.fromEntries(env) }, left: start.secrets };
}

function edit(file: ConfigFile, apply: (content: string) => string): string {
  try {
    return apply(file.content ?? '');
  } catch (error) {
    if (error instanceof NotEditableError) throw notEditableFailure(file.path, error.message);
    throw error;
  }
}

const serverName = 'oj';
const inputId = 'oj-mcp-token';

function addEntry(content: string, { language }: McpHost, paste: string): string {
  if (language === 'toml') return setBlock(content, `mcp_servers.${serverName}`, paste);
  const added: unknown = JSON.parse(paste);
  let edited = content;
  for (const [key, value] of Object.entries(added ?? {})) {
    if (key === 'inputs') edited = addInputs(edited, value);
    else edited = addServer(edited, key, value);
  }
  return edited;
}

/** Returns the lines of the installed entry. */
function entryLines(host: McpHost, file: ConfigFile): string[] {
  return changedLines(
    file.content ?? '',
    edit(file, text => removeEntry(text, host)),
  );
}

/** Rejects an installation without flags, which is the demo, if it would replace an entry with flags. */
function requireNoFlags({ write }: InstallOptions, host: McpHost, file: ConfigFile): void {
  const present = entryLines(host, file);
  if (present.length === 0 || present.some(line => line.includes('"--demo"'))) return;
  for (const line of present) write(line.slice(2));
  throw new Failure('usage', `${file.path} has this entry, and --install without flags would replace it by the demo.`, {
    hint: 'Nothing was changed. Repeat the command with the flags of the new entry, or with --demo.',
  });
}

function addServer(content: string, key: string, value: unknown): string {
  const server: unknown = Object.entries(value ?? {})[0]?.[1];
  requireOwn(readProperty(content, [key, serverName]));
  return setProperty(content, [key, serverName], server);
}

function addInputs(content: string, inputs: unknown): string {
  let edited = content;
  for (const input of Array.isArray(inputs) ? inputs : []) {
    const present = readProperty(edited, ['inputs']);
    const isThere = Array.isArray(present) && present.some(item => isOwnInput(item));
    if (!isThere) edited = appendItem(edited, ['inputs'], input);
  }
  return edited;
}

function isOwnInput(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'id' in item && item.id === inputId;
}

const keys = ['mcpServers', 'servers', 'context_servers', 'mcp'];

function removeEntry(content: string, { language }: McpHost): string {
  if (language === 'toml') return hasBlock(content) ? removeBlock(content) : content;
  let edited = content;
  for (const key of keys) {
    const present = readProperty(edited, [key, serverName]);
    if (present === undefined) continue;
    requireOwn(present);
    edited = removeProperty(edited, [key, serverName]);
  }
  return edited;
}

/**
 * Rejects an entry with the name of this server that starts another program. The entry counts as this server if it
 * contains `oj-mcp` or the path of the running file, which a user can rename.
 */
function requireOwn(server: unknown): void {
  const text = JSON.stringify(server) ?? '';
  const ownFile = JSON.stringify(path.resolve(process.argv[1] ?? ''));
  if (server === undefined || text.includes('oj-mcp') || text.includes(ownFile)) return;
  throw new NotEditableError(`has a server "${serverName}" that starts another program`);
}

function change(
  { isConfirmed, write }: InstallOptions,
  host: McpHost,
  file: ConfigFile,
  edited: string,
): InstallResult {
  const content = file.content ?? '';
  if (edited === content) {
    write(`${file.path}: nothing to change.`);
    return 'unchanged';
  }
  write(`${file.path}${file.content === undefined ? ' (new file)' : ''}:`);
  for (const line of changedLines(content, edited)) write(line);
  if (!isConfirmed) {
    write('Nothing was written. Repeat the command with --yes to change the file.');
    return 'shown';
  }
  const backup = writeConfigFile(file, edited, entryLines(host, file).length > 0);
  write(`Written.${backup === undefined ? '' : ` Backup: ${backup}.`} Restart ${host.title}.`);
  return 'written';
}

/**
 * The pattern matches the values of secrets in JSON and TOML, and the value after --token. It does not match references
 * to variables.
 */
const secrets =
  /((?:TOKEN|KEY|SECRET|PASSWORD|AUTHORIZATION)\w*"?\s*[:=]\s*"|"--token",[\s+-]*"|"--token=)(?![${])(?:[^"\\]|\\.)+/gi;

/**
 * Returns the lines that differ: those between the common first lines and the common last lines of two texts. Secrets
 * are left out.
 */
function changedLines(before: string, after: string): string[] {
  const [old, fresh] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++;
  let end = 0;
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const lines = [
    ...old.slice(start, old.length - end).map(line => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map(line => `+ ${line}`),
  ];
  return lines.length === 0 ? lines : lines.join('\n').replace(secrets, '$1…').split('\n');
}
