import { describe, expect, test } from 'vitest';
import { readCompositeFont } from '../../src/documents/pdf/composite-font.ts';
import { readPdf } from '../../src/documents/pdf/document.ts';
import { PdfFile } from '../../src/documents/pdf/file.ts';
import { createSimpleFontWidths, estimateType3FontScale } from '../../src/documents/pdf/simple-font.ts';
import { PdfName, type PdfValue } from '../../src/documents/pdf/syntax.ts';
import { DocumentBudget } from '../../src/documents/unreadable.ts';
import { assemble, line, pdf, stream } from './pdf.ts';

const read = (bytes: Buffer): string | undefined => readPdf(bytes)?.text.trim();
const spaced = (bytes: Buffer): string | undefined => read(bytes)?.replace(/\s+/g, ' ');

/** Returns a PDF font in which these characters have the codes from 1 on. */
const fontOf = (characters: string): string =>
  `<< /Type /Font /Subtype /Type1 /Encoding << /Differences [1 ${Array.from(characters, character => `/uni${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`).join(' ')}] >> >>`;
const codes = (characters: string, text: string): string =>
  `<${Array.from(text, character => (characters.indexOf(character) + 1).toString(16).padStart(2, '0')).join('')}>`;

describe('the ActualText of marked content in a PDF', () => {
  test.each([
    [
      'in place of its glyphs',
      'BT /F1 12 Tf /Span <</ActualText (said)>> BDC (xx) Tj EMC ( shown) Tj ET',
      'said shown',
    ],
    ['within a word', 'BT /F1 12 Tf (nor) Tj /Span <</ActualText <FEFF00E9>>> BDC (q) Tj EMC (mal) Tj ET', 'norémal'],
    ['once for several text operators', 'BT /F1 12 Tf /S <</ActualText (ab)>> BDC (x) Tj (y) Tj EMC (c) Tj ET', 'abc'],
    [
      'only for the outer of two nested marked contents',
      'BT /F1 12 Tf /S <</ActualText (out)>> BDC /S <</ActualText (in)>> BDC (x) Tj EMC EMC ET',
      'out',
    ],
    ['also if the marked content has no glyphs', 'BT /F1 12 Tf (a) Tj /S <</ActualText (b)>> BDC EMC ET', 'ab'],
    ['as no text if it is empty', 'BT /F1 12 Tf (a) Tj /S <</ActualText ()>> BDC (-) Tj EMC (b) Tj ET', 'ab'],
    [
      'only for the glyphs inside the marked content',
      'BT /F1 12 Tf EMC /P BMC (a) Tj EMC /P <</MCID 0>> BDC (b) Tj EMC ET',
      'ab',
    ],
    ['from a property list of the page resources', 'BT /F1 12 Tf /Span /MC0 BDC (xx) Tj EMC ET', 'named'],
    ['in UTF-8', 'BT /F1 12 Tf /S <</ActualText <EFBBBFC3A9>>> BDC (x) Tj EMC ET', 'é'],
  ])('is extracted %s', (_, content, expected) => {
    const properties = '<< /MC0 << /ActualText (named) >> >>';
    const bytes = assemble([
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Count 1 /Kids [4 0 R] /Resources << /Font << /F1 3 0 R >> /Properties ${properties} >> >>`,
      '<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding >>',
      '<< /Type /Page /Parent 2 0 R /Contents 5 0 R >>',
      stream('', Buffer.from(content)),
    ]);
    expect(spaced(bytes)).toBe(expected);
  });
});

describe('a hyphenated word at the end of a PDF line', () => {
  const two = (first: string, second: string): string | undefined =>
    read(pdf({ pages: [`${line(first)} ${line(second, 686)}`] }));
  test.each([
    [
      'an ordinary hyphen: joined, and repeated with the hyphen',
      'a well-',
      'known one',
      'a wellknown one\na well-known one',
    ],
    ['a hyphen before a capital letter: kept', 'Jean-', 'Pierre', 'Jean-Pierre'],
    ['a hyphen between numbers: kept', '2019-', '2020', '2019-2020'],
    ['a soft hyphen: joined', 'hippo\\255', 'potamus', 'hippopotamus'],
    ['a dash before a bracket: not joined', 'dash -', '(next)', 'dash -\n(next)'],
  ])('is joined unless the hyphen belongs to the word: %s', (_, first, second, expected) => {
    expect(two(first, second)).toBe(expected);
  });
});

test('the extracted text of a page with 5,000 hyphenated lines has fewer than 20,000 characters', () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `1 0 0 1 72 ${14 * index} Tm (a-) Tj`);
  const text = readPdf(pdf({ pages: [`BT /F1 12 Tf ${lines.join(' ')} ET`] }))?.text;
  expect(text?.startsWith('a'.repeat(4999))).toBe(true);
  expect(text?.length).toBeLessThan(4 * 5000);
});

describe('a right-to-left line of a PDF', () => {
  const letters = 'שלוםעב (1)2a.b';
  const font = fontOf(letters);
  const shown = (content: string): string | undefined => spaced(pdf({ pages: [content], font }));
  const show = (text: string): string => `${codes(letters, text)} Tj`;
  test('is converted from visual to logical order', () => {
    expect(shown(`BT /F1 12 Tf ${show('בע םולש')} ET`)).toBe('שלום עב');
  });
  test('keeps the order of its numbers and left-to-right words and gets mirrored brackets', () => {
    expect(shown(`BT /F1 12 Tf ${show('(12) a.b םולש')} ET`)).toBe('שלום a.b (12)');
  });
  test('is extracted in logical order if its letters are drawn one by one in logical order', () => {
    const drawn = Array.from('שלום', (letter, index) => `1 0 0 1 ${200 - index * 6.4} 700 Tm ${show(letter)}`);
    expect(shown(`BT /F1 12 Tf ${drawn.join(' ')} ET`)).toBe('שלום');
  });
  test('is converted to logical order if it is a part of a left-to-right line', () => {
    expect(shown(`BT /F1 12 Tf ${show('a.ba.ba.ba.b בע םולש a.ba.ba.b')} ET`)).toBe('a.ba.ba.ba.b שלום עב a.ba.ba.b');
  });
  test('contains base letters instead of Arabic positional forms, and the letters of ligatures in order', () => {
    const arabic = '\ufefb\ufe8d';
    expect(spaced(pdf({ pages: [`BT /F1 12 Tf ${codes(arabic, arabic)} Tj ET`], font: fontOf(arabic) }))).toBe('الا');
  });
});

test.each([
  ['Tz, the horizontal scale in percent', `50 Tz (${'i'.repeat(200)}) Tj 1 0 0 1 600 0 Tm (l) Tj`],
  ['Tc, the distance after each character', `2 Tc (${'i'.repeat(100)}) Tj 1 0 0 1 800 0 Tm (l) Tj`],
  ['Tw, the distance after each blank', `2 Tw (${'i '.repeat(100)}i) Tj 1 0 0 1 1406 0 Tm (l) Tj`],
  ['the operator " with both distances', `3 1 (${'i '.repeat(100)}i) " 1 0 0 1 1707 0 Tm (l) Tj`],
])('readPdf joins two texts of which the second starts at the end of the first: %s', (_, content) => {
  const courier = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>';
  expect(read(pdf({ pages: [`BT /F1 10 Tf 1 0 0 1 0 0 Tm ${content} ET`], font: courier }))).toMatch(/^[i ]*il$/);
});

test('readPdf decodes codes as UTF-16 if the name Identity-H stands in place of a ToUnicode map', () => {
  const named = '<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode /Identity-H >>';
  expect(spaced(pdf({ pages: ['BT /F1 12 Tf <004100e9> Tj ET'], font: named }))).toBe('Aé');
});

test.each([
  ['Helvetica', 'BT /F1 10 Tf 1 0 0 1 0 0 Tm (one) Tj 1 0 0 1 19.3 0 Tm (two) Tj ET', 'one two'],
  ['Times-Roman', 'BT /F1 10 Tf 1 0 0 1 0 0 Tm (one) Tj 1 0 0 1 16.9 0 Tm (two) Tj ET', 'one two'],
  ['Courier', 'BT /F1 10 Tf 1 0 0 1 0 0 Tm (il) Tj 1 0 0 1 12 0 Tm (l) Tj 1 0 0 1 24 0 Tm (two) Tj ET', 'ill two'],
])('readPdf detects gaps between words in the font %s without a Widths array', (name, content, expected) => {
  const font = `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  expect(spaced(pdf({ pages: [content], font }))).toBe(expected);
});

describe('vertical text of a PDF', () => {
  const font = (encoding: string): string =>
    `<< /Type /Font /Subtype /Type0 /Encoding /${encoding} /DescendantFonts [<< /DW 1000 >>] >>`;
  test('is extracted as one line from top to bottom', () => {
    const content = 'BT /F1 12 Tf 1 0 0 1 300 700 Tm <65e5672c> Tj <8a9e> Tj 1 0 0 1 280 700 Tm <6771> Tj ET';
    expect(read(pdf({ pages: [content], font: font('UniJIS-UCS2-V') }))).toBe('日本語\n東');
  });
  test('is extracted as one line if single glyphs are placed below each other', () => {
    const content = 'BT /F1 12 Tf 1 0 0 1 300 700 Tm <65e5> Tj 0 -12 Td <672c> Tj 0 -40 Td <8a9e> Tj ET';
    expect(read(pdf({ pages: [content], font: font('UniJIS-UCS2-H') }))).toBe('日本\n語');
  });
  test.each([
    ['90ms-RKSJ-H', '61 93fa 967b b1', 'a日本ｱ'],
    ['EUC-H', 'c6fc cbdc', '日本'],
    ['GBK-EUC-H', 'd6d0 61 b9fa', '中a国'],
    ['ETen-B5-H', 'a4a4 b0ea', '中國'],
    ['KSCms-UHC-H', 'c7d1 b1db', '한글'],
  ])('readPdf decodes codes of the encoding %s without a ToUnicode map', (encoding, hex, expected) => {
    expect(spaced(pdf({ pages: [`BT /F1 12 Tf <${hex}> Tj ET`], font: font(encoding) }))).toBe(expected);
  });
});

test('readPdf decodes bitmap fonts of TeX by the numbers in their glyph names', () => {
  const font =
    '<< /Type /Font /Subtype /Type3 /FontMatrix [0.01 0 0 0.01 0 0] /Encoding << /Differences [28 /a28 97 /a97 233 /a233 255 /a255] >> >>';
  expect(spaced(pdf({ pages: ['BT /F1 12 Tf (a\\034\\351\\377) Tj ET'], font }))).toBe('afiéß');
});

test('readPdf decodes bitmap fonts with base-36 glyph names and a ToUnicode map of control characters', () => {
  const map = stream(
    '',
    Buffer.from('1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <0008> endbfchar'),
  );
  const font =
    '<< /Type /Font /Subtype /Type3 /FontMatrix [1 0 0 -1 0 0] /ToUnicode 4 0 R /FirstChar 65 /Widths [42 40 23] /Encoding << /Differences [65 /DB /CX /AC] >> >>';
  // Between letters that are 40 units wide, a gap of 2 units does not separate words, independent of the font size.
  const content = 'BT /F1 1 Tf 1 0 0 1 0 0 Tm (A) Tj 44 0 Td (BC) Tj 110 0 Td (A) Tj ET';
  expect(spaced(pdf({ pages: [content], font, extra: [map] }))).toBe('wifi w');
});

describe('an accent and a letter in a PDF line', () => {
  const shown = 'BT /F1 10 Tf 1 0 0 1 72 700 Tm';
  test.each([
    ['the accent is drawn first', `${shown} [(diff)(\\264)500(erents)] TJ ET`, 'différents'],
    ['the letter is drawn first', `${shown} [(pr)450(\\267)(ny)] TJ ET`, 'přny'],
    ['the letter is dotless', `${shown} [(c)(\\264)400(\\001culo)] TJ ET`, 'cículo'],
    ['the letter is a wide capital', `${shown} [(\\250)650(Ubung)] TJ ET`, 'Übung'],
    ['not combined side by side', `${shown} [(it)(\\264)(s)] TJ ET`, 'it´s'],
    ['not combined with a digit', `${shown} [(\\264)500(1)] TJ ET`, '´1'],
    ['not combined without an accent', `${shown} [(a)500(b)] TJ ET`, 'ab'],
  ])('are combined if the accent overlaps the letter: %s', (_, content, expected) => {
    const font =
      '<< /Type /Font /Subtype /Type1 /FirstChar 180 /Widths [500] /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /dotlessi 183 /caron] >> >>';
    expect(spaced(pdf({ pages: [content], font }))).toBe(expected);
  });
});

test('readPdf extracts form fields, labels and comments of a page', () => {
  const appearance = stream('/Subtype /Form /Resources << /Font << /F1 3 0 R >> >>', Buffer.from(line('filled in')));
  const annotations = [
    '<< /Subtype /Widget /Rect [0 0 9 9] /AP << /N 5 0 R >> >>',
    '<< /Subtype /Widget /Parent << /V (inherited) >> >>',
    '<< /Subtype /Text /Contents (a remark) >>',
    '<< /Subtype /Widget /AS /On /AP << /N << /On 5 0 R >> >> >>',
    '<< /Subtype /Text /F 2 /Contents (hidden) >>',
    '<< /Subtype /Link /Contents (no) >>',
  ];
  const bytes = assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [4 0 R] /Resources << /Font << /F1 3 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding >>',
    `<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Annots [${annotations.join(' ')}] >>`,
    appearance,
    stream('', Buffer.from(line('page'))),
  ]);
  expect(read(bytes)?.split('\n')).toEqual(['page filled in', 'inherited', 'a remark', 'filled in']);
});

test('readPdf takes glyph names such as "AE" as numbers only if all names of the font are numbers', () => {
  const shown = (names: string): string | undefined =>
    spaced(
      pdf({
        pages: ['BT /F1 12 Tf (abc) Tj ET'],
        font: `<< /Type /Font /Subtype /Type1 /Encoding << /Differences [97 ${names}] >> >>`,
      }),
    );
  expect(shown('/AE /BT /a33')).toBe('ffiA!');
  expect(shown('/AE /eacute /a33')).toBe('Æé!');
});

test('estimateType3FontScale returns twice the mean width of the glyphs in the units of the font matrix', () => {
  const scaleOf = (...entries: readonly (readonly [string, PdfValue])[]): number =>
    estimateType3FontScale(new PdfFile(Buffer.alloc(0), new DocumentBudget(1000, 1000), 'plain'), new Map(entries));
  const name = new PdfName('x');
  expect(scaleOf(['Widths', [300, -500, name, 100]])).toBeCloseTo(0.6, 9);
  expect(scaleOf(['Widths', [30, 50]], ['FontMatrix', [-0.02, 5]])).toBeCloseTo(1.6, 9);
  expect(scaleOf(['Widths', [0, name]])).toBe(1);
  expect(scaleOf()).toBe(1);
});

test('createSimpleFontWidths returns the widths from FirstChar on, and approximate widths of other characters', () => {
  const file = new PdfFile(Buffer.alloc(0), new DocumentBudget(1000, 1000), 'plain');
  const widthsOf = (...entries: readonly (readonly [string, PdfValue])[]): ReturnType<typeof createSimpleFontWidths> =>
    createSimpleFontWidths(file, new Map(entries));
  const stated = widthsOf(['FirstChar', 65], ['Widths', [300, new PdfName('x'), 700]]);
  expect([64, 65, 66, 67, 68].map(code => stated(code, 'a'))).toEqual([0.53, 0.3, 0.53, 700 * 0.001, 0.53]);
  expect(widthsOf(['Widths', [300, 400]], ['FontMatrix', [0.01]])(1, 'a')).toBe(4);
  const texts = ['i', '!', 'm', '%', 'A', 'Z', 'a', 'ii', ''];
  const widths = (base: string): number[] => texts.map(text => widthsOf(['BaseFont', new PdfName(base)])(0, text));
  expect(widths('Helvetica')).toEqual([0.28, 0.28, 0.85, 0.85, 0.67, 0.67, 0.53, 0.53, 0.53]);
  expect(widths('Courier-Bold')).toEqual(texts.map(() => 0.6));
  expect(widths('Times-Roman').map(width => width / 0.87)).toEqual(
    [0.28, 0.28, 0.85, 0.85, 0.67, 0.67, 0.53, 0.53, 0.53].map(width => expect.closeTo(width, 9)),
  );
});

test('readCompositeFont returns the widths of W for lists and ranges of CIDs, and DW for others', () => {
  const file = new PdfFile(Buffer.alloc(0), new DocumentBudget(10_000, 1000), 'plain');
  const widths = (...entries: readonly (readonly [string, PdfValue])[]): number[] => {
    const font = readCompositeFont(file, new Map([['DescendantFonts', [new Map(entries)]]]), undefined);
    return [9, 10, 11, 12, 13, 19, 20, 21, 22, 23, 30].map(cid => 1000 * font.widthOf(cid, Buffer.of(0, cid)));
  };
  const bad = new PdfName('x');
  const list: PdfValue = [10, [100, 200, bad, 400], 20, 22, 500, 30, bad, 600];
  expect(widths(['W', list])).toEqual([1000, 100, 200, 1000, 400, 1000, 500, 500, 500, 1000, 600]);
  expect(widths(['W', list], ['DW', 50])).toEqual([50, 100, 200, 50, 400, 50, 500, 500, 500, 50, 600]);
  expect(widths(['W', [20, 19, 500, 12, 13]])).toEqual(Array(11).fill(1000));
});

test('vertical text in a PDF advances downwards by the size of each glyph, and the gap between characters moves it upwards', () => {
  const font =
    '<< /Type /Font /Subtype /Type0 /Encoding /UniJIS-UCS2-V /DescendantFonts [<< /Subtype /CIDFontType0 /CIDSystemInfo << /Ordering (Japan1) >> >>] >>';
  // Horizontal text in another font continues where the vertical text ends.
  const lines = (gap: number, down: number): string | undefined =>
    read(
      pdf({
        pages: [
          `BT /F1 10 Tf ${gap} Tc 1 0 0 1 72 700 Tm <6f225b57> Tj 0 Tc /F2 10 Tf (end) Tj ET BT /F2 10 Tf 1 0 0 1 20 ${700 - down} Tm (start) Tj ET`,
        ],
        font,
        extra: ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
        resources: '/F2 4 0 R',
      }),
    );
  const sameLine = '漢字end start';
  expect([lines(0, 20), lines(-20, 60), lines(5, 10)]).toEqual([sameLine, sameLine, sameLine]);
  const twoLines = '漢字end\nstart';
  expect([lines(0, 0), lines(-20, 20), lines(5, 20)]).toEqual([twoLines, twoLines, twoLines]);
});
