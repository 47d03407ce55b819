import { describe, expect, test } from 'vitest';
import { decodeText, isBinaryContent } from '../../src/documents/encoding/decode.ts';
import * as fc from '../support/property.ts';

/**
 * The bytes are hexadecimal. They were written by Python's codecs, because Node decodes these encodings but does not
 * encode them.
 */
const samples: readonly (readonly [encoding: string, text: string, hex: string])[] = [
  [
    'cp1251',
    'Привет, мир! Отчёт за ноябрь готов.',
    'cff0e8e2e5f22c20ece8f02120cef2f7b8f220e7e020edeeffe1f0fc20e3eef2eee22e',
  ],
  [
    'koi8-r',
    'Привет, мир! Отчёт за ноябрь готов.',
    'f0d2c9d7c5d42c20cdc9d22120efd4dea3d420dac120cecfd1c2d2d820c7cfd4cfd72e',
  ],
  [
    'iso8859-5',
    'Привет, мир! Отчёт за ноябрь готов.',
    'bfe0d8d2d5e22c20dcd8e02120bee2e7f1e220d7d020dddeefd1e0ec20d3dee2ded22e',
  ],
  [
    'cp866',
    'Привет, мир! Отчёт за ноябрь готов.',
    '8fe0a8a2a5e22c20aca8e021208ee2e7f1e220a7a020adaeefa1e0ec20a3aee2aea22e',
  ],
  ['cp1251', 'Договор', 'c4eee3eee2eef0'],
  ['koi8-r', 'Договор', 'e4cfc7cfd7cfd2'],
  [
    'cp1251',
    'Звіт про подорож до Києва, їжа та євро',
    'c7e2b3f220eff0ee20efeee4eef0eee620e4ee20cae8bae2e02c20bfe6e020f2e020bae2f0ee',
  ],
  [
    'koi8-u',
    'Звіт про подорож до Києва, їжа та євро',
    'fad7a6d420d0d2cf20d0cfc4cfd2cfd620c4cf20ebc9a4d7c12c20a7d6c120d4c120a4d7d2cf',
  ],
  [
    'cp1250',
    'Zażółć gęślą jaźń, wycieczka do Łodzi',
    '5a61bff3b3e62067ea9c6cb9206a619ff12c207779636965637a6b6120646f20a36f647a69',
  ],
  [
    'iso8859-2',
    'Zażółć gęślą jaźń, wycieczka do Łodzi',
    '5a61bff3b3e62067eab66cb1206a61bcf12c207779636965637a6b6120646f20a36f647a69',
  ],
  [
    'cp1250',
    'Příliš žluťoučký kůň úpěl ďábelské ódy',
    '50f8ed6c699a209e6c759d6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f36479',
  ],
  [
    'iso8859-2',
    'Příliš žluťoučký kůň úpěl ďábelské ódy',
    '50f8ed6c69b920be6c75bb6f75e86bfd206bf9f220fa70ec6c20efe162656c736be920f36479',
  ],
  ['cp1250', 'Árvíztűrő tükörfúrógép', 'c17276ed7a74fb72f52074fc6bf67266fa72f367e970'],
  ['iso8859-2', 'Árvíztűrő tükörfúrógép', 'c17276ed7a74fb72f52074fc6bf67266fa72f367e970'],
  [
    'cp1252',
    'Le résumé de la réunion à Besançon, où l’on a mangé',
    '4c652072e973756de9206465206c612072e9756e696f6e20e020426573616ee76f6e2c206ff9206c926f6e2061206d616e67e9',
  ],
  ['latin1', 'Größe der Möbel und Übung', '4772f6df6520646572204df662656c20756e6420dc62756e67'],
  ['latin1', 'Müller', '4dfc6c6c6572'],
  ['latin1', 'El niño pasó el año, ¿qué?', '456c206e69f16f20706173f320656c2061f16f2c20bf7175e93f'],
  ['latin1', 'Rødgrød med fløde på Ærø', '52f8646772f864206d656420666cf864652070e520c672f8'],
  [
    'cp1252',
    'Copyright © 2003 naïve café – “quoted” text’s',
    '436f7079726967687420a92032303033206e61ef766520636166e92096209371756f7465649420746578749273',
  ],
  ['mac-roman', 'Le résumé de l’été à Besançon', '4c6520728e73756d8e206465206cd58e748e208820426573616e8d6f6e'],
  ['cp1253', 'Καλημέρα κόσμε, η αναφορά', 'cae1ebe7ecddf1e120eafcf3ece52c20e720e1ede1f6eff1dc'],
  ['iso8859-7', 'Καλημέρα κόσμε, η αναφορά', 'cae1ebe7ecddf1e120eafcf3ece52c20e720e1ede1f6eff1dc'],
  ['cp1254', 'Türkçe ığdır şehir güneş İstanbul', '54fc726be76520fdf064fd7220fe656869722067fc6e65fe20dd7374616e62756c'],
  ['cp1255', 'שלום עולם דוח שנתי', 'f9ece5ed20f2e5eced20e3e5e720f9f0fae9'],
  ['iso8859-6', 'مرحبا بالعالم التقرير السنوي', 'e5d1cdc8c720c8c7e4d9c7e4e520c7e4cae2d1ead120c7e4d3e6e8ea'],
  [
    'cp1257',
    'Ąžuolas žaliuoja prie ežero, šiandien gražu',
    'c0fe756f6c617320fe616c69756f6a6120707269652065fe65726f2c20f069616e6469656e20677261fe75',
  ],
  [
    'cp1257',
    'Rīgas brīvdienu ceļojums uz jūru šķērso mežu',
    '52ee676173206272ee766469656e75206365ef6f6a756d7320757a206afb727520f0ede772736f206d65fe75',
  ],
  ['cp1256', 'مرحبا بالعالم التقرير السنوي', 'e3d1cdc8c720c8c7e1dac7e1e320c7e1caded1edd120c7e1d3e4e6ed'],
  ['cp874', 'สวัสดีชาวโลก รายงานประจำปี', 'cac7d1cab4d5aad2c7e2c5a120c3d2c2a7d2b9bbc3d0a8d3bbd5'],
  [
    'shift_jis',
    '日本語のテキストです。会議の議事録',
    '93fa967b8cea82cc8365834c8358836782c582b7814289ef8b6382cc8b638e96985e',
  ],
  [
    'euc-jp',
    '日本語のテキストです。会議の議事録',
    'c6fccbdcb8eca4cea5c6a5ada5b9a5c8a4c7a4b9a1a3b2f1b5c4a4ceb5c4bbf6cfbf',
  ],
  [
    'iso-2022-jp',
    '日本語のテキストです。会議の議事録',
    '1b2442467c4b5c386c244e2546252d2539254824472439212332713544244e35443b764f3f1b2842',
  ],
  ['shift_jis', '東京都', '938c8b9e9373'],
  ['euc-jp', '東京都', 'c5ecb5fec5d4'],
  ['gb18030', '这是一个中文文档，会议记录', 'd5e2cac7d2bbb8f6d6d0cec4cec4b5b5a3acbbe1d2e9bcc7c2bc'],
  ['big5', '會議紀錄，這是一個中文文件', 'b77cc4b3acf6bffda141b36fac4fa440add3a4a4a4e5a4e5a5f3'],
  ['euc-kr', '한국어 문서입니다. 회의록', 'c7d1b1b9beee20b9aebcadc0d4b4cfb4d92e20c8b8c0c7b7cf'],
  [
    'utf-16-le',
    'Plain English text without a mark',
    '50006c00610069006e00200045006e0067006c0069007300680020007400650078007400200077006900740068006f00750074002000610020006d00610072006b00',
  ],
  [
    'utf-16-be',
    'Plain English text without a mark',
    '0050006c00610069006e00200045006e0067006c0069007300680020007400650078007400200077006900740068006f00750074002000610020006d00610072006b',
  ],
  [
    'utf-32-le',
    'Plain English text without a mark',
    '500000006c00000061000000690000006e00000020000000450000006e000000670000006c000000690000007300000068000000200000007400000065000000780000007400000020000000770000006900000074000000680000006f00000075000000740000002000000061000000200000006d00000061000000720000006b000000',
  ],
  [
    'utf-32-be',
    'Plain English text without a mark',
    '000000500000006c00000061000000690000006e00000020000000450000006e000000670000006c000000690000007300000068000000200000007400000065000000780000007400000020000000770000006900000074000000680000006f00000075000000740000002000000061000000200000006d00000061000000720000006b',
  ],
  ['utf-16-le', '日本語のテキスト\nです\n', 'e5652c679e8a6e30c630ad30b930c8300a00673059300a00'],
  ['utf-16-be', '日本語のテキスト\nです\n', '65e5672c8a9e306e30c630ad30b930c8000a30673059000a'],
  [
    'utf-32-le',
    '日本語のテキスト\nです\n',
    'e56500002c6700009e8a00006e300000c6300000ad300000b9300000c83000000a00000067300000593000000a000000',
  ],
  [
    'utf-32-be',
    '日本語のテキスト\nです\n',
    '000065e50000672c00008a9e0000306e000030c6000030ad000030b9000030c80000000a00003067000030590000000a',
  ],
  ['utf-32-le', '十一月，开会', '41530000004e0000086700000cff0000005f00001a4f0000'],
  ['utf-32-be', '十一月，开会', '0000534100004e00000067080000ff0c00005f0000004f1a'],
  ['utf-16-le', 'Привет мир', '1f044004380432043504420420003c0438044004'],
  ['utf-16-be', 'Привет мир', '041f044004380432043504420020043c04380440'],
  ['utf-16-be', '十一月の請求書です。\n', '53414e006708306e8acb6c4266f8306730593002000a'],
  ['utf-16-le', '十一月の請求書です。\n', '4153004e08676e30cb8a426cf8666730593002300a00'],
  [
    'cp1252',
    'Don’t panic: it’s the user’s choice',
    '446f6e92742070616e69633a206974927320746865207573657292732063686f696365',
  ],
  ['cp1252', 'Chapter 2 – the “quoted” word…', '436861707465722032209620746865209371756f7465649420776f726485'],
  [
    'mac-roman',
    'The manager’s “plan” – we don’t know…',
    '546865206d616e61676572d57320d2706c616ed320d020776520646f6ed574206b6e6f77c9',
  ],
  [
    'mac-roman',
    '¿Qué día? El país está más allá, señor',
    'c051758e206492613f20456c20706192732065737487206d877320616c6c872c207365966f72',
  ],
];

describe('decodeText', () => {
  test.each(samples)('guesses the encoding %s from the bytes of the text "%s"', (_, text, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    expect(isBinaryContent(bytes)).toBe(false);
    expect(decodeText(bytes).bytes.toString('utf8')).toBe(text);
  });

  test.each([
    ['UTF-32 with a byte order mark', Buffer.from('fffe00006100000062000000', 'hex')],
    ['UTF-32 big endian with a byte order mark', Buffer.from('0000feff0000006100000062', 'hex')],
  ])('decodes %s', (_, bytes) => {
    expect(isBinaryContent(bytes)).toBe(false);
    expect(decodeText(bytes).bytes.toString('utf8')).toBe('ab');
  });

  /** Encodes a text without a byte order mark. `unitBytes` is 2 for UTF-16 and 4 for UTF-32. */
  function encodeWide(text: string, unitBytes: 2 | 4, isLittle: boolean): Buffer {
    const units = unitBytes === 2 ? Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)) : [];
    if (unitBytes === 4) units.push(...Array.from(text, character => character.codePointAt(0) ?? 0));
    return Buffer.concat(
      units.map(unit => {
        const bytes = Buffer.alloc(unitBytes);
        if (isLittle) bytes.writeUIntLE(unit, 0, unitBytes);
        else bytes.writeUIntBE(unit, 0, unitBytes);
        return bytes;
      }),
    );
  }

  test.each([
    ['big endian', false],
    ['little endian', true],
  ] as const)(
    'decodes UTF-32 without a byte order mark, whatever part of the characters is beyond the BMP: %s',
    (_, isLittle) => {
      const letter = fc.constantFrom('a', 'Z', '7', 'é', '日', '一', '😀', '🎉', '𠀀');
      fc.assert(
        fc.property(fc.array(letter, { minLength: 1, maxLength: 40 }), letters => {
          const text = `a${letters.join('')}`;
          const bytes = encodeWide(text, 4, isLittle);
          expect(isBinaryContent(bytes)).toBe(false);
          expect(decodeText(bytes).bytes.toString('utf8')).toBe(text);
        }),
      );
    },
  );

  test.each([
    ['big endian', false],
    ['little endian', true],
  ] as const)('decodes Latin text with emoji in UTF-16 without a byte order mark: %s', (_, isLittle) => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'Z', '7', 'é', ' ', '\n', '\t', '😀'), maxLength: 40 }),
        rest => {
          const bytes = encodeWide(`ab${rest}`, 2, isLittle);
          expect(isBinaryContent(bytes)).toBe(false);
          expect(decodeText(bytes).bytes.toString('utf8')).toBe(`ab${rest}`);
        },
      ),
    );
  });

  test('decodes UTF-16 whose sample of 8,192 bytes ends between the halves of a surrogate pair', () => {
    const text = `ab${'é'.repeat(4093)}😀 end`;
    expect(isBinaryContent(encodeWide(text, 2, true))).toBe(false);
    expect(decodeText(encodeWide(text, 2, true)).bytes.toString('utf8')).toBe(text);
  });

  test.each([
    ['after ASCII text', 'Re: \x1b$B$"\x1b(B!', 'Re: あ!'],
    ['after an escape sequence for ASCII', '\x1b(Bx\x1b$B$"\x1b(B', 'xあ'],
    ['of the older character set', '\x1b$@$"\x1b(B', 'あ'],
    ['after an incomplete escape sequence', 'x\x1b', 'x\x1b'],
    ['of a terminal', '\x1b[1mbold\x1b[0m', '\x1b[1mbold\x1b[0m'],
  ])(
    'decodes ISO-2022-JP only after an escape sequence for Japanese characters: a sequence %s',
    (_, text, expected) => {
      expect(decodeText(Buffer.from(text, 'latin1')).bytes.toString('utf8')).toBe(expected);
    },
  );

  test('decodes UTF-8 text that is truncated within a character as UTF-8', () => {
    const bytes = Buffer.from('Привет, мир, и ещё немного слов.').subarray(3);
    expect(decodeText(bytes).bytes.toString('utf8')).toContain('мир, и ещё');
  });

  test.each([
    [
      'an array of 16-bit numbers',
      Buffer.from(Array.from({ length: 2000 }, (_, index) => (index % 2 === 0 ? index % 251 : 0))),
    ],
    ['an executable program', Buffer.from('7f454c4602010100000000000000000003003e0001000000', 'hex')],
    ['records of ASCII text that end with a zero byte', Buffer.from('word word word word \0'.repeat(20))],
    ['text with zero bytes', Buffer.from(`${'word '.repeat(100)}\0${'word '.repeat(100)}\0`)],
  ])('isBinaryContent returns true for %s', (_, bytes) => {
    expect(isBinaryContent(bytes)).toBe(true);
  });
});
