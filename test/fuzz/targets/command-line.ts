import assert from 'node:assert/strict';
import { type ParsedCommandLine, parseCommandLine } from '../../../src/cli/argv.ts';
import { readSettings, resolveFlagValues, serverFlags } from '../../../src/cli/settings.ts';
import { Failure } from '../../../src/errors/failure.ts';
import type { Flags } from '../../../src/toolset/toolset.ts';
import { known } from '../../support/toolsets.ts';
import { defineTarget, textOf } from '../target.ts';

const toolsets = [...known.values()];
const flags: Flags = Object.assign({}, ...toolsets.map(toolset => toolset.flags), serverFlags);
const helpWords = new Set(['--help', '-h', '--version', '-V']);
const secret = 'value-of-a-secret';

export const target = defineTarget({
  name: 'command-line',
  // NUL separates the words, because no argument of a process can contain it.
  corpus: [
    '--demo\0--toolsets\0oj,clerk',
    `--base-url=https://judge.example\0--token\0${secret}`,
    '--check\0--toolsets=all',
    '--print-config\0claude\0--demo',
    '--help',
    '-V',
    `--tokn=${secret}`,
    '--toolsets\0 files , books\0--files-root\0/a\0--files-root=/b',
  ],
  dictionary: [
    ...Object.keys(flags).map(name => `--${name}`),
    ...'--check --print-config --help --version -h -V -- - = , all true 0 $TOKEN ${user_config.x}'.split(' '),
    ...'--no-demo __proto__ --constructor oj books'.split(' '),
    '\0',
    ' ',
  ],
  mutations: 2000,
  run(bytes) {
    const argv = textOf(bytes).split('\0');
    const line = tryParse(argv);
    if (line instanceof Failure) return;
    if (!('given' in line)) {
      assert.ok(
        argv.some(word => helpWords.has(word)),
        `${line.mode} is not on the command line`,
      );
      return;
    }
    for (const [name, values] of line.given) {
      assert.ok(Object.hasOwn(flags, name), `the flag ${name} is not declared`);
      for (const value of values) {
        assert.ok(argv.includes(value) || argv.includes(`--${name}=${value}`), `the value of ${name} is changed`);
      }
    }
    const words = [...line.given].flatMap(([name, values]) =>
      values.length === 0 ? [`--${name}`] : values.map(value => `--${name}=${value}`),
    );
    const again = tryParse(words);
    assert.deepEqual('given' in again && again.given, line.given, 'the flags are read differently again');
  },
});

/** Returns the error for a command line that is rejected. The error must not contain the secret. */
function tryParse(argv: readonly string[]): ParsedCommandLine | Failure {
  try {
    const line = parseCommandLine(argv, flags);
    if ('given' in line) {
      const args = Object.fromEntries(Array.from(line.given, ([name, [value = true]]) => [name, value]));
      readSettings(resolveFlagValues(serverFlags, args, {}), {}, toolsets);
    }
    return line;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // Names of flags and toolsets are excluded, because they are not secrets.
    const isTyped = argv.some(
      word => word.startsWith('--toolsets') || word.split('=', 1)[0]?.includes(secret) === true,
    );
    assert.ok(isTyped || !`${error.message} ${error.hint ?? ''}`.includes(`=${secret}`), 'the error repeats a secret');
    return error;
  }
}
