import { writeLine } from '../log/stderr.ts';
import { type CommandLine, readArgv } from './argv.ts';
import { closeAll, flags, openAll, readServerSettings, unusedFlagFailure } from './enabled-toolsets.ts';
import type { ServerCommand } from './host-config/hosts.ts';
import { runCheck } from './run-check.ts';
import { type CommandLineValues, flagValues } from './settings.ts';

type ModeLine<Mode> = Extract<CommandLine, { mode: Mode }>;

const loadHostConfig = async () => await import('packed:src/cli/host-config/install.ts');

export async function listHosts(): Promise<string> {
  return (await loadHostConfig()).listHosts();
}

/** Returns the configuration of a host, and writes the notes for the user to standard error. */
export async function printConfig({ host, given }: ModeLine<'print-config'>): Promise<string> {
  const { configFor, serverCommandOf } = await loadHostConfig();
  const { paste, advice } = configFor(host, given, flags, process.env);
  requireValidStart(serverCommandOf(given, flags, process.env));
  // Standard output gets only the configuration, so that a user can redirect it into a file. The notes go to stderr.
  for (const line of advice) writeLine(line);
  return paste;
}

/**
 * Changes the configuration file of a host. After an installation, --check runs with the flags of the new entry and the
 * given token.
 */
export async function changeHost(
  line: ModeLine<'install' | 'uninstall'>,
  args: CommandLineValues,
  write: (text: string) => void,
): Promise<number> {
  const { install, uninstall, serverCommandOf } = await loadHostConfig();
  const options = { ...line, flags, env: process.env, write };
  if (line.mode === 'uninstall') {
    uninstall(options);
    return 0;
  }
  const entry = serverCommandOf(line.given, flags, process.env);
  requireValidStart(entry);
  const values = { ...args, ...argsOf(entry) };
  // A server that cannot start, for example because of a missing folder, is not installed.
  await closeAll(await openAll(readServerSettings(values, process.env), values));
  const result = install(options);
  if (result !== 'written' && result !== 'unchanged') return 0;
  const code = await runCheck(values, write);
  if (code !== 0)
    write(`The server stays installed: repeat --install with other flags, or use --uninstall ${line.host}.`);
  return code;
}

/**
 * Throws if a host could not start the server with these arguments, so that no such configuration is printed or
 * installed.
 */
function requireValidStart(entry: ServerCommand): void {
  const args = argsOf(entry);
  const { env } = entry;
  const settings = readServerSettings(args, env);
  const { toolsets: enabled, isDemo } = settings;
  const unused = unusedFlagFailure(args, env, settings);
  if (unused !== undefined) throw unused;
  for (const toolset of enabled) toolset.settings(flagValues(toolset.flags, args, env), { isDemo });
}

/** Parses the arguments with which a host starts the server. */
function argsOf({ args: [, ...argv] }: ServerCommand): CommandLineValues {
  const line = readArgv(argv, flags);
  const given = 'given' in line ? [...line.given] : [];
  return Object.fromEntries(
    given.map(([name, values]) => [name, flags[name]?.isList === true ? values : (values[0] ?? true)]),
  );
}
