import { type ArgsDef, type CommandDef, defineCommand, runCommand } from 'citty';
import { Failure } from '../errors/failure.ts';
import { createLog, type Log, logLevel } from '../log/log.ts';
import { createRedactor } from '../log/redact.ts';
import { writeLine } from '../log/stderr.ts';
import { serveMcp } from '../mcp/server.ts';
import { StdioTransport } from '../mcp/stdio.ts';
import { variableName } from '../toolset/flag-value.ts';
import { type Flags, type OpenedToolset, openToolset, type Toolset } from '../toolset/toolset.ts';
import * as toolsets from '../toolsets/index.ts';
import { version } from '../version.ts';
import { type CommandLine, modeFlags, readArgv } from './argv.ts';
import type { CheckOutput } from './check.ts';
import type { ServerCommand } from './host-config/hosts.ts';
import {
  type CommandLineValues,
  findUnused,
  flagValues,
  isGiven,
  readSettings,
  type Settings,
  serverFlags,
} from './settings.ts';
import { terminalStyle } from './terminal-style.ts';

const known: readonly Toolset[] = Object.values(toolsets);
const flags: Flags = Object.assign({}, ...known.map(toolset => toolset.flags), serverFlags);

/** Runs the command line. This function is the only place that turns a Failure into an exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const line = readArgv(argv, flags);
    if (!('given' in line)) return print(line.mode === 'help' ? await help() : `oj-mcp ${version}`);
    const { result } = await runCommand(commandFor(line), { rawArgs: [...argv] });
    return typeof result === 'number' ? result : 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    writeLine(`oj-mcp: ${error.message}`);
    if (error.remedy !== undefined) writeLine(error.remedy);
    return error.exitCode;
  }
}

type ServerLine = Extract<CommandLine, { given: unknown }>;

/** citty receives only the flags that are given, because declaring all of them adds a millisecond to every start. */
function commandFor(line: ServerLine): CommandDef {
  const given: Flags = { ...flags, ...modeFlags };
  const args: ArgsDef = {};
  for (const name of [...line.given.keys(), ...Object.keys(modeFlags)])
    args[name] = { type: given[name]?.type ?? 'string' };
  return defineCommand({
    meta: {
      name: 'oj-mcp',
      version,
      description: 'MCP server for online-judge problems, and more toolsets on request',
    },
    args,
    async run({ args: parsed }) {
      // citty returns only the last value of a repeated flag, so that the lists come from the raw arguments.
      const lists = [...line.given].filter(([name]) => flags[name]?.isList === true);
      return await execute(line, { ...parsed, ...Object.fromEntries(lists) });
    },
  });
}

/** Executes the mode and resolves with the exit code. */
async function execute(line: ServerLine, args: CommandLineValues): Promise<number> {
  switch (line.mode) {
    case 'serve':
      return await start(args);
    case 'check':
      return await check(args);
    case 'list-hosts':
      return print((await loadHostConfig()).listHosts());
    case 'print-config':
      return await printConfig(line);
    case 'task':
      return await runTask(line, args);
    case 'install':
    case 'uninstall':
      break;
  }
  return await changeHost(line, args);
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

async function help(): Promise<string> {
  const { helpText } = await import('packed:src/cli/help.ts');
  return helpText(known, terminalStyle(process.stdout, process.env), process.argv[1] ?? '');
}

const loadHostConfig = async () => await import('packed:src/cli/host-config/install.ts');

async function printConfig({ host, given }: ServerLine & { mode: 'print-config' }): Promise<number> {
  const { configFor, serverCommandOf } = await loadHostConfig();
  const { paste, advice } = configFor(host, given, flags, process.env);
  requireValidStart(serverCommandOf(given, flags, process.env));
  // Standard output gets only the configuration, so that a user can redirect it into a file. The notes go to stderr.
  for (const line of advice) writeLine(line);
  return print(paste);
}

/**
 * Throws if a host could not start the server with these arguments, so that no such configuration is printed or
 * installed.
 */
function requireValidStart(entry: ServerCommand): void {
  const args = argsOf(entry);
  const { env } = entry;
  const settings = readSettings(flagValues(serverFlags, args, env), env, known);
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

/** Returns the error for the first flag without effect. Environment variables without effect only cause a warning. */
function unusedFlagFailure(args: CommandLineValues, env: NodeJS.ProcessEnv, settings: Settings): Failure | undefined {
  const unused = findUnused(args, env, settings, known).find(({ isVariable }) => !isVariable);
  return unused && new Failure('usage', `${unused.message}.`, { hint: unused.remedy });
}

/**
 * Runs the task of a toolset, such as an import, instead of the server. An interrupt ends the task between two files.
 */
async function runTask(
  { given, isConfirmed }: ServerLine & { mode: 'task' },
  args: CommandLineValues,
): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort(new Failure('refused', 'Interrupted.'));
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  const { signal } = interrupt;
  let isComplete = true;
  for (const toolset of known) {
    if (!Object.entries(toolset.flags).some(([name, { isTask }]) => isTask === true && given.has(name))) continue;
    const values = flagValues(toolset.flags, args, process.env);
    const open = await openToolset(toolset, values, { isDemo: given.has('demo') });
    try {
      isComplete = (await open.runTask({ isConfirmed, write: print, signal })) && isComplete;
    } finally {
      await open.close();
    }
  }
  return isComplete ? 0 : 1;
}

/**
 * Changes the configuration file of a host. After an installation, --check runs with the flags of the new entry and the
 * given token.
 */
async function changeHost(
  line: ServerLine & { mode: 'install' | 'uninstall' },
  args: CommandLineValues,
): Promise<number> {
  const { install, uninstall, serverCommandOf } = await loadHostConfig();
  const options = { ...line, flags, env: process.env, write: print };
  if (line.mode === 'uninstall') {
    uninstall(options);
    return 0;
  }
  const entry = serverCommandOf(line.given, flags, process.env);
  requireValidStart(entry);
  const values = { ...args, ...argsOf(entry) };
  // A server that cannot start, for example because of a missing folder, is not installed.
  await closeAll(await openAll(readServerSettings(values), values));
  const result = install(options);
  if (result !== 'written' && result !== 'unchanged') return 0;
  const code = await check(values);
  if (code !== 0)
    print(`The server stays installed: repeat --install with other flags, or use --uninstall ${line.host}.`);
  return code;
}

function readServerSettings(args: CommandLineValues): Settings {
  return readSettings(flagValues(serverFlags, args, process.env), process.env, known);
}

async function check(args: CommandLineValues): Promise<number> {
  const { checkAll } = await import('packed:src/cli/check.ts');
  const settings = readServerSettings(args);
  const { toolsets: enabled, isDemo } = settings;
  const candidates = enabled.map(toolset => ({
    name: toolset.name,
    open: async () => await openToolset(toolset, flagValues(toolset.flags, args, process.env), { isDemo }),
  }));
  const unused = findUnused(args, process.env, settings, known, true);
  return (await checkAll(candidates, unused, createCheckOutput())) ? 0 : 1;
}

function createCheckOutput(): CheckOutput {
  return {
    write: print,
    style: terminalStyle(process.stdout, process.env),
    ...(process.stderr.isTTY && { onWait: (name: string) => writeLine(`  waiting for ${name} …`) }),
  };
}

/** Starts the server and resolves when the host closes the connection. */
async function start(args: CommandLineValues): Promise<number> {
  const settings = readServerSettings(args);
  const open = await openAll(settings, args);
  const redact = createRedactor(open.flatMap(({ secrets }) => secrets));
  const log = createLog(logLevel(settings.logSpec), redact);
  logStart(log, settings, open, args);
  if (process.stdin.isTTY) writeLine(terminalHint);

  const transport = new StdioTransport(process.stdin, process.stdout);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void transport.close());
  process.stderr.on('error', () => void transport.close());
  await serveMcp(transport, { open, known, redact, log });
  await closeAll(open);
  return 0;
}

async function openAll(settings: Settings, args: CommandLineValues): Promise<OpenedToolset[]> {
  const open: OpenedToolset[] = [];
  try {
    for (const toolset of settings.toolsets) {
      open.push(await openToolset(toolset, flagValues(toolset.flags, args, process.env), { isDemo: settings.isDemo }));
    }
  } catch (error) {
    await closeAll(open);
    // The setting of a default toolset may be missing only because the user forgot --toolsets. A flag of a disabled
    // toolset reveals this, so that its error is preferred.
    throw unusedFlagFailure(args, process.env, settings) ?? error;
  }
  return open;
}

async function closeAll(open: readonly OpenedToolset[]): Promise<void> {
  await Promise.all(open.map(async toolset => await toolset.close()));
}

function logStart(log: Log, settings: Settings, open: readonly OpenedToolset[], args: CommandLineValues): void {
  for (const name of secretsOnCommandLine(args)) {
    log.warn(`--${name} can be seen by other users of this machine: set ${variableName(name)} instead`);
  }
  for (const { message, remedy } of findUnused(args, process.env, settings, known)) log.warn(`${message}. ${remedy}`);
  const names = open.map(({ toolset }) => toolset.name).join(', ');
  log.info(`${version}, toolsets: ${names}${settings.isDemo ? ', demo' : ''}`);
  for (const { notes } of open) for (const note of notes) log.info(note);
  for (const { warnings } of open) for (const warning of warnings) log.warn(warning);
}

const terminalHint = `This is an MCP server: it waits for a host to speak JSON-RPC on standard input. To add it to one, e.g. Claude Code:
  claude mcp add oj --scope user -- node ${process.argv[1] ?? 'oj-mcp.cjs'} --demo
--print-config prints this for other hosts, --check checks the flags, --help lists them. Ctrl+C exits.`;

function secretsOnCommandLine(args: CommandLineValues): string[] {
  return Object.keys(flags).filter(name => flags[name]?.isSecret === true && isGiven(args[name]));
}
