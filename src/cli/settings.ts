import path from 'node:path';
import { Failure } from '../errors/failure.ts';
import { logLevelNames, unknownLogLevels } from '../log/log.ts';
import { findNearest } from '../text/nearest.ts';
import { badValue, flagNames, variableName } from '../toolset/flag-value.ts';
import type { Flags, FlagValues, Toolset } from '../toolset/toolset.ts';

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
  /** These parts of OJ_MCP_LOG are no log level. The server warns about them. */
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
    // RUST_LOG is not checked, because it also contains the log levels of other programs.
    unknownLevels: unknownLogLevels(given(env['OJ_MCP_LOG'])),
  };
}

/** Maps flags on the command line to their values: true for a boolean flag, an array for a list. */
export type CommandLineValues = Readonly<Record<string, unknown>>;

/** Returns the value of each flag, from the command line or else from its environment variable. */
export function flagValues<const Declared extends Flags>(
  flags: Declared,
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
): FlagValues<Declared>;
export function flagValues(
  flags: Flags,
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
): Record<string, string | true | readonly string[] | undefined> {
  return Object.fromEntries(
    Object.entries(flags).map(([name, { type, isList, isTask }]) => {
      const isOverruled = conflictingFlags(name, flags).some(other => isNonBlank(args[other]));
      const hasVariable = !isOverruled && isTask !== true;
      const [argument, variable] = [args[name], hasVariable ? env[variableName(name)] : undefined];
      if (isList === true) return [name, givenList(argument) ?? givenList(variable?.split(path.delimiter))];
      const value = given(argument) ?? given(variable);
      return [name, type === 'boolean' ? readSwitch(name, value) : value];
    }),
  );
}

/** Returns the flags that exclude this flag: only one of them can be given. */
export function conflictingFlags(name: string, flags: Flags): string[] {
  return Object.keys(flags).filter(other => flags[other]?.insteadOf === name || flags[name]?.insteadOf === other);
}

export function isNonBlank(value: unknown): boolean {
  return given(value) !== undefined;
}

/**
 * Hosts and shells pass these texts for an unset variable: `${user_config.token}`, `$TOKEN`, `$env:TOKEN`, `%TOKEN%`.
 * `your-token` is the text that --print-config and the documentation write in place of a token.
 */
const placeholder = /^\s*(?:your-token|\$\{[^}]*\}|\$[A-Z_][A-Z0-9_]*|\$env:\w+|%\w+%)\s*$/;

function given(value: unknown): string | undefined {
  if (value === true) return 'true';
  if (typeof value !== 'string') return undefined;
  return value.trim() === '' || placeholder.test(value) ? undefined : value;
}

function givenList(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(given).filter(item => item !== undefined);
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
      throw badValue(`${flagNames(flag)} must be 1 or 0`, value);
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
  const close = findNearest(name, names);
  const suggestion = close === undefined ? '' : ` Did you mean "${close}"?`;
  return new Failure('setting', `--toolsets: there is no toolset ${JSON.stringify(name)}.${suggestion}`, {
    hint: `Known toolsets, separated by commas: ${names.join(', ')}.`,
  });
}

/** A setting that has no effect. */
export interface UnusedSetting {
  message: string;
  remedy: string;
  /** True for an environment variable, which is not an error because it is often set for several servers. */
  isVariable: boolean;
}

/**
 * Finds the settings without effect: flags of disabled toolsets, flags that change --check only, unknown variables, and
 * unknown log levels.
 */
export function findUnusedSettings(
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
  { toolsets: enabled, unknownLevels: levels }: Settings,
  known: readonly Toolset[],
  isChecking = false,
): UnusedSetting[] {
  return [
    ...findUnusedFlags(args, env, enabled, known, isChecking),
    ...findUnknownVariables(env, known),
    ...findPlaceholders(args, env),
    ...levels.map(level => ({
      message: `OJ_MCP_LOG: ${JSON.stringify(level)} is not a level`,
      remedy: `The levels are ${logLevelNames.join(', ')}.`,
      isVariable: true,
    })),
  ];
}

function findUnusedFlags(
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
  enabled: readonly Toolset[],
  known: readonly Toolset[],
  isChecking: boolean,
): UnusedSetting[] {
  const used = new Set(Object.keys(serverFlags).concat(enabled.flatMap(({ flags }) => Object.keys(flags))));
  const verb = isNonBlank(args['toolsets']) || isNonBlank(env[variableName('toolsets')]) ? 'Use' : 'Add';
  return known.flatMap(({ name: toolset, flags }) => {
    const names = [...enabled.map(({ name }) => name), toolset].join(',');
    return Object.keys(flags).flatMap(flag => {
      const isArgument = isNonBlank(args[flag]) || givenList(args[flag]) !== undefined;
      if (!(isArgument || isNonBlank(env[variableName(flag)]))) return [];
      const subject = isArgument ? `--${flag}` : variableName(flag);
      if (used.has(flag)) {
        const isUsed = flags[flag]?.isForCheck !== true || isChecking;
        const message = `${subject} has no effect without --check`;
        return isUsed ? [] : [{ message, remedy: `Add --check, or remove ${subject}.`, isVariable: !isArgument }];
      }
      const message = `${subject} has no effect, because the toolset "${toolset}" is disabled`;
      return [{ message, remedy: `${verb} --toolsets ${names}, or remove ${subject}.`, isVariable: !isArgument }];
    });
  });
}

/** Finds settings that still have the example token of the documentation. It counts as not set. */
function findPlaceholders(args: CommandLineValues, env: NodeJS.ProcessEnv): UnusedSetting[] {
  const isDocumented = (value: unknown): boolean => typeof value === 'string' && value.trim() === 'your-token';
  const isVariable = !isDocumented(args['token']);
  if (isVariable && !isDocumented(env['OJ_MCP_TOKEN'])) return [];
  const subject = isVariable ? 'OJ_MCP_TOKEN' : '--token';
  const message = `${subject} has no effect: "your-token" is a placeholder`;
  return [{ message, remedy: 'Replace it by the real token, or remove it.', isVariable }];
}

/** Finds variables with the prefix OJ_MCP_ that no flag has. OJ_MCP_LOG is valid although no flag has this name. */
function findUnknownVariables(env: NodeJS.ProcessEnv, known: readonly Toolset[]): UnusedSetting[] {
  const flags: Flags = Object.assign({}, serverFlags, ...known.map(toolset => toolset.flags));
  const names = Object.entries(flags).flatMap(([name, { isTask }]) => (isTask === true ? [] : [variableName(name)]));
  const isKnown = new Set([...names, 'OJ_MCP_LOG']);
  return Object.keys(env).flatMap(name => {
    if (!name.startsWith('OJ_MCP_') || isKnown.has(name) || !isNonBlank(env[name])) return [];
    const close = findNearest(name, isKnown);
    const remedy = close === undefined ? '--help lists the variables.' : `Did you mean ${close}?`;
    return [{ message: `${name} has no effect: there is no such variable`, remedy, isVariable: true }];
  });
}
