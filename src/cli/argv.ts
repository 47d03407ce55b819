import { Failure } from '../errors/failure.ts';
import { nearest } from '../text/nearest.ts';
import type { Flag, Flags } from '../toolset/toolset.ts';

/** What is wanted other than to serve; on the command line only, and beside the flags of a server. */
export const wishes = {
  check: {
    type: 'boolean',
    description: 'Say what a host would get with the other flags: the backend, folders, tools; and leave',
  },
  'print-config': {
    type: 'string',
    valueHint: 'host',
    description: 'Print what to paste into the settings of a host to start this with the other flags, and leave',
  },
  install: {
    type: 'string',
    valueHint: 'host',
    description: 'Show how a host is set up to start this with the other flags; with --yes change its file',
  },
  uninstall: {
    type: 'string',
    valueHint: 'host',
    description: 'Show how this is removed from a host; with --yes change its file',
  },
  yes: { type: 'boolean', description: 'Make the change that --install, --uninstall or an import would only show' },
  help: { type: 'boolean', alias: 'h', description: 'Print this and leave' },
  version: { type: 'boolean', alias: 'V', description: 'Print the version and leave' },
} as const satisfies Record<string, Flag & { alias?: string }>;

/** What was typed, understood. */
export type CommandLine =
  | { wish: 'help' }
  | { wish: 'version' }
  | { wish: 'serve'; typed: Typed }
  | { wish: 'task'; typed: Typed; isConfirmed: boolean }
  | { wish: 'check'; typed: Typed }
  | { wish: 'print-config'; typed: Typed; host: string }
  | { wish: 'install' | 'uninstall'; typed: Typed; host: string; isConfirmed: boolean };

/** What was typed for each flag, in order: a switch has no values, a list has several. */
export type Typed = ReadonlyMap<string, readonly string[]>;

/** Ties the values of a repeated flag into one word: no argument can contain it. */
export const listSeparator = '\0';

/** Refuses what citty would let through: unknown flags, stray words, flags without their value or given twice. */
export function checkArgv(argv: readonly string[], flags: Flags): CommandLine {
  const known: Flags = { ...flags, ...wishes };
  const typed = new Map<string, string[]>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    // Whoever asks for help or the version gets it, whatever stands behind.
    if (word === '--help' || word === '-h') return { wish: 'help' };
    if (word === '--version' || word === '-V') return { wish: 'version' };
    const [name, tied] = splitFlag(word);
    const flag = name === undefined || !Object.hasOwn(known, name) ? undefined : known[name];
    if (name === undefined || flag === undefined) throw unknownWord(word, index + 1, known);
    const earlier = typed.get(name);
    if (earlier !== undefined && flag.isList !== true)
      throw new Failure('usage', `--${name} is given twice.`, { hint: seeHelp });
    if (flag.type === 'boolean') {
      if (tied !== undefined) throw new Failure('usage', `--${name} takes no value.`, { hint: seeHelp });
      typed.set(name, []);
      continue;
    }
    const value = tied ?? argv[++index];
    if (value === undefined || (tied === undefined && value.startsWith('--'))) {
      throw new Failure('usage', `--${name} needs a value: --${name} <${flag.valueHint ?? 'value'}>.`, {
        hint: seeHelp,
      });
    }
    typed.set(name, [...(earlier ?? []), value]);
  }
  const isTask = [...typed.keys()].some(name => flags[name]?.isTask === true);
  return commandLineOf(typed, isTask);
}

/** Separates the wish from the flags of the server. */
function commandLineOf(typed: Map<string, string[]>, isTask: boolean): CommandLine {
  const wish = typed.has('check') ? 'check' : 'serve';
  const isConfirmed = typed.has('yes');
  const chosen = (['print-config', 'install', 'uninstall'] as const).filter(name => typed.has(name));
  const [name] = chosen;
  const [host = ''] = typed.get(name ?? '') ?? [];
  for (const other of Object.keys(wishes)) typed.delete(other);
  if (chosen.length > 1)
    throw new Failure('usage', `--${chosen.join(' and --')} exclude each other.`, { hint: seeHelp });
  if (isTask && (name !== undefined || wish === 'check')) {
    throw new Failure('usage', `--${name ?? wish} excludes an import or export.`, { hint: seeHelp });
  }
  if (isConfirmed && !isTask && name !== 'install' && name !== 'uninstall') {
    throw new Failure('usage', '--yes needs --install, --uninstall or an import.', { hint: seeHelp });
  }
  if (isTask) return { wish: 'task', typed, isConfirmed };
  if (name === undefined) return { wish, typed };
  return name === 'print-config' ? { wish: name, typed, host } : { wish: name, typed, host, isConfirmed };
}

/** The command line with each value tied to its flag, so that there is one way to read it. */
export function tiedWords(typed: Typed): string[] {
  return Array.from(typed, ([name, values]) =>
    values.length === 0 ? `--${name}` : `--${name}=${values.join(listSeparator)}`,
  );
}

const seeHelp = 'See --help.';

function splitFlag(word: string): [name: string | undefined, tied: string | undefined] {
  if (!word.startsWith('--') || word === '--') return [undefined, undefined];
  const equals = word.indexOf('=');
  return equals === -1 ? [word.slice(2), undefined] : [word.slice(2, equals), word.slice(equals + 1)];
}

/** Never repeats a stray word or what follows an `=`: it may be a secret. */
function unknownWord(word: string, position: number, known: Flags): Failure {
  const isFlag = word.startsWith('-');
  const name = word.replace(/^-+/, '').split('=', 1)[0] ?? '';
  const close = nearest(name, Object.keys(known));
  const what = isFlag ? `unknown flag ${word.split('=', 1)[0]}` : `unexpected word, number ${position}`;
  const suggestion = close === undefined ? '' : ` Did you mean --${close}?`;
  return new Failure('usage', `${what}.${suggestion}`, { hint: seeHelp });
}
