import { Failure } from './failure.ts';
import { nearest } from './nearest.ts';
import type { Flags } from './toolset.ts';

export type Wish = 'help' | 'version' | 'serve';

/** Ties the values of a repeated flag into one word: no argument can contain it. */
export const listSeparator = '\0';

/**
 * Refuses what citty would let through: unknown flags, stray words, flags without their value or given twice.
 * `args` is the command line with each value tied to its flag, so that there is one way to read it.
 */
export function checkArgv(argv: readonly string[], flags: Flags): { wish: Wish; args: string[] } {
  const seen = new Map<string, string>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--help' || word === '-h') return { wish: 'help', args: [] };
    if (word === '--version' || word === '-V') return { wish: 'version', args: [] };
    const [name, tied] = splitFlag(word);
    if (name === 'help' || name === 'version')
      throw new Failure('usage', `--${name} takes no value.`, { hint: seeHelp });
    const flag = name === undefined || !Object.hasOwn(flags, name) ? undefined : flags[name];
    if (name === undefined || flag === undefined) throw unknownWord(word, index + 1, flags);
    const earlier = seen.get(name);
    if (earlier !== undefined && flag.isList !== true)
      throw new Failure('usage', `--${name} is given twice.`, { hint: seeHelp });
    if (flag.type === 'boolean') {
      if (tied !== undefined) throw new Failure('usage', `--${name} takes no value.`, { hint: seeHelp });
      seen.set(name, `--${name}`);
      continue;
    }
    const value = tied ?? argv[++index];
    if (value === undefined || (tied === undefined && value.startsWith('--'))) {
      throw new Failure('usage', `--${name} needs a value: --${name} <${flag.valueHint ?? 'value'}>.`, {
        hint: seeHelp,
      });
    }
    seen.set(name, earlier === undefined ? `--${name}=${value}` : `${earlier}${listSeparator}${value}`);
  }
  return { wish: 'serve', args: [...seen.values()] };
}

const seeHelp = 'See --help.';

function splitFlag(word: string): [name: string | undefined, tied: string | undefined] {
  if (!word.startsWith('--') || word === '--') return [undefined, undefined];
  const equals = word.indexOf('=');
  return equals === -1 ? [word.slice(2), undefined] : [word.slice(2, equals), word.slice(equals + 1)];
}

/** Never repeats a stray word or what follows an `=`: it may be a secret. */
function unknownWord(word: string, position: number, flags: Flags): Failure {
  const isFlag = word.startsWith('-');
  const name = word.replace(/^-+/, '').split('=', 1)[0] ?? '';
  const close = nearest(name, [...Object.keys(flags), 'help', 'version']);
  const what = isFlag ? `unknown flag ${word.split('=', 1)[0]}` : `unexpected word, number ${position}`;
  const suggestion = close === undefined ? '' : ` Did you mean --${close}?`;
  return new Failure('usage', `${what}.${suggestion}`, { hint: seeHelp });
}
