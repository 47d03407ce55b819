import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemErrorCode, tryOrUndefined } from '../../src/errors/system-error.ts';

test('systemErrorCode returns the code of a failed system call, and undefined for an invalid argument or a string', () => {
  expect(systemErrorCode(thrownBy(() => readFileSync('/nowhere/at/all')))).toBe('ENOENT');
  expect(systemErrorCode(thrownBy(() => readFileSync('a\0b')))).toBeUndefined();
  expect(systemErrorCode('ENOENT')).toBeUndefined();
});

test('tryOrUndefined returns undefined for a failed system call and rethrows other errors', () => {
  expect(tryOrUndefined(() => readFileSync('package.json', 'utf8'))).toContain('oj-mcp');
  expect(tryOrUndefined(() => readFileSync('/nowhere/at/all'))).toBeUndefined();
  expect(() => tryOrUndefined(() => readFileSync('a\0b'))).toThrow(TypeError);
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
