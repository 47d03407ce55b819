import { type ArgsDef, type CommandDef, defineCommand, runCommand } from 'citty';
import { Failure } from '../errors/failure.ts';
import { createLog, levelNames, logLevel } from '../log/log.ts';
import { createRedactor } from '../log/redact.ts';
import { writeLine } from '../log/stderr.ts';
import { serve } from '../mcp/server.ts';
import { StdioTransport } from '../mcp/stdio.ts';
import { variableName } from '../toolset/flag-value.ts';
import { type Flags, type OpenToolset, openToolset, type Toolset } from '../toolset/toolset.ts';
import * as toolsets from '../toolsets/index.ts';
import { version } from '../version.ts';
import { type CommandLine, checkArgv, listSeparator, type Typed, tiedWords } from './argv.ts';
import { flagValues, isGiven, readSettings, serverFlags } from './settings.ts';

const known: readonly Toolset[] = Object.values(toolsets);
const flags: Flags = Object.assign({}, ...known.map(toolset => toolset.flags), serverFlags);

/** Knows the flags that were typed: to tell citty of all the others takes a millisecond of every start. */
function commandFor(typed: Typed): CommandDef {
  const args: ArgsDef = Object.fromEntries(
    Array.from(typed.keys(), name => [name, { type: flags[name]?.type ?? 'string' }]),
  );
  return defineCommand({
    meta: {
      name: 'oj-mcp',
      version,
      description: 'MCP server for online-judge problems, and more toolsets on request',
    },
    args,
    async run({ args: read, data }) {
      const given = { ...read }; // what citty returns is slow to say that a flag is missing
      if (data === 'check') return await check(given);
      await start(given);
      return 0;
    },
  });
}

/** The one catch on the way out to the command line. Resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    return await fulfil(checkArgv(argv, flags));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    writeLine(`oj-mcp: ${error.message}`);
    if (error.hint !== undefined) writeLine(error.hint);
    return error.exitCode;
  }
}

async function fulfil(line: CommandLine): Promise<number> {
  if (line.wish === 'print-config') return await printConfig(line.host, line.typed);
  if (line.wish === 'task') return await runTask(line);
  if (line.wish === 'install' || line.wish === 'uninstall') return await changeHost(line);
  if (!('typed' in line)) {
    process.stdout.write(line.wish === 'help' ? await help() : `oj-mcp ${version}\n`);
    return 0;
  }
  const { result } = await runCommand(commandFor(line.typed), { rawArgs: tiedWords(line.typed), data: line.wish });
  return result === 1 ? 1 : 0;
}

async function help(): Promise<string> {
  const { helpText } = await import('packed:src/cli/help.ts');
  return helpText(known);
}

async function printConfig(host: string, typed: Typed): Promise<number> {
  const { configFor } = await loadHostConfig();
  const { paste, advice } = configFor(host, typed, flags, process.env);
  // What is pasted is all that standard output gets, so that it can be sent into a file.
  for (const line of advice) writeLine(line);
  process.stdout.write(`${paste}\n`);
  return 0;
}

/** Runs the task of a toolset, such as an import, instead of the server; an interrupt ends it between two files. */
async function runTask({ typed, isConfirmed }: CommandLine & { wish: 'task' }): Promise<number> {
  const interrupt = new AbortController();
  const onInterrupt = (): void => interrupt.abort(new Failure('refused', 'Interrupted.'));
  process.once('SIGINT', onInterrupt).once('SIGTERM', onInterrupt);
  const { signal } = interrupt;
  const write = (text: string): void => void process.stdout.write(`${text}\n`);
  const args = Object.fromEntries(Array.from(typed, ([name, values]) => [name, values.join(listSeparator) || true]));
  let isComplete = true;
  for (const toolset of known) {
    if (!Object.entries(toolset.flags).some(([name, { isTask }]) => isTask === true && typed.has(name))) continue;
    const values = flagValues(toolset.flags, args, process.env);
    const open = await openToolset(toolset, values, { isDemo: typed.has('demo') });
    try {
      isComplete = (await open.runTask({ isConfirmed, write, signal })) && isComplete;
    } finally {
      await open.close();
    }
  }
  return isComplete ? 0 : 1;
}

const loadHostConfig = async () => await import('packed:src/cli/host-config/install.ts');

/** Changes a host's configuration; what was installed is then checked, as a host would start it. */
async function changeHost(line: CommandLine & { wish: 'install' | 'uninstall' }): Promise<number> {
  const { install, uninstall } = await loadHostConfig();
  const write = (text: string): void => void process.stdout.write(`${text}\n`);
  const options = { ...line, flags, env: process.env, write };
  const result = line.wish === 'install' ? install(options) : uninstall(options);
  if (line.wish === 'uninstall' || result !== 'written') return 0;
  const { result: code } = await runCommand(commandFor(line.typed), { rawArgs: tiedWords(line.typed), data: 'check' });
  return code === 1 ? 1 : 0;
}

async function check(args: Readonly<Record<string, unknown>>): Promise<number> {
  const { checkAll } = await import('packed:src/cli/check.ts');
  const { toolsets: wanted, isDemo } = readSettings(flagValues(serverFlags, args, process.env), process.env, known);
  const candidates = wanted.map(toolset => ({
    name: toolset.name,
    open: async () => await openToolset(toolset, flagValues(toolset.flags, args, process.env), { isDemo }),
  }));
  return (await checkAll(candidates, line => process.stdout.write(`${line}\n`))) ? 0 : 1;
}

async function start(args: Readonly<Record<string, unknown>>): Promise<void> {
  const settings = readSettings(flagValues(serverFlags, args, process.env), process.env, known);
  const mode = { isDemo: settings.isDemo };
  const open: OpenToolset[] = [];
  for (const toolset of settings.toolsets) {
    open.push(await openToolset(toolset, flagValues(toolset.flags, args, process.env), mode));
  }
  const redact = createRedactor(open.flatMap(({ secrets }) => secrets));
  const log = createLog(logLevel(settings.logSpec), redact);
  for (const name of secretsOnCommandLine(args)) {
    log.warn(`--${name} can be seen by other users of this machine: set ${variableName(name)} instead`);
  }
  for (const word of settings.unknownLevels) {
    log.warn(`OJ_MCP_LOG: ${JSON.stringify(word)} is no level; there are ${levelNames.join(', ')}`);
  }
  log.info(`${version}, toolsets: ${open.map(({ toolset }) => toolset.name).join(', ')}${mode.isDemo ? ', demo' : ''}`);
  for (const { notes } of open) for (const note of notes) log.info(note);
  for (const { warnings } of open) for (const warning of warnings) log.warn(warning);
  if (process.stdin.isTTY) writeLine(terminalHint);

  const transport = new StdioTransport(process.stdin, process.stdout);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void transport.close());
  process.stderr.on('error', () => void transport.close());
  await serve(transport, { open, known, redact, log });
  await Promise.all(open.map(async toolset => await toolset.close()));
}

const terminalHint = `This is an MCP server: it waits for a host to speak JSON-RPC on standard input. To add it to one, e.g. Claude Code:
  claude mcp add oj --scope user -- node ${process.argv[1] ?? 'oj-mcp.cjs'} --demo
--print-config prints this for other hosts, --check says what a host would get, --help lists the flags. Ctrl+C leaves.`;

function secretsOnCommandLine(args: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(flags).filter(name => flags[name]?.isSecret === true && isGiven(args[name]));
}
