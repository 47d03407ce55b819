import { expect, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';

test('a Failure has no stack trace, and an error after it has one', () => {
  expect(new Failure('refused', 'The book is missing.').stack).not.toContain('failure.test.ts');
  expect(new Error('a bug').stack).toContain('failure.test.ts');
});
