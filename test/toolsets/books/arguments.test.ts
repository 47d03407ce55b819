import * as v from 'valibot';
import { expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import {
  AssetFileName,
  AssetTypeName,
  BookId,
  BooleanArgument,
  ContentPath,
  CursorArgument,
  checkLessonContent,
  ExpectedHash,
  FormerHash,
  LimitArgument,
  UserId,
} from '../../../src/toolsets/books/model/arguments.ts';

const letters = (count: number): string => 'a'.repeat(count);

test.each([
  ['BookId', BookId, ['abc', letters(50), '1-2'], ['ab', letters(51), 'Abc', 'a_b', '']],
  ['UserId', UserId, ['a', letters(100), 'A_b-1', '__base'], ['', letters(101), '__base__', 'a b']],
  ['ContentPath', ContentPath, ['a', letters(255)], ['', letters(256)]],
  ['LimitArgument', LimitArgument, [1, 100_000], [0, 100_001, 1.5, -1, 'x']],
  ['CursorArgument', CursorArgument, ['', letters(2000)], [letters(2001), 1]],
  ['ExpectedHash', ExpectedHash, [letters(64), 'F'.repeat(64)], [letters(63), letters(65), 'g'.repeat(64)]],
  ['FormerHash', FormerHash, [letters(64), '0'.repeat(64)], [letters(63), letters(65), '']],
  ['AssetFileName', AssetFileName, ['a', letters(255)], ['', letters(256)]],
  ['AssetTypeName', AssetTypeName, ['img', 'images', 'slides', 'videos', 'audio'], ['image', '']],
  ['BooleanArgument', BooleanArgument, [true, false], ['maybe', 2]],
])('the schema %s accepts values within its limits and no others', (_, schema, accepted, rejected) => {
  const outcome = (values: unknown[]): boolean[] => values.map(value => v.safeParse(schema, value).success);
  expect([outcome(accepted), outcome(rejected)]).toEqual([accepted.map(() => true), rejected.map(() => false)]);
});

test.each([
  ['500,000 letters', letters(500_000), undefined],
  ['one letter more', letters(500_001), '"content" may have at most 500000 characters, got 500001.'],
  ['a surrogate pair as the last of 500,000 characters', `${letters(499_999)}😀`, undefined],
  [
    'a surrogate pair after 500,000 letters',
    `${letters(500_000)}😀`,
    '"content" may have at most 500000 characters, got 500001.',
  ],
  ['500,000 surrogate pairs', '😀'.repeat(500_000), undefined],
  ['a lone surrogate', 'a\udc00', '"content" contains a lone surrogate, which cannot be encoded in UTF-8.'],
  ['only white space', ' \n\t', '"content" must not be empty or blank.'],
  ['white space around a letter', '\n a \n', undefined],
])('checkLessonContent accepts or rejects %s', (_, content, message) => {
  const outcome = (): string | undefined => {
    try {
      checkLessonContent(content);
      return undefined;
    } catch (error) {
      return error instanceof Failure ? error.message : String(error);
    }
  };
  expect(outcome()).toBe(message);
});
