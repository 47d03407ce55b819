import { describe, expect, test } from 'vitest';
import { checkArgv, tiedWords } from '../../src/cli/argv.ts';

const flags = {
  'base-url': { type: 'string', description: '', valueHint: 'url' },
  token: { type: 'string', description: '' },
  demo: { type: 'boolean', description: '' },
} as const;

describe('a command line that is in order', () => {
  test.each([
    [[], 'serve', []],
    [['--demo'], 'serve', ['--demo']],
    [['--base-url', 'http://x'], 'serve', ['--base-url=http://x']],
    [['--base-url=http://x?a=b'], 'serve', ['--base-url=http://x?a=b']],
    [['--base-url', '', '--demo'], 'serve', ['--base-url=', '--demo']],
    [['--token', '-x'], 'serve', ['--token=-x']],
    [['--token', '-h'], 'serve', ['--token=-h']],
    [['--check', '--demo'], 'check', ['--demo']],
    [['--base-url', 'x', '--check'], 'check', ['--base-url=x']],
    [['--print-config', 'zed', '--demo'], 'print-config', ['--demo']],
    [['--demo', '--print-config=zed', '--check'], 'print-config', ['--demo']],
  ])('%j means %s', (argv, wish, words) => {
    const line = checkArgv(argv, flags);
    expect(line.wish).toBe(wish);
    expect('typed' in line ? tiedWords(line.typed) : undefined).toEqual(words);
  });

  test.each([
    [['--help'], 'help'],
    [['--demo', '-h'], 'help'],
    [['--version'], 'version'],
    [['--base-url', 'x', '-V'], 'version'],
    [['-h', '--nonsense'], 'help'],
    [['--check', '-h'], 'help'],
  ])('%j means %s and nothing else', (argv, wish) => {
    expect(checkArgv(argv, flags)).toEqual({ wish });
  });

  test('names the host whose settings are wanted', () => {
    expect(checkArgv(['--print-config', 'zed'], flags)).toMatchObject({ host: 'zed' });
  });
});

describe('a command line that is not', () => {
  test.each([
    [['--base-ulr', 'x'], 'unknown flag --base-ulr. Did you mean --base-url?'],
    [['--tokne=hunter2'], 'unknown flag --tokne. Did you mean --token?'],
    [['--vrsion'], 'unknown flag --vrsion. Did you mean --version?'],
    [['--no-demo'], 'unknown flag --no-demo.'],
    [['--nothing-like-it'], 'unknown flag --nothing-like-it.'],
    [['--constructor', 'x'], 'unknown flag --constructor.'],
    [['-d'], 'unknown flag -d.'],
    [['--'], 'unknown flag --.'],
    [['demo'], 'unexpected word, number 1. Did you mean --demo?'],
    [['--token', 'Bearer', 'hunter2'], 'unexpected word, number 3.'],
    [['--demo', '--demo'], '--demo is given twice.'],
    [['--token', 'a', '--token=b'], '--token is given twice.'],
    [['--base-url'], '--base-url needs a value: --base-url <url>.'],
    [['--base-url', '--demo'], '--base-url needs a value: --base-url <url>.'],
    [['--demo=1'], '--demo takes no value.'],
    [['--check', '--check'], '--check is given twice.'],
    [['--check=1'], '--check takes no value.'],
    [['--print-config'], '--print-config needs a value: --print-config <host>.'],
    [['--version=1'], '--version takes no value.'],
  ])('%j is refused', (argv, sentence) => {
    expect(() => checkArgv(argv, flags)).toThrow(
      expect.objectContaining({ code: 'usage', message: sentence, hint: 'See --help.' }),
    );
  });
});
