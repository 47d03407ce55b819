import { homedir } from 'node:os';
import { Failure } from '../../errors/failure.ts';
import { type ConfigFile, notEditableFailure, readBackup, readConfigFile, writeConfigFile } from './config-file.ts';
import { NotEditableError } from './edit-json.ts';
import { addEntry, removeEntry, restoreContent, variablesIn } from './entry.ts';
import { type McpHost, type OperatingSystem, operatingSystemOf, type ServerCommand } from './hosts.ts';
import { copiedVariableNotes, createHostConfig, describeAlternatives, requireHost } from './print-config.ts';
import type { ServerEntry } from './server-command.ts';
import { type HostTarget, hostTargets, targetFile } from './targets.ts';

export { createHostConfig, listHosts, requireHost } from './print-config.ts';
export { addExternalVariables, createServerEntry } from './server-command.ts';

export interface InstallOptions {
  host: string;
  /** If false, the change is printed but the file is not written. */
  isConfirmed: boolean;
  write: (line: string) => void;
}

/**
 * The effect on the host's file. `shown` means that the change was not confirmed, `printed` that the host has no file
 * that the program can edit.
 */
export type InstallResult = 'written' | 'unchanged' | 'shown' | 'printed';

/** Adds this server to the configuration file of a host. */
export function install(options: InstallOptions, entry: ServerEntry): InstallResult {
  const { write } = options;
  const host = requireHost(options.host, '--install');
  const system = operatingSystemOf(process.platform);
  const location = placeFor(options, system);
  if (location === undefined) {
    const { paste, advice } = createHostConfig(host, entry);
    for (const line of [
      ...advice,
      paste,
      '',
      `${host.title} is configured by hand with the text above: nothing was written.`,
    ])
      write(line);
    return 'printed';
  }
  const { target, file } = location;
  const installed = edit(file, content => variablesIn(content, host));
  const { command, left } = withoutSecrets(entry.command, host, target, system, installed);
  const edited = edit(file, content => addEntry(content, host, host.paste(command, system)));
  if (entry.isDefaultDemo) requireNoFlags(options, host, file);
  if (entryLines(host, file).length > 0 && edited !== file.content) {
    write('This replaces the server "oj". One server can have several toolsets: --toolsets oj,books,files.');
  }
  const result = change(options, host, file, edited);
  for (const note of copiedVariableNotes(entry)) write(note);
  if (left.length > 0) write(secretNote(left, host, target, entry));
  return result;
}

/**
 * Returns a note about the secrets that are not in the file and how the user passes them. Many hosts pass only a few of
 * their own variables.
 */
function secretNote(
  names: readonly string[],
  { title }: McpHost,
  { reference }: HostTarget,
  entry: ServerEntry,
): string {
  const them = names.length === 1 ? 'it' : 'them';
  const way =
    reference === undefined
      ? `add ${them} to the "env" of the server "oj" there`
      : `the file refers to ${them}, so set ${them} in the environment of ${title}`;
  return `Not in the file, because a secret is never written: ${names.join(', ')}. By hand: ${way}${describeAlternatives(entry)}.`;
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
    edit(place.file, content => restoreContent(content, host, readBackup(place.file))),
  );
}

function placeFor(
  { host }: InstallOptions,
  system: OperatingSystem,
): { target: HostTarget; file: ConfigFile } | undefined {
  const target = hostTargets[host.toLowerCase()];
  const name = target && targetFile(target, system, homedir(), process.env);
  return target === undefined || name === undefined ? undefined : { target, file: readConfigFile(name) };
}

/**
 * Replaces secrets by the values that the user has added to the entry by hand, or by the host's syntax for environment
 * variables. If there is neither, the secrets are left out.
 */
function withoutSecrets(
  command: ServerCommand,
  host: McpHost,
  { reference }: HostTarget,
  system: OperatingSystem,
  present: Readonly<Record<string, string>>,
): { command: ServerCommand; left: readonly string[] } {
  const asksItself = !command.secrets.some(name => host.paste(command, system).includes(command.env[name] ?? ''));
  if (asksItself) return { command, left: [] };
  const env = Object.entries(command.env).flatMap(([name, value]): [string, string][] => {
    if (!command.secrets.includes(name)) return [[name, value]];
    const replacement = present[name] ?? reference?.(name);
    return replacement === undefined ? [] : [[name, replacement]];
  });
  const left = command.secrets.filter(name => [undefined, reference?.(name)].includes(present[name]));
  return { command: { ...command, env: Object.fromEntries(env) }, left };
}

function edit<Result>(file: ConfigFile, apply: (content: string) => Result): Result {
  try {
    return apply(file.content ?? '');
  } catch (error) {
    if (error instanceof NotEditableError) throw notEditableFailure(file.path, `cannot be edited: ${error.message}`);
    throw error;
  }
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

/** The user name and password in an address, for example of a proxy. */
const userInfo = /:\/\/[^\s"/]+@/g;

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
  return lines.length === 0 ? lines : lines.join('\n').replace(secrets, '$1…').replace(userInfo, '://…@').split('\n');
}
