import { stream } from '../pdf.ts';
import { file, hex, latin1, range } from './pdf-parts.ts';
import type { Sample } from './sample.ts';

const names =
  'space A a z exclam asciitilde quoteright quoteleft quotesingle grave exclamdown fi ffl AE germandbls dotlessi fraction Euro nbspace epsilon1 arrowboth quotereversed uni0041 uni4E00 uni0000 u1F600 u110000 a.alt A.sc f_i f_f_l f_none .notdef Alpha alpha Omega alphatonos iotadieresistonos Aacute aring dotlessiacute acircumflexacute Ohorndotbelow ohookabove scommaaccent dieresis acute commaaccent none g12 Aeacute afii10017 afii10049 afii10062 afii10063 afii10065 afii10097 afii10110 afii57663 afii57664 afii57690 afii57691 Scaron eogonek odblacute ohungarumlaut oneacute x spacealt aacute.b_c'.split(
    ' ',
  );
const differences = (glyphs: readonly string[], base = ''): string =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding << ${base} /Differences [33 ${glyphs.map(name => `/${name}`).join(' ')}] >> >>`;
const everyGlyph = range(33, 32 + names.length).map(code => `${hex([code])} Tj 40 0 Td`);
const codes = `BT /F1 10 Tf ${range(0, 15)
  .map(row => `${hex(range(row * 16, row * 16 + 15))} Tj 0 -20 Td`)
  .join(' ')} ET`;
const accents =
  'acute grave circumflex dieresis tilde ring caron breve macron ogonek cedilla dotaccent hungarumlaut'.split(' ');
const overlay = (first: string, second: string, shift: number): string =>
  `${first} Tj ${shift} 0 Td ${second} Tj 30 0 Td`;

export const simpleFonts: readonly Sample[] = [
  file('glyph names', { pages: [`BT /F1 10 Tf ${everyGlyph.join(' ')} ET`], font: differences(names) }),
  ...['/MacRomanEncoding', '/WinAnsiEncoding', '/StandardEncoding'].map(name =>
    file(`codes of ${name.slice(1)}`, { pages: [codes], font: `<< /Subtype /Type1 /Encoding ${name} >>` }),
  ),
  ...['Type1', 'TrueType', 'Type3', 'MMType1'].map(type =>
    file(`codes of a font of ${type}`, { pages: [codes], font: `<< /Subtype /${type} >>` }),
  ),
  file('numbered glyphs', {
    pages: [codes],
    font: differences([
      'a65',
      'a31',
      'a32',
      'a126',
      'a127',
      'a160',
      'a161',
      'a254',
      'a255',
      'a11',
      'a12',
      'A0',
      'AZ',
      'BT',
      'HA',
    ]),
  }),
  file('numbered and named glyphs', {
    pages: [codes],
    font: differences(['a65', 'BT', 'eacute', 'a66'], '/BaseEncoding /MacRomanEncoding'),
  }),
  file('accents over letters', {
    pages: [
      `BT /F1 10 Tf ${accents.map((_, index) => overlay('(e)', hex([33 + index]), -4)).join(' ')} ${accents.map((_, index) => overlay(hex([33 + index]), '(o)', -4)).join(' ')} ${overlay(hex([46]), hex([33]), -4)} ${overlay('(e)', hex([33]), 6)} ${overlay('(xe)', '<21>', 4)} ${overlay('(1)', '<21>', -4)} ET`,
    ],
    font: differences([...accents, 'dotlessi', 'dotlessj']),
  }),
  file('the built-in encoding of a font', {
    pages: [codes],
    font: '<< /Subtype /Type1 /FontDescriptor << /FontFile 4 0 R >> >>',
    extra: [
      stream('', latin1('/Encoding 256 array dup 65 /Omega put dup\n66/eacute put dup 1234 /A put dup 67 /none put')),
    ],
  }),
  ...['', '/FontDescriptor << /FontFile 4 0 R >>'].map(more =>
    file(`a named encoding${more === '' ? '' : ' and a font file'}`, {
      pages: ['BT /F1 9 Tf (ABC) Tj ET'],
      font: `<< /Subtype /Type1 /Encoding << /BaseEncoding /WinAnsiEncoding >> ${more} >>`,
      extra: [stream('', latin1('dup 65 /Omega put'))],
    }),
  ),
  ...['Courier', 'Times-Roman', 'Helvetica', 'Arial'].map(name =>
    file(`widths of ${name}`, {
      pages: [
        ['i', 'm', 'A', 'a', '|', '@', '!', '9']
          .flatMap((letter, row) =>
            range(2, 10).map(
              at =>
                `BT /F1 10 Tf 1 0 0 1 ${50 + at * 60} ${700 - row * 30} Tm (${letter}) Tj ${at - 0.05} 0 Td (x) Tj ET`,
            ),
          )
          .join('\n'),
      ],
      font: `<< /Subtype /Type1 /BaseFont /${name} >>`,
    }),
  ),
  file('widths of the font', {
    pages: [
      range(1, 9)
        .map(
          at =>
            `BT /F1 10 Tf 1 0 0 1 ${50 + at * 90} 700 Tm (A) Tj ${at} 0 Td (B) Tj ${at} 0 Td (C) Tj ${at} 0 Td (D) Tj ET`,
        )
        .join('\n'),
    ],
    font: '<< /Subtype /Type1 /FirstChar 65 /Widths [250 500 /x] >>',
  }),
  file('widths of a Type 3 font', {
    pages: [
      range(1, 9)
        .map(at => `BT /F1 10 Tf 1 0 0 1 ${50 + at * 90} ${700 + at} Tm (A) Tj ${at} 0 Td (B) Tj ET`)
        .join('\n'),
    ],
    font: '<< /Subtype /Type3 /FontMatrix [0.01 0 0 0.01 0 0] /FirstChar 65 /Widths [25 -50 30] >>',
  }),
];
