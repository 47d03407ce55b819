import path from 'node:path';
import { Failure } from '../errors/failure.ts';
import { unknownLevels } from '../log/log.ts';
import { nearest } from '../text/nearest.ts';
import { badValue, variableName } from '../toolset/flag-value.ts';
import type { Flags, FlagValues, Toolset } from '../toolset/toolset.ts';
import { listSeparator } from './argv.ts';

/** The flags of the server itself; a toolset adds its own. */
export const serverFlags = {
  toolsets: {
    type: 'string',
    valueHint: 'names',
    description: 'Toolsets to serve, separated by commas, or "all"',
  },
  demo: {
    type: 'boolean',
    description: 'Serve built-in sample data: no network, nothing to set up',
  },
} as const satisfies Flags;

export interface Settings {
  toolsets: readonly Toolset[];
  isDemo: boolean;
  logSpec: string | undefined;
  /** Words of OJ_MCP_LOG that are no level. */
  unknownLevels: readonly string[];
}

export function readSettings(
  values: FlagValues<typeof serverFlags>,
  env: NodeJS.ProcessEnv,
  known: readonly Toolset[],
): Settings {
  return {
    toolsets: chooseToolsets(values.toolsets, known),
    isDemo: values.demo === true,
    logSpec: given(env['OJ_MCP_LOG']) ?? given(env['RUST_LOG']),
    // RUST_LOG is meant for other programs too, and what they know is their affair.
    unknownLevels: unknownLevels(given(env['OJ_MCP_LOG'])),
  };
}

/** What was typed for each flag: the command line first, then its environment variable. */
export function flagValues<const Declared extends Flags>(
  flags: Declared,
  args: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): FlagValues<Declared>;
export function flagValues(
  flags: Flags,
  args: Readonly<Record<string, unknown>>,
  env: NodeJS.ProcessEnv,
): Record<string, string | true | readonly string[] | undefined> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { type, isList, isTask }]) => {
      const isOverruled = conflictingFlags(name, flags).some(other => isGiven(args[other]));
      const hasVariable = !isOverruled && isTask !== true;
      const [typed, variable] = [args[name], hasVariable ? env[variableName(name)] : undefined];
      if (isList === true) return [name, givenList(typed, listSeparator) ?? givenList(variable, path.delimiter)];
      const value = given(typed) ?? given(variable);
      return [name, type === 'boolean' ? readSwitch(name, value) : value];
    }),
  );
}

/** The flags that say the same thing as this one in another way. */
export function conflictingFlags(name: string, flags: Flags): string[] {
  return Object.keys(flags).filter(other => flags[other]?.insteadOf === name || flags[name]?.insteadOf === other);
}

export function isGiven(value: unknown): boolean {
  return given(value) !== undefined;
}

/** What hosts and shells pass for what is not set: `${user_config.token}`, `$TOKEN`, `$env:TOKEN`, `%TOKEN%`. */
const placeholder = /^\s*(?:\$\{[^}]*\}|\$[A-Z_][A-Z0-9_]*|\$env:\w+|%\w+%)\s*$/;

function given(value: unknown): string | undefined {
  if (value === true) return 'true';
  if (typeof value !== 'string') return undefined;
  return value.trim() === '' || placeholder.test(value) ? undefined : value;
}

function givenList(value: unknown, separator: string): readonly string[] | undefined {
  if (typeof value !== 'string') return undefined;
  const items = value.split(separator).filter(item => given(item) !== undefined);
  return items.length === 0 ? undefined : items;
}

function readSwitch(flag: string, value: string | undefined): true | undefined {
  switch (value?.trim().toLowerCase()) {
    case 'true':
    case '1':
    case 'yes':
    case 'on':
      return true;
    case undefined:
    case 'false':
    case '0':
    case 'no':
    case 'off':
      return undefined;
    default:
      throw badValue(flag, 'must be 1 or 0', value);
  }
}

function chooseToolsets(value: string | undefined, known: readonly Toolset[]): readonly Toolset[] {
  if (value === undefined) return known.filter(toolset => toolset.isDefault);
  const names = new Set(value.split(',').map(name => name.trim()));
  names.delete('');
  for (const name of names) {
    if (name !== 'all' && !known.some(toolset => toolset.name === name)) throw unknownToolset(name, known);
  }
  if (names.size === 0) throw unknownToolset(value, known);
  return names.has('all') ? known : known.filter(toolset => names.has(toolset.name));
}

function unknownToolset(name: string, known: readonly Toolset[]): Failure {
  const names = [...known.map(toolset => toolset.name), 'all'];
  const close = nearest(name, names);
  const suggestion = close === undefined ? '' : ` Did you mean "${close}"?`;
  return new Failure('setting', `--toolsets: there is no toolset ${JSON.stringify(name)}.${suggestion}`, {
    hint: `Known toolsets: ${names.join(', ')}.`,
  });
}
