import { describe, expect, test } from 'vitest';
import { removeInvisibleCharacters } from '../../src/text/invisible.ts';
import * as fc from '../support/property.ts';

describe('removeInvisibleCharacters', () => {
  test.each([
    ['after an emoji', '❤\ufe0f 🌍\ufe0f ©\ufe0e'],
    ['in a keycap', '1\ufe0f\u20e3 #\ufe0f\u20e3'],
    ['after a Mongolian letter', 'ᠠ\u180b'],
    ['before a zero-width joiner', '👁\ufe0f\u200d🗨\ufe0f'],
  ])('keeps a variation selector that changes the visible text: %s', (_, text) => {
    expect(removeInvisibleCharacters(text)).toBe(text);
  });

  test.each([
    ['a digit', '1', '\ufe0f'],
    ['a letter', 'a', '\ufe00'],
    ['an ideograph', '葛', '\u{e0100}'],
    ['an emoji that has no such variant', '😀', '\ufe01'],
    ['a mathematical sign', '∩', '\ufe00'],
    ['a keycap in text style', '1\ufe0f\u20e3', '\ufe0e'],
  ])('removes a variation selector without a visible effect after %s', (_, visible, selector) => {
    expect(removeInvisibleCharacters(visible + selector)).toBe(visible);
  });

  test('keeps a joiner between Arabic letters with at most three marks between the letter and the joiner', () => {
    const marks = '\u064e'.repeat(3);
    for (const text of [`\u0628${marks}\u200d\u0628`, `\u0628\u200c${marks}\u0628`]) {
      expect(removeInvisibleCharacters(text)).toBe(text);
      const longer = text.replace(marks, `${marks}\u064e`);
      expect(removeInvisibleCharacters(longer)).toBe(longer.replaceAll(/[\u200c\u200d]/g, ''));
    }
  });

  test('removes control characters except white space', () => {
    expect(removeInvisibleCharacters('a\u001b[31m\tb\u0007\r\nc\u0085\u009bd\u007f')).toBe('a[31m\tb\r\nc\u0085d');
  });

  test('keeps at most two variation selectors after one character', () => {
    const selectors = Array.from({ length: 256 }, (_, index) =>
      String.fromCodePoint(index < 16 ? 0xfe00 + index : 0xe0100 + index - 16),
    );
    const visible = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter(text => removeInvisibleCharacters(text) === text);
    fc.assert(
      fc.property(fc.oneof(visible, fc.constantFrom('0', '7', '#', 'z', '国', '😀', '±', '∑')), character => {
        const left = selectors.filter(selector => removeInvisibleCharacters(character + selector) !== character);
        expect(left.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
