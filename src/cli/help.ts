import path from 'node:path';
import { environmentVariableOfFlag } from '../toolset/flag-value.ts';
import type { Flag, Toolset } from '../toolset/toolset.ts';
import { version } from '../version.ts';
import { programModeFlags } from './argv.ts';
import { serverFlags } from './settings.ts';
import { type TerminalStyle, wrapText } from './terminal-style.ts';

const nameWidth = 28;

/**
 * Returns the text of --help: the flags of the server, then those of each toolset, the default toolsets first. `script`
 * is the started file. The command that npm installs has no extension.
 */
export function formatHelp(known: readonly Toolset[], { heading }: TerminalStyle, script: string): string {
  const file = path.basename(script);
  const program = file.endsWith('.cjs') ? `node ${file}` : 'oj-mcp';
  const toolsets = [...known].sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
  const sections = toolsets.map(({ name, summary, isDefault, flags }) => {
    const state = isDefault ? 'enabled by default' : `enable with --toolsets ${name}`;
    return [heading(`TOOLSET ${name}`), ...wrapText(`${summary} (${state})`, '  ', '  '), ...rowsOf(flags)].join('\n');
  });
  return `oj-mcp ${version}: MCP server for online-judge problems, and more toolsets on request

  ${program} --demo                            built-in problems, offline
  ${program} --base-url https://judge.example  a real backend
  ${program} --problems ~/problems.jsonl       your own problems
  ${program} --check --base-url …              check the other flags
  ${program} --install claude-desktop --demo   set up a host

${heading('MODES')}
${rowsOf(programModeFlags, false).join('\n')}

${heading('SERVER')}
${rowsOf(serverFlags).join('\n')}

${sections.join('\n\n')}

The environment variable in brackets sets the flag too; the flag wins.
OJ_MCP_LOG sets the log level on stderr: off, error, warn, info, debug, trace.`;
}

type Row = Flag & { alias?: string };

function rowsOf(flags: Readonly<Record<string, Row>>, hasVariables = true): string[] {
  return Object.entries(flags).flatMap(([name, { type, valueHint = 'value', alias, isTask, description }]) => {
    const short = alias === undefined ? '' : `-${alias}, `;
    const value = type === 'boolean' ? '' : ` <${valueHint}>`;
    const start = `  ${short}--${name}${value}`;
    const indent = ' '.repeat(nameWidth);
    const text = hasVariables && isTask !== true ? `${description} [${environmentVariableOfFlag(name)}]` : description;
    if (start.length >= nameWidth) return [start, ...wrapText(text, indent, indent)];
    return wrapText(text, start.padEnd(nameWidth), indent);
  });
}
