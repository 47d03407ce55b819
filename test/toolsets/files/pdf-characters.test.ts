import { expect, test } from 'vitest';
import { encodedCharacter } from '../../../src/toolsets/files/model/documents/pdf/characters.ts';

const upperHalf = Array.from({ length: 128 }, (_, index) => 128 + index);

/** The upper half in rows of sixteen, with a dot for what has no character. */
const rowsOf = (encoding: string): string[] =>
  Array.from({ length: 8 }, (_, row) =>
    upperHalf
      .slice(row * 16, row * 16 + 16)
      .map(code => encodedCharacter(encoding, code) || '.')
      .join(''),
  );

test('MacRomanEncoding is that of old Macs, but for the apple', () => {
  const decoded = new TextDecoder('macintosh').decode(Uint8Array.from(upperHalf));
  expect(rowsOf('MacRomanEncoding').join('')).toBe(decoded.replace('\uf8ff', '.'));
});

test('WinAnsiEncoding is latin1 with signs where that has controls', () => {
  const [first, second, ...others] = rowsOf('WinAnsiEncoding');
  expect([first, second]).toEqual(['€.‚ƒ„…†‡ˆ‰Š‹Œ.Ž.', '.‘’“”•–—˜™š›œ.žŸ']);
  expect(others.join('')).toBe(Buffer.from(upperHalf.slice(32)).toString('latin1'));
});

test('StandardEncoding has its characters where it has any', () => {
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

test('what is below the upper half is ASCII in every encoding, and controls are nothing', () => {
  for (const encoding of ['MacRomanEncoding', 'StandardEncoding', 'WinAnsiEncoding', undefined]) {
    expect([0x1f, 0x20, 0x41, 0x7f].map(code => encodedCharacter(encoding, code))).toEqual(['', ' ', 'A', '\x7f']);
  }
});
