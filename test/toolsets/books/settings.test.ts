import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseSettings } from '../../../src/toolsets/books/settings.ts';
import { runProgram } from '../../support/program.ts';
import { openSample } from './sample.ts';
import { objectOf, textOf } from './support/answer.ts';
import { connect } from './support/client.ts';

test.each([['/library'], ['s3://library/prefix']])('the demo never opens the library of --books-root %s', root => {
  const read = (isDemo: boolean): unknown => {
    const settings = parseSettings({ 'books-root': root }, { isDemo });
    return settings.root ?? settings.bucket?.bucket;
  };
  expect([read(true), read(false)]).toEqual([undefined, root.startsWith('/') ? root : 'library']);
});

describe('the settings of the books toolset', () => {
  const start = async (args: string[], env: Record<string, string> = {}) =>
    await runProgram(['--toolsets', 'books', ...args], { env });

  test.each([
    [['--books-root', '/tmp', '--books-max-upload-mb', '0'], '--books-max-upload-mb'],
    [['--books-root', '/tmp', '--books-max-upload-mb', '12'], '--books-max-upload-mb'],
    [['--books-root', '/tmp', '--books-archive-ttl', '1.5'], '--books-archive-ttl'],
    [['--books-root', '/tmp', '--books-archive-timeout', '-1'], '--books-archive-timeout'],
    [['--books-root', '/tmp', '--books-cdn-url', 'ftp://x'], '--books-cdn-url'],
    [['--books-root', 's3://'], '--books-root'],
    [['--books-root', 's3://a_bucket/../x'], '--books-root'],
    [['--books-root', 's3://library', '--books-s3-cache-mb', '-1'], '--books-s3-cache-mb'],
    [['--books-root', 's3://library', '--books-s3-endpoint', 'store.example'], '--books-s3-endpoint'],
    [['--books-root', 's3://library', '--books-s3-endpoint', 'https://ann@store.example'], '--books-s3-endpoint'],
    [['--books-root', 's3://library', '--books-s3-endpoint', 'https://store.example/path'], '--books-s3-endpoint'],
    [['--books-root', 's3://library', '--books-s3-endpoint', 'http://store.example'], '--books-s3-insecure'],
    [['--books-root', '/tmp', '--books-cdn-url', 'nonsense'], '--books-cdn-url'],
    [['--books-root', '/tmp', '--books-cdn-url', 'https://ann@cdn.example.com'], '--books-cdn-url'],
    [['--books-root', '/tmp', '--books-cdn-url', 'https://cdn.example.com/?a=b'], '--books-cdn-url'],
    [['--books-root', '/tmp', '--books-cdn-url', 'https://cdn.example.com/#'], '--books-cdn-url'],
    [['--books-root', '/tmp', '--books-agent', 'system'], '--books-agent'],
    [['--books-root', '/tmp', '--books-agent', 'Unnamed'], '--books-agent'],
    [['--books-root', '/tmp', '--books-agent', 'external'], '--books-agent'],
    [['--books-root', '/tmp', '--books-agent', 'survey'], '--books-agent'],
    [['--books-root', '/tmp', '--books-agent', '__base__'], '--books-agent'],
    [['--books-root', '/tmp', '--books-agent', '\u200b'], '--books-agent'],
  ])('reject the arguments %j and name the flag', async (args, flag) => {
    const { code, stderr, stdout } = await start(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(flag);
  });

  test.each([
    ['--books-root', 's3://key:example-secret@bucket/p'],
    ['--books-s3-endpoint', 'https://key:example-secret@store.example'],
  ])('are rejected without repeating a password in %s', async (flag, value) => {
    const args = flag === '--books-root' ? [flag, value] : ['--books-root', 's3://library', flag, value];
    const { code, stderr } = await start(args);
    expect(code).toBe(1);
    expect(stderr).toContain(flag);
    expect(stderr).not.toContain('example-secret');
  });

  test('cause exit code 2 and an error with the flag if --books-root is missing', async () => {
    const { code, stderr, stdout } = await start([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('--books-root');
  });

  test('accept a bucket without sending requests to it at start', async () => {
    const { code, stderr } = await start([
      '--books-root',
      's3://library/of books/',
      '--books-s3-endpoint',
      'http://127.0.0.1:9',
    ]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('books: s3://library/of books/ at http://127.0.0.1:9\n'),
    ]);
  });

  test('can be set by environment variables', async () => {
    const { code } = await start([], { OJ_MCP_BOOKS_ROOT: '/tmp', OJ_MCP_BOOKS_ARCHIVE_TTL: '60' });
    expect(code).toBe(0);
  });

  test('reject invalid environment variables and name them without the passwords in their values', async () => {
    const variables = { OJ_MCP_BOOKS_ROOT: '/tmp', OJ_MCP_BOOKS_MAX_UPLOAD_MB: 'abc' };
    expect((await start([], variables)).stderr).toContain('OJ_MCP_BOOKS_MAX_UPLOAD_MB');
    const secret = { OJ_MCP_BOOKS_ROOT: '/tmp', OJ_MCP_BOOKS_CDN_URL: 'https://ann:swordfish@cdn.example.com' };
    const { code, stderr } = await start([], secret);
    expect([code, stderr.includes('OJ_MCP_BOOKS_CDN_URL'), stderr.includes('swordfish')]).toEqual([1, true, false]);
  });

  test('accept a CDN address in upper case', async () => {
    const { code, stderr } = await start(['--books-root', '/tmp', '--books-cdn-url', 'HTTPS://CDN.example.com/Lib/']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('published at https://cdn.example.com/Lib\n')]);
  });

  test('cause a warning if --demo overrides the folder of a library', async () => {
    expect((await start(['--demo', '--books-root', '/srv/library'])).stderr).toContain(
      '--books-root has no effect because of --demo',
    );
  });

  test('state their ranges in --help', async () => {
    const { stdout } = await start(['--help']);
    const text = stdout.replace(/\s+/g, ' ');
    for (const range of ['1 to 11 (10)', '0 to 3600 (60)', '1 to 31536000 (3600)']) expect(text).toContain(range);
  });
});

describe('the books toolset with --demo', () => {
  test('has a sample book in a temporary folder, which is deleted at exit', async () => {
    const connection = await connect({ args: ['--demo', '--toolsets', 'books'] });
    const demo = { book_id: 'bread-basics' };
    const archive = objectOf(await connection.call('get_book_archive', demo));
    const root = path.dirname(path.dirname(new URL(String(archive['archive_url'])).pathname));
    const calls: [string, Record<string, unknown>][] = [
      ['list_books', {}],
      ['read_content', { ...demo, scope: 'book', user_id: 'ada' }],
      ['write_content', { ...demo, path: 'content/02-Practice/01-First-Loaf/03-tasting.md', content: '# Tasting\n' }],
      ['delete_content', { ...demo, path: 'content/02-Practice/01-First-Loaf/03-tasting.md' }],
      ['upload_asset', { ...demo, asset_type: 'img', filename: 'a.png', binary_data: btoa('x') }],
      ['get_asset', { ...demo, asset_type: 'img', filename: 'crust.png', include_binary: true }],
      ['list_assets', demo],
      ['glob_search', { ...demo, pattern: 'content/**/*.summary.md' }],
      ['grep_search', { ...demo, pattern: 'TODO' }],
      ['validate_book', demo],
      ['delta_build', { ...demo, since: '2020-01-01T00:00:00Z' }],
    ];
    for (const [tool, args] of calls) {
      const result = await connection.call(tool, args);
      expect({ tool, error: result.isError === true ? textOf(result) : undefined }).toEqual({ tool, error: undefined });
    }
    expect(readdirSync(root)).toContain('books');
    await connection.close();
    await expect.poll(() => readdirSync(path.dirname(root)).includes(path.basename(root))).toBe(false);
  });
});

test('each tool of the books toolset has a schema, a title, all four hints and a description below the length limit of hosts', async () => {
  await using sample = await openSample();
  const { tools } = await sample.connection.client.listTools();
  expect(tools).toHaveLength(12);
  for (const tool of tools) {
    expect(tool.description?.length).toBeLessThan(1500);
    expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(tool.outputSchema).toMatchObject({ type: 'object' });
    const { title, ...hints } = tool.annotations ?? {};
    expect(title).toBe(tool.title);
    expect(Object.values(hints).every(hint => typeof hint === 'boolean') && Object.keys(hints).length === 4).toBe(true);
    const schema = JSON.stringify([tool.inputSchema, tool.outputSchema]);
    expect(schema).not.toMatch(/"type":\[|"null"/);
  }
  const hintsOf = (names: string[]) =>
    new Set(
      tools
        .filter(({ name }) => names.includes(name))
        .map(({ annotations }) => JSON.stringify(annotations).replace(/"title":"[^"]*",/, '')),
    );
  const hints = (readOnlyHint: boolean, destructiveHint: boolean, idempotentHint: boolean): Set<string> =>
    new Set([JSON.stringify({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint: false })]);
  const changing = new Set(['write_content', 'delete_content', 'upload_asset']);
  expect(hintsOf(tools.map(({ name }) => name).filter(name => !changing.has(name)))).toEqual(hints(true, false, true));
  expect(hintsOf(['write_content'])).toEqual(hints(false, false, true));
  expect(hintsOf(['delete_content'])).toEqual(hints(false, true, true));
  expect(hintsOf(['upload_asset'])).toEqual(hints(false, true, false));
});

test('the books toolset is disabled unless --toolsets names it', async () => {
  const { stdout } = await runProgram(['--help']);
  expect(stdout).toMatch(/TOOLSET books\n {2}A library of course books[^()]*\(enable with\s+--toolsets books\)/);
  expect(readFileSync('src/toolsets/books/index.ts', 'utf8')).toContain('isDefault: false');
});

test('the settings of the books toolset warn about a proxy setting that the bucket client ignores', async () => {
  const args = ['--toolsets', 'books', '--books-root', 's3://library'];
  const { stderr } = await runProgram(args, { env: { HTTPS_PROXY: 'ftp://proxy.example', NO_PROXY: '' } });
  expect(stderr).toContain('HTTPS_PROXY');
  expect(stderr).toContain('is requested directly');
});
