import { expect, test } from 'vitest';
import { reasons } from '../../../src/errors/reason.ts';
import { toStorageFailure } from '../../../src/toolsets/books/storage/system-error.ts';

test.each(Object.keys(reasons))(
  'the message of a failed file operation ends with the reason and the code: %s',
  code => {
    const error = Object.assign(new Error(`${code}: words of Node`), { code, syscall: 'open' });
    expect(toStorageFailure(error, 'Writing failed', 'books/a')).toMatchObject({
      message: expect.stringMatching(new RegExp(`^Writing failed: [a-z].*[a-z] \\(${code}\\)\\.$`)),
    });
  },
);
