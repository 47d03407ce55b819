import { describe, expect, test } from 'vitest';
import { parseCommandLine } from '../../src/cli/argv.ts';

const flags = {
  'base-url': { type: 'string', description: '', valueHint: 'url' },
  token: { type: 'string', description: '' },
  demo: { type: 'boolean', description: '' },
} as const;

describe('parseCommandLine', () => {
  test.each([
    [[], 'serve', {}],
    [['--demo'], 'serve', { demo: [] }],
    [['--base-url', 'http://x'], 'serve', { 'base-url': ['http://x'] }],
    [['--base-url=http://x?a=b'], 'serve', { 'base-url': ['http://x?a=b'] }],
    [['--base-url', '', '--demo'], 'serve', { 'base-url': [''], demo: [] }],
    [['--token', '-x'], 'serve', { token: ['-x'] }],
    [['--token', '-h'], 'serve', { token: ['-h'] }],
    [['--token=a', '--base-url', 'a'], 'serve', { token: ['a'], 'base-url': ['a'] }],
    [['--check', '--demo'], 'check', { demo: [] }],
    [['--base-url', 'x', '--check'], 'check', { 'base-url': ['x'] }],
    [['--print-config', 'zed', '--demo'], 'print-config', { demo: [] }],
    [['--print-config'], 'list-hosts', {}],
    [['--print-config', '--demo'], 'list-hosts', { demo: [] }],
  ])('reads the arguments %j as mode "%s"', (argv, mode, given) => {
    const line = parseCommandLine(argv, flags);
    expect(line.mode).toBe(mode);
    expect('given' in line ? Object.fromEntries(line.given) : undefined).toEqual(given);
  });

  test.each([
    [['--help'], 'help'],
    [['--demo', '-h'], 'help'],
    [['--version'], 'version'],
    [['--base-url', 'x', '-V'], 'version'],
    [['-h', '--nonsense'], 'help'],
    [['--check', '-h'], 'help'],
  ])('reads the arguments %j as mode "%s" and ignores all other flags', (argv, mode) => {
    expect(parseCommandLine(argv, flags)).toEqual({ mode });
  });

  test('returns the MCP host that follows the flag --print-config', () => {
    expect(parseCommandLine(['--print-config', 'zed'], flags)).toMatchObject({ host: 'zed' });
  });

  test.each([
    [['--base-ulr', 'x'], 'unknown flag --base-ulr. Did you mean --base-url?'],
    [['--tokne=hunter2'], 'unknown flag --tokne. Did you mean --token?'],
    [['--vrsion'], 'unknown flag --vrsion. Did you mean --version?'],
    [['--no-demo'], 'unknown flag --no-demo.'],
    [
      ['--books-s3-region=x'],
      'unknown flag --books-s3-region. A bucket uses the variables of AWS, such as AWS_REGION.',
    ],
    [['--nothing-like-it'], 'unknown flag --nothing-like-it.'],
    [['--constructor', 'x'], 'unknown flag --constructor.'],
    [['-d'], 'unknown flag -d.'],
    [['--'], 'unknown flag --.'],
    [['demo'], 'unexpected argument at position 1. Did you mean --demo?'],
    [['-v'], 'unknown flag -v. Did you mean -V?'],
    [['--url', 'x'], 'unknown flag --url. Did you mean --base-url?'],
    [['--api_url', 'x'], 'unknown flag --api_url. Did you mean --base-url?'],
    [['--api-key', 'x'], 'unknown flag --api-key. Did you mean --token?'],
    [['--install', 'zed', '-y'], 'unknown flag -y. Did you mean --yes?'],
    [['--config', 'x'], 'unknown flag --config. Did you mean --print-config?'],
    [['--stdio'], 'unknown flag --stdio. The server uses only standard input and output.'],
    [['--port', '80'], 'unknown flag --port. The server uses only standard input and output.'],
    [['--verbose'], 'unknown flag --verbose. Set OJ_MCP_LOG=debug, or another level.'],
    [['--log-level', 'x'], 'unknown flag --log-level. Set OJ_MCP_LOG=debug, or another level.'],
    [['--loglevel', 'x'], 'unknown flag --loglevel. Set OJ_MCP_LOG=debug, or another level.'],
    [['--LOG_LEVEL', 'x'], 'unknown flag --LOG_LEVEL. Set OJ_MCP_LOG=debug, or another level.'],
    [['--login'], 'unknown flag --login.'],
    [['--host', 'x'], 'unknown flag --host. A host belongs to --install or --print-config, an address to --base-url.'],
    [
      ['--file', 'x'],
      'unknown flag --file. A file of problems belongs to --problems, a folder of your own files to --files-root.',
    ],
    [['--secret', 'x'], 'unknown flag --secret. A backend uses --token, a bucket the variables of AWS.'],
    [['--s3-key', 'x'], 'unknown flag --s3-key. A bucket uses the variables of AWS, such as AWS_REGION.'],
    [['--access-token', 'x'], 'unknown flag --access-token. Did you mean --token?'],
    [['--insecure'], 'unknown flag --insecure. To trust a certificate, set NODE_EXTRA_CA_CERTS.'],
    [['--ca-cert', 'x'], 'unknown flag --ca-cert. To trust a certificate, set NODE_EXTRA_CA_CERTS.'],
    [['--http-proxy', 'x'], 'unknown flag --http-proxy. Set HTTPS_PROXY or HTTP_PROXY.'],
    [['--dry-run'], 'unknown flag --dry-run. Nothing is written without --yes.'],
    [
      ['--aws-access-key', 'x'],
      'unknown flag --aws-access-key. A bucket uses the variables of AWS, such as AWS_REGION.',
    ],
    [['--doctor'], 'unknown flag --doctor. Did you mean --check?'],
    [['--setup', 'zed'], 'unknown flag --setup. Did you mean --install?'],
    [['--remove', 'zed'], 'unknown flag --remove. Did you mean --uninstall?'],
    [['--list'], 'unknown flag --list. Did you mean --print-config?'],
    [['--password', 'x'], 'unknown flag --password. Did you mean --token?'],
    [['--token:hunter2'], '--token and its value must be two arguments, or one with =, as in --token=value.'],
    [['--tokne:hunter2'], 'unknown flag --tokne. Did you mean --token?'],
    [['--token hunter2'], '--token and its value must be two arguments, or one with =, as in --token=value.'],
    [['--demo --token'], '--demo and the next flag must be two arguments.'],
    [['https://judge.example'], 'unexpected argument at position 1. An address needs a flag, such as --base-url.'],
    [['serve'], 'unexpected argument at position 1. Every value belongs to a flag.'],
    [['--demo', 'true'], '--demo takes no value.'],
    [['--check', '--print-config', 'zed'], '--check and --print-config exclude each other.'],
    [['--install', 'zed', '--check'], '--check and --install exclude each other.'],
    [['--demo', '--demo'], '--demo is given twice.'],
    [['--token', 'a', '--token=b'], '--token is given twice.'],
    [['--base-url'], '--base-url needs a value: --base-url <url>.'],
    [['--base-url', '--demo'], '--base-url needs a value: --base-url <url>.'],
    [['--demo=1'], '--demo takes no value.'],
    [['--check', '--check'], '--check is given twice.'],
    [['--check=1'], '--check takes no value.'],
    [['--install'], '--install needs a value: --install <host>.'],
    [['check'], 'unexpected argument at position 1. Did you mean --check?'],
    [['help'], 'unexpected argument at position 1. Did you mean --help?'],
    [['version'], 'unexpected argument at position 1. Did you mean --version?'],
    [['--version=1'], '--version takes no value.'],
  ])('rejects the arguments %j', (argv, sentence) => {
    expect(() => parseCommandLine(argv, flags)).toThrow(
      expect.objectContaining({ code: 'usage', message: sentence, hint: 'See --help.' }),
    );
  });

  test('reports a shell comment, which an interactive zsh passes as arguments', () => {
    expect(() => parseCommandLine(['--demo', '#', 'or', 'more'], flags)).toThrow(
      expect.objectContaining({
        message: 'the command line contains a comment.',
        hint: 'Remove the "#" and the words after it.',
      }),
    );
  });

  test('suggests quotes for a value that is split at its spaces, without repeating the value in the error', () => {
    expect(() => parseCommandLine(['--token', 'Bearer', 'hunter2'], flags)).toThrow(
      expect.objectContaining({
        message: 'unexpected argument at position 3. Every value belongs to a flag.',
        hint: 'Put quotes around a value with spaces, and no space after a comma. See --help.',
      }),
    );
  });

  test('does not suggest a flag for a word after a value, because the word may belong to the value', () => {
    expect(() => parseCommandLine(['--base-url', 'oj,', 'demo'], flags)).toThrow(
      expect.objectContaining({ message: 'unexpected argument at position 3. Every value belongs to a flag.' }),
    );
  });

  test('states in the error that a space follows the = sign of a flag', () => {
    expect(() => parseCommandLine(['--token=', 'https://hunter2'], flags)).toThrow(
      expect.objectContaining({ message: '--token= has no value.', hint: 'Remove the space after the = sign.' }),
    );
  });
});
