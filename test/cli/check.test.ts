import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { certificate } from '../support/certificate.ts';
import { type Reply, startJudge } from '../support/judge.ts';
import { bundle, runProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

const hasOj = has('oj');
const hasToolsets = has('oj', 'files', 'books');

/** This object is a valid response of both /status and /api/v1/resolve. */
const status = {
  version: '9.9',
  platforms: [{ source: 'leetcode', total: 1, missing_content: 0, not_embedded: 0 }],
  source: 'leetcode',
  id: '1',
  problem: null,
};
const problem = (code: number, title: string): Reply => ({
  status: code,
  type: 'application/problem+json',
  json: { title, status: code, detail: 'missing or invalid token' },
});

const unauthorized = { status: 401, type: 'text/plain', json: 'no' };

async function check(...args: string[]) {
  return told(await runProgram(['--check', ...args]));
}

/** Runs --check as an unprivileged user, because tests in containers run as root, which ignores permissions. */
function checkAsAnyone(...args: string[]) {
  const cwd = folder();
  const program = path.join(cwd, 'oj-mcp.cjs');
  copyFileSync(bundle, program);
  chmodSync(cwd, 0o755);
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const nodeArgs = [program, '--check', ...args];
  const {
    error,
    status: code,
    ...output
  } = spawnSync(process.execPath, nodeArgs, {
    cwd,
    env: {},
    encoding: 'utf8',
    ...user,
  });
  if (error !== undefined) throw error;
  return told({ code, ...output });
}

const bundleSum = createHash('sha256').update(readFileSync(bundle)).digest('hex');

/** Returns the exit code and the lines of output, without the lines about the program. Wrapped lines are joined. */
function told({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) {
  expect(stderr).toBe('');
  const [about, , file, sum, ...lines] = stdout.trimEnd().split('\n');
  expect(about).toMatch(/^✓ oj-mcp \S+, Node \d+\.\d+\.\d+ on \w+ \w+$/);
  expect([file?.endsWith('oj-mcp.cjs'), sum]).toEqual([true, `  SHA-256 ${bundleSum}`]);
  const text = lines
    .join('\n')
    .replaceAll(/\n {4}/g, ' ')
    .replace(/within \d+ ms/, 'within N ms');
  return { code, text };
}

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'oj-mcp-test-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

describe.runIf(hasOj)('--check', () => {
  test.runIf(has('books', 'clerk', 'files'))('passes for the demo and lists the tools of each toolset', async () => {
    const { code, text } = await check('--demo', '--toolsets', 'all');
    expect(text).toContain('✓ oj: 5 tools: get_daily_challenge, get_problem,');
    expect(text).toContain('✓ books: a sample library, because of --demo');
    expect([code, text]).toEqual([0, expect.stringMatching(/\nThe check passed\.$/)]);
    expect(text).not.toContain('✗');
  });

  test('sends the token with the requests for /status and a problem, and prints the address and version of the backend', async () => {
    const judge = await startJudge({ json: status });
    const { code, text } = await check('--base-url', judge.origin, '--token', 'a-token-here');
    expect(text).toContain(
      `✓ oj: ${judge.origin} answered within N ms: version 9.9, leetcode\n✓ oj: the backend accepts the token`,
    );
    expect(judge.requests.map(({ target, headers }) => [target, headers.authorization])).toEqual([
      ['/status', 'Bearer a-token-here'],
      ['/api/v1/resolve/1', 'Bearer a-token-here'],
    ]);
    expect([code, text]).toEqual([0, expect.not.stringContaining('a-token-here')]);
  });

  test.each([
    [
      'a token that the backend rejects',
      problem(401, 'Unauthorized'),
      ['--token', 'wrong-token'],
      '✗ oj: the backend rejects the token\n  → Compare the value of --token',
    ],
    [
      'a missing token when the backend requires one',
      problem(401, 'Unauthorized'),
      [],
      '✗ oj: no token is set, and the backend requires one\n  → Ask the operator',
    ],
    [
      'a backend that requires no token',
      { json: status },
      [],
      '✓ oj: no token is set, and /status and /api/v1/resolve/1 succeed',
    ],
    [
      'a web server that is not the backend',
      { type: 'text/html', body: '<h1>It works</h1>' },
      [],
      'oj-api-rs backend, not of a web page',
    ],
    [
      'status 500 of the backend',
      { status: 500, type: 'text/plain', body: 'oops' },
      [],
      '/status: [500] oops\n  → The backend,',
    ],
    [
      'status 503 of the backend',
      { status: 503, type: 'text/plain', body: 'no' },
      [],
      '/status: [503] no\n  → The backend is',
    ],
    [
      'a web server that returns 404 for /status',
      { status: 404, type: 'text/html', body: 'no' },
      [],
      '✗ oj: /status: [404]',
    ],
  ] as const)('reports %s', async (_, reply, args, expected) => {
    const judge = await startJudge(reply);
    const { code, text } = await check('--base-url', judge.origin, ...args);
    expect([code, text]).toEqual([expected.startsWith('✓') ? 0 : 1, expect.stringContaining(expected)]);
  });

  test.each([
    [
      'warns of a token that only /status requires',
      '/status',
      unauthorized,
      0,
      '! oj: /status: [401] "no"\n  → /api/v1/resolve/1 succeeds',
    ],
    [
      'fails if only /status answers without a token',
      '/api/v1/resolve/1',
      unauthorized,
      1,
      '✗ oj: no token is set, and the backend requires one',
    ],
    [
      'fails if no problem can be read',
      '/api/v1/resolve/1',
      { status: 500, type: 'text/plain', json: 'oops' },
      1,
      '✗ oj: /api/v1/resolve/1: [500] "oops"',
    ],
  ])('%s', async (_, failing, reply, expected, line) => {
    const judge = await startJudge(response => {
      const isFailing = judge.requests.at(-1)?.target === failing;
      const { status: code, type, json } = isFailing ? reply : { status: 200, type: 'application/json', json: status };
      response.writeHead(code, { 'content-type': type });
      response.end(JSON.stringify(json));
    });
    const { code, text } = await check('--base-url', judge.origin);
    expect([code, text]).toEqual([expected, expect.stringContaining(line)]);
  });

  test.each([
    [[], { OJ_MCP_TOKEN: 'your-token' }, 0],
    [['--token', 'your-token'], {}, 1],
  ])('does not send the placeholder of the documentation as token (%j, %j)', async (args, env, expected) => {
    const judge = await startJudge({ json: status });
    const { code, stdout } = await runProgram(['--check', '--base-url', judge.origin, ...args], { env });
    expect(stdout).toContain('has no effect: "your-token" is a placeholder');
    expect(judge.requests[0]?.headers.authorization).toBeUndefined();
    expect(code).toBe(expected);
  });

  test('fails if no server listens on the port of the backend and states this', async () => {
    const { code, text } = await check('--base-url', 'http://127.0.0.1:1');
    expect(text).toContain(
      '✗ oj: Cannot reach http://127.0.0.1:1: nothing listens there (ECONNREFUSED).\n  → Start the',
    );
    expect(code).toBe(1);
  });

  test('fails for an untrusted certificate and for a port without TLS, and states the reason', async () => {
    const trusted = await startJudge({ json: status }, certificate);
    const { code, text } = await check('--base-url', trusted.origin);
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/✗ oj: Cannot reach .+certificate.+\n {2}→ .*NODE_EXTRA_CA_CERTS=/),
    ]);
    const plain = await startJudge({ json: status });
    const { text: other } = await check('--base-url', plain.origin.replace('http:', 'https:'));
    expect(other).toMatch(/✗ oj: Cannot reach .+TLS.+\n {2}→ Use http:\/\/ in --base-url/);
  });

  test('fails with a hint if the token file does not exist', async () => {
    const { code, text } = await check(
      '--base-url',
      'http://127.0.0.1:1',
      '--token-file',
      path.resolve('no-such-file'),
    );
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(
        /--token-file .+ cannot be read: it does not exist \(ENOENT\)\.\n {2}→ Use a file that contains only the token/,
      ),
    ]);
  });

  test.runIf(has('clerk'))('checks the other toolsets after an invalid setting of one toolset', async () => {
    const { code, text } = await check('--toolsets', 'oj,clerk', '--base-url', 'ftp://x');
    expect(text).toContain('✗ oj: --base-url must start with http');
    expect(text).toContain('✓ clerk: 3 tools');
    expect(code).toBe(1);
  });

  test.runIf(has('files'))('reports for each root of the files toolset whether it can be searched', async () => {
    const root = folder();
    writeFileSync(path.join(root, 'file'), '');
    symlinkSync('loop', path.join(root, 'loop'));
    const { code, text } = await check(
      '--toolsets=files',
      `--files-root=${root}`,
      `--files-root=${path.join(root, 'gone')}`,
      `--files-root=${path.join(root, 'file')}`,
      `--files-root=${path.join(root, 'loop')}`,
      `--files-root=${path.join(root, 'first,second')}`,
    );
    expect(text).toContain(
      `✓ files: ${root} can be read: 1 file\n✗ files: ${path.join(root, 'gone')} cannot be read: it does not exist (ENOENT)\n  → Correct`,
    );
    expect(text).toContain(
      `✗ files: ${path.join(root, 'file')} cannot be read: it is a file, or a folder of its path is one (ENOTDIR)\n  → Name the folder`,
    );
    expect(text).toContain(
      `✗ files: ${path.join(root, 'loop')} cannot be read: a symbolic link in its path leads back to itself`,
    );
    expect(text).toContain(
      `Several folders are several flags, or a list with "${path.delimiter}" in OJ_MCP_FILES_ROOT.`,
    );
    expect(code).toBe(1);
    expect((await check('--toolsets', 'files')).text).toContain('✗ files: The toolset "files" needs --files-root');
  });

  test.runIf(has('files'))('warns of a root without files that can be searched', async () => {
    const [empty, hidden] = [folder(), folder()];
    writeFileSync(path.join(hidden, '.hidden'), '');
    mkdirSync(path.join(hidden, 'folder'));
    const { code, text } = await check('--toolsets=files', `--files-root=${empty}`, `--files-root=${hidden}`);
    expect(text).toContain(
      `! files: ${empty} is empty\n  → A search finds nothing there: check that --files-root names the right folder.`,
    );
    expect(text).toContain(`! files: ${hidden} contains no files that are searched; hidden and generated ones are not`);
    expect(code).toBe(0);
  });

  test.runIf(has('files') && process.platform === 'linux')(
    'fails for a root and a cache folder in a pseudo file system',
    async () => {
      const root = folder();
      const { code, text } = await check('--toolsets=files', '--files-root=/proc');
      expect(text).toContain('✗ files: /proc is in a pseudo file system, which is not searched\n  → Name a folder');
      const nested = await check('--toolsets=files', `--files-root=${root}`, '--files-cache=/proc/none');
      expect(nested.text).toContain(
        '✗ files: --files-cache /proc/none cannot be written: its file system accepts no new folders (ENOENT)',
      );
      expect([code, nested.code]).toEqual([1, 1]);
    },
  );

  test.runIf(has('books'))('tests reading and writing of a library and leaves no file in it', async () => {
    const root = folder();
    expect((await check('--toolsets', 'books', '--books-root', root)).text).toContain(
      `✓ books: ${root} is a new library without books`,
    );
    mkdirSync(path.join(root, 'books/my-book'), { recursive: true });
    const { code, text } = await check('--toolsets', 'books', '--books-root', root);
    expect(text).toContain(`✓ books: ${root} can be read: 1 book\n✓ books: ${root} can be written\n`);
    expect([code, readdirSync(root)]).toEqual([0, ['books']]);
    expect((await check('--toolsets', 'books', '--books-root', path.join(root, 'no'))).text).toContain('✗ books:');
  });

  test.runIf(has('files') && process.platform !== 'win32').each([0o000, 0o444])(
    'reports a root of the files toolset that has the permissions %i, so that no file can be opened',
    mode => {
      const root = folder();
      chmodSync(root, mode);
      expect(checkAsAnyone('--toolsets', 'files', '--files-root', root)).toEqual({
        code: 1,
        text: expect.stringContaining(
          `✗ files: ${root} cannot be read: this user has no permission (EACCES)\n  → Give the user who runs the host read permission`,
        ),
      });
    },
  );

  test.runIf(has('files') && process.platform !== 'win32')(
    'reports whether the index cache of the files toolset can be written',
    () => {
      const [root, cache, shared, closed] = [folder(), folder(), folder(), folder()];
      chmodSync(root, 0o755);
      chmodSync(shared, 0o777);
      chmodSync(closed, 0o555);
      const checkCache = (place: string) =>
        checkAsAnyone('--toolsets', 'files', '--files-root', root, '--files-cache', place);
      const refused = {
        code: 1,
        text: expect.stringMatching(/✗ files: --files-cache .+\n {2}→ Nothing is stored\. Use/),
      };
      expect(checkCache(shared)).toEqual(refused);
      expect(checkCache(path.join(closed, 'new'))).toEqual(refused);
      writeFileSync(path.join(cache, 'file'), '');
      expect(checkCache(path.join(cache, 'file', 'new'))).toEqual(refused);
      rmSync(path.join(cache, 'file'));
      symlinkSync(root, path.join(shared, 'link'));
      expect(checkCache(path.join(shared, 'link')).text).toContain('link is inside a folder that is searched');
      if (process.getuid?.() === 0) chownSync(cache, 65_534, 65_534);
      for (const place of [cache, path.join(cache, 'new')]) {
        expect(checkCache(place).text).toContain(`✓ files: ${place} can store the index`);
      }
      expect(readdirSync(cache)).toEqual([]);
    },
  );

  test.runIf(has('books') && process.platform !== 'win32')(
    'reports a library without write permission and one without read permission',
    () => {
      const root = folder();
      mkdirSync(path.join(root, 'books/my-book'), { recursive: true });
      chmodSync(root, 0o555);
      const readOnly = checkAsAnyone('--toolsets', 'books', '--books-root', root);
      expect(readOnly.text).toContain(
        `✓ books: ${root} can be read: 1 book\n! books: ${root}/books cannot be written: this user has no permission`,
      );
      expect(readOnly.text).toContain('  → Reading works. For changes, give the user who runs the host write');
      chmodSync(path.join(root, 'books/my-book'), 0o000);
      expect(checkAsAnyone('--toolsets', 'books', '--books-root', root).text).toContain(
        `can be read: 0 books\n✗ books: books/my-book cannot be read by this user\n`,
      );
      chmodSync(path.join(root, 'books/my-book'), 0o755);
      chmodSync(path.join(root, 'books'), 0o000);
      const closed =
        'cannot be read: this user has no permission (EACCES)\n  → Give the user who runs the host read permission.';
      expect(checkAsAnyone('--toolsets', 'books', '--books-root', root).text).toContain(`${root}/books ${closed}`);
      chmodSync(root, 0o000);
      expect(checkAsAnyone('--toolsets', 'books', '--books-root', root).text).toContain(`✗ books: ${root} ${closed}`);
      for (const file of [root, path.join(root, 'books')]) chmodSync(file, 0o755); // restores the permissions, so that the folder can be removed
      expect(readOnly.code).toBe(0);
    },
  );

  test.runIf(has('books'))('fails for a library whose book folder cannot be used, and names the reason', async () => {
    const root = folder();
    mkdirSync(path.join(root, 'books/My Course'), { recursive: true });
    const { code, text } = await check('--toolsets', 'books', '--books-root', root);
    expect([code, text]).toEqual([
      1,
      expect.stringContaining('✗ books: books/My Course is not a book: its name is not'),
    ]);
    expect(text).not.toContain('can be written');
  });

  // The test uses /proc/self as the folder, because no user can write to it.
  test.runIf(has('books') && process.platform === 'linux')(
    'reports a library on a file system that rejects every write',
    async () => {
      const { code, text } = await check('--toolsets', 'books', '--books-root', '/proc/self');
      expect(text).toMatch(/✗ books: \/proc\/self cannot be written: .+\n {2}→ Correct --books-root,/);
      expect(code).toBe(1);
    },
  );
});

describe.runIf(hasToolsets)('--check', () => {
  test('fails for a flag of a disabled toolset and states the flag that enables the toolset', async () => {
    const { code, text } = await check('--demo', '--files-root', '/tmp');
    expect(text).toContain(
      '✗ flags: --files-root has no effect, because the toolset "files" is disabled\n  → Add --toolsets oj,files, or remove --files-root.',
    );
    expect(code).toBe(1);
  });

  test('passes with a warning for an environment variable of a disabled toolset', async () => {
    const { code, text } = told(await runProgram(['--check', '--demo'], { env: { OJ_MCP_FILES_ROOT: '/tmp' } }));
    expect(text).toMatch(/^! flags: OJ_MCP_FILES_ROOT has no effect.*\n {2}→ Add --toolsets oj,files, or/);
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/The check passed with warnings: see the lines marked !\.$/),
    ]);
  });

  test('passes with a warning if the backend has no problems', async () => {
    const judge = await startJudge({ json: { ...status, platforms: [] } });
    const { code, text } = await check('--base-url', judge.origin);
    expect([code, text]).toEqual([
      0,
      expect.stringContaining('! oj: the backend has no problems\n  → Run its crawlers'),
    ]);
  });

  test('fails if --books-root is the subfolder "books" or a single book, and states the path of the library', async () => {
    const root = folder();
    mkdirSync(path.join(root, 'books/my-book/content'), { recursive: true });
    for (const wrong of ['books', 'books/my-book']) {
      const { code, text } = await check('--toolsets', 'books', '--books-root', path.join(root, wrong));
      expect([code, text]).toEqual([
        1,
        expect.stringContaining(`  → Use the library's folder: --books-root ${root}\n`),
      ]);
    }
  });
});

describe.runIf(hasToolsets)('the program', () => {
  test.each([['--help'], ['--check', '--demo', '--toolsets', 'all'], ['--print-config']])(
    'prints the output of %s with at most 80 columns, and without colours into a pipe',
    async (...args) => {
      const { code, stdout } = await runProgram(args);
      expect(code).toBe(0);
      expect(stdout).not.toContain('\u001b');
      const long = stdout.split('\n').filter(line => line.length > 80 && line.trim().includes(' '));
      expect(long.filter(line => ![process.execPath, bundle].includes(line.trim()))).toEqual([]);
    },
  );

  test('logs at start that a flag has no effect and which flag enables its toolset', async () => {
    const { stderr } = await runProgram(['--demo', '--files-root', '/tmp']);
    expect(stderr).toContain(
      'WARN  oj-mcp: --files-root has no effect, because the toolset "files" is disabled. Add --toolsets oj,files',
    );
  });

  test('reports the flag of a disabled toolset before a missing setting of the default toolset', async () => {
    const { code, stderr } = await runProgram(['--books-root', '/nowhere']);
    expect(stderr).toBe(
      'oj-mcp: --books-root has no effect, because the toolset "books" is disabled.\nAdd --toolsets oj,books, or remove --books-root.\n',
    );
    expect(code).toBe(2);
  });

  test('logs at start that a flag has no effect without --check', async () => {
    const { stderr } = await runProgram(['--demo', '--toolsets', 'books', '--books-verify']);
    expect(stderr).toContain('WARN  oj-mcp: --books-verify has no effect without --check. Add --check');
    const checked = await runProgram(['--check', '--demo', '--toolsets', 'books', '--books-verify']);
    expect([checked.code, checked.stdout]).toEqual([0, expect.not.stringContaining('has no effect')]);
  });

  test.each([
    [
      ['--print-config', 'zed', '--demo', '--toolsets', 'books', '--books-verify'],
      2,
      '--books-verify has no effect without --check',
    ],
    [['--print-config', 'zed', '--base-url', 'ftp://x'], 1, '--base-url must start with http'],
    [['--print-config', 'zed', '--demo', '--files-root', '/tmp'], 2, '--files-root has no effect'],
  ])(
    'prints no configuration for the arguments %j, because a host could not start the server with them',
    async (args, exitCode, message) => {
      const { code, stdout, stderr } = await runProgram(args);
      expect([code, stdout, stderr]).toEqual([exitCode, '', expect.stringContaining(message)]);
    },
  );
});
