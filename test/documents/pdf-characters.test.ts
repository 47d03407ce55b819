import { expect, test } from 'vitest';
import { decodeTextString, lookUpEncodedCharacter } from '../../src/documents/pdf/characters.ts';
import { createGlyphNames, textOfGlyph } from '../../src/documents/pdf/glyphs.ts';

const upperHalf = Array.from({ length: 128 }, (_, index) => 128 + index);

/** Returns the characters above 0x7f in rows of sixteen, with a dot for codes without a character. */
const rowsOf = (encoding: string): string[] =>
  Array.from({ length: 8 }, (_, row) =>
    upperHalf
      .slice(row * 16, row * 16 + 16)
      .map(code => lookUpEncodedCharacter(encoding, code) || '.')
      .join(''),
  );

test('the table MacRomanEncoding equals the encoding "macintosh" of TextDecoder except for the Apple logo', () => {
  const decoded = new TextDecoder('macintosh').decode(Uint8Array.from(upperHalf));
  expect(rowsOf('MacRomanEncoding').join('')).toBe(decoded.replace('\uf8ff', '.'));
});

test('the table WinAnsiEncoding equals latin1 except for the control codes, which are characters', () => {
  const [first, second, ...others] = rowsOf('WinAnsiEncoding');
  expect([first, second]).toEqual(['€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž.', '.‘’“”•–—˜™š›œ.žŸ']);
  expect(others.join('')).toBe(Buffer.from(upperHalf.slice(32)).toString('latin1'));
});

test('the table StandardEncoding has the characters of the PDF specification', () => {
  expect(rowsOf('StandardEncoding')).toEqual([
    '................',
    '................',
    ".¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ",
    '.–†‡·.¶•‚„”»…‰.¿',
    '.`´ˆ˜¯˘˙¨.˚¸.˝˛ˇ',
    '—...............',
    '.Æ.ª....ŁØŒº....',
    '.æ...ı..łøœß....',
  ]);
});

test('every encoding table has ASCII below 0x80 and no control characters', () => {
  for (const encoding of ['MacRomanEncoding', 'StandardEncoding', 'WinAnsiEncoding', undefined]) {
    expect([0x1f, 0x20, 0x41, 0x7f].map(code => lookUpEncodedCharacter(encoding, code))).toEqual([
      '',
      ' ',
      'A',
      '\x7f',
    ]);
  }
});

test('decodeTextString decodes bytes without a byte order mark as PDFDocEncoding', () => {
  const latin1 = (from: number, to: number): string =>
    String.fromCharCode(...Array.from({ length: to - from }, (_, index) => from + index));
  const all = Buffer.from(Array.from({ length: 256 }, (_, code) => code));
  expect(decodeTextString(all)).toBe(
    `${latin1(0, 0x18)}˘ˇˆ˙˝˛˚˜${latin1(0x20, 0x80)}•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž€${latin1(0xa1, 0x100)}`,
  );
});

test.each([
  ['A', 'A'],
  ['comma', ','],
  ['eacute', 'é'],
  ['Racute', 'Ŕ'],
  ['Tcommaaccent', 'Ț'],
  ['ccircumflex', 'ĉ'],
  ['AEacute', 'Ǽ'],
  ['Eng', 'Ŋ'],
  ['Omicron', 'Ο'],
  ['Alphatonos', 'Ά'],
  ['iotadieresistonos', 'ΐ'],
  ['acute', '´'],
  ['acircumflexdotbelow', 'ậ'],
  ['Ohornhookabove', 'Ở'],
  ['aacuteacuteacute', undefined],
  ['afii10017', 'А'],
  ['afii10023', 'Ё'],
  ['afii10049', 'Я'],
  ['afii10062', 'Ў'],
  ['afii10065', 'а'],
  ['afii10071', 'ё'],
  ['afii10110', 'ў'],
  ['afii57664', 'א'],
  ['afii57690', 'ת'],
  ['eacute.sc', 'é'],
  ['f_eacute', 'fé'],
  ['uni00E9', 'é'],
  ['u1F600', '😀'],
  ['afii10063', undefined],
  ['afii57691', undefined],
  ['Similar', undefined],
  ['similaracute', undefined],
  ['g27', undefined],
  ['acute'.repeat(100_000), undefined],
])('textOfGlyph returns the character of the glyph name %.40s: %s', (name, text) => {
  expect(textOfGlyph(name, createGlyphNames())).toBe(text);
});
