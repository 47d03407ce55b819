import { mkdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import {
  isResourceShortage,
  systemErrorCodeOf,
  toFailureForUser,
  tryOrUndefined,
} from '../../src/errors/system-error.ts';

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

test.each([
  ['ERR_WORKER_INIT_FAILED', true],
  ['EMFILE', true],
  ['ENFILE', true],
  ['ENOMEM', true],
  ['EAGAIN', true],
  ['ENOENT', false],
  [undefined, false],
])('isResourceShortage of an error with the code %s is %s', (code, expected) => {
  expect(isResourceShortage(Object.assign(new Error('failed'), { code }))).toBe(expected);
  expect(isResourceShortage({ code })).toBe(false);
});

test('isResourceShortage is false for an error without a code, and for no error', () => {
  expect([isResourceShortage(new Error('EMFILE')), isResourceShortage(undefined)]).toEqual([false, false]);
});

test('toFailureForUser returns a Failure unchanged, and the words of the system for an error without a path', () => {
  const failure = new Failure('usage', 'A sentence.');
  expect(toFailureForUser(failure)).toBe(failure);
  const error = Object.assign(new Error('listen EADDRINUSE'), { code: 'EADDRINUSE', syscall: 'listen' });
  expect(toFailureForUser(error)?.message).toBe('The operating system reports: listen EADDRINUSE.');
  expect(toFailureForUser(error)?.cause).toBe(error);
  expect(toFailureForUser(Object.assign(new Error('x'), { code: 5, syscall: 'listen' }))).toBeUndefined();
  expect(toFailureForUser({ code: 'ENOENT', syscall: 'open' })).toBeUndefined();
});
