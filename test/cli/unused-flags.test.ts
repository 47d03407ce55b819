import { describe, expect, test } from 'vitest';
import { bundle, runProgram } from '../support/program.ts';
import { has } from '../support/toolsets.ts';
import { parseCheckOutput, runCheck } from './support/check.ts';

const hasToolsets = has('oj', 'files', 'books');

describe.runIf(hasToolsets)('--check', () => {
  test('fails for a flag of a disabled toolset and states the flag that enables the toolset', async () => {
    const { code, text } = await runCheck('--demo', '--files-root', '/tmp');
    expect(text).toContain(
      '✗ flags: --files-root has no effect, because the toolset "files" is disabled\n  → Add --toolsets oj,files, or remove --files-root.',
    );
    expect(code).toBe(1);
  });

  test('passes with a warning for an environment variable of a disabled toolset', async () => {
    const { code, text } = parseCheckOutput(
      await runProgram(['--check', '--demo'], { env: { OJ_MCP_FILES_ROOT: '/tmp' } }),
    );
    expect(text).toMatch(/^! flags: OJ_MCP_FILES_ROOT has no effect.*\n {2}→ Add --toolsets oj,files, or/);
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/The check passed with warnings: see the lines marked !\.$/),
    ]);
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
      'oj-mcp: --books-root has no effect, because the toolset "books" is disabled.\nAdd --toolsets books, or remove --books-root.\n',
    );
    expect(code).toBe(2);
  });

  test('suggests the default toolset too if one of its flags is given', async () => {
    const { stderr } = await runProgram(['--books-root', '/nowhere', '--base-url', 'http://localhost:1']);
    expect(stderr).toContain('Add --toolsets oj,books, or remove --books-root.');
  });

  test('logs at start that a flag has no effect without --check', async () => {
    const { stderr } = await runProgram(['--demo', '--toolsets', 'books', '--books-verify']);
    expect(stderr).toContain('WARN  oj-mcp: --books-verify has no effect without --check. Use it with --check only.');
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
