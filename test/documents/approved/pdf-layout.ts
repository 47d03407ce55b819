import { line } from '../pdf.ts';
import { composite, file, range } from './pdf-parts.ts';
import type { Sample } from './sample.ts';

/** Creates a page that shows "ab", and "cd" at several distances from the start of "ab", one pair in each line. */
function distances(matrix: string, moves: readonly (readonly [x: number, y: number])[], size = 10): string {
  const shown = moves.map(
    ([x, y], index) => `BT /F1 ${size} Tf ${matrix} 50 ${9000 - 40 * index} Tm (ab) Tj ${x} ${y} Td (cd) Tj ET`,
  );
  return shown.join('\n');
}

const widths = '<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>';
const steps = range(-20, 30).map(step => [12 + step * 0.5 - 0.05, 0] as const);
const rises = range(-12, 12).map(step => [12, step * 0.75 + 0.1] as const);

const layout: readonly Sample[] = [
  file('distances along the line', { pages: [distances('1 0 0 1', steps)], font: widths }),
  file('distances across the line', { pages: [distances('1 0 0 1', rises)], font: widths }),
  file('distances in turned text', { pages: [distances('0 1 -1 0', [...steps, ...rises])], font: widths }),
  file('distances in stretched text', { pages: [distances('2 0 0 0.5', [...steps, ...rises])], font: widths }),
  file('distances in slanted text', { pages: [distances('1 0.2 0.3 1', [...steps, ...rises])], font: widths }),
  file('a smaller text after a larger one', {
    pages: [
      range(1, 14)
        .map(
          gap =>
            `BT /F1 20 Tf 1 0 0 1 50 ${900 - gap * 40} Tm (ab) Tj /F1 4 Tf ${24 + gap * 0.2 - 0.1} ${gap % 5} Td (cd) Tj ET`,
        )
        .join('\n'),
    ],
    font: widths,
  }),
  file('state of the text', {
    pages: [
      'BT /F1 10 Tf 14 TL 50 700 Td (a) Tj T* (b) Tj (c) \' 3 1 (d e) " 0 Tw 0 Tc 12 0 Td (f) Tj 0 -16 TD (g) Tj T* (h) Tj 50 Tz (i) Tj 6 0 Td (j) Tj 100 Tz ET',
      'BT /F1 10 Tf 1 Tc 50 700 Td (ab) Tj 14 0 Td (c) Tj 0 Tc 5 Tw (d e) Tj 24 0 Td (f) Tj 0 Tw [(g) -90 (h) -110 (i) 500 (j) 700 (k) (l)] TJ (no) TJ [(m) /N (n)] TJ ET',
      'q 2 0 0 2 10 20 cm BT /F1 10 Tf 50 300 Td (big) Tj ET Q BT /F1 10 Tf 110 620 Td (same line) Tj 0 0 Td ET Q Q BT 9 0 Td (no font after BT) Tj ET',
      'BT /F1 10 Tf (a) Tj /F9 10 Tf (no) Tj /F1 -10 Tf (b) Tj 1 2 3 Tf (no) Tj ET BT /F1 10 Tf 5 (x) Tj (y) 5 Tj 0 -50 Td (z) Tj BI /W 1 /H 1 ID (no) Tj EIx\nEI (after image) Tj BI no data',
      `BT /F1 10 Tf ${'1 '.repeat(199)}(no) (no) Tj (yes) Tj ET`,
    ],
    font: widths,
  }),
  file('hyphens', {
    pages: [
      [
        'exam-',
        'ple of Mor-',
        'Gan, 12-',
        '34, co-',
        'operation soft\xad',
        'ly - ',
        '- dash-',
        '(bracket',
        'e-',
        'f-',
        `${'long '.repeat(12)}word-`,
        'tail '.repeat(12),
      ]
        .map((text, index) => line(text, 800 - 20 * index))
        .join('\n'),
      'BT /F1 10 Tf 0 0 Td (only) Tj ET',
      '',
    ],
  }),
];

const hebrew = (text: string): string => `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}> Tj`;
const rightToLeft: readonly Sample[] = [
  file('lines from right to left', {
    pages: [
      [
        'םולש',
        'םלוע 123 םולש',
        '(םולש) abc',
        'english words with םולש inside',
        '12:30 םוי',
        'ﻼﺳ ﻡ',
        '[א] {ב}',
        'ab 1.5 גד, הו',
      ]
        .map((text, row) => `BT /F1 10 Tf 1 0 0 1 50 ${700 - 20 * row} Tm ${hebrew(text)} ET`)
        .join('\n'),
      `BT /F1 10 Tf 1 0 0 1 300 700 Tm ${hebrew('אב')} 1 0 0 1 200 700 Tm ${hebrew('גד')} 1 0 0 1 180.5 700 Tm ${hebrew('הו')} 1 0 0 1 100 700 Tm ${hebrew('abc')} ET`,
    ],
    font: composite('/Encoding /UniJIS-UCS2-H', '/DW 1000'),
  }),
  file('text that replaces glyphs', {
    pages: [
      'BT /F1 10 Tf 50 700 Td /P << /ActualText (one) >> BDC (x) Tj 8 0 Td (y) Tj /Q << /ActualText (no) >> BDC (z) Tj EMC EMC 20 0 Td (after) Tj /P /N1 BDC (w) Tj EMC /P BMC (plain) Tj EMC EMC /P << /ActualText () >> BDC (hidden) Tj EMC /P << /ActualText <FEFF05d005d10020003100320020> >> BDC (q) Tj EMC /P << /ActualText (alone) >> BDC EMC /P << /MCID 1 >> BDC (r) Tj EMC /P << /ActualText (open) >> BDC',
    ],
    resources: '>> /Properties << /N1 << /ActualText (named) >> >> /Other <<',
  }),
];

export const layoutSamples: readonly Sample[] = [...layout, ...rightToLeft];
