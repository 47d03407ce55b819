import path from 'node:path';
import { Failure } from '../errors/failure.ts';
import { findUnknownLogLevels } from '../log/log.ts';
import { findNearestName } from '../text/nearest.ts';
import { badValue, environmentVariableOfFlag } from '../toolset/flag-value.ts';
import type { Flags, FlagValues, Toolset } from '../toolset/toolset.ts';
import { isPlaceholder, rejectPlaceholderIn } from './placeholder.ts';

/** The flags of the server itself. Each toolset declares its own flags. */
export const serverFlags = {
  toolsets: {
    type: 'string',
    valueHint: 'names',
    isForTask: true,
    description: 'Toolsets to serve, separated by commas, or "all"',
  },
  demo: {
    type: 'boolean',
    isForTask: true,
    description: 'Serve built-in sample data: no network, nothing to set up',
  },
} as const satisfies Flags;

export interface Settings {
  toolsets: readonly Toolset[];
  isDemo: boolean;
  logSpec: string | undefined;
  /** The words in OJ_MCP_LOG that are not log levels. The server prints a warning about them. */
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
    // RUST_LOG is not validated, because it also contains the log levels of other programs.
    unknownLevels: findUnknownLogLevels(given(env['OJ_MCP_LOG'])),
  };
}

/** Maps flags on the command line to their values: true for a boolean flag, an array for a list. */
export type CommandLineValues = Readonly<Record<string, unknown>>;

/** Returns the value of each flag, from the command line or, if it is missing there, from the environment variable. */
export function resolveFlagValues<const Declared extends Flags>(
  flags: Declared,
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
): FlagValues<Declared>;
export function resolveFlagValues(
  flags: Flags,
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
): Record<string, string | true | readonly string[] | undefined> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, flag]) => {
      const stronger = findConflictingFlags(name, flags).find(other => isValueSet(args[other]));
      if (stronger !== undefined && isValueSet(args[name])) throw conflictFailure(name, stronger);
      const hasVariable = stronger === undefined && flag.isTask !== true;
      const [argument, variable] = [args[name], hasVariable ? env[environmentVariableOfFlag(name)] : undefined];
      if (flag.isList === true) {
        const values = givenList(argument) ?? givenList(variable && splitVariableValue(variable));
        for (const value of values ?? []) rejectPlaceholderIn(name, value, flag);
        return [name, values];
      }
      const value = given(argument) ?? given(variable);
      if (value !== undefined) rejectPlaceholderIn(name, value, flag);
      return [name, flag.type === 'boolean' ? readSwitch(name, value) : value];
    }),
  );
}

function conflictFailure(one: string, other: string): Failure {
  return new Failure('usage', `--${one} and --${other} are both set.`, { hint: 'Use only one of them.' });
}

/** Returns the flags that conflict with this flag: only one of them can be given. */
export function findConflictingFlags(name: string, flags: Flags): string[] {
  return Object.keys(flags).filter(other => flags[other]?.insteadOf === name || flags[name]?.insteadOf === other);
}

/** Returns whether a value is set: a string, a boolean flag, or an array with at least one string. */
export function isValueSet(value: unknown): boolean {
  return given(value) !== undefined || givenList(value) !== undefined;
}

/**
 * Removes white space and quotation marks around a value, because the command `set` of Windows and some hosts keep the
 * quotation marks that a user writes, and word processors replace them by curved ones.
 */
export function stripQuotes(value: string): string {
  const text = value.trim();
  return /^(["'])(?:.*\1)$|^[\u201c\u201e\u2018].*[\u201c\u201d\u2019]$/s.test(text) ? text.slice(1, -1).trim() : text;
}

/**
 * Returns the text of a value. A blank text or a placeholder counts as not set, because hosts and shells pass them for
 * a value that is not set.
 */
function given(value: unknown): string | undefined {
  if (value === true) return 'true';
  if (typeof value !== 'string') return undefined;
  const text = stripQuotes(value);
  return text === '' || isPlaceholder(text) ? undefined : text;
}

function givenList(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(given).filter(item => item !== undefined);
  return items.length === 0 ? undefined : items;
}

/**
 * Splits an environment variable with several values at the separator of PATH, but not after the scheme of a file URL.
 */
export function splitVariableValue(value: string): string[] {
  return value.split(path.delimiter === ':' ? /(?<!(?:^|:)\s*["']?file):/i : path.delimiter);
}

function readSwitch(flag: string, value: string | undefined): true | undefined {
  if (value === undefined || isSwitchedOff(value)) return undefined;
  if (/^(?:true|1|yes|on)$/i.test(value.trim())) return true;
  throw badValue(`--${flag} must be 1 or 0`, value);
}

/** Returns whether the value of a boolean variable means false. */
export function isSwitchedOff(value = ''): boolean {
  return /^(?:false|0|no|off)$/i.test(stripQuotes(value));
}

function chooseToolsets(value: string | undefined, known: readonly Toolset[]): readonly Toolset[] {
  if (value === undefined) return known.filter(toolset => toolset.isDefault);
  const names = new Set(value.split(',').map(name => name.trim().toLowerCase()));
  names.delete('');
  for (const name of names) {
    if (name !== 'all' && !known.some(toolset => toolset.name === name)) throw unknownToolset(name, known);
  }
  if (names.size === 0) throw unknownToolset(value, known);
  return names.has('all') ? known : known.filter(toolset => names.has(toolset.name));
}

function unknownToolset(name: string, known: readonly Toolset[]): Failure {
  const names = [...known.map(toolset => toolset.name), 'all'];
  const close = findNearestName(name, names);
  const suggestion = close === undefined ? '' : ` Did you mean "${close}"?`;
  return new Failure('setting', `--toolsets: there is no toolset ${JSON.stringify(name)}.${suggestion}`, {
    hint: `Known toolsets, separated by commas: ${names.join(', ')}.`,
  });
}
