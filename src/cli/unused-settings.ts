import { logLevelNames } from '../log/log.ts';
import { environmentVariableOfFlag, flagOfVariable } from '../toolset/flag-value.ts';
import type { Flag, Flags, Toolset } from '../toolset/toolset.ts';
import { findOtherSetting, findSimilarFlagNames, programModeFlags } from './argv.ts';
import { isPlaceholder } from './placeholder.ts';
import {
  type CommandLineValues,
  findConflictingFlags,
  isSwitchedOff,
  isValueSet,
  type Settings,
  serverFlags,
  stripQuotes,
} from './settings.ts';

export interface UnusedSetting {
  /** The flag of the setting, or undefined for a variable without a flag. */
  flag?: string;
  message: string;
  remedy: string;
  /** True for an environment variable. It causes no error, because a variable is often set for several servers. */
  isVariable: boolean;
}

/**
 * Finds settings without effect: flags of disabled toolsets, flags that only --check uses, environment variables that
 * another flag overrides, unknown variables, placeholders, and unknown log levels.
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
    ...findUnknownVariables(env, enabled, known),
    ...findPlaceholders(args, env, enabled, isChecking),
    ...levels.map(level => ({
      message: `OJ_MCP_LOG: ${JSON.stringify(level)} is not a level`,
      remedy: `The levels are ${logLevelNames.join(', ')}.`,
      isVariable: true,
    })),
  ];
}

/** Finds secrets on the command line. They have an effect, so that they are no error. */
export function findVisibleSecrets(args: CommandLineValues, flags: Flags): UnusedSetting[] {
  const names = Object.keys(flags).filter(name => flags[name]?.isSecret === true && isValueSet(args[name]));
  return names.map(flag => ({
    flag,
    message: `--${flag} can be seen by other users of this machine`,
    remedy: `Set ${environmentVariableOfFlag(flag)} instead.`,
    isVariable: true,
  }));
}

/** Returns the flags that have a value. Only these are tested, because most of the 50 flags have no value. */
function flagsWithValue(args: CommandLineValues, env: NodeJS.ProcessEnv): ReadonlySet<string> {
  return new Set([...Object.keys(args), ...ownVariables(env).map(flagOfVariable)]);
}

/** Returns the environment variables with the prefix of this program. On Windows the case of their names is ignored. */
function ownVariables(env: NodeJS.ProcessEnv): string[] {
  return Object.keys(env).filter(name => /^OJ_MCP_/i.test(name));
}

/** Returns the name of the flag or the variable that sets a value. The flag takes precedence. */
function sourceOf(flag: string, args: CommandLineValues, env: NodeJS.ProcessEnv): string | undefined {
  if (isValueSet(args[flag])) return `--${flag}`;
  return isValueSet(env[environmentVariableOfFlag(flag)]) ? environmentVariableOfFlag(flag) : undefined;
}

/** Replaces the names of flags in a message by the environment variables that set them. */
export function nameVariablesInsteadOfFlags(
  message: string,
  flags: Flags,
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
): string {
  return message.replaceAll(/(?<![\w-])--([a-z][a-z0-9-]*)/g, (text, flag: string) => {
    const hasVariable = Object.hasOwn(flags, flag) && flags[flag]?.isTask !== true;
    const value = env[environmentVariableOfFlag(flag)];
    const isOff = flags[flag]?.type === 'boolean' && isSwitchedOff(value);
    return hasVariable && !isValueSet(args[flag]) && isValueSet(value) && !isOff
      ? environmentVariableOfFlag(flag)
      : text;
  });
}

function findUnusedFlags(
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
  enabled: readonly Toolset[],
  known: readonly Toolset[],
  isChecking: boolean,
): UnusedSetting[] {
  const given = flagsWithValue(args, env);
  const verb = given.has('toolsets') ? 'Use' : 'Add';
  // The default toolset is not suggested if it cannot start, because none of its flags is given.
  const kept = enabled.filter(
    ({ flags }) => verb === 'Use' || given.has('demo') || Object.keys(flags).some(flag => given.has(flag)),
  );
  return known.flatMap(({ name: toolset, flags }) => {
    const isEnabled = enabled.some(({ name }) => name === toolset);
    const names = [...kept.map(({ name }) => name), toolset].join(',');
    return Object.keys(flags).flatMap((flag): UnusedSetting[] => {
      const subject = given.has(flag) && flags[flag]?.isTask !== true ? sourceOf(flag, args, env) : undefined;
      if (subject === undefined) return [];
      const isVariable = !subject.startsWith('--');
      if (isEnabled)
        return [findIneffective(flag, flags, subject, args, isChecking)].filter(found => found !== undefined);
      const message = `${subject} has no effect, because the toolset "${toolset}" is disabled`;
      return [{ flag, message, remedy: `${verb} --toolsets ${names}, or remove ${subject}.`, isVariable }];
    });
  });
}

/** Returns the reason why a setting of an enabled toolset has no effect. */
function findIneffective(
  flag: string,
  flags: Flags,
  subject: string,
  args: CommandLineValues,
  isChecking: boolean,
): UnusedSetting | undefined {
  const isVariable = !subject.startsWith('--');
  const declared: Flag | undefined = flags[flag];
  if (declared?.isForCheck === true && !isChecking) {
    const message = `${subject} has no effect without --check`;
    return { flag, message, remedy: `Use it with --check only.`, isVariable };
  }
  const stronger = findConflictingFlags(flag, flags).find(other => isValueSet(args[other]));
  if (!isVariable || stronger === undefined) return undefined;
  const message = `${subject} has no effect because of --${stronger}`;
  return { flag, message, remedy: `Use only one of them.`, isVariable };
}

/** Finds settings whose value is a placeholder, because they count as not set. */
export function findPlaceholders(
  args: CommandLineValues,
  env: NodeJS.ProcessEnv,
  enabled: readonly Toolset[],
  isChecking: boolean,
): UnusedSetting[] {
  const flags: Flags = Object.assign({}, serverFlags, ...enabled.map(toolset => toolset.flags));
  const given = flagsWithValue(args, env);
  return Object.keys(flags).flatMap(flag => {
    if (!given.has(flag)) return [];
    const declared = flags[flag];
    const fault = (subject: string, text: string): UnusedSetting =>
      placeholderFault(flag, subject, text, declared?.isSecret);
    return [
      ...placeholdersIn(args[flag]).map(text => fault(`--${flag}`, text)),
      ...placeholdersIn(declared?.isTask === true ? undefined : env[environmentVariableOfFlag(flag)])
        // The extension of Claude Desktop passes these texts for settings that the user has left empty.
        .filter(text => isChecking || !text.startsWith('${user_config.'))
        .map(text => fault(environmentVariableOfFlag(flag), text)),
    ];
  });
}

function placeholdersIn(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.flatMap(text =>
    typeof text === 'string' && isPlaceholder(stripQuotes(text)) ? [stripQuotes(text)] : [],
  );
}

function placeholderFault(flag: string, subject: string, text: string, isSecret = false): UnusedSetting {
  // The message does not repeat the value, because a password can look like a shell variable.
  const shown = isSecret && !/^(?:your-token|\$\{.*\})$/.test(text) ? 'its value' : JSON.stringify(text);
  const message = `${subject} has no effect: ${shown} is a placeholder`;
  return {
    flag,
    message,
    remedy: 'Replace it by the real value, or remove it.',
    isVariable: !subject.startsWith('--'),
  };
}

/**
 * Finds variables with the prefix OJ_MCP_, or by mistake OJMCP_ or small letters, that do not belong to a flag.
 * OJ_MCP_LOG is valid although there is no such flag. Windows ignores the case.
 */
function findUnknownVariables(
  env: NodeJS.ProcessEnv,
  enabled: readonly Toolset[],
  known: readonly Toolset[],
): UnusedSetting[] {
  const given = Object.keys(env).filter(name => /^OJ_?MCP_/i.test(name) && isValueSet(env[name]));
  if (given.length === 0) return [];
  const flags: Flags = Object.assign({}, serverFlags, ...known.map(toolset => toolset.flags));
  const names = Object.entries(flags).flatMap(([name, { isTask }]) =>
    isTask === true ? [] : [environmentVariableOfFlag(name)],
  );
  const isKnown = new Set([...names, 'OJ_MCP_LOG']);
  return given.flatMap(name => {
    if (isKnown.has(process.platform === 'win32' ? name.toUpperCase() : name)) return [];
    // The flags of tasks, such as an import, and of modes, such as --check, have no environment variable.
    const task = Object.keys({ ...flags, ...programModeFlags }).find(flag => environmentVariableOfFlag(flag) === name);
    const remedy = task === undefined ? suggestVariable(name, Object.keys(flags), enabled) : `Use the flag --${task}.`;
    return [{ message: `${name} has no effect: there is no such variable`, remedy, isVariable: true }];
  });
}

function suggestVariable(name: string, flags: readonly string[], enabled: readonly Toolset[]): string {
  const given = name.replace(/^OJ_?MCP_/i, '');
  const setting = findOtherSetting(given);
  if (setting !== undefined) return setting.slice(1);
  const preferred = enabled.flatMap(toolset => Object.keys(toolset.flags));
  const close = findSimilarFlagNames(given, [...flags, 'log'], preferred);
  if (close.length === 0) return '--help lists the variables.';
  return `Did you mean ${close.map(environmentVariableOfFlag).join(' or ')}?`;
}
