import * as v from 'valibot';
import { acceptConvertibleTypes } from '../../../toolset/argument.ts';
import { bookIdDescription, bookIdPattern, isValidUserName, reservedUserNameForBook, userNamePattern } from './key.ts';
import { assetTypes, maxPathCharacters } from './path.ts';
import { refusal } from './refusal.ts';

export const BookId = v.pipe(
  v.string(),
  acceptConvertibleTypes(),
  v.regex(bookIdPattern, `must be ${bookIdDescription}`),
  v.description('Name of the book, as list_books gives it'),
);

export const UserId = v.pipe(
  v.string(),
  v.regex(userNamePattern, 'must be 1 to 100 letters, digits, "_" and "-"'),
  // A separate check rejects the reserved name, because many hosts do not accept patterns with lookahead.
  v.check(isValidUserName, `must not be the reserved "${reservedUserNameForBook}"`),
  v.description("A user's name: works on this user's own version (overlay) instead of the book's"),
);

export const ContentPath = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(maxPathCharacters, `must have ${maxPathCharacters} characters at most`),
);

const maxLimit = 100_000;

/** The argument of a tool for the number of items on a page. */
export const LimitArgument = v.pipe(
  v.number(),
  acceptConvertibleTypes(),
  v.integer('must be a whole number'),
  v.minValue(1, 'must be 1 or more'),
  v.maxValue(maxLimit, `must be ${maxLimit} or less`),
  v.description('Left out: 50,000 characters of them'),
);

/** The argument of a tool for the cursor at which a page starts. */
export const CursorArgument = v.pipe(
  v.string(),
  v.maxLength(2000, 'must have 2000 characters at most'),
  v.description('Goes on: next_after of the last answer'),
);

export const ExpectedHash = v.pipe(
  v.string(),
  v.regex(/^[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits'),
  v.description('SHA-256 of the version the change is based on; left out to create'),
);

export const FormerHash = v.pipe(
  v.string(),
  v.regex(/^[0-9a-fA-F]{64}$/, 'must be a SHA-256 of 64 hexadecimal digits'),
  v.description('As get_history lists it'),
);

export const AssetFileName = v.pipe(
  v.string(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(255, 'must have 255 characters at most'),
);

export const AssetTypeName = v.pipe(v.picklist(assetTypes), v.description('"images" is another name for "img"'));

/** A number of items in a result. */
export const CountField = v.pipe(v.number(), v.integer());

export const BooleanArgument = v.pipe(v.boolean(), acceptConvertibleTypes());

export const maxContentCharacters = 500_000;

/** Throws an error if the content of a lesson is empty or cannot be stored. Other content stays unchanged. */
export function checkLessonContent(content: string): void {
  if (!content.isWellFormed()) {
    throw refusal('ValidationError', '"content" contains a lone surrogate, which cannot be encoded in UTF-8.');
  }
  if (content.trim() === '') throw refusal('ValidationError', '"content" must not be empty or blank.');
  if (content.length <= maxContentCharacters) return;
  const characters = countCharacters(content);
  if (characters <= maxContentCharacters) return;
  throw refusal('ValidationError', `"content" may have at most 500000 characters, got ${characters}.`);
}

function countCharacters(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index++) if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) pairs++;
  return text.length - pairs;
}
