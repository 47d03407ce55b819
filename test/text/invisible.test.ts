import { describe, expect, test } from 'vitest';
import { withoutInvisible } from '../../src/text/invisible.ts';
import * as fc from '../support/property.ts';

describe('a variation selector', () => {
  test.each([
    ['of an emoji', '❤\ufe0f 🌍\ufe0f ©\ufe0e'],
    ['of a keycap', '1\ufe0f\u20e3 #\ufe0f\u20e3'],
    ['of a Mongolian letter', 'ᠠ\u180b'],
    ['before a joiner', '👁\ufe0f\u200d🗨\ufe0f'],
  ])('that a reader sees the work of stays: %s', (_, text) => {
    expect(withoutInvisible(text)).toBe(text);
  });

  test.each([
    ['a digit', '1', '\ufe0f'],
    ['a letter', 'a', '\ufe00'],
    ['an ideograph', '葛', '\u{e0100}'],
    ['an emoji, of another kind', '😀', '\ufe01'],
    ['a mathematical sign', '∩', '\ufe00'],
    ['a keycap, as text', '1\ufe0f\u20e3', '\ufe0e'],
  ])('behind %s goes', (_, visible, selector) => {
    expect(withoutInvisible(visible + selector)).toBe(visible);
  });

  test('carries no hidden text: of 256 behind one character at most the two of an emoji are left', () => {
    const selectors = Array.from({ length: 256 }, (_, index) =>
      String.fromCodePoint(index < 16 ? 0xfe00 + index : 0xe0100 + index - 16),
    );
    const visible = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
      .filter(text => withoutInvisible(text) === text);
    fc.assert(
      fc.property(fc.oneof(visible, fc.constantFrom('0', '7', '#', 'z', '国', '😀', '±', '∑')), character => {
        const left = selectors.filter(selector => withoutInvisible(character + selector) !== character);
        expect(left.length).toBeLessThanOrEqual(2);
      }),
    );
  });
});
