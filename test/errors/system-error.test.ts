import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemCode, tryOrUndefined } from '../../src/errors/system-error.ts';

test('what the system refuses has a code, a mistake in asking has none', () => {
  expect(systemCode(thrownBy(() => readFileSync('/nowhere/at/all')))).toBe('ENOENT');
  expect(systemCode(thrownBy(() => readFileSync('a\0b')))).toBeUndefined();
  expect(systemCode('ENOENT')).toBeUndefined();
});

test('only what the system refuses is passed over', () => {
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
