import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/argv.ts';
import { allFlags, allToolsets, readServerSettings } from '../../src/cli/enabled-toolsets.ts';
import { resolveFlagValues } from '../../src/cli/settings.ts';
import { findUnusedSettings } from '../../src/cli/unused-settings.ts';
import { Failure } from '../../src/errors/failure.ts';
import { has } from '../support/toolsets.ts';

/** The arguments that select each mode of the program. */
const modes = {
  serve: [],
  check: ['--check'],
  'print-config': ['--print-config', 'zed'],
  'list of hosts': ['--print-config'],
  install: ['--install', 'zed'],
  uninstall: ['--uninstall', 'zed'],
  import: ['--books-import=/source', '--book=my-book'],
  export: ['--books-export=/target', '--book=my-book'],
  help: ['--help'],
  version: ['--version'],
} as const;
type Mode = keyof typeof modes;
const modeNames: readonly Mode[] = [
  'serve',
  'check',
  'print-config',
  'list of hosts',
  'install',
  'uninstall',
  'import',
  'export',
  'help',
  'version',
];

/**
 * Flags are used by the modes that start or describe a server. `rejected` means an error before anything is done,
 * `warned` a message that names the flag. Only --help and --version ignore other arguments, as in most programs.
 */
type Effect = 'used' | 'rejected' | 'warned' | 'ignored';

const serverModes: Record<Mode, Effect> = {
  serve: 'used',
  check: 'used',
  'print-config': 'used',
  'list of hosts': 'warned',
  install: 'used',
  uninstall: 'rejected',
  import: 'rejected',
  export: 'rejected',
  help: 'ignored',
  version: 'ignored',
};
const alsoForTasks = { ...serverModes, import: 'used', export: 'used' } as const;
const onlyForCheck = { ...serverModes, serve: 'warned', 'print-config': 'rejected', install: 'rejected' } as const;
/** The flags that the command line of each import and export contains already. */
const onlyForTasks = {
  ...serverModes,
  check: 'rejected',
  'print-config': 'rejected',
  'list of hosts': 'rejected',
  install: 'rejected',
  serve: 'rejected',
} as const;

const table: Record<string, Record<Mode, Effect>> = {
  toolsets: alsoForTasks,
  demo: alsoForTasks,
  'base-url': serverModes,
  token: serverModes,
  'token-file': serverModes,
  problems: serverModes,
  'oj-language': serverModes,
  'oj-extras': serverModes,
  'books-root': alsoForTasks,
  'books-s3-endpoint': alsoForTasks,
  'books-s3-insecure': alsoForTasks,
  'books-s3-cache-mb': alsoForTasks,
  'books-agent': alsoForTasks,
  'books-cdn-url': serverModes,
  'books-max-upload-mb': serverModes,
  'books-archive-timeout': serverModes,
  'books-archive-ttl': serverModes,
  'books-extras': alsoForTasks,
  'books-keep-days': alsoForTasks,
  'books-keep-mb': alsoForTasks,
  'books-verify': onlyForCheck,
  'books-import': onlyForTasks,
  'books-export': onlyForTasks,
  'books-overwrite': { ...onlyForTasks, import: 'used', export: 'used' },
  book: onlyForTasks,
  'files-root': serverModes,
  'files-timeout-ms': serverModes,
  'files-engine': serverModes,
  'files-cache': serverModes,
};

/** Maps the hint of a flag, such as FOLDER, to a valid value. */
const values: Record<string, string> = {
  names: 'all',
  url: 'http://localhost:1',
  number: '1',
  days: '1',
  seconds: '1',
  ms: '1',
  'en|cn': 'en',
  'auto|scan': 'auto',
};

function effectOf(flag: string, mode: Mode): Effect {
  const value = allFlags[flag]?.type === 'boolean' ? [] : [values[allFlags[flag]?.valueHint ?? ''] ?? '/value'];
  try {
    const line = parseCommandLine([`--${flag}`, ...value, ...modes[mode]], allFlags);
    if (!('given' in line)) return 'ignored';
    if (line.mode === 'list-hosts') return 'warned';
    const args = Object.fromEntries(Array.from(line.given, ([name, [first]]) => [name, first ?? true]));
    if (line.mode === 'task') {
      for (const toolset of allToolsets.filter(one => 'book' in one.flags))
        toolset.settings(resolveFlagValues(toolset.flags, args, {}), { isDemo: true });
      return 'used';
    }
    const settings = readServerSettings({ ...args, toolsets: 'all' }, {});
    const unused = findUnusedSettings(args, {}, settings, allToolsets, line.mode === 'check');
    if (unused.length === 0) return 'used';
    return line.mode === 'serve' ? 'warned' : 'rejected';
  } catch (error) {
    // The message or its hint names the flag or the mode.
    if (!(error instanceof Failure) || !`${error.message} ${error.hint}`.includes('--')) throw error;
    return 'rejected';
  }
}

describe.runIf(has('oj', 'books', 'files'))('each flag of the server', () => {
  test('each flag of the server has a row in the table of modes of this test', () => {
    expect(Object.keys(allFlags).sort()).toEqual(Object.keys(table).sort());
  });

  test.each(Object.keys(table).flatMap(flag => modeNames.map(mode => [flag, mode] as const)))(
    '--%s in the mode %s is used, rejected or named in a warning as the table says',
    (flag, mode) => {
      expect(effectOf(flag, mode)).toBe(table[flag]?.[mode]);
    },
  );
});

describe('each pair of flags that choose a mode', () => {
  const words = ['check', 'print-config', 'install', 'uninstall', 'yes'] as const;
  const pairs = words.flatMap((one, index) => words.slice(index + 1).map(other => [one, other] as const));

  const isConfirmed = ([one, other]: (typeof pairs)[number]): boolean => other === 'yes' && one.endsWith('install');
  const parse = (names: readonly string[]) =>
    parseCommandLine(
      names.map(name => (name === 'check' || name === 'yes' ? `--${name}` : `--${name}=zed`)),
      allFlags,
    );

  test.each(pairs.filter(isConfirmed))('--%s and --%s are accepted', (...names) => {
    expect(parse(names).mode).toBe(names[0]);
  });

  test.each(pairs.filter(pair => !isConfirmed(pair)))('--%s and --%s are rejected', (...names) => {
    expect(() => parse(names)).toThrow(/exclude each other|needs/);
  });
});
