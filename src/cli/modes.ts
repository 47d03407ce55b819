// The modes of the program other than the server. They are loaded only when they are needed.
import { Failure } from '../errors/failure.ts';
import { writeToStderr } from '../log/stderr.ts';
import { type ExternalVariable, openToolset, type Toolset } from '../toolset/toolset.ts';
import { type ParsedCommandLine, type ParsedFlagValues, parseCommandLine } from './argv.ts';
import type { CheckReporter } from './check.ts';
import {
  allFlags,
  allToolsets,
  closeToolsets,
  createUnusedFlagFailure,
  nameVariablesInMessage,
  openToolsets,
  readServerSettings,
} from './enabled-toolsets.ts';
import type { ServerCommand } from './host-config/hosts.ts';
import type { InstallResult } from './host-config/install.ts';
import type { DescribedServerCommand } from './host-config/server-command.ts';
import { type CommandLineValues, isValueSet, resolveFlagValues } from './settings.ts';
import { createTerminalStyle } from './terminal-style.ts';
import { findPlaceholders, findUnusedSettings, findVisibleSecrets } from './unused-settings.ts';

type ModeLine<Mode> = Extract<ParsedCommandLine, { mode: Mode }>;

const loadHostConfig = async () => await import('packed:src/cli/host-config/install.ts');

export async function listHosts(): Promise<string> {
  return (await loadHostConfig()).listHostNames();
}

/** Returns the configuration of a host, and writes the notes for the user to standard error. */
export async function printHostConfig(line: ModeLine<'print-config'>): Promise<string> {
  const hostConfig = await loadHostConfig();
  const host = hostConfig.requireKnownHost(line.host, '--print-config');
  const { entry, warnings } = createValidEntry(line.given, hostConfig);
  const { paste, advice } = hostConfig.createHostConfig(host, entry);
  // The configuration is written to standard output, so that a user can redirect it into a file. The notes go to
  // stderr.
  for (const note of advice) writeToStderr(note);
  writeWarnings([...entry.pathFaults, ...warnings]);
  return paste;
}

/** Returns the command that adds a server with these flags to Claude Code, or undefined if they are not valid together. */
async function createClaudeCommand(given: ParsedFlagValues): Promise<string | undefined> {
  const hostConfig = await loadHostConfig();
  try {
    const { entry } = createValidEntry(given, hostConfig);
    return hostConfig.createHostConfig(hostConfig.requireKnownHost('claude', ''), entry).paste;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return undefined;
  }
}

function writeWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) writeToStderr(`Warning: ${warning}.`);
}

/**
 * Installs or removes the server in the configuration file of a host. After an installation, --check runs with the
 * flags of the new entry and the given token.
 */
export async function changeHostConfig(
  line: ModeLine<'install' | 'uninstall'>,
  args: CommandLineValues,
  write: (text: string) => void,
): Promise<number> {
  const hostConfig = await loadHostConfig();
  const options = { ...line, write };
  if (line.mode === 'uninstall') return exitCodeOf(hostConfig.uninstallServer(options), line);
  hostConfig.requireKnownHost(line.host, '--install');
  const { entry, warnings } = createValidEntry(line.given, hostConfig);
  const installation = hostConfig.prepareInstallation(options, entry);
  const values = { ...args, ...argsOf(entry.command) };
  // The server is opened and checked with the environment variables that stay in its entry.
  Object.assign(process.env, installation.kept);
  // The toolsets are opened first. This fails for a server that cannot start, which is then not installed.
  await closeToolsets(await openToolsets(readServerSettings(values, process.env), values));
  if (entry.pathFaults.length > 0) {
    const hint = 'Nothing was changed. Create what is missing, or correct the path.';
    throw new Failure('setting', `${entry.pathFaults.join('; ')}.`, { hint });
  }
  const result = installation.run();
  // After an installation with --yes, --check prints these warnings.
  if (result === 'printed' || result === 'shown') writeWarnings(warnings);
  if (result !== 'written' && result !== 'unchanged') return exitCodeOf(result, line);
  const code = await runCheck(values, write);
  const { secretNote } = installation;
  if (secretNote !== undefined)
    write(`The check used secrets of this terminal, which the host does not get from it. ${secretNote}`);
  const stays = `The server stays installed, although its check failed: repeat --install with other flags, or use --uninstall ${line.host}.`;
  if (code !== 0) write(stays);
  else if (result === 'written') write(installation.restart);
  return code;
}

/** The exit code after --yes is 1 if the user must make the change by hand, so that scripts notice this. */
function exitCodeOf(result: InstallResult, { isConfirmed }: ModeLine<'install' | 'uninstall'>): number {
  return isConfirmed && result === 'printed' ? 1 : 0;
}

type HostConfig = Awaited<ReturnType<typeof loadHostConfig>>;

/**
 * Returns the entry for a host, and warnings about its settings. Throws an error if a server with this entry cannot
 * start, so that the entry is not printed or installed.
 */
function createValidEntry(
  given: ParsedFlagValues,
  hostConfig: HostConfig,
): { entry: DescribedServerCommand; warnings: string[] } {
  const entry = hostConfig.createServerCommand(given, allFlags, process.env);
  const args = argsOf(entry.command);
  const { env } = entry.command;
  const settings = readServerSettings(args, env);
  const { toolsets: enabled, isDemo } = settings;
  const unused = createUnusedFlagFailure(args, env, settings);
  if (unused !== undefined) throw unused;
  const external: ExternalVariable[] = [];
  const variables = findUnusedSettings(args, process.env, settings, allToolsets).filter(({ isVariable }) => isVariable);
  const warnings = variables.map(({ message }) => message);
  for (const toolset of enabled) {
    const values = toolset.settings(resolveFlagValues(toolset.flags, args, env), { isDemo });
    external.push(...(toolset.variables?.(values) ?? []));
    warnings.push(...(toolset.warnings?.(values) ?? []));
  }
  const named = warnings.map(warning => nameVariablesInMessage(warning, Object.fromEntries(given)));
  return { entry: hostConfig.addExternalVariables(entry, external, process.env), warnings: named };
}

/** Parses the arguments of a server entry. */
function argsOf({ args: [, ...argv] }: ServerCommand): CommandLineValues {
  const line = parseCommandLine(argv, allFlags);
  const given = 'given' in line ? [...line.given] : [];
  return Object.fromEntries(
    given.map(([name, values]) => [name, allFlags[name]?.isList === true ? values : (values[0] ?? true)]),
  );
}

/** Runs --check for the server with these arguments. The promise resolves with the exit code. */
export async function runCheck(args: CommandLineValues, write: (text: string) => void): Promise<number> {
  const { checkToolsets } = await import('packed:src/cli/check.ts');
  const settings = readServerSettings(args, process.env);
  const { toolsets: enabled, isDemo } = settings;
  const candidates = enabled.map(toolset => ({
    name: toolset.name,
    open: async () => await openToolset(toolset, resolveFlagValues(toolset.flags, args, process.env), { isDemo }),
  }));
  const unused = [
    ...findVisibleSecrets(args, allFlags),
    ...findUnusedSettings(args, process.env, settings, allToolsets, true),
  ];
  const output: CheckReporter = {
    write,
    style: createTerminalStyle(process.stdout, process.env),
    nameSources: text => nameVariablesInMessage(text, args),
    ...(process.stderr.isTTY && { onWait: (name: string) => writeToStderr(`  waiting for ${name} …`) }),
  };
  return (await checkToolsets(candidates, unused, output)) ? 0 : 1;
}

/**
 * Runs the task of a toolset, such as an import, instead of the server. After an interrupt the task ends before the
 * next file.
 */
export async function runTask(
  { given, isConfirmed }: ModeLine<'task'>,
  args: CommandLineValues,
  write: (text: string) => void,
): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort(new Failure('refused', 'Interrupted.'));
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  const { signal } = interrupt;
  let isComplete = true;
  for (const toolset of allToolsets) {
    if (!Object.entries(toolset.flags).some(([name, { isTask }]) => isTask === true && given.has(name))) continue;
    requireTaskSettings(toolset, args);
    const values = resolveFlagValues(toolset.flags, args, process.env);
    const open = await openToolset(toolset, values, { isDemo: given.has('demo') });
    for (const warning of open.warnings) writeToStderr(`Warning: ${nameVariablesInMessage(warning, args)}.`);
    try {
      isComplete = (await open.runTask({ isConfirmed, write, signal })) && isComplete;
    } finally {
      await open.close();
    }
  }
  return isComplete ? 0 : 1;
}

/** Rejects placeholders in the flags of a task, and a value of --toolsets without the toolset of the task. */
function requireTaskSettings(toolset: Toolset, args: CommandLineValues): void {
  const [placeholder] = findPlaceholders(args, {}, [toolset], true);
  if (placeholder !== undefined)
    throw new Failure('usage', `The value of --${placeholder.flag} is a placeholder.`, {
      hint: 'Replace it by the real value.',
    });
  if (!isValueSet(args['toolsets']) || readServerSettings(args, {}).toolsets.includes(toolset)) return;
  throw new Failure('usage', `--toolsets does not contain "${toolset.name}", to which the import or export belongs.`, {
    hint: `Remove --toolsets, or add ${toolset.name} to it.`,
  });
}

/** Returns what a user reads who starts the server in a terminal. */
export async function terminalHint(given: ParsedFlagValues): Promise<string> {
  const command = await createClaudeCommand(given);
  const example = command === undefined ? '' : ` To add it to one, e.g. Claude Code:\n  ${command}`;
  return `This is an MCP server: it waits for a host to speak JSON-RPC on standard input.${example}
--print-config prints this for other hosts, --check checks the flags, --help lists them. Ctrl+C exits.`;
}
