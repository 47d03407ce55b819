import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRedactor, type RedactionWorkCounter } from '../../src/log/redact.ts';
import * as fc from '../support/property.ts';

const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map(code => String.fromCharCode(code)),
  minLength: 8,
  maxLength: 80,
});

const hex = (character: string): string => character.charCodeAt(0).toString(16);
const encodeWith = (encode: (character: string) => string) => (text: string) => Array.from(text, encode).join('');
const fromHex = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));

const decodePercent = (text: string): string => text.replaceAll(/%([\da-f]{2})/gi, fromHex);
const decodeUnicode = (text: string): string => text.replaceAll(/\\u([\da-f]{4})/gi, fromHex);
const decodeEntities = (text: string): string =>
  text
    .replaceAll(/&#x([\da-f]{1,6});/gi, fromHex)
    .replaceAll(/&#(\d{1,6});/g, (_, digits) => String.fromCharCode(Number(digits)));

/** Each encoder writes a token in one notation, and an independent decoder reverts this. */
const notations: Record<string, { encode: (text: string) => string; decode: (text: string) => string }> = {
  plain: { encode: text => text, decode: text => text },
  'percent, lower case': { encode: encodeWith(c => `%${hex(c)}`), decode: decodePercent },
  'percent, upper case': { encode: encodeWith(c => `%${hex(c).toUpperCase()}`), decode: decodePercent },
  'percent, twice': {
    encode: encodeWith(c => `%25${hex(c)}`),
    decode: text => decodePercent(decodePercent(text)),
  },
  'URL component': { encode: encodeURIComponent, decode: decodePercent },
  Markdown: {
    encode: text => text.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`),
    decode: text => text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'),
  },
  backslash: { encode: encodeWith(c => `\\${c}`), decode: text => text.replaceAll(/\\(.)/gs, '$1') },
  'JSON \\u': { encode: encodeWith(c => `\\u00${hex(c)}`), decode: decodeUnicode },
  'HTML entity, decimal': { encode: encodeWith(c => `&#${c.charCodeAt(0)};`), decode: decodeEntities },
  'HTML entity, hexadecimal': { encode: encodeWith(c => `&#x${hex(c)};`), decode: decodeEntities },
};

/** Returns the first eight consecutive characters of the secret that the text still contains. */
function findLeft(text: string, secret: string, decode: (text: string) => string): string | undefined {
  const parts = text.split('[redacted]').map(decode);
  return Array.from({ length: secret.length - 7 }, (_, start) => secret.slice(start, start + 8)).find(gram =>
    parts.some(part => part.includes(gram)),
  );
}

describe('a redactor', () => {
  test.each(Object.entries(notations))(
    'removes every part of the secret with at least eight characters in the notation "%s"',
    (_, notation) => {
      const { encode, decode } = notation;
      const cut = fc.tuple(fc.nat(), fc.nat(400), fc.constantFrom('', ' ', 'x', '\n'));
      fc.assert(
        fc.property(visible, fc.array(cut, { minLength: 1, maxLength: 40 }), (secret, cuts) => {
          const encoded = encode(secret);
          const text = cuts
            .map(([from, length, after]) => {
              const start = from % encoded.length;
              return encoded.slice(start, start + length) + after;
            })
            .join('');
          expect(findLeft(createRedactor([secret])(text), secret, decode)).toBeUndefined();
        }),
        { numRuns: 200 },
      );
    },
  );

  test.each(Object.entries(notations))(
    'replaces a complete secret once at any position in the notation "%s"',
    (_, { encode }) => {
      fc.assert(
        fc.property(visible, fc.nat(40_000), (secret, position) => {
          const before = 'lorem ipsum '.repeat(Math.ceil(position / 12)).slice(0, position);
          const redacted = createRedactor([secret])(`${before} ${encode(secret)} dolor`);
          expect(redacted).toBe(`${before} [redacted] dolor`);
        }),
        { numRuns: 50 },
      );
    },
  );

  test('replaces every sequence of eight characters of a secret that has 400 characters', () => {
    const hashes = Array.from({ length: 13 }, (_, at) => createHash('sha256').update(`${at}`).digest());
    const secret = Array.from(Buffer.concat(hashes).subarray(0, 400), byte => String.fromCharCode(0x21 + (byte % 94)));
    const redact = createRedactor([secret.join('')]);
    for (let start = 0; start <= secret.length - 8; start++) {
      expect(redact(`x ${secret.slice(start, start + 8).join('')} y`)).toBe('x [redacted] y');
    }
  });

  test('replaces a secret in a JSON string that JSON.stringify has escaped', () => {
    fc.assert(
      fc.property(visible, secret => {
        expect(createRedactor([secret])(JSON.stringify(secret))).toBe('"[redacted]"');
      }),
    );
  });

  test('replaces a secret that contains a backslash, also if its characters are escaped up to three times', () => {
    const text = '%25256c%2549%256b%256a%255c%2541%2521%253f';
    expect(createRedactor(['lIkj\\A!?'])(text)).toBe('[redacted]');
  });

  const upToThreeDecodings: [decodings: number, isRemoved: boolean][] = [
    [0, true],
    [1, true],
    [2, true],
    [3, true],
    [4, false],
  ];
  const nested = (depth: number): string => (depth === 0 ? 'A' : `%${'25'.repeat(depth - 1)}41`);

  test.each(upToThreeDecodings)(
    'recognizes a secret after up to three decodings of the text: %i',
    (depth, isRemoved) => {
      const text = `x abcd${nested(depth)}efgh y`;
      expect(createRedactor(['abcdAefgh'])(text)).toBe(isRemoved ? 'x [redacted] y' : text);
    },
  );

  test.each(upToThreeDecodings)(
    'recognizes the result of up to three decodings of a secret with escape sequences: %i',
    (decodings, isRemoved) => {
      const text = `x abcd${nested(5 - decodings)}efgh y`;
      expect(createRedactor([`abcd${nested(5)}efgh`])(text)).toBe(isRemoved ? 'x [redacted] y' : text);
    },
  );

  test('replaces a secret in Markdown that is truncated after the first of two backslashes', () => {
    expect(createRedactor(['a~\\TIhJJ-o'])(String.raw`x \TIhJJ\-o y`)).toBe('x [redacted] y');
  });

  test('examines the text again after each replacement, because a replacement can make another copy of the secret readable', () => {
    const entities = '&#x61;&#x62;&#x63;&#x64;&#x65;&#x66;&#x67;&#x68';
    const redact = createRedactor(['fabcdefgh']);
    expect(redact(`x ${entities}f%61%62%63%64%65%66%67 y`)).toBe('x [redacted][redacted] y');
  });

  test('replaces a secret whose characters are named HTML entities', () => {
    const redact = createRedactor(['a<b>&"c\'d!e$f']);
    expect(redact('x a&lt;b&gt;&amp;&quot;c&apos;d&excl;e&dollar;f y')).toBe('x [redacted] y');
  });

  test.each([
    ['a name without a semicolon', 'x abcdefg&ltter; y'],
    ['a number without a semicolon', 'x abcdefg&#60&#x y'],
    ['a number after leading zeros', 'x abcdefg&#x0000000000003c; y'],
    ['a name without a semicolon directly before the secret', '&&gtabcdefg&lt; y'],
  ])('replaces eight characters which end in an HTML entity: %s', (_, text) => {
    expect(createRedactor(['abcdefg<hijk'])(text)).toContain('[redacted]');
  });

  test.each([
    ['HTML, in which an entity may lack its semicolon', 'a\\bcdefghi', '\\&#x62;&#x63&#x64;efgh'],
    ['JSON, if the text is escaped twice', '9c28d85d7', '9\\u006328\\\\u006485\\u0064'],
    ['JSON, if a backslash stays visible before a character that needs none', '\\@#`"[./', '\\@#`\\"[./'],
    ['JSON, if a backslash stays visible after the first of two decodings', 'kBV\\XwOd', 'kBV\\u005cXwO\\\\u0064'],
  ])('replaces eight characters that only one decoder reads: %s', (_, secret, text) => {
    expect(createRedactor([secret])(`%${text}`)).toBe('%[redacted]');
  });

  test.each([
    [
      'the longer of two secrets with the same start as a whole',
      ['abcdefgh', 'abcdefgh-long'],
      'x abcdefgh-long y abcdefgh',
      'x [redacted] y [redacted]',
    ],
    ['not a secret with fewer than eight characters', ['short'], 'a short text', 'a short text'],
    ['nothing in a text without secrets', [], 'a text', 'a text'],
    ['adjacent secrets one by one', ['hunter2!!'], 'hunter2!!hunter2!!', '[redacted][redacted]'],
    ['not seven characters of a longer secret', ['abcdefghijk'], 'x bcdefgh y', 'x bcdefgh y'],
  ])('replaces secrets of at least eight characters: %s', (_, secrets, text, redacted) => {
    expect(createRedactor(secrets)(text)).toBe(redacted);
  });

  test.each([
    ['zero-width characters', '\u200b'],
    ['variation selectors', '\ufe0f'],
    ['tag characters', '\u{e0041}\u{e0042}'],
    ['control characters', '\u0007\u001b\u0090'],
    ['soft hyphens', '\u00ad'],
    ['escaped zero-width characters', '\\u200b'],
  ])('replaces a secret that is split by %s', (_, between) => {
    fc.assert(
      fc.property(visible, secret => {
        const text = createRedactor([secret])(`<${Array.from(secret).join(between)}>`);
        expect(text).toBe('<[redacted]>');
      }),
    );
  });

  const pumped = {
    'percent escapes of a digit': (secret: string) => encodeWith(c => `%${hex(c)}`)(secret),
    'the first half of a secret': (secret: string) => secret.slice(0, secret.length / 2),
    'one repeated character': () => 'a',
    'percent signs': () => '%',
    'nested percent escapes': () => '%25',
    backslashes: () => '\\',
    'incomplete entities': () => '&#x0000000',
    'zero-width characters': () => '\u200b',
  };
  test.each(Object.entries(pumped))(
    'examines at most about four times the characters for a text four times as long: %s',
    (_, pieceOf) => {
      for (const secret of [
        '7'.repeat(31),
        '0123456789abcdef'.repeat(4),
        'a%b\\c&d%41\\u0041&#65;e',
        'a'.repeat(400),
      ]) {
        const piece = pieceOf(secret);
        const [small = 0, large] = [100_000, 400_000].map(length => {
          const work: RedactionWorkCounter = { characters: 0 };
          createRedactor([secret], work)(piece.repeat(Math.ceil(length / piece.length)));
          return work.characters;
        });
        expect(large).toBeLessThanOrEqual(small * 4.2 + 1);
      }
    },
  );
});
