import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { emptyFolder, runProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';

const bucket = ['--toolsets', 'books', '--books-root', 's3://bucket/prefix'];
const backend = ['--base-url', 'http://localhost:1'];

describe.runIf(has('oj', 'books'))('a secret', () => {
  test.each([
    ['the query of --base-url', ['--base-url', 'https://judge.example/?token=hunter2']],
    ['the fragment of --base-url', ['--base-url', 'https://judge.example/#hunter2']],
    ['the query of a bucket', ['--toolsets', 'books', '--books-root', 's3://bucket?key=hunter2']],
    ['the query of an object store', [...bucket, '--books-s3-endpoint', 'https://store.example/?key=hunter2']],
    ['a token in place of its file', [...backend, '--token-file', 'hunter2/+=']],
  ])('is not repeated in the message about %s', async (_, args) => {
    for (const mode of [[], ['--check'], ['--print-config', 'zed'], ['--install', 'zed']]) {
      const { code, stdout, stderr } = await runProgram([...mode, ...args]);
      expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/must (?:be|look)/)]);
      expect(stdout + stderr).not.toContain('hunter2');
    }
  });

  test('--install does not show a secret, but shows the reference to its variable', async () => {
    const { stdout } = await runProgram(['--install', 'cursor', ...backend], { env: { OJ_MCP_TOKEN: 'hunter2' } });
    expect(stdout).toContain('"OJ_MCP_TOKEN": "${env:OJ_MCP_TOKEN}"');
    expect(stdout).not.toContain('hunter2');
  });
});

describe.runIf(has('oj'))('a token file', () => {
  test.each<BufferEncoding>(['utf8', 'utf16le'])('is read in %s with a byte order mark', async encoding => {
    const file = path.join(emptyFolder(), 'token.txt');
    writeFileSync(file, '\ufeffa-token-here\r\n', encoding);
    const { stderr } = await runProgram([...backend, '--token-file', file]);
    expect(stderr).toContain('token: configured');
  });
});

test.runIf(has('books')).each(['us east', 'x@host', 'https://x', 'us-east-1\n'])(
  'the region %j, which would be part of a host name, is rejected by --check without a stack trace',
  async region => {
    const env = { AWS_REGION: region, AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'hunter2' };
    const { code, stdout, stderr } = await runProgram(['--check', ...bucket], { env });
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${JSON.stringify(region)} is not a region of AWS`)]);
    expect(stderr).toBe('');
  },
);
