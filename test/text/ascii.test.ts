import { expect, test } from 'vitest';
import { replaceByAsciiLetters } from '../../src/text/ascii.ts';

test.each([
  ['Übung é', 'Ubung e'],
  ['straße STRASSE', 'strasse STRASSE'],
  ['æ Æ œ Œ', 'ae Ae oe Oe'],
  ['ø Ø đ Đ ð Ð ł Ł þ Þ', 'o O d D d D l L th Th'],
  ['ı İ', 'i I'],
  ['ﬁ ２', 'fi 2'],
  ['Жё 中 😀 𐐀', 'Же 中 😀 𐐀'],
  ['a1-_', 'a1-_'],
])('replaceByAsciiLetters(%j) returns %j', (text, expected) => {
  expect(replaceByAsciiLetters(text)).toBe(expected);
});
