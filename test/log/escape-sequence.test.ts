import { expect, test } from 'vitest';
import {
  allEscapes,
  EscapeReader,
  entityEscape,
  escapesOfCommonDecoders,
  percentEscape,
  unicodeEscape,
  unterminatedEntityEscape,
} from '../../src/log/escape-sequence.ts';

/** Returns the width and the UTF-16 unit of the escape sequence at the start of the text. */
function read(text: string, kinds = allEscapes, length = text.length): [width: number, unit: number] | undefined {
  const reader = new EscapeReader();
  const units = Uint16Array.from(text, unit => unit.charCodeAt(0));
  return reader.read(units, 0, length, kinds) ? [reader.width, reader.unit] : undefined;
}

const bytes = Array.from({ length: 256 }, (_, byte) => byte);
const ascii = bytes.slice(0, 0x80).map(byte => String.fromCharCode(byte));

test('a percent escape has two hexadecimal digits', () => {
  expect(bytes.map(byte => read(`%${byte.toString(16).padStart(2, '0')}`))).toEqual(bytes.map(byte => [3, byte]));
  expect(read('%aF')).toEqual([3, 0xaf]);
  const isDigit = (character: string): boolean => /[\da-f]/i.test(character);
  expect(ascii.filter(character => read(`%${character}0`))).toEqual(ascii.filter(isDigit));
  expect(ascii.filter(character => read(`%0${character}`))).toEqual(ascii.filter(isDigit));
});

test('a Unicode escape has four hexadecimal digits after a small "u"', () => {
  expect(read('\\u1a2B', unicodeEscape)).toEqual([6, 0x1a2b]);
  expect(read('\\u0000', unicodeEscape)).toEqual([6, 0]);
  for (const text of ['\\U1a2b', '\\v1a2b', '\\ug000', '\\u0g00', '\\u00g0', '\\u000g'])
    expect(read(text, unicodeEscape)).toBeUndefined();
});

test('a backslash escapes three characters in JSON, all punctuation in Markdown, and any character elsewhere', () => {
  const [, , markdown, backslash, json] = escapesOfCommonDecoders;
  const escaped = (kinds: number | undefined): string =>
    ascii.filter(character => read(`\\${character}`, kinds)?.[0] === 2).join('');
  expect(escaped(json)).toBe('"/\\');
  expect(escaped(markdown)).toBe('!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~');
  expect(escaped(backslash)).toBe(ascii.join(''));
  expect(read('\\\u00e9', markdown)).toBeUndefined();
  expect(read('\\\u00e9', backslash)).toEqual([2, 0xe9]);
});

test.each([
  ['&amp;', [5, 0x26]],
  ['&amp', [4, 0x26]],
  ['&ampx', [4, 0x26]],
  ['&quot', [5, 0x22]],
  ['&gt=', [3, 0x3e]],
  ['&excl;', [6, 0x21]],
  ['&excl', undefined],
  ['&VerticalLine;', [14, 0x7c]],
  ['&nbsp;', undefined],
  ['&;', undefined],
  ['&#65;', [5, 0x41]],
  ['&#65', [4, 0x41]],
  ['&#6a', [3, 6]],
  ['&#x6a;', [6, 0x6a]],
  ['&#X6g', [4, 6]],
  ['&#1234567;', [10, 0xffff]],
  ['&#65535;', [8, 0xffff]],
  ['&#65534;', [8, 0xfffe]],
  ['&#12345678;', [9, 0xffff]],
  ['&#0', [3, 0]],
  ['&#', undefined],
  ['&#;', undefined],
  ['&#x;', undefined],
])('the entity %s is read as %j', (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test('an entity may have 64 leading zeros and 7 further digits', () => {
  const closed = [63, 64, 69, 70].map(zeros => read(`&#${'0'.repeat(zeros)}65;`)?.[0] === zeros + 5);
  expect(closed).toEqual([true, true, true, false]);
});

test('an entity is read only by a decoder that supports it', () => {
  expect(read('&amp;', entityEscape)).toEqual([5, 0x26]);
  expect(read('&amp', entityEscape)).toBeUndefined();
  expect(read('&amp;', unterminatedEntityEscape)).toEqual([4, 0x26]);
  expect(read('&#65;', unterminatedEntityEscape)).toBeUndefined();
  expect(read('&#65', entityEscape)).toBeUndefined();
  expect(read('&#65', unterminatedEntityEscape)).toEqual([4, 0x41]);
  expect(read('%41', allEscapes & ~percentEscape)).toBeUndefined();
  expect(read('\\u0041', allEscapes & ~unicodeEscape)).toEqual([2, 0x75]);
});

test('an escape sequence ends before the end of the text, although the buffer has further characters', () => {
  const texts = ['%41', '\\u0041', '\\"', '&amp;', '&lt', '&#65;', '&#0065', '&#x41;', '&VerticalLine;', '&#000'];
  for (const text of texts)
    for (let length = 1; length <= text.length; length++)
      expect(read(text, allEscapes, length)).toEqual(read(text.slice(0, length)));
});
