import { describe, expect, test } from 'vitest';
import { truncateBytes, truncateCharacters } from '../../src/text/truncate.ts';
import * as fc from '../support/property.ts';

const note = '\n\n... (truncated)';
const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('truncateBytes (S5.2)', () => {
  test('returns a text within the limit unchanged (INVARIANT)', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(truncateBytes(text, Buffer.byteLength(text))).toBe(text);
      }),
    );
  });

  test('truncates a longer text to valid UTF-8 within the limit and appends a note of 17 bytes (INVARIANT)', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 100 }), (raw, maxBytes) => {
        const text = raw.toWellFormed();
        fc.pre(Buffer.byteLength(text) > maxBytes);
        const capped = truncateBytes(text, maxBytes);
        const kept = capped.slice(0, -note.length);
        expect(capped).toBe(kept + note);
        expect(text.startsWith(kept)).toBe(true);
        expect(kept.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(maxBytes);
        expect(Buffer.byteLength(kept)).toBeGreaterThan(maxBytes - 4);
      }),
    );
  });

  test('appends a note of 17 ASCII characters (INVARIANT)', () => {
    expect(note).toHaveLength(17);
    expect(Buffer.byteLength(note)).toBe(17);
  });

  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, `abc${note}`],
    ['aé', 3, 'aé'],
    ['aéb', 2, `a${note}`],
    ['😀b', 3, note],
    ['abc', 0, 'abc'],
  ])('truncates "%s" at %i bytes to %j', (text, maxBytes, capped) => {
    expect(truncateBytes(text, maxBytes)).toBe(capped);
  });
});

describe('truncateCharacters', () => {
  test('truncates a text to a number of complete characters', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 30 }), (text, max) => {
        expect(truncateCharacters(text, max)).toBe(Array.from(text).slice(0, max).join(''));
      }),
    );
  });
});
