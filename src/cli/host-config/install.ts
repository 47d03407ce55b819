import { homedir } from 'node:os';
import { Failure } from '../../errors/failure.ts';
import { changedLines } from './changed-lines.ts';
import { NotEditableError } from './config-editor.ts';
import {
  type ConfigFile,
  notEditableFailure,
  readConfigFile,
  readOriginal,
  removeLeftovers,
  requireWritable,
  writeConfigFile,
} from './config-file.ts';
import { addEntry, entryIn, hasServer, readServer, removeEntry, restoreContent, withHiddenRanges } from './entry.ts';
import { type McpHost, operatingSystemOf } from './hosts.ts';
import { commandLineOf, type ServerMembers, variablesOf } from './own-entry.ts';
import { copiedVariableNotes, createHostConfig, demoNotes, describeAlternatives, requireHost } from './print-config.ts';
import type { ServerEntry } from './server-command.ts';
import { isReference, withoutSecrets } from './server-secrets.ts';
import { type HostTarget, hostTargets } from './targets.ts';

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

/** An installation that was checked and can be made. */
export interface Installation {
  /** The environment variables that the present entry has and that stay in it. */
  kept: Readonly<Record<string, string>>;
  run(): InstallResult;
}

/** Prepares to add this server to the configuration file of a host. Nothing is printed or written. */
export function prepareInstallation(options: InstallOptions, entry: ServerEntry): Installation {
  const host = requireHost(options.host, '--install');
  const target = hostTargets[options.host.toLowerCase()];
  if (target === undefined) return { kept: {}, run: () => printConfiguration(options, host, entry) };
  const file = chooseFile(target);
  const present = edit(file, content => readServer(content, target));
  if (entry.isDefaultDemo) requireDemo(options, target, file, present);
  requireWritable(file);
  const system = operatingSystemOf(process.platform);
  const variables = variablesOf(present);
  const { command, missing } = withoutSecrets(entry.command, host, target, system, variables);
  const fresh = entryIn(host.paste(command, system), target);
  const edited = edit(file, content => addEntry(content, target, fresh));
  const kept = Object.entries(variables).filter(([name, value]) => !(name in command.env) && !isReference(value));
  const shown = Object.entries(variablesOf(fresh.server)).filter(
    ([name, value]) => !entry.command.secrets.includes(name) || isReference(value),
  );
  const written = new Set(shown.map(([name]) => name));
  return {
    kept: Object.fromEntries(kept),
    run() {
      if (present !== undefined && edited !== file.content) {
        options.write(
          'This replaces the server "oj". One server can have several toolsets: --toolsets oj,books,files.',
        );
      }
      const result = change(options, host, { target, file, edited, written, isInstalled: present !== undefined });
      for (const note of [...(host.notes ?? []), ...demoNotes(entry), ...copiedVariableNotes(entry)])
        options.write(note);
      if (missing.length > 0) options.write(secretNote(missing, host, target, entry));
      return result;
    },
  };
}

function printConfiguration({ write }: InstallOptions, host: McpHost, entry: ServerEntry): InstallResult {
  const { paste, advice } = createHostConfig(host, entry);
  for (const line of [...advice, paste, '']) write(line);
  write(`${host.title} is configured by hand with the text above: nothing was written.`);
  return 'printed';
}

/**
 * Returns a note about the secrets that are not in the file and how the user passes them. Many hosts pass only a few of
 * their own variables.
 */
function secretNote(
  names: readonly string[],
  { title }: McpHost,
  { reference, isForwarding }: HostTarget,
  entry: ServerEntry,
): string {
  const them = names.length === 1 ? 'it' : 'them';
  const way =
    reference === undefined && isForwarding !== true
      ? `add ${them} to the "env" of the server "oj" there`
      : `the file refers to ${them}, so set ${them} in the environment of ${title}`;
  return `Not in the file, because a secret is never written: ${names.join(', ')}. By hand: ${way}${describeAlternatives(entry)}.`;
}

/** Removes this server from the configuration files of a host. */
export function uninstall(options: InstallOptions): InstallResult {
  const host = requireHost(options.host, '--uninstall');
  const target = hostTargets[options.host.toLowerCase()];
  if (target === undefined) {
    options.write(
      `${host.removal ?? `${host.title} is configured by hand: remove the server "oj" there.`} Nothing was written.`,
    );
    return 'printed';
  }
  const present = filesOf(target).filter(file => edit(file, content => readServer(content, target)) !== undefined);
  const files = present.length > 0 ? present : [chooseFile(target)];
  const changes = files.map(file => {
    const edited =
      present.length === 0 ? file.content : edit(file, content => restoreContent(content, target, readOriginal(file)));
    if (edited !== file.content) requireWritable(file);
    // The target of a symbolic link is not deleted, because the link would then lead to no file.
    const rest = file.isLink ? edit(file, content => removeEntry(content, target)) : undefined;
    return { target, file, edited: edited ?? rest, written: new Set<string>(), isInstalled: present.length > 0 };
  });
  const results = changes.map(planned => {
    const result = change(options, host, planned);
    if (result === 'written') removeLeftovers(planned.file, false);
    return result;
  });
  return results.find(result => result !== 'unchanged') ?? 'unchanged';
}

/** Returns the files that a host reads. A later one overrides an earlier one. */
function filesOf(target: HostTarget): ConfigFile[] {
  const machine = { system: operatingSystemOf(process.platform), home: homedir(), env: process.env };
  return target.files(machine).map(readConfigFile);
}

/** Returns the file with the entry that the host uses, or else the first file that exists. */
function chooseFile(target: HostTarget): ConfigFile {
  const files = filesOf(target);
  const withServer = files.findLast(file => edit(file, content => hasServer(content, target)));
  const chosen = withServer ?? files.find(({ content }) => content !== undefined) ?? files[0];
  if (chosen === undefined) throw new Error('the host has no file');
  return chosen;
}

function edit<Result>(file: ConfigFile, apply: (content: string) => Result): Result {
  try {
    return apply(file.content ?? '');
  } catch (error) {
    if (error instanceof NotEditableError) throw notEditableFailure(file.path, `cannot be edited: ${error.message}`);
    throw error;
  }
}

/** Rejects an installation without flags, which is the demo, if it would replace an entry with flags. */
function requireDemo(
  { write }: InstallOptions,
  target: HostTarget,
  file: ConfigFile,
  present: ServerMembers | undefined,
): void {
  if (present === undefined || commandLineOf(present).includes('--demo')) return;
  const rest = edit(file, content => removeEntry(content, target));
  const [before, after] = [
    withHiddenRanges(file.content ?? '', target, new Set()),
    withHiddenRanges(rest, target, new Set()),
  ];
  for (const line of changedLines(before, after)) write(line.slice(2));
  throw new Failure('usage', `${file.path} has this entry, and --install without flags would replace it by the demo.`, {
    hint: 'Nothing was changed. Repeat the command with the flags of the new entry, or with --demo.',
  });
}

interface Change {
  target: HostTarget;
  file: ConfigFile;
  /** The new content. It is undefined if the file is deleted. */
  edited: string | undefined;
  /** The names of the variables that the installation writes. Their values are printed. */
  written: ReadonlySet<string>;
  isInstalled: boolean;
}

function change({ isConfirmed, write }: InstallOptions, host: McpHost, planned: Change): InstallResult {
  const { target, file, edited, written, isInstalled } = planned;
  if (isConfirmed) removeLeftovers(file, isInstalled);
  if (edited === file.content) {
    write(`${file.path}: nothing to change.`);
    return 'unchanged';
  }
  write(`${file.path}${file.content === undefined ? ' (new file)' : ''}:`);
  const before = withHiddenRanges(file.content ?? '', target, written);
  for (const line of changedLines(before, withHiddenRanges(edited ?? '', target, written))) write(line);
  if (!isConfirmed) {
    write('Nothing was written. Repeat the command with --yes to change the file.');
    return 'shown';
  }
  const backup = writeConfigFile(file, edited, !isInstalled);
  const effect = edited === undefined ? 'Deleted, because the installation had created it.' : 'Written.';
  write(`${effect}${backup === undefined ? '' : ` Backup: ${backup}.`} Restart ${host.title}.`);
  return 'written';
}
