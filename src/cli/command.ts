import { setTimeout as sleep } from 'node:timers/promises';
import { type ArgsDef, type CommandDef, defineCommand, runCommand } from 'citty';
import { toFailureForUser } from '../errors/system-error.ts';
import { createLog, type EventLog, parseLogLevel } from '../log/log.ts';
import { createRedactor } from '../log/redact.ts';
import { writeToStderr } from '../log/stderr.ts';
import { serveMcp } from '../mcp/server.ts';
import { StdioTransport } from '../mcp/stdio.ts';
import type { Flags, OpenedToolset } from '../toolset/toolset.ts';
import { version } from '../version.ts';
import { type ParsedCommandLine, type ParsedFlagValues, parseCommandLine, programModeFlags } from './argv.ts';
import {
  allFlags,
  allToolsets,
  closeToolsets,
  nameVariablesInMessage,
  openToolsets,
  readServerSettings,
} from './enabled-toolsets.ts';
import { findUnusableFolders } from './folder-warnings.ts';
import type { CommandLineValues, Settings } from './settings.ts';
import { createTerminalStyle } from './terminal-style.ts';
import { findUnusedSettings, findVisibleSecrets } from './unused-settings.ts';

const loadModes = async () => await import('packed:src/cli/modes.ts');

/** Runs the command line. This function is the only place that turns a Failure into an exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  // Without a listener the process would end in the middle of its work, such as an installation, when a program like
  // `head` closes the pipe.
  process.stdout.on('error', () => undefined);
  let nameSource = (text: string): string => text;
  try {
    const line = parseCommandLine(argv, allFlags, allToolsets, process.env['OJ_MCP_TOOLSETS']);
    if (!('given' in line)) return print(line.mode === 'help' ? await help() : `oj-mcp ${version}`);
    nameSource = text => nameVariablesInMessage(text, Object.fromEntries(line.given));
    const { result } = await runCommand(commandFor(line), { rawArgs: [...argv] });
    return typeof result === 'number' ? result : 0;
  } catch (error) {
    const failure = toFailureForUser(error);
    if (failure === undefined) throw error;
    writeToStderr(nameSource(`oj-mcp: ${failure.message}`));
    if (failure.remedy !== undefined) writeToStderr(nameSource(failure.remedy));
    return failure.exitCode;
  }
}

type ServerLine = Extract<ParsedCommandLine, { given: unknown }>;

/** citty receives only the flags on the command line, because declaring all flags adds a millisecond to every start. */
function commandFor(line: ServerLine): CommandDef {
  const modes: Flags = line.mode === 'serve' ? {} : programModeFlags;
  const args: ArgsDef = {};
  for (const name of [...Object.keys(modes), ...line.given.keys()])
    args[name] = { type: (modes[name] ?? allFlags[name])?.type ?? 'string' };
  return defineCommand({
    meta: {
      name: 'oj-mcp',
      version,
      description: 'MCP server for online-judge problems, and more toolsets on request',
    },
    args,
    async run({ args: parsed }) {
      // citty returns only the last value of a repeated flag, so that the values of repeatable flags are taken from the
      // raw arguments.
      const lists = [...line.given].filter(([name]) => allFlags[name]?.isList === true);
      return await execute(line, { ...parsed, ...Object.fromEntries(lists) });
    },
  });
}

/** Executes the mode. The promise resolves with the exit code. */
async function execute(line: ServerLine, args: CommandLineValues): Promise<number> {
  switch (line.mode) {
    case 'serve':
      return await start(args, line.given);
    case 'check':
      return await (await loadModes()).runCheck(args, print);
    case 'list-hosts':
      for (const name of line.given.keys())
        writeToStderr(`Warning: --${name} has no effect without the name of a host.`);
      return print(await (await loadModes()).listHosts());
    case 'print-config':
      return print(await (await loadModes()).printHostConfig(line));
    case 'task':
      return await (await loadModes()).runTask(line, args, print);
    case 'install':
    case 'uninstall':
      break;
  }
  return await (await loadModes()).changeHostConfig(line, args, print);
}

function print(text: string): 0 {
  process.stdout.write(`${text}\n`);
  return 0;
}

async function help(): Promise<string> {
  const { formatHelp } = await import('packed:src/cli/help.ts');
  return formatHelp(allToolsets, createTerminalStyle(process.stdout, process.env), process.argv[1] ?? '');
}

/** Starts the server. The promise resolves with the exit code when the host closes the connection. */
async function start(args: CommandLineValues, given: ParsedFlagValues): Promise<number> {
  const settings = readServerSettings(args, process.env);
  const open = await openToolsets(settings, args);
  const redact = createRedactor(open.flatMap(({ secrets }) => secrets));
  const log = createLog(parseLogLevel(settings.logSpec), redact);
  logStart(log, settings, open, args);
  const warned = settings.isDemo ? undefined : warnOfFolders(log, settings, args);
  if (process.stdin.isTTY) writeToStderr(await (await loadModes()).terminalHint(given));

  const transport = new StdioTransport(process.stdin, process.stdout);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void transport.close());
  process.stderr.on('error', () => void transport.close());
  await serveMcp(transport, { open, known: allToolsets, redact, log });
  await closeToolsets(open);
  // The process exits even if a folder on a network share does not respond.
  await Promise.race([warned, sleep(maxWarningMs)]);
  return 0;
}

const maxWarningMs = 100;

async function warnOfFolders(log: EventLog, settings: Settings, args: CommandLineValues): Promise<void> {
  for (const warning of await findUnusableFolders(settings, args, process.env))
    log.warn(nameVariablesInMessage(warning, args));
}

function logStart(log: EventLog, settings: Settings, open: readonly OpenedToolset[], args: CommandLineValues): void {
  const visible = findVisibleSecrets(args, allFlags);
  for (const { message, remedy } of [...visible, ...findUnusedSettings(args, process.env, settings, allToolsets)])
    log.warn(nameVariablesInMessage(`${message}. ${remedy}`, args));
  const names = open.map(({ toolset }) => toolset.name).join(', ');
  log.info(`${version}, toolsets: ${names}${settings.isDemo ? ', demo' : ''}`);
  for (const { notes } of open) for (const note of notes) log.info(note);
  for (const { warnings } of open) for (const warning of warnings) log.warn(nameVariablesInMessage(warning, args));
}
