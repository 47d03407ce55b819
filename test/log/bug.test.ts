import { spawnSync } from 'node:child_process';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import { isBug, stackTraceOf } from '../../src/log/bug.ts';

test('isBug returns true for programming errors only', () => {
  expect([new TypeError(), new RangeError(), new ReferenceError()].map(isBug)).toEqual([true, true, true]);
  const others = [new Failure('network', 'gone'), Object.assign(new Error(), { code: 'ENOENT' }), 'text'];
  expect(others.map(isBug)).toEqual([false, false, false]);
});

test('stackTraceOf returns the code and the stack frames of an error without its message', () => {
  const error = Object.assign(new Error("ELOOP: too many links, open '/home/me/confidential\n    at secret'"), {
    code: 'ELOOP',
  });
  const text = stackTraceOf(error);
  expect(text).toMatch(/^Error ELOOP\n +at .*bug\.test/);
  expect(text).not.toMatch(/confidential|secret/);
  expect(stackTraceOf(new TypeError('x of confidential'))).toMatch(/^TypeError\n +at /);
  expect(stackTraceOf('confidential')).not.toContain('confidential');
});

test.each([
  ['a TypeError', `new TypeError('private')`, /^oj-mcp: recovered from a bug: TypeError\n +at /],
  ['any other error', `new Error('private')`, /^$/],
])('ignoreExpectedError writes only programming errors to stderr: %s', (_, error, told) => {
  // The function writes to file descriptor 2, so that the test starts another process to read it.
  const contents = `import { ignoreExpectedError } from './src/log/bug.ts'; Promise.reject(${error}).catch(ignoreExpectedError);`;
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    write: false,
    platform: 'node',
  });
  const script = outputFiles.map(({ text }) => text).join('');
  const { stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect(stderr).toMatch(told);
});
