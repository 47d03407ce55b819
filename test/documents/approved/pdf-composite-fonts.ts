import { stream } from '../pdf.ts';
import { collection, composite, file, hex, latin1, range } from './pdf-parts.ts';
import type { Sample } from './sample.ts';

const cmap = `1 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange 3 beginbfchar <41> <0061> <42> <D83DDE00> <8001> <00660069> <43> <0001> <44> <00> 45 <0061> endbfchar
4 beginbfrange <50> <53> <0070> <54> <56> [<0031> /x <00320033>] <8100> <8103> <0041D7FF> <57> <58> <> <59> <5a> 7 <5b> <5c> <00000000> endbfrange <61> endbfchar`;
const shownCodes = '<414243444550515253545556575859> Tj 0 -20 Td <8001 8100 8101 8102 8103 8002 5b5c> Tj';
const cmaps: readonly (readonly [encoding: string, ordering: string, codes: string])[] = [
  ['Identity-H', 'Japan1', '<00010022034a04b1>'],
  ['UniGB-UCS2-H', 'GB1', '<4e004e2d0041>'],
  ['UniJIS-UTF16-H', 'Japan1', '<4e00d840dc0bd7ff0041>'],
  ['UniJIS-UTF8-H', 'Japan1', '<41c3a9e4b880f0a0808bdfbf>'],
  ['UniJIS-UTF32-H', 'Japan1', '<00004e0000020000b00110000>'],
  ['90ms-RKSJ-H', 'Japan1', '<4193fab1dfe0407f96a0>'],
  ['Ext-RKSJ-V', 'Japan1', '<93fa>'],
  ['H', 'Japan1', '<467c4b5c>'],
  ['V', 'Japan1', '<467c4b5c>'],
  ['78-H', 'Japan1', '<467c>'],
  ['EUC-H', 'Japan1', '<41c6fc8eb18fb0a1>'],
  ['78-EUC-H', 'Japan1', '<c6fc>'],
  ['GB-H', 'GB1', '<5650>'],
  ['GBK-EUC-H', 'GB1', '<41d6d0804182308130>'],
  ['GBpc-EUC-V', 'GB1', '<d6d0>'],
  ['KSC-H', 'Korea1', '<3021>'],
  ['KSCms-UHC-H', 'Korea1', '<41b0a18141>'],
  ['B5pc-H', 'CNS1', '<41a4a4>'],
  ['ETen-B5-H', 'CNS1', '<a4a480>'],
  ['HKscs-B5-H', 'CNS1', '<a4a4>'],
  ['CNS-EUC-H', 'CNS1', '<41a4a18ea1a4a1>'],
  ['Unknown-H', 'Japan1', '<00220023>'],
];

const embeddedCmap =
  '1 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange 2 begincidrange <20> <7e> 1 <8140> <8150> 633 endcidrange 1 begincidchar <8200> 1200 <41> 50 endcidchar';
const placed = (shown: string, starts: readonly number[]): string =>
  starts.map(at => `BT /F1 10 Tf 1 0 0 1 ${50 + at * 40} 700 Tm ${shown} Tj ${at} 0 Td <0022> Tj ET`).join('\n');

export const compositeFonts: readonly Sample[] = [
  file('a map to Unicode', {
    pages: [`BT /F1 10 Tf ${shownCodes} ET`],
    font: '<< /Subtype /Type1 /ToUnicode 4 0 R >>',
    extra: [stream('', latin1(cmap))],
  }),
  file('a map to Unicode in a composite font', {
    pages: [`BT /F1 10 Tf ${shownCodes} ET`],
    font: composite('/ToUnicode 4 0 R', ''),
    extra: [stream('', latin1(cmap))],
  }),
  ...cmaps.map(([encoding, ordering, shown]) =>
    file(`the encoding ${encoding}`, {
      pages: [`BT /F1 10 Tf 50 700 Td ${shown} Tj ET`],
      font: composite(`/Encoding /${encoding}`, collection(ordering)),
    }),
  ),
  ...['Japan1', 'GB1', 'CNS1', 'Korea1'].map(ordering =>
    file(`characters of ${ordering}`, {
      pages: [
        range(0, 24_000, 1200)
          .map(
            (first, row) =>
              `BT /F1 10 Tf 1 0 0 1 50 ${900 - 20 * row} Tm ${hex(range(first, first + 1199, 33), 4)} Tj ET`,
          )
          .join('\n'),
      ],
      font: composite('/Encoding /Identity-H', collection(ordering)),
    }),
  ),
  file('a collection in the name of the map', {
    pages: ['BT /F1 10 Tf <03840385> Tj ET'],
    font: composite('/Encoding /Identity-H /ToUnicode /Adobe-Korea1-UCS2', ''),
  }),
  file('an identity map', {
    pages: ['BT /F1 10 Tf <00414e00> Tj ET'],
    font: composite('/Encoding /Identity-H /ToUnicode /Identity-H', ''),
  }),
  file('an embedded encoding', {
    pages: ['BT /F1 10 Tf <41428140814f8150815182008201ff> Tj ET'],
    font: composite('/Encoding 4 0 R', collection('Japan1')),
    extra: [stream('/UseCMap /UniJIS-UCS2-H', latin1(embeddedCmap))],
  }),
  file('an embedded encoding with a base in its text', {
    pages: ['BT /F1 10 Tf <41428140> Tj ET'],
    font: composite('/Encoding 4 0 R', collection('Japan1')),
    extra: [stream('', latin1('/90ms-RKSJ-H usecmap 1 begincidchar <41> 50 endcidchar'))],
  }),
  file('an unknown encoding with code lengths', {
    pages: ['BT /F1 10 Tf <418000427f> Tj ET'],
    font: composite('/Encoding /None /ToUnicode 4 0 R', collection('Japan1')),
    extra: [stream('', latin1(cmap))],
  }),
  file('widths of a composite font', {
    pages: [placed('<0001000500060007000a>', range(20, 44, 2))],
    font: composite(
      '/Encoding /Identity-H',
      '/DW 500 /W [1 [400 300] 5 6 700 7 [1500] 9 10 (x)]' + collection('Japan1'),
    ),
  }),
  file('widths without a table', {
    pages: [placed('<4141>', range(4, 24, 2))],
    font: composite('/Encoding /UniJIS-UCS2-H', collection('Japan1')),
  }),
  file('widths of other codes', {
    pages: [placed('<41>', range(2, 14)), placed('<93fa>', range(2, 14))],
    font: composite('/Encoding /90ms-RKSJ-H', `/W [34 [200]] ${collection('Japan1')}`),
  }),
  file('vertical writing', {
    pages: [
      'BT /F1 10 Tf 1 0 0 1 100 700 Tm <4e004e8c> Tj <4e09> Tj [<56db> -300 <4e94>] TJ ET',
      range(5, 20)
        .map(
          step =>
            `BT /F1 10 Tf 1 0 0 1 ${100 + step * 50} 700 Tm <4e00> Tj 0 ${-step - 0.1} Td <4e8c> Tj ${step / 4} -10 Td <4e09> Tj 0 -10 Td <0041> Tj ET`,
        )
        .join('\n'),
    ],
    font: composite('/Encoding /UniJIS-UCS2-V', collection('Japan1')),
  }),
  file('columns of horizontal text', {
    pages: [
      range(5, 20)
        .map(
          step =>
            `BT /F1 10 Tf 1 0 0 1 ${100 + step * 50} 700 Tm <4e00> Tj 0 ${-step - 0.1} Td <4e8c> Tj ${step / 4 - 0.1} -10 Td <4e09> Tj 0 -10 Td <0041> Tj ET`,
        )
        .join('\n'),
    ],
    font: composite('/Encoding /UniJIS-UCS2-H', collection('Japan1')),
  }),
];
