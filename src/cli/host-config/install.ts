import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { Failure } from '../../errors/failure.ts';
import { tryOrUndefined } from '../../errors/system-error.ts';
import { requireHomeFolder } from '../../toolset/flag-value.ts';
import { formatChangedLines } from './changed-lines.ts';
import { isObject, NotEditableError } from './config-editor.ts';
import {
  type ConfigFile,
  createNotEditableFailure,
  readConfigFile,
  readOriginalContent,
  readWrittenVariables,
  removeLeftoverFiles,
  requireWritableConfigFile,
  storeWrittenVariables,
  writeConfigFile,
} from './config-file.ts';
import {
  addServerEntry,
  extractServerEntry,
  hasServerEntry,
  markPartsToHide,
  readServerEntry,
  removeServerEntry,
  restoreConfigContent,
} from './entry.ts';
import { configLocationOf, type McpHost, operatingSystemOf } from './hosts.ts';
import {
  cacheFolderOf,
  commandLineOf,
  environmentVariablesOf,
  type ServerEntryFields,
  variableFieldsOf,
} from './own-entry.ts';
import {
  createEntryNotes,
  createHostConfig,
  describeReferenceUse,
  describeSecretAlternatives,
  requireKnownHost,
} from './print-config.ts';
import type { DescribedServerCommand } from './server-command.ts';
import { isVariableReference, replaceSecrets } from './server-secrets.ts';
import { type HostConfigFile, hostConfigFiles } from './targets.ts';

export { createHostConfig, listHostNames, requireKnownHost } from './print-config.ts';
export { addExternalVariables, createServerCommand } from './server-command.ts';

export interface InstallOptions {
  host: string;
  /** If false, the change is printed but the file is not written. */
  isConfirmed: boolean;
  write: (line: string) => void;
}

/**
 * The effect on the host's file. `shown` means that the user has not confirmed the change. `printed` means that the
 * program cannot edit the files of this host and has printed the entry.
 */
export type InstallResult = 'written' | 'unchanged' | 'shown' | 'printed';

/** An installation that was checked and can be executed. */
export interface PreparedInstallation {
  /** The environment variables of the existing entry that the new entry keeps. */
  kept: Readonly<Record<string, string>>;
  /** The instruction to restart the host, which is printed after a successful check. */
  restart: string;
  /** The secrets of this environment that the entry does not contain, and how the host gets them. */
  secretNote?: string;
  run(): InstallResult;
}

/** Prepares an installation in the configuration file of a host. Nothing is printed or written yet. */
export function prepareInstallation(options: InstallOptions, entry: DescribedServerCommand): PreparedInstallation {
  const host = requireKnownHost(options.host, '--install');
  const target = hostConfigFiles[options.host.toLowerCase()];
  const restart = restartSentence(host);
  if (target === undefined) return { kept: {}, restart, run: () => printConfiguration(options, host, entry) };
  const file = chooseFile(target);
  const present = edit(file, content => readServerEntry(content, target));
  if (entry.isDefaultDemo) requireDemo(options, target, file, present);
  requireWritableConfigFile(file);
  const system = operatingSystemOf(process.platform);
  const variables = environmentVariablesOf(present);
  const { command, missing } = replaceSecrets(entry.command, host, target, system, variables);
  const fresh = extractServerEntry(host.paste(command, system), target);
  const written = readWrittenVariables(file);
  const former = isObject(written) ? { written, original: readOriginalContent(file) } : undefined;
  const edited = edit(file, content => addServerEntry(content, target, fresh, former));
  const merged = environmentVariablesOf(
    edit({ ...file, content: edited }, content => readServerEntry(content, target)),
  );
  const kept = Object.entries(merged).filter(([name, value]) => !(name in command.env) && !isVariableReference(value));
  const shown = Object.entries(environmentVariablesOf(fresh.server)).filter(
    ([name, value]) => !entry.command.secrets.includes(name) || isVariableReference(value),
  );
  const shownNames = new Set(shown.map(([name]) => name));
  const secretNote = missing.length === 0 ? undefined : describeMissing(missing, host, target, entry);
  return {
    kept: Object.fromEntries(kept),
    restart,
    ...(secretNote !== undefined && { secretNote }),
    run() {
      if (present !== undefined && edited !== file.content) {
        for (const note of createReplacementNotes(present, fresh.server)) options.write(note);
      }
      const result = change(options, { target, file, edited, written: shownNames, isInstalled: present !== undefined });
      // A former installation may have been killed after it changed the file.
      if (options.isConfirmed) storeWrittenVariables(file, variableFieldsOf(fresh.server, shownNames));
      for (const note of [...(host.notes ?? []), ...createEntryNotes(host, entry, fresh.inputs.length > 0)])
        options.write(note);
      if (secretNote !== undefined) options.write(`No secret is written. ${secretNote}`);
      return result;
    },
  };
}

function createReplacementNotes(present: ServerEntryFields, fresh: ServerEntryFields): string[] {
  const cache = cacheFolderOf(present);
  return [
    'This replaces the server "oj". One server can have several toolsets: --toolsets oj,books,files. For a second server, add the entry of --print-config by hand under another name.',
    ...(cache === cacheFolderOf(fresh) ? [] : createCacheNotes(cache)),
  ];
}

function restartSentence({ title }: McpHost): string {
  return `Quit ${title} completely and start it again.`;
}

function printConfiguration({ write }: InstallOptions, host: McpHost, entry: DescribedServerCommand): InstallResult {
  const { paste, advice } = createHostConfig(host, entry);
  for (const line of [...advice, paste, '']) write(line);
  write(`${host.title} is configured by hand with the text above: nothing was written.`);
  return 'printed';
}

/**
 * Returns a note about the secrets that are not in the file, and how the user passes them. Many hosts pass only a few
 * of their own environment variables.
 */
function describeMissing(
  names: readonly string[],
  host: McpHost,
  { reference, isForwarding }: HostConfigFile,
  entry: DescribedServerCommand,
): string {
  const way =
    reference === undefined && isForwarding !== true
      ? `Add ${names.join(', ')} to the "env" of "oj" there`
      : describeReferenceUse(names, host);
  return `${way}${describeSecretAlternatives(entry)}.`;
}

/** Removes this server from the configuration files of a host. */
export function uninstallServer(options: InstallOptions): InstallResult {
  const host = requireKnownHost(options.host, '--uninstall');
  const target = hostConfigFiles[options.host.toLowerCase()];
  if (target === undefined) {
    options.write(
      `${host.removal ?? `Remove the server "oj" by hand from ${configLocationOf(host, operatingSystemOf(process.platform))}.`} Nothing was written.`,
    );
    return 'printed';
  }
  const present = filesOf(target).filter(
    file => edit(file, content => readServerEntry(content, target), true) !== undefined,
  );
  const files = present.length > 0 ? present : [chooseFile(target)];
  const changes = files.map(file => {
    const edited =
      present.length === 0
        ? file.content
        : edit(file, content => restoreConfigContent(content, target, readOriginalContent(file)));
    if (edited !== file.content) requireWritableConfigFile(file);
    // The target of a symbolic link is not deleted, because the link would then be broken.
    const rest = file.isLink ? edit(file, content => removeServerEntry(content, target)) : undefined;
    return { target, file, edited: edited ?? rest, written: new Set<string>(), isInstalled: present.length > 0 };
  });
  const results = changes.map(planned => {
    const result = change(options, planned);
    const cache = cacheFolderOf(edit(planned.file, content => readServerEntry(content, target)));
    for (const note of createCacheNotes(cache)) options.write(note);
    if (result === 'written') {
      removeLeftoverFiles(planned.file, false);
      options.write('Delete the backup when you no longer need it: it can contain secrets.');
      options.write(restartSentence(host));
    }
    return result;
  });
  return results.find(result => result !== 'unchanged') ?? 'unchanged';
}

/** Returns a note if the cache folder contains an index. */
function createCacheNotes(folder = ''): string[] {
  const names = tryOrUndefined(() => readdirSync(folder.replace(/^~/, homedir()))) ?? [];
  if (!names.some(name => /^files-.*\.cache$/.test(name))) return [];
  return [`The index with the texts of your files stays: delete files-*.cache in ${folder}.`];
}

/** Returns the files that a host reads. Later files take precedence. */
function filesOf(target: HostConfigFile): ConfigFile[] {
  const home = requireHomeFolder('The configuration file of the host is in the home folder');
  const machine = { system: operatingSystemOf(process.platform), home, env: process.env };
  return target.files(machine).map(readConfigFile);
}

/**
 * Returns the file that contains the entry which the host uses. If there is none, returns the first file that exists.
 */
function chooseFile(target: HostConfigFile): ConfigFile {
  const files = filesOf(target);
  const withServer = files.findLast(file => edit(file, content => hasServerEntry(content, target)));
  const chosen = withServer ?? files.find(({ content }) => content !== undefined) ?? files[0];
  if (chosen === undefined) throw new Error('the host has no configuration file');
  return chosen;
}

const removeByHand = `To remove the entry of oj-mcp, edit the file by hand`;

function edit<Result>(file: ConfigFile, apply: (content: string) => Result, isRemoval = false): Result {
  try {
    return apply(file.content ?? '');
  } catch (error) {
    if (error instanceof NotEditableError)
      throw createNotEditableFailure(
        file.path,
        `cannot be edited: ${error.message}`,
        isRemoval ? removeByHand : error.remedy,
      );
    throw error;
  }
}

/** Throws an error for an installation without flags (the demo) that would replace an entry with flags. */
function requireDemo(
  { write }: InstallOptions,
  target: HostConfigFile,
  file: ConfigFile,
  present: ServerEntryFields | undefined,
): void {
  if (present === undefined || commandLineOf(present).includes('--demo')) return;
  const rest = edit(file, content => removeServerEntry(content, target));
  const [before, after] = [
    markPartsToHide(file.content ?? '', target, new Set()),
    markPartsToHide(rest, target, new Set()),
  ];
  for (const line of formatChangedLines(before, after)) if (line.startsWith('-')) write(line.slice(2));
  throw new Failure(
    'setting',
    `${file.path} already has an entry with other flags, and --install without flags would replace this entry by the demo.`,
    {
      hint: 'Nothing was changed. Repeat the command with the flags of the new entry, or with --demo.',
    },
  );
}

interface Change {
  target: HostConfigFile;
  file: ConfigFile;
  /** The new content of the file, or undefined if the file is deleted. */
  edited: string | undefined;
  /** The variables that the installation writes. Their values are printed. */
  written: ReadonlySet<string>;
  isInstalled: boolean;
}

function change({ isConfirmed, write }: InstallOptions, planned: Change): InstallResult {
  const { target, file, edited, written, isInstalled } = planned;
  if (isConfirmed) removeLeftoverFiles(file, isInstalled);
  if (edited === file.content) {
    write(`${file.path}${isInstalled ? '' : ' has no server "oj"'}: nothing to change.`);
    return 'unchanged';
  }
  write(`${file.path}${file.content === undefined ? ' (new file)' : ''}:`);
  const before = markPartsToHide(file.content ?? '', target, written);
  for (const line of formatChangedLines(before, markPartsToHide(edited ?? '', target, written))) write(line);
  if (!isConfirmed) {
    write('Nothing was written. Repeat the command with --yes to change the file.');
    return 'shown';
  }
  const backup = writeConfigFile(file, edited, !isInstalled);
  const effect = edited === undefined ? 'Deleted, because the installation had created it.' : 'Written.';
  write(`${effect}${backup === undefined ? '' : ` Backup: ${backup}.`}`);
  return 'written';
}
