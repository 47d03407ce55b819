import { spawnSync } from 'node:child_process';
import { buildSync } from 'esbuild';
import { expect, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import { isBug, traceOf } from '../../src/log/bug.ts';

test('what the world does is no bug', () => {
  expect([new TypeError(), new RangeError(), new ReferenceError()].map(isBug)).toEqual([true, true, true]);
  const others = [new Failure('network', 'gone'), Object.assign(new Error(), { code: 'ENOENT' }), 'text'];
  expect(others.map(isBug)).toEqual([false, false, false]);
});

test('of an unexpected error its code and where it came from are told, not what it says', () => {
  const error = Object.assign(new Error("ELOOP: too many links, open '/home/me/confidential\n    at secret'"), {
    code: 'ELOOP',
  });
  const text = traceOf(error);
  expect(text).toMatch(/^Error ELOOP\n +at .*bug\.test/);
  expect(text).not.toMatch(/confidential|secret/);
  expect(traceOf(new TypeError('x of confidential'))).toMatch(/^TypeError\n +at /);
  expect(traceOf('confidential')).not.toContain('confidential');
});

test.each([
  ['a bug is told', `new TypeError('private')`, /^oj-mcp: survived a bug: TypeError\n +at /],
  ['what may happen is not', `new Error('private')`, /^$/],
])('of work nobody waits for %s', (_, error, told) => {
  // Standard error is written to without a detour, so it is looked at from outside.
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
