import { stripVTControlCharacters } from 'node:util';
import { type ArgsDef, defineCommand, renderUsage, runCommand } from 'citty';
import { checkArgv } from './argv.ts';
import { Failure } from './failure.ts';
import { variableName } from './flag-value.ts';
import { createLog, logLevel, writeLine } from './log.ts';
import { createRedactor } from './redact.ts';
import { serve } from './server.ts';
import { isGiven, readSettings, serverFlags, typedValues } from './settings.ts';
import { StdioTransport } from './stdio.ts';
import { type Flags, type OpenToolset, openToolset, type Toolset } from './toolset.ts';
import * as toolsets from './toolsets/index.ts';
import { version } from './version.ts';

const known: readonly Toolset[] = Object.values(toolsets);
const flags: Flags = Object.assign({}, ...known.map(toolset => toolset.flags), serverFlags);

const command = defineCommand({
  meta: {
    name: 'oj-mcp',
    version,
    description: 'MCP server for online-judge problems, and more toolsets on request',
  },
  args: cittyArgs(flags),
  async run({ args }) {
    await start(args);
  },
});

/** The one catch on the way out to the command line. Resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  try {
    const { wish, args } = checkArgv(argv, flags);
    if (wish === 'help') process.stdout.write(await help());
    else if (wish === 'version') process.stdout.write(`oj-mcp ${version}\n`);
    else await runCommand(command, { rawArgs: args });
    return 0;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    writeLine(`oj-mcp: ${error.message}`);
    if (error.hint !== undefined) writeLine(error.hint);
    return error.exitCode;
  }
}

async function start(args: Readonly<Record<string, unknown>>): Promise<void> {
  const settings = readSettings(typedValues(serverFlags, args, process.env), process.env, known);
  const mode = { isDemo: settings.isDemo };
  const open: OpenToolset[] = [];
  for (const toolset of settings.toolsets) {
    open.push(await openToolset(toolset, typedValues(toolset.flags, args, process.env), mode));
  }
  const redact = createRedactor(open.flatMap(({ secrets }) => secrets));
  const log = createLog(logLevel(settings.logSpec), redact);
  for (const name of secretsOnCommandLine(args)) {
    log.warn(`--${name} can be seen by other users of this machine: set ${variableName(name)} instead`);
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
  claude mcp add oj -- node ${process.argv[1] ?? 'oj-mcp.cjs'} --demo
Press Ctrl+C to leave; --help lists the flags.`;

function secretsOnCommandLine(args: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(flags).filter(name => flags[name]?.isSecret === true && isGiven(args[name]));
}

function cittyArgs(declared: Flags): ArgsDef {
  return Object.fromEntries(
    Object.entries(declared).map(([name, { type, description, valueHint = 'value' }]) => {
      const said = `${description} (${variableName(name)})`;
      return [name, type === 'boolean' ? { type, description: said } : { type, description: said, valueHint }];
    }),
  );
}

/** Known to `checkArgv`; here only to be listed. */
const wishes: ArgsDef = {
  help: { type: 'boolean', alias: 'h', description: 'Print this and leave' },
  version: { type: 'boolean', alias: 'V', description: 'Print the version and leave' },
};

async function help(): Promise<string> {
  const usage = stripVTControlCharacters(await renderUsage({ ...command, args: { ...cittyArgs(flags), ...wishes } }))
    .replace(/ +$/gm, '')
    .trimEnd();
  const rows = known.map(
    ({ name, summary, isDefault }) => `  ${name.padEnd(8)}${summary}${isDefault ? ' (default)' : ''}`,
  );
  return `${usage}

TOOLSETS

${rows.join('\n')}

Every flag can also be given as the environment variable behind it; the flag wins.
OJ_MCP_LOG sets what is logged on stderr: off, error, warn, info, debug or trace.
`;
}
