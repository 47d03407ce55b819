import { Failure } from '../errors/failure.ts';
import { findNearestName } from '../text/nearest.ts';
import type { Flag, Flags } from '../toolset/toolset.ts';

interface ModeFlag extends Flag {
  alias?: string;
  /** True if the flag may be written without a value, which means an empty string. */
  isValueOptional?: true;
}

/** A toolset with its flags. */
interface FlagGroup {
  name: string;
  isDefault: boolean;
  flags: Flags;
}

/** These flags choose the mode of the program. They have no environment variable. */
export const programModeFlags = {
  check: {
    type: 'boolean',
    description: 'Check the other flags, the backend and the folders, and exit',
  },
  'print-config': {
    type: 'string',
    valueHint: 'host',
    isValueOptional: true,
    description: 'Print the configuration of a host for the other flags; without a name, list the hosts',
  },
  install: {
    type: 'string',
    valueHint: 'host',
    description: "Show the change to a host's configuration file; with --yes write it",
  },
  uninstall: {
    type: 'string',
    valueHint: 'host',
    description: 'Show how this server is removed from a host; with --yes remove it',
  },
  yes: { type: 'boolean', description: 'Make the change that --install, --uninstall or an import only shows' },
  help: { type: 'boolean', alias: 'h', description: 'Print this help and exit' },
  version: { type: 'boolean', alias: 'V', description: 'Print the version and exit' },
} as const satisfies Record<string, ModeFlag>;

/**
 * Maps each flag on the command line to its values, in order. A boolean flag has no value, and a repeatable flag has
 * several.
 */
export type ParsedFlagValues = ReadonlyMap<string, readonly string[]>;

/** The parsed command line: the mode of the program and the flags of the server. */
export type ParsedCommandLine =
  // All other arguments are ignored in these modes, as in most programs.
  | { mode: 'help' | 'version' }
  | { mode: 'serve' | 'check' | 'list-hosts'; given: ParsedFlagValues }
  | { mode: 'task'; given: ParsedFlagValues; isConfirmed: boolean }
  | { mode: 'print-config'; given: ParsedFlagValues; host: string }
  | { mode: 'install' | 'uninstall'; given: ParsedFlagValues; host: string; isConfirmed: boolean };

/**
 * Parses the command line and rejects the errors that citty accepts: unknown flags, positional arguments, missing
 * values and repeated flags. The toolsets and the value of OJ_MCP_TOOLSETS (`enabled`) are used for suggestions only.
 */
export function parseCommandLine(
  argv: readonly string[],
  flags: Flags,
  toolsets: readonly FlagGroup[] = [],
  enabled = '',
): ParsedCommandLine {
  const known: Record<string, ModeFlag> = { ...flags, ...programModeFlags };
  const given = new Map<string, string[]>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    // --help and --version take precedence over errors in later arguments.
    const textMode = textModes.get(word);
    if (textMode !== undefined) return { mode: textMode };
    const [name = '', inlineValue] = splitFlag(word);
    const flag = Object.hasOwn(known, name) ? known[name] : undefined;
    if (flag === undefined)
      throw unknownWord(argv, index, known, findNamedFlags(`${argv.join(' ')} ${enabled}`, toolsets));
    const value = readValue(name, flag, inlineValue, argv[index + 1]);
    addValue(given, name, flag, value);
    if (value !== undefined && inlineValue === undefined) index++;
  }
  return commandLineOf(given, flags);
}

const textModes: ReadonlyMap<string, 'help' | 'version'> = new Map([
  ['--help', 'help'],
  ['-h', 'help'],
  ['--version', 'version'],
  ['-V', 'version'],
]);

function addValue(given: Map<string, string[]>, name: string, { isList }: ModeFlag, value: string | undefined): void {
  const earlier = given.get(name);
  if (earlier !== undefined && isList !== true) throw usageError(`--${name} is given twice.`);
  given.set(name, [...(earlier ?? []), ...(value === undefined ? [] : [value])]);
}

/** Returns the value of a flag, or undefined for a flag without a value. */
function readValue(
  name: string,
  { type, valueHint = 'value', isValueOptional }: ModeFlag,
  inlineValue: string | undefined,
  next: string | undefined,
): string | undefined {
  if (type === 'boolean') {
    if (inlineValue !== undefined) throw usageError(`--${name} takes no value.`);
    return undefined;
  }
  if (inlineValue !== undefined) return inlineValue;
  if (next !== undefined && !next.startsWith('--')) return next;
  if (isValueOptional === true) return undefined;
  throw usageError(`--${name} needs a value: --${name} <${valueHint}>.`);
}

/** Separates the flags that choose the mode of the program from the flags of the server. */
function commandLineOf(all: ParsedFlagValues, flags: Flags): ParsedCommandLine {
  const given = new Map([...all].filter(([name]) => !Object.hasOwn(programModeFlags, name)));
  const isConfirmed = all.has('yes');
  const modes = (['check', 'print-config', 'install', 'uninstall'] as const).filter(name => all.has(name));
  const [mode] = modes;
  if (modes.length > 1) throw usageError(`--${modes.join(' and --')} exclude each other.`);
  const task = [...given.keys()].find(name => flags[name]?.isTask === true);
  if (task !== undefined) {
    if (mode !== undefined) throw usageError(`--${mode} excludes an import or export.`);
    requireOnly(given, task, name => flags[name]?.isTask === true || flags[name]?.isForTask === true);
    return { mode: 'task', given, isConfirmed };
  }
  if (isConfirmed && mode !== 'install' && mode !== 'uninstall') {
    throw usageError('--yes needs --install, --uninstall or an import.');
  }
  if (mode === undefined || mode === 'check') return { mode: mode ?? 'serve', given };
  const [host] = all.get(mode) ?? [];
  if (mode === 'uninstall') requireOnly(given, mode, () => false);
  if (host === undefined) return { mode: 'list-hosts', given };
  return mode === 'print-config' ? { mode, given, host } : { mode, given, host, isConfirmed };
}

/** Rejects flags that have no effect in the chosen mode, because the user would expect an effect. */
function requireOnly(given: ParsedFlagValues, mode: string, isUsed: (name: string) => boolean): void {
  const unused = [...given.keys()].filter(name => !isUsed(name)).map(name => `--${name}`);
  if (unused.length === 0) return;
  const have = unused.length === 1 ? 'has' : 'have';
  throw usageError(`${unused.join(', ')} ${have} no effect with --${mode}.`, `Remove ${unused.join(', ')}.`);
}

function splitFlag(word: string): [name: string | undefined, inlineValue: string | undefined] {
  if (!word.startsWith('--') || word === '--') return [undefined, undefined];
  const equals = word.indexOf('=');
  return equals === -1 ? [word.slice(2), undefined] : [word.slice(2, equals), word.slice(equals + 1)];
}

/**
 * Creates the error for an unknown argument. The message never repeats a positional argument or a value, because it can
 * be a secret.
 */
function unknownWord(
  argv: readonly string[],
  index: number,
  known: Record<string, ModeFlag>,
  preferred: readonly string[],
): Failure {
  const word = argv[index] ?? '';
  const [, given = '', name = ''] = /^(-*([^=:\s]*))/.exec(word) ?? [];
  if (Object.hasOwn(known, name) && given.startsWith('--') && /^[:\s]/.test(word.slice(given.length)))
    return joinedArguments(name, known[name]);
  if (word.startsWith('-'))
    return usageError(`unknown flag ${given}.${adviceForFlag(nameForTask(name, argv, known), known, preferred)}`);
  // zsh, the default shell of macOS, passes a comment in an interactive command to the program as arguments.
  if (word === '#') return usageError('the command line contains a comment.', 'Remove the "#" and the words after it.');
  const close = index === 0 ? findSimilarFlag(name, known, preferred) : undefined;
  const advice = /^https?:/i.test(word)
    ? ' An address needs a flag, such as --base-url.'
    : close === undefined
      ? ' Every value belongs to a flag.'
      : ` Did you mean ${close}?`;
  return positionalArgument(argv[index - 1] ?? '', `unexpected argument at position ${index + 1}.${advice}`, known);
}

/**
 * Returns the name by which a flag is searched: in an import or export, "force" means to overwrite files, and in an
 * installation to confirm it.
 */
function nameForTask(name: string, argv: readonly string[], known: Record<string, ModeFlag>): string {
  if (name !== 'force') return name;
  const given = argv.map(word => splitFlag(word)[0] ?? '');
  if (given.some(flag => known[flag]?.isTask === true)) return 'overwrite';
  return given.includes('install') || given.includes('uninstall') ? 'yes' : name;
}

/** Returns the end of the error for an unknown flag: a similar flag, or the setting that has this effect. */
function adviceForFlag(name: string, known: Record<string, ModeFlag>, preferred: readonly string[]): string {
  const setting = findOtherSetting(name);
  const close = setting === undefined ? findSimilarFlag(name, known, preferred) : undefined;
  return close === undefined ? (setting ?? '') : ` Did you mean ${close}?`;
}

/** Returns the advice for a name that has no flag. It begins with a space. */
export function findOtherSetting(name: string): string | undefined {
  const words = name.toLowerCase().replaceAll('_', '-');
  return otherSettings.find(([pattern]) => pattern.test(words))?.[1];
}

/** Names that flags of other programs have, and the advice for them. */
const otherSettings: readonly (readonly [RegExp, string])[] = [
  [/^host$/, ' A host belongs to --install or --print-config, an address to --base-url.'],
  [/^file$/, ' A file of problems belongs to --problems, a folder of your own files to --files-root.'],
  [/^(?:stdio|http|sse|port|transport)$/, ' The server uses only standard input and output.'],
  [
    /region|profile|(?:aws|s3|minio)-.*(?:key|secret|token|password|user)|(?:access|secret)-key/,
    ' A bucket uses the variables of AWS, such as AWS_REGION.',
  ],
  [/secret/, ' A backend uses --token, a bucket the variables of AWS.'],
  [/^(?:debug|verbose|quiet|log(?!in))/, ' Set OJ_MCP_LOG=debug, or another level.'],
  [/^insecure$|cert|ssl|tls/, ' To trust a certificate, set NODE_EXTRA_CA_CERTS.'],
  [/proxy/, ' Set HTTPS_PROXY or HTTP_PROXY.'],
  [/^dry-run$/, ' Nothing is written without --yes.'],
];

function joinedArguments(name: string, flag?: ModeFlag): Failure {
  if (flag?.type === 'boolean') return usageError(`--${name} and the next flag must be two arguments.`);
  return usageError(`--${name} and its value must be two arguments, or one with =, as in --${name}=value.`);
}

function positionalArgument(previous: string, message: string, known: Record<string, ModeFlag>): Failure {
  if (/^--[\w-]+=$/.test(previous))
    return usageError(`${previous} has no value.`, 'Remove the space after the = sign.');
  const [before] = splitFlag(previous);
  if (before !== undefined && known[before]?.type === 'boolean') return usageError(`--${before} takes no value.`);
  return usageError(
    message,
    previous === '' ? undefined : 'Put quotes around a value with spaces, and no space after a comma. See --help.',
  );
}

function findSimilarFlag(
  name: string,
  known: Record<string, ModeFlag>,
  preferred: readonly string[],
): string | undefined {
  const short = Object.values(known).find(({ alias }) => alias?.toLowerCase() === name.toLowerCase())?.alias;
  if (short !== undefined) return `-${short}`;
  const close = findSimilarFlagNames(name, Object.keys(known), preferred);
  return close.length === 0 ? undefined : close.map(flag => `--${flag}`).join(' or ');
}

/**
 * Returns the flags of the toolsets that are named in a text, such as `--toolsets files` or `--files-root`, or those of
 * the default toolset.
 */
function findNamedFlags(text: string, toolsets: readonly FlagGroup[]): string[] {
  const words = new Set(text.toLowerCase().split(/[^a-z]+/));
  const named = toolsets.filter(({ name }) => words.has(name));
  const enabled = named.length > 0 ? named : toolsets.filter(({ isDefault }) => isDefault);
  return enabled.flatMap(({ flags }) => Object.keys(flags));
}

/** Other names for the parts of a flag. */
const synonyms: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'url backend server api endpoint address',
    'token key apikey auth bearer password',
    'books-root bucket library',
    'root roots',
    'agent author',
    'problems collection',
    'toolsets enable all',
    'check test doctor validate',
    'install setup add configure',
    'uninstall remove delete',
    'print-config list',
    'yes y confirm',
  ].flatMap(line => {
    const [meaning = '', ...names] = line.split(' ');
    return names.map(name => [name, meaning]);
  }),
);

/**
 * Returns the flags that a user may have meant: the shortest ones with the given words, such as `--base-url` for
 * `--url`, the nearest one, or the shortest ones with the last word, such as `--oj-language` for `--default-lang`.
 * A last word such as "folder" is ignored. The preferred flags, those of the enabled toolsets, come first.
 */
export function findSimilarFlagNames(given: string, flags: readonly string[], preferred: readonly string[]): string[] {
  const words = given.toLowerCase().replaceAll('_', '-');
  const name = words.replace(/^(?:dir|directory|folder|path)$/, 'root').replace(/-(?:dir|directory|folder|path)$/, '');
  const last = /[^-]*$/.exec(name)?.[0] ?? '';
  for (const candidates of [preferred, flags]) {
    const shortest = (text: string): string[] => {
      const found = candidates.filter(flag => text.length > 3 && `-${flag}-`.includes(text));
      return found.filter(flag => found.every(other => other.length >= flag.length));
    };
    const nearest = findNearestName(name, candidates);
    const complete = shortest(`-${name}-`);
    if (complete.length > 0) return complete;
    // Several words that only one flag contains mean this flag: "--s3-endpoint", but not "--endpoint".
    const compound = name.includes('-') ? flags.filter(flag => flag.includes(name)) : [];
    if (compound.length === 1) return compound;
    if (nearest !== undefined) return [nearest];
    const ends = name.startsWith('no-') ? [] : shortest(`-${synonyms[last] ?? last}`);
    if (ends.length > 0) return ends;
  }
  return [];
}

function usageError(message: string, hint = 'See --help.'): Failure {
  return new Failure('usage', message, { hint });
}
