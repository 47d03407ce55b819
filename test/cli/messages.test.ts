import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { allFlags, allToolsets, readServerSettings } from '../../src/cli/enabled-toolsets.ts';
import { findUnusedSettings } from '../../src/cli/unused-settings.ts';
import { type Reply, startJudge } from '../support/judge.ts';
import { emptyFolder, runProgram, unwrapLines } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

async function run(args: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runProgram(args, { env });
  return { code, stdout: unwrapLines(stdout), stderr };
}

describe.runIf(has('oj', 'files', 'books'))('a message about a value', () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ['the flag', ['--base-url', 'ftp://x'], {}, 'oj-mcp: --base-url must start with http:// or https://'],
    ['the variable', [], { OJ_MCP_BASE_URL: 'ftp://x' }, 'oj-mcp: OJ_MCP_BASE_URL must start with http:// or https://'],
    [
      'the flag that replaces a variable',
      ['--base-url', 'ftp://x'],
      { OJ_MCP_BASE_URL: 'http://h' },
      'oj-mcp: --base-url must',
    ],
    [
      'both variables',
      ['--base-url=http://h'],
      { OJ_MCP_TOKEN: 'a', OJ_MCP_TOKEN_FILE: '/b' },
      'oj-mcp: OJ_MCP_TOKEN and OJ_MCP_TOKEN_FILE are both set.',
    ],
    ['both flags', ['--base-url=http://h', '--problems=/b'], {}, 'oj-mcp: --base-url and --problems are both set.'],
    [
      'the variable of a number',
      ['--toolsets=files'],
      { OJ_MCP_FILES_TIMEOUT_MS: 'soon' },
      'oj-mcp: OJ_MCP_FILES_TIMEOUT_MS must be a whole number',
    ],
    [
      'the variable of a list',
      [],
      { OJ_MCP_TOOLSETS: 'flies' },
      'oj-mcp: OJ_MCP_TOOLSETS: there is no toolset "flies". Did you mean "files"?',
    ],
    ['the variable of a switch', [], { OJ_MCP_DEMO: 'maybe' }, 'oj-mcp: OJ_MCP_DEMO must be 1 or 0, got "maybe".'],
  ])('names its source: %s', async (_, args, env, message) => {
    const { code, stderr } = await run(args, env);
    expect([code === 0, stderr]).toEqual([false, expect.stringContaining(message)]);
  });

  test('the variable that contains an invalid value is named in each line of --check', async () => {
    const env = { OJ_MCP_TOOLSETS: 'files', OJ_MCP_FILES_ROOT: '/no/such/folder' };
    expect((await run(['--check'], env)).stdout).toContain('→ Correct OJ_MCP_FILES_ROOT, or mount');
    const flags = ['--toolsets', 'files', '--files-root', '/no/such/folder'];
    expect((await run(['--check', ...flags])).stdout).toContain('→ Correct --files-root, or mount');
  });

  test.each([
    [
      ['--base-url', 'http://localhost:1'],
      { OJ_MCP_PROBLEMS: '/a' },
      'OJ_MCP_PROBLEMS has no effect because of --base-url',
    ],
    [['--demo'], { OJ_MCP_TOKEN: 'a-token-here' }, 'OJ_MCP_TOKEN is ignored because of --demo'],
  ])('is a warning for %j with the variables %j, because one of them has no effect', async (args, env, message) => {
    expect((await run(args, env)).stderr).toContain(`WARN  oj-mcp: ${message}`);
  });

  test('a warning reports an environment variable that has no effect because of --problems, without its value', async () => {
    const file = path.join(emptyFolder(), 'problems.jsonl');
    writeFileSync(file, '{"source":"own","id":"1","title":"One"}\n');
    const { stderr } = await run(['--problems', file], { OJ_MCP_BASE_URL: 'http://user:hunter2@h' });
    expect(stderr).toContain('WARN  oj-mcp: OJ_MCP_BASE_URL has no effect because of --problems');
    expect(stderr).not.toContain('hunter2');
  });
});

describe.runIf(has('oj', 'files', 'books'))('a placeholder', () => {
  const texts = ['${user_config.x}', '${env:X}', '$X', '%X%', '<URL>', '{env:X}', '{{x}}', '$env:X'];
  const flags = [
    'base-url',
    'token',
    'token-file',
    'problems',
    'toolsets',
    'files-root',
    'books-root',
    'books-cdn-url',
  ];

  test.each(texts.flatMap(text => flags.map(flag => [text, flag] as const)))(
    '%s is named as the value of --%s',
    (text, flag) => {
      const args = { [flag]: allFlags[flag]?.isList === true ? [text] : text };
      const shown = flag === 'token' && !text.startsWith('${') ? 'its value' : `"${text}"`;
      const settings = readServerSettings({ toolsets: 'all' }, {});
      expect(findUnusedSettings(args, {}, settings, allToolsets)).toEqual([
        {
          flag,
          message: `--${flag} has no effect: ${shown} is a placeholder`,
          remedy: 'Replace it by the real value, or remove it.',
          isVariable: false,
        },
      ]);
    },
  );

  test('a placeholder as the value of a flag makes --check fail', async () => {
    const { code, stdout } = await run(['--check', '--demo', '--token', '<token>']);
    expect([code, stdout]).toEqual([1, expect.stringContaining('✗ flags: --token has no effect')]);
  });

  test.each([
    ['--files-root', '${workspaceFolder}/notes', '${workspaceFolder}'],
    ['--files-root', '/home/$USER/notes', '$USER'],
    ['--files-root', '%USERPROFILE%/notes', '%USERPROFILE%'],
    ['--files-root', '/data/<folder>', '<folder>'],
    ['--files-cache', '$HOME/cache', '$HOME'],
  ])('inside the value of %s %s is an error that names it', async (flag, value, placeholder) => {
    const { code, stderr } = await run(['--toolsets', 'files', flag, value]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${flag} contains the placeholder ${placeholder}.`)]);
  });

  test("a placeholder inside the path of an existing folder counts as a part of the folder's name", async () => {
    const root = path.join(emptyFolder(), '<old> ${notes}');
    mkdirSync(root);
    writeFileSync(path.join(root, 'note.txt'), 'text');
    expect(await run(['--check', '--toolsets', 'files', '--files-root', root])).toMatchObject({ code: 0 });
  });

  test('a placeholder in the variable of a required flag causes an error that names the variable', async () => {
    const { code, stderr } = await run([], { OJ_MCP_BASE_URL: '${user_config.base_url}' });
    expect([code, stderr]).toEqual([
      2,
      'oj-mcp: OJ_MCP_BASE_URL has no effect: "${user_config.base_url}" is a placeholder.\nReplace it by the real value, or remove it.\n',
    ]);
  });

  test('a placeholder of an empty setting of Claude Desktop causes no warning at start', async () => {
    const { stderr } = await run(['--demo'], { OJ_MCP_TOKEN: '${user_config.token}' });
    expect(stderr).not.toContain('WARN');
    expect((await run(['--demo'], { OJ_MCP_TOKEN: '${TOKEN}' })).stderr).toContain('"${TOKEN}" is a placeholder');
  });
});

describe.runIf(has('files'))('a path', () => {
  test('a path is accepted in quotation marks, with surrounding spaces, and as a file:// address', async () => {
    const root = emptyFolder();
    writeFileSync(path.join(root, 'note.txt'), 'text');
    for (const value of [`"${root}"`, `'${root}'`, ` ${root} `, `file://${root}`, `"file://${root}/"`]) {
      const { code, stdout } = await run(['--check', '--toolsets', 'files', '--files-root', value]);
      expect([code, stdout]).toEqual([0, expect.stringContaining(`✓ files: ${root} can be searched`)]);
      const inVariable = await run(['--check', '--toolsets', 'files'], { OJ_MCP_FILES_ROOT: value });
      expect(inVariable.stdout).toContain(`✓ files: ${root} can be searched`);
    }
  });

  test.each([
    ['~nobody/x', '--files-root begins with "~nobody", which only a shell replaces by a home folder.'],
    ['file://server/share', '--files-root is a file:// address without a valid path, got "file://server/share".'],
    ['file:///%zz', '--files-root is a file:// address without a valid path, got "file:///%zz".'],
    ['https://user:hunter2@host/x', '--files-root must be a path on this machine, not an address.'],
  ])('of the form %s is rejected with a message that names the reason', async (value, message) => {
    const { code, stderr } = await run(['--toolsets', 'files', '--files-root', value]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`oj-mcp: ${message}`)]);
    expect(stderr).not.toContain('hunter2');
  });
});

test.runIf(has('files') && process.platform !== 'win32').each([
  ['C:\\Users\\me', {}, 'This is a path of Windows, and the server runs on'],
  ['~', { HOME: '' }, '--files-root begins with "~", but the home folder is not known: HOME is "".'],
])('the path %s with the variables %j is explained', async (value, env, message) => {
  const { code, stderr } = await run(['--toolsets', 'files', '--files-root', value], env);
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});

test.runIf(has('books')).each(['S3://bucket', 's3:bucket', 'gs://bucket/x', 'https://me:hunter2@host/x'])(
  'the library %s is rejected with the form of a bucket, and without repeating it',
  async root => {
    const { stderr } = await run(['--toolsets', 'books', '--books-root', root]);
    expect(stderr).toBe('oj-mcp: --books-root must be a folder on this machine, or look like s3://bucket/prefix.\n');
  },
);

test.runIf(has('oj', 'books')).each([
  ['OJ_MCP_BASEURL', 'Did you mean OJ_MCP_BASE_URL?'],
  ['OJMCP_TOKEN', 'Did you mean OJ_MCP_TOKEN?'],
  ['OJ_MCP_LOG_LEVEL', 'Set OJ_MCP_LOG=debug, or another level.'],
  ['OJ_MCP_PROXY', 'Set HTTPS_PROXY or HTTP_PROXY.'],
  ['OJ_MCP_SECRET', 'A backend uses --token, a bucket the variables of AWS.'],
  ['OJ_MCP_S3_SECRET_KEY', 'A bucket uses the variables of AWS, such as AWS_REGION.'],
  ['OJ_MCP_BOOKS_REGION', 'A bucket uses the variables of AWS, such as AWS_REGION.'],
  ['OJ_MCP_URL', 'Did you mean OJ_MCP_BASE_URL?'],
  ['OJ_MCP_WIDTH', '--help lists the variables.'],
  ['OJ_MCP_BOOKS_IMPORT', 'Use the flag --books-import.'],
  ['OJ_MCP_CHECK', 'Use the flag --check.'],
])('the unknown variable %s is reported with the remedy %s', async (name, remedy) => {
  const { stderr } = await run(['--demo'], { [name]: 'value' });
  expect(stderr).toContain(`${name} has no effect: there is no such variable. ${remedy}`);
});

test.runIf(has('oj') && process.platform !== 'win32')('a variable in small letters is reported', async () => {
  const { stderr } = await run(['--demo'], { oj_mcp_base_url: 'http://h' });
  expect(stderr).toContain('oj_mcp_base_url has no effect: there is no such variable. Did you mean OJ_MCP_BASE_URL?');
});

describe.runIf(has('oj'))('the token', () => {
  test.each<[string, string[], Record<string, string>, string]>([
    ['of --token-file replaces OJ_MCP_TOKEN', ['--token-file', '<file>'], { OJ_MCP_TOKEN: 'of-variable' }, 'of-file'],
    ['of --token replaces OJ_MCP_TOKEN_FILE', ['--token', 'of-flag'], { OJ_MCP_TOKEN_FILE: '<file>' }, 'of-flag'],
    ['of --token replaces OJ_MCP_TOKEN', ['--token', 'of-flag'], { OJ_MCP_TOKEN: 'of-variable' }, 'of-flag'],
    ['is taken from OJ_MCP_TOKEN', [], { OJ_MCP_TOKEN: 'of-variable' }, 'of-variable'],
    ['is taken from OJ_MCP_TOKEN_FILE', [], { OJ_MCP_TOKEN_FILE: '<file>' }, 'of-file'],
  ])('%s', async (_, args, env, token) => {
    const file = path.join(emptyFolder(), 'token.txt');
    writeFileSync(file, 'of-file\n');
    const judge = await startJudge({ json: { version: '1', platforms: [] } });
    const fill = (text: string): string => text.replace('<file>', file);
    const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)]));
    await run(['--check', '--base-url', judge.origin, ...args.map(fill)], variables);
    expect(new Set(judge.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${token}`]));
  });
});

describe.runIf(has('oj'))('a response that rejects the request', () => {
  const reply = (status: number): Reply => ({ status, type: 'text/plain', body: 'no' });

  test.each([
    [401, [], 'no token is set, and the backend requires one', 'Ask the operator of the backend for a token'],
    [401, ['--token', 'a-token-here'], 'the backend rejects the token', 'it may have been revoked'],
    [403, [], '/api/v1/resolve/1: [403] no', 'whether it needs a token (--token-file) or blocks this machine'],
    [
      403,
      ['--token', 'a-token-here'],
      '/api/v1/resolve/1: [403] no',
      'The token was sent, but the backend, or a proxy',
    ],
  ])('with status %i and %j is explained by --check', async (status, args, line, hint) => {
    const judge = await startJudge(reply(status));
    const { code, stdout } = await run(['--check', '--base-url', judge.origin, ...args]);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`✗ oj: ${line}\n`)]);
    expect(stdout).toContain(hint);
    expect(stdout).not.toContain('a-token-here');
  });
});

describe.runIf(has('oj', 'books'))('an import', () => {
  test.each([
    [['--base-url', 'http://h'], '--base-url has no effect with --books-import.'],
    [['--toolsets', 'oj'], '--toolsets does not contain "books"'],
    [['--books-root', '<folder>'], 'The value of --books-root is a placeholder.'],
  ])('with %j is rejected', async (args, message) => {
    const { code, stderr } = await run(['--books-import', '/source', '--book', 'my-book', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`oj-mcp: ${message}`)]);
  });
});

test('--uninstall rejects the flags of a server, because it does not use them', async () => {
  const { code, stderr } = await run(['--uninstall', 'zed', '--demo']);
  expect([code, stderr]).toEqual([2, 'oj-mcp: --demo has no effect with --uninstall.\nRemove --demo.\n']);
});

describe.runIf(has('books', 'files') && process.platform !== 'win32')('a missing folder for temporary files', () => {
  const env = { TMPDIR: '/no/such/folder' };

  test('a missing folder for temporary files is an error of --check for the demo, which creates files there', async () => {
    const { code, stdout } = await run(['--check', '--demo', '--toolsets', 'books,files'], env);
    expect([code, stdout]).toEqual([1, expect.stringContaining('→ Set TMPDIR')]);
    for (const toolset of ['books', 'files'])
      expect(stdout).toContain(
        `✗ ${toolset}: the folder for temporary files, /no/such/folder, cannot be written: it does not exist`,
      );
  });

  test('an export of the demo without a folder for temporary files prints one sentence without a stack trace', async () => {
    const args = ['--demo', '--books-export', '/no/such/target', '--book', 'my-book'];
    const { code, stderr } = await run(args, env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^oj-mcp: .+/)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});
