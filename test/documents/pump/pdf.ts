import { nest, repeatBytes } from '../../fuzz/pump/reader.ts';
import { fileReader } from '../file-reader.ts';
import { pdf, stream } from '../pdf.ts';

const contents = [
  ...repeatBytes(
    [
      ..."(a) Tj ¦[(a) -300 (b)] TJ ¦q ¦Q ¦1 0 0 1 9 9 cm ¦BT ¦ET ¦<¦(¦\\¦[¦<<¦/a ¦1 ¦/X1 Do ¦(a) ' ¦%\n¦-¦.".split(
        '¦',
      ),
      ...'BI ID ¦BI ¦/P <</MCID 0>> BDC ¦0 -14 TD (a) Tj ¦\\(¦9 0 Td (a b) Tj '.split('¦'),
    ],
    'BT /F1 12 Tf ',
  ),
  ...nest(
    [
      ['q ', 'Q '],
      ['[', ']'],
      ['<<', '>>'],
      ['(', ')'],
    ],
    'BT /F1 12 Tf ',
  ),
];

const font =
  '<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 4 0 R /DescendantFonts [<< /W [1 [400]] >>] >>';
const maps = repeatBytes(
  [
    ...'<0041> <D83D> ¦<0000> <ffff> <0041> ¦<00> <01> [¦1 beginbfchar ¦<¦endbfchar ¦<0041>'.split('¦'),
    '1 beginbfrange <00> <ff> <0041> endbfrange ',
  ],
  '9 beginbfrange ',
  ' endbfrange',
);

const cidFont =
  '<< /Type /Font /Subtype /Type0 /Encoding 4 0 R /DescendantFonts [<< /Subtype /CIDFontType2 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) >> >>] >>';
const cidMaps = repeatBytes(
  [
    ...'<00> <ff> 1 ¦<0000> <ffff> 1 ¦<41> 1 ¦endcidrange ¦1 begincidchar <41> 1 endcidchar ¦/H usecmap '.split('¦'),
    ...'1 begincodespacerange <00> <ff> endcodespacerange ¦1 begincidrange <00> <ff> 1 endcidrange ¦<'.split('¦'),
  ],
  '9 begincidrange ',
  ' endcidrange',
);

const objects = repeatBytes(
  [
    ...'4 0 obj ¦<< ¦/Kids [¦/Length 9 ¦stream\n¦endstream ¦(¦[¦1 0 R ¦/Type /ObjStm ¦xref 0 9\n'.split('¦'),
    ...'trailer <<¦%%EOF\n¦startxref 9\n¦endobj\n¦4 0 obj << /Type /Page >> endobj\n¦/Prev 9 '.split('¦'),
    '<< /Filter /FlateDecode >> stream\n',
  ],
  '%PDF-1.5\n',
  '\ntrailer << /Root 1 0 R >>',
);

const filters = [
  { filter: '/ASCIIHexDecode', pieces: ['41', '<', ' '] },
  { filter: '/ASCII85Decode', pieces: ['z', '87cUR', '!', '~'] },
  { filter: '/LZWDecode', pieces: ['\x80\x0b\x60', '\x80', '\0', '\xff'] },
  { filter: '/RunLengthDecode', pieces: ['\x81a', '\0a', '\x80', '\x7f'] },
].map(({ filter, pieces }) =>
  fileReader('pdf', repeatBytes(pieces), part =>
    pdf({ pages: ['/X1 Do'], extra: [stream(`/Subtype /Form /Filter ${filter}`, part)] }),
  ),
);

const pages = ['BT /F1 9 Tf <00410042> Tj ET'];

export const readers = [
  fileReader('pdf', contents, part => pdf({ pages: [part.toString('latin1')] })),
  fileReader('pdf', maps, part => pdf({ pages, font, extra: [stream('', part)] })),
  fileReader('pdf', cidMaps, part => pdf({ pages, font: cidFont, extra: [stream('', part)] })),
  fileReader('pdf', objects),
  ...filters,
];
