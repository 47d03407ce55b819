import { describe, expect, test } from 'vitest';
import {
  decodeText,
  decodeWindows1252,
  encodeAsUtf8,
  isBinaryContent,
} from '../../../src/documents/encoding/decode.ts';
import {
  CharacterFoldTable,
  foldCaseAndAccents,
  foldQueryPhrase,
  foldTextInPieces,
} from '../../../src/toolsets/files/match/fold.ts';
import { containsPhrase, preparePhrase } from '../../../src/toolsets/files/match/needle.ts';
import {
  createTrigramBuffer,
  createTrigramSignature,
  mayContainTrigrams,
  trigramHashesOf,
} from '../../../src/toolsets/files/match/trigrams.ts';
import * as fc from '../../support/property.ts';

function holds(text: string, query: string): boolean {
  return containsPhrase(preparePhrase(foldQueryPhrase(query)), encodeAsUtf8(text));
}

test('foldCaseAndAccents returns the same for separate runs of non-ASCII characters as for the whole text', () => {
  const part = fc.constantFrom(
    'a',
    'E',
    ' ',
    '\n',
    ', ',
    'Σ',
    'İ',
    '\u0301',
    '\u0323',
    'é',
    'ﬁ',
    '한',
    'か\u3099',
    '’',
    '–',
    'жук',
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), parts => {
      const text = parts.join('');
      const whole = text
        .normalize('NFD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase();
      expect(foldCaseAndAccents(text)).toBe(
        whole.replaceAll('ς', 'σ').replaceAll('’', "'").replaceAll('–', '-').replace(/\s+/g, ' '),
      );
    }),
  );
});

describe('matching of a phrase in a text', () => {
  test.each([
    ['hello world', 'Hello World', true],
    ['say HELLO\n\t world now', 'hello world', true],
    ['helloworld', 'hello world', false],
    ['hello  world', 'hello world', true],
    ['hello world', '  hello   world ', true],
    ['overworld', 'world', true],
    ['Résumé', 'resume', true],
    ['resume', 'RÉSUMÉ', true],
    ['re\u0301sume\u0301', 'résumé', true],
    ['ΟΔΟΣ και', 'οδος', true],
    ['οδος', 'ΟΔΟΣ', true],
    ['ΟΔΥΣΣΕΥΣ', 'ΟΔΥΣ', true],
    ['οδυς', 'ΟΔΥΣ', true],
    ['straße', 'strasse', false],
    ['Øresund', 'oresund', false],
    ['𐐀𐐁', '𐐨𐐩', true],
    ['a*b', '*', true],
    ['ab', '*', false],
    ['say "x" || kMDItemFSName == "*"', '" || kMDItemFSName == "*', true],
    ['tested', 'test', true],
    ['TEETEETEST', 'teetest', true],
    [`?${'eatoinsr'.repeat(32)}`, 'eatoinsr'.repeat(32), true],
    [`?${'eatoinsr'.repeat(64)}`, 'eatoinsr'.repeat(64), true],
    ['日本語テキスト', '本語', true],
    ['nbsp\u00a0here', 'nbsp here', true],
    ['don’t stop', "don't stop", true],
    ["don't stop", 'don’t stop', true],
    ['co‑operate – “now”', 'co-operate - "now"', true],
    ['soft\u00adhyphen zero\u200bwidth', 'softhyphen zerowidth', true],
    ['blank \u0301\u00a0 blank', 'blank blank', true],
    ['x e\u0301\u0301té x', 'ete', true],
    ['été', 'tete', false],
    ['Привет, МИР', 'мир', true],
    ['Привет resume', 'résumé', true],
    ['ＡＢＣ株式会社　１２３', 'abc株式会社 123', true],
    ['ABC', 'ａｂｃ', true],
    ['電話：０３（１２）', '03(12)', true],
    ['ﾃﾞｰﾀ', 'データ', true],
    ['', 'x', false],
  ])('compares without case, accents and white space differences: %j contains %j: %s', (text, query, expected) => {
    expect(holds(text, query)).toBe(expected);
  });
});

const words = fc
  .array(
    fc.constantFrom(
      'tree',
      'Tree',
      'é',
      'e\u0301',
      ' ',
      '\n',
      'ab',
      'ABBA',
      'z',
      'Z',
      'ß',
      'ς',
      'Σ',
      'が',
      '\t',
      'q',
      '𝔘',
      '.',
    ),
  )
  .map(parts => parts.join(''));

test('the ranges in the fold table contain every character that becomes ASCII by folding', () => {
  const found = new Map<number, Set<number | undefined>>();
  const mixed: number[] = [];
  const folds = new CharacterFoldTable();
  for (let point = 0x80; point <= 0x10_ffff; point++) {
    if (point >= 0xd800 && point < 0xe000) continue;
    const folded = foldCaseAndAccents(String.fromCodePoint(point));
    if (folded.length === 1 && folded < '\x80') {
      const leads = found.get(folded.charCodeAt(0)) ?? new Set();
      found.set(folded.charCodeAt(0), leads.add(Buffer.from(String.fromCodePoint(point))[0]));
    } else if (/[\0-\x7f]/.test(folded)) mixed.push(point);
  }
  // The search for ASCII phrases requires that case folding converts no character to a mixture of ASCII and other
  // characters.
  expect(mixed).toEqual([]);
  for (let code = 0; code < 0x80; code++)
    expect(new Set(folds.leadsOf(code)), String.fromCharCode(code)).toEqual(found.get(code) ?? new Set());
});

describe('phrase matching for random texts', () => {
  test('has the same result on bytes as on folded strings', () => {
    fc.assert(
      fc.property(words, words, (text, query) => {
        const phrase = foldCaseAndAccents(query).trim();
        fc.pre(phrase !== '');
        expect(holds(text, query)).toBe(foldCaseAndAccents(text).includes(phrase));
      }),
      { numRuns: 3000 },
    );
  });

  test('finds each phrase of a text in the trigram signature of the text', () => {
    const scratch = createTrigramBuffer();
    fc.assert(
      fc.property(words, fc.nat(), fc.nat(20), (text, start, length) => {
        const folded = foldCaseAndAccents(text);
        const characters = Array.from(folded);
        const first = start % (characters.length + 1);
        const phrase = characters
          .slice(first, first + length)
          .join('')
          .trim();
        fc.pre(phrase !== '');
        const signature = createTrigramSignature([encodeAsUtf8(text)], scratch);
        expect(mayContainTrigrams(signature, trigramHashesOf(preparePhrase(phrase).bytes))).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  test('excludes by the trigram signature nearly all phrases that the text does not contain', () => {
    const text = Array.from({ length: 500 }, (_, index) => `word${index} stands here`).join(' ');
    const signature = createTrigramSignature([encodeAsUtf8(text)], createTrigramBuffer());
    const strangers = Array.from({ length: 200 }, (_, index) => `zq${index}xkv${index * 7}`);
    const passed = strangers.filter(phrase => mayContainTrigrams(signature, trigramHashesOf(Buffer.from(phrase))));
    expect(passed.length).toBeLessThan(5);
  });

  test.each([
    ['the trigrams of a word, but not the word', 'lea ease sed', 'lease'],
    ['the words of a phrase, but apart', 'the license of these terms', 'license terms'],
    ['the words of a phrase in another order', 'terms, license', 'license terms'],
  ])('excludes a phrase by the trigram signature if the text contains only %s', (_, part, phrase) => {
    const filler = Array.from({ length: 300 }, (_unused, index) => `filler ${index}`).join(' ');
    const signature = createTrigramSignature([encodeAsUtf8(`${filler} ${part}`)], createTrigramBuffer());
    expect(mayContainTrigrams(signature, trigramHashesOf(Buffer.from(phrase)))).toBe(false);
    const whole = createTrigramSignature([encodeAsUtf8(`${filler} a ${phrase}s`)], createTrigramBuffer());
    expect(mayContainTrigrams(whole, trigramHashesOf(Buffer.from(phrase)))).toBe(true);
  });

  test('folds case and accents of a long text in chunks with the same result as in one piece', () => {
    const unit = 'Ça va? Ünïcode  \n and more — ';
    const text = unit.repeat(80_000);
    const [first = '', second = '', third = ''] = foldTextInPieces(text, 0);
    expect(first.length).toBeGreaterThan(0);
    expect(third.length).toBeGreaterThan(0);
    expect(first + second + third === foldCaseAndAccents(text)).toBe(true);
  });

  test('does not split combining sequences at the border of two chunks', () => {
    const text = `é${'𐐀'.repeat(540_000)}`;
    const pieces = [...foldTextInPieces(text, 0)];
    expect(pieces).toHaveLength(2);
    expect(pieces.join('') === foldCaseAndAccents(text)).toBe(true);
  });

  test('finds a phrase that crosses the border of two chunks', () => {
    const text = `${'é '.repeat((1 << 19) - 3)}needle in the haystack${' é'.repeat(10)}`;
    expect(holds(text, 'needle in the haystack')).toBe(true);
    const scratch = createTrigramBuffer();
    expect(
      mayContainTrigrams(
        createTrigramSignature([encodeAsUtf8(text)], scratch),
        trigramHashesOf(Buffer.from('needle in the haystack')),
      ),
    ).toBe(true);
  });
});

describe('a text of more than a million characters', () => {
  const border = 1 << 20;
  const scratch = createTrigramBuffer();
  const characters = fc.constantFrom('😀', '𝔘', '𠮷', '𐐀', 'a', 'b', ' ', 'é', 'e\u0301', '日', 'ß', '\n', '.');

  test('has a trigram signature that contains the phrases across the borders of its chunks', () => {
    fc.assert(
      fc.property(fc.array(characters, { minLength: 12, maxLength: 24 }), fc.nat(12), (parts, before) => {
        const around = parts.join('');
        const text = `é${'-'.repeat(border - before - 1)}${around}${'='.repeat(20)}`;
        const signature = createTrigramSignature([encodeAsUtf8(text)], scratch);
        const folded = Array.from(foldCaseAndAccents(`-${around}=`));
        for (let start = 0; start + 3 <= folded.length; start++) {
          const phrase = folded.slice(start, start + 3 + (start % 8)).join('');
          expect(mayContainTrigrams(signature, trigramHashesOf(Buffer.from(phrase))), JSON.stringify(phrase)).toBe(
            true,
          );
        }
      }),
      { numRuns: 30 },
    );
  });

  test('is found by a phrase that crosses the border of two chunks, in the text and in the trigram signature', () => {
    const text = `é${'-'.repeat(border - 4)}😀 done`;
    expect(holds(text, '😀 done')).toBe(true);
    expect(
      mayContainTrigrams(
        createTrigramSignature([encodeAsUtf8(text)], scratch),
        trigramHashesOf(Buffer.from('😀 done')),
      ),
    ).toBe(true);
    expect([...foldTextInPieces(text, 2)][1]).toBe('😀 done');
  });
});

describe('the decoding of a file for a search', () => {
  test.each([
    ['UTF-8', Buffer.from('naïve café')],
    ['UTF-8 with a byte order mark', Buffer.from('\ufeffnaïve café')],
    ['UTF-16 little endian', Buffer.from('\ufeffnaïve café', 'utf16le')],
    ['UTF-16 big endian', Buffer.from('\ufeffnaïve café', 'utf16le').swap16()],
    ['windows-1252', Buffer.from('na\xefve caf\xe9', 'latin1')],
  ])('reads %s', (_, bytes) => {
    expect(isBinaryContent(bytes)).toBe(false);
    expect(containsPhrase(preparePhrase('naive cafe'), decodeText(bytes))).toBe(true);
  });

  test('leaves the bytes of the file unchanged', () => {
    const bytes = Buffer.from('\ufeffnaïve', 'utf16le').swap16();
    const before = Buffer.from(bytes);
    expect(decodeText(bytes)).toEqual({ isAscii: false, bytes: Buffer.from('naïve') });
    expect(bytes).toEqual(before);
  });

  test('removes a byte order mark at the start of the text', () => {
    expect(decodeText(Buffer.from('\ufeffnaïve'))).toEqual({ isAscii: false, bytes: Buffer.from('naïve') });
    expect(decodeText(Buffer.from('\ufeffplain'))).toEqual({ isAscii: true, bytes: Buffer.from('plain') });
  });

  test('decodes 0x80 to 0x9f in windows-1252 as printable characters', () => {
    expect(decodeWindows1252(Buffer.from([0x93, 0x80, 0x94, 0x81]))).toBe('“€”\u0081');
  });

  test('decodes all bytes of windows-1252 as the Encoding Standard does', () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    expect(decodeWindows1252(bytes.subarray(0, 0x80))).toBe(bytes.toString('latin1', 0, 0x80));
    expect(decodeWindows1252(bytes.subarray(0xa0))).toBe(bytes.toString('latin1', 0xa0));
    expect(decodeWindows1252(bytes.subarray(0x80, 0xa0))).toBe(
      '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ',
    );
  });

  test('treats a file as binary if it has a NUL byte within the first 8 KB', () => {
    expect(isBinaryContent(Buffer.from(`${'a'.repeat(8191)}\0`))).toBe(true);
    expect(isBinaryContent(Buffer.from(`${'a'.repeat(8192)}\0`))).toBe(false);
  });
});
