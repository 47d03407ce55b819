import { mkdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { systemErrorCodeOf, toFailureForUser, tryOrUndefined } from '../../src/errors/system-error.ts';

test('systemErrorCodeOf returns the code of a failed system call, and undefined for an invalid argument or a string', () => {
  expect(systemErrorCodeOf(thrownBy(() => readFileSync('/nowhere/at/all')))).toBe('ENOENT');
  expect(systemErrorCodeOf(thrownBy(() => readFileSync('a\0b')))).toBeUndefined();
  expect(systemErrorCodeOf('ENOENT')).toBeUndefined();
});

test('tryOrUndefined returns undefined for a failed system call and rethrows other errors', () => {
  expect(tryOrUndefined(() => readFileSync('package.json', 'utf8'))).toContain('oj-mcp');
  expect(tryOrUndefined(() => readFileSync('/nowhere/at/all'))).toBeUndefined();
  expect(() => tryOrUndefined(() => readFileSync('a\0b'))).toThrow(TypeError);
});

test('toFailureForUser states the path and the reason of a failed system call, and ignores other errors', () => {
  const messageOf = (work: () => unknown): string | undefined => toFailureForUser(thrownBy(work))?.message;
  expect(messageOf(() => readFileSync('/nowhere/at/all'))).toMatch(
    /^The system call open fails for .*all: it does not exist \(ENOENT\)\.$/,
  );
  expect(messageOf(() => mkdirSync('/nowhere/at/all'))).toMatch(
    /^The system call mkdir fails for .*all: it cannot be created there \(ENOENT\)\.$/,
  );
  expect(toFailureForUser(thrownBy(() => readFileSync('a\0b')))).toBeUndefined();
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
