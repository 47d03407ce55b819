import { expect, test } from 'vitest';
import { decodeTextString, lookUpEncodedCharacter, readToUnicodeMap } from '../../src/documents/pdf/characters.ts';
import { readEmbeddedCmap } from '../../src/documents/pdf/cid/cmap.ts';
import { readPdf } from '../../src/documents/pdf/document.ts';
import { PdfFile } from '../../src/documents/pdf/file.ts';
import { decodePdfStream } from '../../src/documents/pdf/filters.ts';
import { combineAccent, createGlyphNames, textOfGlyph } from '../../src/documents/pdf/glyphs.ts';
import {
  convertToVisualOrder,
  multiplyMatrices,
  PdfPageText,
  shiftMatrix,
  type TransformMatrix,
} from '../../src/documents/pdf/page-text.ts';
import { PdfKeyword, PdfLexer, PdfName, PdfReference, type PdfValue } from '../../src/documents/pdf/syntax.ts';
import { DocumentBudget } from '../../src/documents/unreadable.ts';
import { type Generator, listGenerated, type Pieces, pieces } from '../support/generator.ts';
import { assemble, stream } from './pdf.ts';

const budget = (steps = 20_000): DocumentBudget => new DocumentBudget(steps, 100_000);
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Writes a parsed value in a form that JSON keeps. */
function plain(value: PdfValue | undefined): unknown {
  if (Buffer.isBuffer(value)) return `(${value.toString('latin1')})`;
  if (value instanceof PdfName) return `/${value.name}`;
  if (value instanceof PdfKeyword) return `keyword ${value.keyword}`;
  if (value instanceof PdfReference) return `reference ${value.number}`;
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? Object.fromEntries(Array.from(value, ([key, item]) => [key, plain(item)])) : value;
}

/** Returns the result, or the name and the message of the error. */
function orError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

const syntax = pieces(
  '12¦7 9 R¦7 90099 R¦0 R¦ 0 R¦7 65535 R¦7 123456 R¦7 0 Rx¦-3¦+4¦.5¦--5¦1.2.3¦4-¦-¦1e3¦/Name¦/A#42c#zz¦/¦[¦]¦<<¦>>¦/K 1¦/K¦(¦)¦\\)¦\\(',
  '(a(b)c)¦(\\n\\r\\t\\b\\f\\x)¦(\\101\\12\\1a\\777\\8\\08)¦(a\\\r\nb\\\nc\\\rd)¦<41 4>¦<4g1>¦<¦>¦{¦}¦%c\n¦%c\r¦%¦true¦false¦null¦truex¦BT¦Tj',
  '\0¦\t¦\f¦\r¦\n¦ ¦ ¦ ¦a¦BI ID xEIy EI ¦BI ID EI¦EI¦ID',
);
const source = (random: Generator): string => random.repeat(1, 9, () => random.pick(syntax));

function tokens(text: string): unknown {
  const read = (hasReferences: boolean): unknown =>
    orError(() => {
      const lexer = new PdfLexer(latin1(text), budget());
      const found: unknown[] = [];
      for (let value = lexer.next(hasReferences); value !== undefined; value = lexer.next(hasReferences)) {
        found.push(plain(value));
        if (value instanceof PdfKeyword && value.keyword === 'BI') lexer.skipImage();
      }
      return [...found, lexer.position];
    });
  return [read(true), read(false)];
}

const objects = pieces(
  '1 0 obj¦2\t1\fobj¦3\r\n0\0obj¦12345678901 0 obj¦ 0 obj¦obj¦x4 0 obj¦/5 0 obj¦endobj¦6 0 R¦1 0 R¦2 0 R¦ 7 ¦(a)¦[1 0 R]¦/N',
  '<</Length 3>>stream\nabc\nendstream¦<</Length 2>>stream\r\nabc endstream¦<</Length 9>>stream\nabc¦<</Length 3>>\nstream\rabc\n endst¦<</Length 6 0 R>>stream abcendstream¦<</Filter/AHx>>stream\n6162>',
  '<</Filter[/AHx]/Length -1>>stream\n4142endstream¦<</Type/ObjStm/N 2/First 8/Length 14>>stream\n8 0 9 3 11 [2]endstream¦<</Type/ObjStm/N 3/First 8>>stream\n1 0 2 3 (s) <</K/V>>endstream¦<</Filter/AHx>>stream\n414endstream¦<<¦>>¦ ¦\n',
);
const objectSource = (random: Generator): string => random.repeat(1, 8, () => random.pick(objects));

function readObjects(text: string): unknown {
  return orError(() => {
    const file = new PdfFile(latin1(text), budget(), 'all');
    return Array.from(file.numbers, number => {
      const reference = new PdfReference(number);
      return [number, plain(file.resolve(reference)), file.content(reference)?.toString('latin1')];
    });
  });
}

function bytes(random: Generator, max: number, near: readonly number[] = []): number[] {
  return Array.from({ length: random.below(max) }, () =>
    near.length > 0 && random.below(2) === 0 ? (near[random.below(near.length)] ?? 0) : random.below(256),
  );
}

/** Writes codes of LZW with the widths that the decoder expects while its table grows. */
function lzwBytes(random: Generator): number[] {
  const codes = Array.from(
    { length: random.below(700) },
    () =>
      [random.below(256), 258 + random.below(30), 256, random.below(4096)][
        random.below(100) < 97 ? 0 : random.below(4)
      ] ?? 0,
  );
  let [bits, known] = ['', 0];
  for (const code of codes) {
    const width = Math.min(12, Math.max(9, (259 + known).toString(2).length));
    bits += code.toString(2).padStart(width, '0').slice(-width);
    known = code === 256 ? 0 : known + 1;
  }
  return (bits.match(/.{1,8}/g) ?? []).map(byte => Number.parseInt(byte.padEnd(8, '0'), 2));
}

interface Packed {
  filter: string;
  packed: number[];
  parameters: Record<string, number>;
}

function packedStream(random: Generator): Packed {
  const filter = random.pick(['A85', 'ASCIIHexDecode', 'RunLengthDecode', 'LZW', 'RL', 'AHx', 'Fl', 'None']);
  const digits = 'zz!u~5sAaFf09>gG \n<'.split('').map(sign => sign.charCodeAt(0));
  const packed =
    filter === 'LZW'
      ? lzwBytes(random)
      : bytes(random, 40, filter.startsWith('R') ? [0, 1, 127, 128, 129, 255, 250] : digits);
  const predictor = filter === 'LZW' && random.below(2) === 0;
  const parameters = predictor
    ? {
        Predictor: 9 + random.below(4),
        Colors: 1 + random.below(3),
        BitsPerComponent: random.pick([1, 4, 8, 16]),
        Columns: 1 + random.below(5),
      }
    : { EarlyChange: random.below(2) };
  return { filter, packed, parameters };
}

function unpack({ filter, packed, parameters }: Packed): unknown {
  return orError(() =>
    decodePdfStream(
      Buffer.from(packed),
      [new PdfName(filter)],
      [new Map(Object.entries(parameters))],
      budget(),
    )?.toString('hex'),
  );
}

const sections = pieces(
  '1 begincodespacerange¦endcodespacerange¦beginbfchar¦endbfchar¦beginbfrange¦endbfrange¦begincidrange¦endcidrange¦begincidchar¦endcidchar¦/GB-EUC-H usecmap¦usecmap¦/Unknown usecmap',
);
const operands = pieces(
  '<41>¦<42>¦<43>¦<00>¦<ff>¦<0041>¦<0043>¦<ffff>¦<8141>¦<010203>¦<0102030405>¦<>¦<d83dde00>¦<00660069>¦<dfff>¦<0000>¦[<0061> <0062> 3]¦[]¦5¦66¦7.5¦(a)¦/x',
);
const ranges = [
  ['codespacerange', 2, ''],
  ['bfchar', 2, ''],
  ['bfrange', 3, ''],
  ['cidrange', 2, '5 '],
  ['cidchar', 1, '66 '],
] as const;

/** Writes sections with the right number of operands, and now and then an operand too many. */
function cmapSource(random: Generator): string {
  return random.repeat(
    1,
    5,
    () => {
      const [name, count, more] = ranges[random.below(ranges.length)] ?? ranges[0];
      if (random.below(8) === 0) return random.pick(sections);
      const entries = random.repeat(
        1,
        3,
        () => `${random.repeat(count, count, () => `${random.pick(operands)} `)}${more}`,
      );
      return `begin${name} ${entries}${random.below(6) === 0 ? '<41> ' : ''}end${name} `;
    },
    '\n',
  );
}

const codes = ['', '41', '42', '44', 'ff', '0041', '0042', '8141', 'a1a1', '010203', 'ffff', '01020304'].map(code =>
  Buffer.from(code, 'hex'),
);

function readMaps(text: string): unknown {
  return orError(() => {
    const map = readToUnicodeMap(latin1(text), budget(3000));
    const encoding = readEmbeddedCmap(latin1(text), budget(3000), undefined);
    return [
      [...map.texts].slice(0, 8),
      map.texts.size,
      map.ranges,
      codes.map(code => [encoding.lengthAt(code, 0), encoding.lengthAt(code, 1), encoding.cid?.(code)]),
    ];
  });
}

const glyphPieces = pieces(
  'a¦A¦e¦x¦alpha¦Alpha¦dotlessi¦dotlessj¦acute¦grave¦circumflex¦dieresis¦tonos¦ogonek¦horn¦dotbelow¦commaaccent¦_¦.¦.sc¦f¦i¦uni¦u¦0041¦1F600¦0000¦10FFFF¦110000¦afii¦10017¦10049¦10050¦10065¦10097¦57664¦57690¦57691¦57663¦space¦none¦fi¦one¦1¦é',
);
const names = createGlyphNames();

const letters = pieces('e¦o¦ı¦ȷ¦´¦`¦¨¦ˆ¦˜¦¸¦a´¦´b¦𝑎¦1¦x¦é');

const shownTexts = pieces('a¦ab¦word¦ ¦-¦a-¦b\u2010¦c\u00ad¦A-¦9-¦東¦京¦、¦´¦e¦ı¦¨¦שלום¦(ש)¦אב[1]¦12¦م¦Big¦.¦x y¦\n');
interface Shown {
  text: string;
  from: number[];
  width: number;
  size: number;
}

function pageTexts(random: Generator): Shown[] {
  let [x, y] = [50, 700];
  const turn = random.pick<readonly number[]>([
    [1, 0, 0, 1],
    [1, 0, 0, 1],
    [1, 0, 0, 1],
    [0, 1, -1, 0],
    [2, 0, 0, 0.5],
    [0, 0, 0, 1],
  ]);
  return Array.from({ length: 1 + random.below(7) }, () => {
    const size = random.pick([10, 10, 10, 4, 20, -10, 0]);
    const text = random.pick(shownTexts);
    const width = text.length * 5;
    const shown = { text, from: [...turn, x, y], width, size };
    const [right, up] = random.pick<readonly [number, number]>([
      [0, 0],
      [0.9, 0],
      [1, 0],
      [1.1, 0],
      [5, 0],
      [-1.4, 0],
      [-1.6, 0],
      [-5.9, 0],
      [-6.1, 0],
      [-4, 0],
      [1, 4.9],
      [1, 5],
      [1, 5.1],
      [-40, -12],
      [-10, -8],
      [-5, -10],
      [-5, -16.9],
      [-5, -17.1],
      [-5, -7.9],
      [-2.4, -12],
      [-7.6, -12],
    ]);
    const advance = turn[0] === 0 ? [0, width] : [width, 0];
    [x, y] = [x + (advance[0] ?? 0) + right, y + (advance[1] ?? 0) + up];
    return shown;
  });
}

function readPage(texts: readonly Shown[]): unknown {
  return orError(() => {
    const page = new PdfPageText(60);
    const taken: string[] = [];
    texts.forEach(({ text, from, width, size }, index) => {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = from;
      const start: TransformMatrix = [a, b, c, d, e, f];
      const end = shiftMatrix(start, width, 0);
      if (text === '1') page.note(text);
      else if (text === '\n') taken.push(page.take());
      else if (text === '.') page.extend(end);
      else page.show(text, start, end, size);
      if (index === 3) page.note('note');
    });
    return [...taken, page.take()];
  });
}

const orders = pieces('a¦bc¦12¦3.5¦ ¦שלום¦אב¦م¦(¦)¦[¦{¦-¦é¦東');
const numbers = (random: Generator): number[] => Array.from({ length: 12 }, () => random.below(9) - 4);

function multiplied(values: readonly number[]): unknown {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0, k = 0, l = 0] = values;
  const left: TransformMatrix = [a, b, c, d, e, f];
  return [multiplyMatrices(left, [g, h, i, j, k, l]), shiftMatrix(left, g, h)].map(matrix =>
    matrix.map(value => value + 0),
  );
}

function textString(random: Generator): number[] {
  const mark = random.pick([
    [],
    [],
    [0xfe, 0xff],
    [0xef, 0xbb, 0xbf],
    [0xfe],
    [0xef, 0xbb],
    [0xef, 0x00, 0xbf],
    [0x00, 0xbb, 0xbf],
    [0xff, 0xff],
  ]);
  return [...mark, ...bytes(random, 8, [0x18, 0x1f, 0x20, 0x7f, 0x80, 0x9e, 0x9f, 0xa0, 0xad, 0xc3, 0xa9, 0])];
}

const contentPieces = pieces(
  '(ab) Tj¦(cd e) Tj¦(-) Tj¦<4142> Tj¦<00410042> Tj¦( ) Tj¦(\\351) Tj¦[(a) -200 (b) 90 (c)] TJ¦[(d) -99 (e) -101 /N (f)] TJ¦[(g) 700 (h)] TJ¦5 0 Td¦1 0 Td¦12 0 Td¦-3 0 Td¦0 -12 Td¦0 -4 Td¦2 -12 TD¦T*¦(n) \'¦1 2 (o p) "',
  '10 TL¦-5 TL¦2 Tc¦-1 Tc¦5 Tw¦0 Tw¦0 Tc¦50 Tz¦100 Tz¦q¦Q¦1 0 0 1 5 -3 cm¦0 1 -1 0 300 200 cm¦2 0 0 3 1 1 cm¦1 0.5 -0.25 1 2 3 cm¦/F1 10 Tf¦/F2 8 Tf¦/F3 10 Tf¦/F4 10 Tf¦/F1 20 Tf¦/F9 1 Tf¦1 0 0 1 50 600 Tm¦0.9 0.1 -0.2 0.8 20 30 Tm¦0 1 -1 0 60 60 Tm',
  'BT¦ET¦/X1 Do¦/X2 Do¦/S <</ActualText (t)>> BDC¦/S <</ActualText ()>> BDC¦/S /P1 BDC¦/S BMC¦EMC¦EMC¦BI ID (no) Tj EI¦1 0 R¦9¦/N¦(z)',
);
const fontPieces = pieces(
  '/FirstChar 65¦/FirstChar 97¦/Widths [500 250 900 1000 300]¦/Widths [600 (x) 700]¦/BaseFont /Courier¦/BaseFont /Times-Roman¦/Encoding /WinAnsiEncoding¦/Encoding /MacRomanEncoding¦/Encoding << /Differences [65 /eacute /alpha 97 /fi /none /a66 /x] >>¦/Encoding << /BaseEncoding /WinAnsiEncoding /Differences [97 /a65 /BT] >>',
  '/FontMatrix [0.01 0 0 0.01 0 0]¦/FontMatrix [-0.002 0 0 1 0 0]¦/Subtype /TrueType¦/Subtype /Type3¦/ToUnicode 5 0 R¦/ToUnicode /Identity-H',
);
const compositePieces = pieces(
  '/Encoding /Identity-H¦/Encoding /Identity-V¦/Encoding /UniGB-UCS2-H¦/Encoding /Unknown¦/Encoding 5 0 R¦/ToUnicode 5 0 R¦/ToUnicode /Identity-H¦/DescendantFonts [<< /W [65 [500 250] 97 120 800] >>]¦/DescendantFonts [<< /DW 400 /W [65 70 300 97 [600 /x 700] 99] >>]¦/DescendantFonts [<< /DW 250 >>]',
);
const map =
  '1 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange 2 beginbfchar <41> <00410301> <42> <0007> endbfchar 1 begincidrange <41> <7a> 34 endcidrange';

interface Page {
  content: string;
  fonts: string[];
}

function pageContent(random: Generator): Page {
  const start = random.pick([
    'BT /F1 10 Tf 50 700 Td ',
    'BT /F2 10 Tf 50 700 Td ',
    'BT /F3 10 Tf 50 700 Td ',
    'BT /F4 12 Tf 50 700 Td ',
  ]);
  const parts = (list: Pieces, least: number): string => random.repeat(least, 4, () => random.pick(list), ' ');
  return {
    content: start + random.repeat(2, 14, () => random.pick(contentPieces), ' '),
    fonts: [parts(fontPieces, 0), parts(fontPieces, 1), parts(compositePieces, 1)],
  };
}

function readContent({ content, fonts }: Page): unknown {
  const [first = '', second = '', third = ''] = fonts;
  const form = 'BT /F1 9 Tf 3 5 Td (form) Tj ET /S <</ActualText (open)>> BDC';
  const resources =
    '/Font << /F1 << /Subtype /Type1 >> /F2 6 0 R /F3 7 0 R /F4 8 0 R >> /XObject << /X1 9 0 R /X2 10 0 R >> /Properties << /P1 << /ActualText (named) >> >>';
  const read = readPdf(
    assemble([
      '<< /Pages 2 0 R >>',
      `<< /Kids [3 0 R] /Resources << ${resources} >> >>`,
      '<< /Contents 4 0 R >>',
      stream('', latin1(content)),
      stream('', latin1(map)),
      `<< /Subtype /Type1 ${first} >>`,
      `<< /Subtype /Type1 ${second} >>`,
      `<< /Subtype /Type0 ${third} >>`,
      stream('/Subtype /Form /Matrix [1 0 0 1 0 -40]', latin1(form)),
      stream(
        '/Subtype /Form /Matrix [0.5 0 /x 2] /Resources << /Font << /F1 7 0 R >> >>',
        latin1(`${form} EMC /X1 Do`),
      ),
    ]),
  );
  return read && [read.text, read.isPartial];
}

test.each<[inputs: string, list: () => string]>([
  ['tokens', () => listGenerated(source, tokens, { blocks: 20 })],
  ['objects', () => listGenerated(objectSource, readObjects, { blocks: 10 })],
  ['streams', () => listGenerated(packedStream, unpack, { shown: 20, blocks: 10 })],
  ['maps', () => listGenerated(cmapSource, readMaps, { shown: 20, blocks: 5 })],
  [
    'glyphs',
    () =>
      listGenerated(
        random => random.repeat(1, 4, () => random.pick(glyphPieces)),
        name => textOfGlyph(name, names) ?? null,
        { blocks: 20 },
      ),
  ],
  [
    'accents',
    () =>
      listGenerated(
        random => [random.pick(letters), random.pick(letters)],
        ([below, above]) => combineAccent(below ?? '', above ?? '') ?? null,
        { blocks: 5 },
      ),
  ],
  ['pages', () => listGenerated(pageTexts, readPage, { shown: 20, blocks: 30 })],
  ['contents', () => listGenerated(pageContent, readContent, { shown: 30, blocks: 6 })],
  [
    'orders',
    () => listGenerated(random => random.repeat(1, 8, () => random.pick(orders)), convertToVisualOrder, { blocks: 10 }),
  ],
  ['matrices', () => listGenerated(numbers, multiplied, { shown: 10, blocks: 2 })],
  ['strings', () => listGenerated(textString, text => decodeTextString(Buffer.from(text)), { blocks: 10 })],
])('the approved file lists the %s that a PDF reader returns for generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-pdf-${name}.txt`);
});

test('lookUpEncodedCharacter returns the approved characters of each encoding', async () => {
  const lines = ['StandardEncoding', 'MacRomanEncoding', 'WinAnsiEncoding', undefined].map(
    encoding =>
      `${encoding}: ${JSON.stringify(Array.from({ length: 257 }, (_, code) => lookUpEncodedCharacter(encoding, code)).join(''))}\n`,
  );
  await expect(lines.join('')).toMatchFileSnapshot('approved/pdf-characters.txt');
});
