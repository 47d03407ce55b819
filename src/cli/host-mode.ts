import { Failure } from '../errors/failure.ts';
import { writeToStderr } from '../log/stderr.ts';
import type { ExternalVariable } from '../toolset/toolset.ts';
import { type ParsedCommandLine, type ParsedFlagValues, parseCommandLine } from './argv.ts';
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
import { runCheck } from './run-check.ts';
import { type CommandLineValues, resolveFlagValues } from './settings.ts';
import { findUnusedSettings } from './unused-settings.ts';

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
export async function createClaudeCommand(given: ParsedFlagValues): Promise<string | undefined> {
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
