import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/log/redact.ts';
import * as fc from '../support/property.ts';

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 80,
});

describe('a secret', () => {
  test('is taken out wherever it stands, also escaped as Markdown, JSON and URLs do it', () => {
    fc.assert(
      fc.property(visible, fc.string(), fc.string(), (secret, before, after) => {
        const redact = createRedactor([secret]);
        const escaped = Array.from(secret, character => `\\${character}`).join('');
        expect(redact(before + secret + after)).not.toContain(secret);
        expect(redact(`${before}${escaped}${after}`)).not.toContain(escaped);
        expect(redact(encodeURIComponent(secret))).toBe('[redacted]');
        expect(redact(JSON.stringify(secret))).toBe('"[redacted]"');
      }),
    );
  });

  test.each([
    [
      'the longer of two first',
      ['abcdefgh', 'abcdefgh-long'],
      'x abcdefgh-long y abcdefgh',
      'x [redacted] y [redacted]',
    ],
    ['none when it is too short to be told from chance', ['short'], 'a short text', 'a short text'],
    ['nothing when there is none', [], 'a text', 'a text'],
    ['every time it occurs', ['hunter2!!'], 'hunter2!!hunter2!!', '[redacted][redacted]'],
  ])('takes out %s', (_, secrets, text, redacted) => {
    expect(createRedactor(secrets)(text)).toBe(redacted);
  });

  test.each([
    ['zero-width characters', '\u200b'],
    ['selectors', '\ufe0f'],
    ['tag characters', '\u{e0041}\u{e0042}'],
    ['control characters', '\u0007\u001b'],
    ['soft hyphens', '\u00ad'],
  ])('is taken out when %s split it', (_, between) => {
    fc.assert(
      fc.property(visible, secret => {
        const text = createRedactor([secret])(`<${Array.from(secret).join(between)}>`);
        expect(text).toBe('<[redacted]>');
      }),
    );
  });
});
