import { variableName } from '../toolset/flag-value.ts';
import type { Flag, Toolset } from '../toolset/toolset.ts';
import { version } from '../version.ts';
import { wishes } from './argv.ts';
import { serverFlags } from './settings.ts';

const nameWidth = 36;
const lineWidth = 110;

/** What --help prints: the server's own flags, then those of each toolset, the ones that are on by default first. */
export function helpText(known: readonly Toolset[]): string {
  const toolsets = [...known].sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
  const sections = toolsets.map(({ name, summary, isDefault, flags }) => {
    const how = isDefault ? 'on unless --toolsets says otherwise' : `off; on with --toolsets ${name}`;
    return [`TOOLSET ${name}: ${summary} (${how})`, ...rowsOf(flags)].join('\n');
  });
  return `oj-mcp ${version}: MCP server for online-judge problems, and more toolsets on request

  oj-mcp --demo                              built-in problems: no network, no account
  oj-mcp --base-url https://judge.example    a real backend
  oj-mcp --check --base-url …                what a host would get
  oj-mcp --print-config claude --demo        what to paste into a host

SERVER
${[...rowsOf(serverFlags), ...rowsOf(wishes, false)].join('\n')}

${sections.join('\n\n')}

Every flag can also be given as the environment variable in brackets; the flag wins.
OJ_MCP_LOG sets what is logged on stderr: off, error, warn, info, debug or trace.
`;
}

type Row = Flag & { alias?: string };

function rowsOf(flags: Readonly<Record<string, Row>>, isVariableToo = true): string[] {
  return Object.entries(flags).map(([name, { type, valueHint = 'value', alias, description, isTask }]) => {
    const short = alias === undefined ? '' : `-${alias}, `;
    const value = type === 'boolean' ? '' : ` <${valueHint}>`;
    const variable = isVariableToo && isTask !== true ? ` [${variableName(name)}]` : '';
    return wrapped(`  ${short}--${name}${value} `.padEnd(nameWidth), description + variable);
  });
}

function wrapped(start: string, text: string): string {
  const lines = [start];
  for (const word of text.split(' ')) {
    const line = lines.pop() ?? '';
    const isFull = line.length + word.length > lineWidth;
    lines.push(...(isFull ? [line, `${' '.repeat(nameWidth)}${word} `] : [`${line}${word} `]));
  }
  return lines.map(line => line.trimEnd()).join('\n');
}
