import { describe, expect, test } from 'vitest';
import { capBytes, capCharacters } from '../../src/text/truncate.ts';
import * as fc from '../support/property.ts';

const note = '\n\n... (truncated)';
const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('S5.2 the cap on bytes', () => {
  test('INVARIANT a text within the cap stays as it is', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(capBytes(text, Buffer.byteLength(text))).toBe(text);
      }),
    );
  });

  test('INVARIANT a longer one ends with the note, 17 bytes outside the cap, and is valid UTF-8 before it', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 100 }), (raw, maxBytes) => {
        const text = raw.toWellFormed();
        fc.pre(Buffer.byteLength(text) > maxBytes);
        const capped = capBytes(text, maxBytes);
        const kept = capped.slice(0, -note.length);
        expect(capped).toBe(kept + note);
        expect(text.startsWith(kept)).toBe(true);
        expect(kept.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(maxBytes);
        expect(Buffer.byteLength(kept)).toBeGreaterThan(maxBytes - 4);
      }),
    );
  });

  test('INVARIANT the note has 17 characters and as many bytes', () => {
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
  ])('%s at %i is %j', (text, maxBytes, capped) => {
    expect(capBytes(text, maxBytes)).toBe(capped);
  });
});

describe('the cap on characters', () => {
  test('keeps whole characters', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 30 }), (text, max) => {
        expect(capCharacters(text, max)).toBe(Array.from(text).slice(0, max).join(''));
      }),
    );
  });
});
