import { expect, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';

test('a Failure has no stack trace, and an error after it has one', () => {
  expect(new Failure('refused', 'The book is missing.').stack).not.toContain('failure.test.ts');
  expect(new Error('a bug').stack).toContain('failure.test.ts');
});

test.each([
  ['usage', 2, false],
  ['setting', 1, false],
  ['argument', 1, false],
  ['unknown-tool', 1, false],
  ['refused', 1, false],
  ['upstream', 1, false],
  ['network', 1, true],
  ['malformed', 1, true],
] as const)(
  'a Failure with the code %s has the exit code %i, and is a protocol error: %s',
  (code, exitCode, isProtocol) => {
    const failure = new Failure(code, 'A sentence.');
    expect([failure.exitCode, failure.isProtocolError]).toEqual([exitCode, isProtocol]);
  },
);

test('the remedy of a Failure is its hint, or else the suggestion of its error object', () => {
  const remedyOf = (options: ConstructorParameters<typeof Failure>[2]): string | undefined =>
    new Failure('refused', 'A sentence.', options).remedy;
  expect(remedyOf({ hint: 'Retry.', report: { suggestion: 'Wait.' } })).toBe('Retry.');
  expect(remedyOf({ report: { suggestion: 'Wait.' } })).toBe('Wait.');
  expect(remedyOf({ report: { suggestion: ['Wait.'] } })).toBeUndefined();
  expect(remedyOf({})).toBeUndefined();
});
