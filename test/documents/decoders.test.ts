import { describe, expect, test } from 'vitest';
import { decodeWithLabel, TextDecoderCache } from '../../src/documents/encoding/decode.ts';
import { extractText } from '../../src/documents/index.ts';

const czech = Buffer.from('D\xedval se zvl\xe1\x9atn\xed k\xf9\xf2', 'latin1');
const russian = Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0', 'latin1');

describe('TextDecoderCache', () => {
  test('decodes consecutive pieces of a mail that have different encodings', () => {
    const decoders = new TextDecoderCache();
    for (let turn = 0; turn < 2; turn++) {
      expect(decodeWithLabel('ISO-2022-JP', Buffer.from('\x1b$B$"', 'latin1'), decoders)).toBe('あ');
      expect(decodeWithLabel('iso-2022-jp', Buffer.from('abc'), decoders)).toBe('abc');
      expect(decodeWithLabel('koi8-r', Buffer.of(0xc1), decoders)).toBe('а');
      expect(decodeWithLabel('windows-1252', Buffer.of(0x80), decoders)).toBe('€');
      expect(decodeWithLabel('x-unknown', Buffer.from('é'), decoders)).toBe('é');
    }
  });

  test('reuses the last guessed encoding after 300 guesses', () => {
    const decoders = new TextDecoderCache();
    for (let count = 0; count < 300; count++)
      expect(decodeWithLabel(undefined, russian, decoders)).toBe('Привет, как дела');
    const later = decodeWithLabel(undefined, czech, decoders);
    expect(later).not.toBe(decodeWithLabel(undefined, czech));
    expect(later).toBe(new TextDecoder('windows-1251').decode(czech));
  });

  test('treats new encoding labels as unknown after 100 different labels', () => {
    const decoders = new TextDecoderCache();
    for (let count = 0; count < 100; count++) decodeWithLabel(`x-${count}`, Buffer.from('a'), decoders);
    expect(decodeWithLabel('koi8-r', russian, decoders)).toBe('Привет, как дела');
    expect(decodeWithLabel(undefined, russian, decoders)).toBe('Привет, как дела');
  });
});

// The number of guesses is limited. Guessing an encoding for each piece would take up to 20 s of CPU here.
test.each([
  ['mail', 'eml', 'Subject: a', '=?utf-8?Q?=E9?=a'],
  ['mail', 'eml', '', 'a: \xe9\n'],
  ['mail', 'eml', 'Subject: a', '=?x?Q?=E9?=a'],
  ['card', 'vcf', '', 'N;ENCODING=QUOTED-PRINTABLE:=E9\n'],
  ['rtf', 'rtf', '{\\rtf1\\ansicpg77777 ', "\\'e9\\par"],
] as const)(
  'extractText reads a %s file (.%s) of 1 MB whose text pieces have no encoding label (%j, %j)',
  (reader, extension, start, piece) => {
    const text = extractText(
      Buffer.from(start + piece.repeat((1 << 20) / piece.length), 'latin1'),
      reader,
      extension,
    )?.text;
    expect(text?.includes('é')).toBe(true);
  },
);
