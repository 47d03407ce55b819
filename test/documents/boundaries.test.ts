import { describe, expect, test } from 'vitest';
import { extractWorkbookText } from '../../src/documents/compound/excel.ts';
import { CompoundFile } from '../../src/documents/compound/file.ts';
import { decompressRtf } from '../../src/documents/compound/rtf-compression.ts';
import { decodeText, decodeWithLabel } from '../../src/documents/encoding/decode.ts';
import { decodeUtf16Or32, detectUtf16Or32 } from '../../src/documents/encoding/wide.ts';
import { createFileTypeTable, unknownFileType } from '../../src/documents/file-type.ts';
import { extractMetadata, extractText } from '../../src/documents/index.ts';
import { extractPdfMetadata, readPdf } from '../../src/documents/pdf/document.ts';
import { PdfFile } from '../../src/documents/pdf/file.ts';
import { decodePdfStream } from '../../src/documents/pdf/filters.ts';
import { identityMatrix, PdfPageText } from '../../src/documents/pdf/page-text.ts';
import { PdfLexer, PdfReference } from '../../src/documents/pdf/syntax.ts';
import { DocumentBudget, maxDocumentBytes } from '../../src/documents/unreadable.ts';
import {
  compound,
  excelRecord,
  presentation,
  readOfficeText,
  type Storage,
  slideRecord,
  slideText,
  uint16,
  uint32,
  word,
  workbookStart,
} from './compound.ts';
import { png } from './media.ts';
import { assemble, pdf, stream } from './pdf.ts';
import { zip } from './zip.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const html = (source: string | Buffer): string | undefined =>
  extractText(Buffer.from(source), 'html', 'html')?.text.toString();

test.each([999, 1000, 1001, 1002])('extractText ignores the hidden RTF group around %d other groups', depth => {
  const source = `{\\rtf1 {\\*\\x ${'{'.repeat(depth)}${'}'.repeat(depth)}no}yes}`;
  expect(extractText(latin1(source), 'rtf', 'rtf')?.text.toString()).toBe('yes');
});

test('DocumentBudget allows the given number of steps, and fewer bytes than its limit', () => {
  const budget = new DocumentBudget(2, 10);
  budget.step();
  budget.step();
  expect(() => budget.step()).toThrow('parsing steps');
  budget.unpacked(9);
  expect(budget.bytes).toBe(1);
  expect(() => budget.unpacked(1)).toThrow('too large');
});

test.each(['pdf', 'docx'])('extractMetadata reads a file of 64 MiB (.%s), and no larger one', extension => {
  const content = extension === 'pdf' ? pdf({ pages: [] }) : zip({ 'docProps/core.xml': '<title>t</title>' });
  const type = createFileTypeTable().get(extension) ?? unknownFileType;
  const read = (): Buffer => content;
  expect(extractMetadata(read, maxDocumentBytes, type, extension)).not.toEqual({});
  expect(extractMetadata(read, maxDocumentBytes + 1, type, extension)).toEqual({});
});

test.each([
  [640, 480, { kMDItemPixelWidth: 640, kMDItemPixelHeight: 480 }],
  [0, 480, {}],
  [640, 0, {}],
])('extractMetadata returns the size of a PNG only if both sides are above zero: %d by %d', (width, height, facts) => {
  const content = Buffer.from(png);
  content.writeUInt32BE(width, 16);
  content.writeUInt32BE(height, 20);
  const type = createFileTypeTable().get('png') ?? unknownFileType;
  const read = (start: number, length: number): Buffer => content.subarray(start, start + length);
  expect(extractMetadata(read, content.length, type, 'png')).toEqual(facts);
});

describe('CompoundFile', () => {
  const changed = (change: (bytes: Buffer) => void): Buffer => {
    const bytes = compound({ a: Buffer.from('a') });
    change(bytes);
    return bytes;
  };

  test.each([
    [6, 6],
    [17, 6],
    [9, 10],
  ])('rejects sectors of 2^%d bytes with small sectors of 2^%d bytes', (shift, miniShift) => {
    const bytes = changed(each => {
      each.writeUInt16LE(shift, 30);
      each.writeUInt16LE(miniShift, 32);
    });
    expect(() => new CompoundFile(bytes)).toThrow('the sector size is invalid');
  });

  test.each([
    [7, 6],
    [16, 6],
    [9, 9],
  ])('accepts sectors of 2^%d bytes with small sectors of 2^%d bytes', (shift, miniShift) => {
    const bytes = changed(each => {
      each.writeUInt16LE(shift, 30);
      each.writeUInt16LE(miniShift, 32);
    });
    expect(new CompoundFile(bytes).stream('none')).toBeUndefined();
  });

  test('rejects bytes with another signature, and a file that is shorter than its header', () => {
    expect(() => new CompoundFile(changed(bytes => bytes.fill(0, 7, 8)))).toThrow('not an OLE compound file');
    expect(() => new CompoundFile(changed(() => undefined).subarray(0, 511))).toThrow('not an OLE compound file');
  });

  test('reads a stream from small sectors only if it is shorter than the limit in the header', () => {
    for (const size of [99, 100, 101]) {
      const content = Buffer.alloc(size, 'x');
      const bytes = compound({ a: content }, { miniCutoff: 100 });
      expect(new CompoundFile(bytes).stream('a')?.equals(content)).toBe(true);
    }
  });

  test('returns each sector of a cyclic chain at most as often as the table has entries', () => {
    const bytes = compound({ a: Buffer.alloc(1000, 'x') }, { miniCutoff: 0 });
    const table = (bytes.readUInt32LE(76) + 1) * 512;
    bytes.writeUInt32LE(0, table);
    const directory = (bytes.readUInt32LE(48) + 1) * 512;
    bytes.writeUInt32LE(0x7fff_ffff, directory + 128 + 120);
    expect(new CompoundFile(bytes).stream('a')).toHaveLength(128 * 512);
  });

  test('finds a storage by its name, and neither a stream with this name nor another storage', () => {
    const file = new CompoundFile(
      compound({ other: { x: latin1('1') }, wanted: { x: latin1('2') }, stream: latin1('3') }),
    );
    expect(file.stream('x', file.storage('wanted'))?.toString()).toBe('2');
    expect(file.storage('stream')).toBeUndefined();
    expect(file.storage('Wanted')).toBeUndefined();
    expect(file.stream('wanted')).toBeUndefined();
  });

  test('ignores an entry that is marked as unused', () => {
    const bytes = changed(() => undefined);
    const directory = (bytes.readUInt32LE(48) + 1) * 512;
    expect(new CompoundFile(bytes).stream('a')?.toString()).toBe('a');
    bytes[directory + 128 + 66] = 0;
    expect(new CompoundFile(bytes).stream('a')).toBeUndefined();
  });

  test('reads names of up to 31 characters', () => {
    const name = 'n'.repeat(31);
    expect(new CompoundFile(compound({ [name]: latin1('x') })).stream(name)?.toString()).toBe('x');
  });
});

describe('extractText of documents in compound files', () => {
  test('extracts 200 embedded documents, the first storage of the file included', () => {
    const storages = Object.fromEntries(
      Array.from({ length: 201 }, (_, index): [string, Storage] => [`_${index}`, word({ text: `<${index}>` })]),
    );
    const text = readOfficeText(compound({ ...storages, ...word({ text: 'main' }) }), 'doc');
    expect(text?.split('\n')).toEqual(['main', ...Array.from({ length: 200 }, (_, index) => `<${index}>`)]);
  });

  test('extracts no text from pieces that state more than 32 Mi characters', () => {
    for (const [length, text] of [
      [32 * 1024 * 1024, 'abc'],
      [32 * 1024 * 1024 + 1, undefined],
    ] as const) {
      const storage = word({ text: 'abc' });
      const table = storage['1Table'];
      if (Buffer.isBuffer(table)) table.writeUInt32LE(length, 4 + 5 + 5 + 4);
      expect(readOfficeText(compound(storage), 'doc')).toBe(text);
    }
  });

  test('reads a piece of a document whose end is before its start as empty', () => {
    const storage = word({ text: 'abc' }, { text: 'def' });
    const table = storage['1Table'];
    if (Buffer.isBuffer(table)) table.writeUInt32LE(2, 4 + 5 + 5 + 8);
    expect(readOfficeText(compound(storage), 'doc')).toBe('abc');
  });

  test('ignores texts before the first slide of a list', () => {
    const list = slideRecord(4080, [slideText('before'), slideRecord(1011, uint32(2, 0, 0)), slideText('after')]);
    expect(readOfficeText(compound(presentation([slideRecord(1000, [list])])), 'ppt')?.replace('\ue000', '|')).toBe(
      'after\n|',
    );
  });

  test('reads a shared text of more than 255 characters that is split before its last character', () => {
    const long = 'x'.repeat(299);
    const workbook = Buffer.concat([
      workbookStart,
      excelRecord(0x00fc, uint32(2, 2), uint16(300), [0], latin1(long)),
      excelRecord(0x003c, [1], wide('本'), uint16(2), [1], wide('漢')),
      excelRecord(0x003c, [0], latin1('!')),
    ]);
    expect(extractWorkbookText(workbook)).toBe(`${long}本\n漢!`);
  });

  test.each([8, 9, 10])('reads the number of an old cell only if its record has 9 bytes: %d', length => {
    const cell = Buffer.alloc(length);
    cell.writeUInt16LE(1234, length === 8 ? 6 : 7);
    const workbook = Buffer.concat([excelRecord(0x0009, uint32(0)), excelRecord(0x0002, cell)]);
    expect(extractWorkbookText(workbook)).toBe(length === 8 ? '' : '1234');
  });

  test.each([
    [0x1a9, undefined],
    [0x400, 'abc'],
  ])('extracts no text from a document that ends at the offset 0x%x of its header', (length, text) => {
    const storage = word({ text: 'abc' });
    const document = storage['WordDocument'];
    if (!Buffer.isBuffer(document)) throw new Error('there is no document');
    const bytes = length === 0x400 ? document : document.subarray(0, length);
    expect(readOfficeText(compound({ ...storage, WordDocument: bytes }), 'doc')).toBe(text);
  });

  test('reads each slide of a presentation once, although two numbers refer to it', () => {
    const list = slideRecord(4080, [slideRecord(1011, uint32(2, 0, 0)), slideRecord(1011, uint32(3, 0, 0))]);
    const document = slideRecord(1000, [list]);
    const slide = slideRecord(1006, [slideText('once')]);
    const directory = slideRecord(6002, uint32((3 << 20) | 1, 0, document.length, document.length));
    const at = document.length + slide.length;
    const edit = slideRecord(4085, uint32(0, 0, 0, at, 1, 0, 0));
    const file = compound({
      'PowerPoint Document': Buffer.concat([document, slide, directory, edit]),
      'Current User': uint32(0, 0, 0, 0, at + directory.length),
    });
    expect(readOfficeText(file, 'ppt')?.match(/once/g)).toHaveLength(1);
  });

  test('decompressRtf returns undefined for another kind of compression', () => {
    const body = (kind: number): Buffer => Buffer.concat([uint32(20, 3, kind, 0), Buffer.of(0), latin1('abc')]);
    expect(decompressRtf(body(0x75465a4c))?.toString()).toBe('abc');
    expect(decompressRtf(body(0x414c454d))?.toString()).toBe('\0abc');
    expect(decompressRtf(body(0x75465a4d))).toBeUndefined();
  });
});

describe('detectUtf16Or32', () => {
  test.each([
    ['exactly twice as many ASCII bytes as zero bytes', latin1('ab\0'.repeat(4)), 'utf-16le'],
    ['one zero byte in 200', wide(`${'高'.repeat(99)}a`), 'utf-16le'],
    ['one zero byte in 202', wide(`${'高'.repeat(100)}a`), undefined],
    ['as many zero bytes at even as at odd offsets', Buffer.from('004e4100', 'hex'), 'utf-16le'],
    ['more zero bytes at even offsets', Buffer.from('004e00410042', 'hex'), 'utf-16be'],
    ['three bytes', Buffer.from('410042', 'hex'), undefined],
    ['more than two ASCII bytes for each zero byte', latin1('ab\0cde\0fgh\0ijk'), undefined],
    ['four zero bytes in a row', Buffer.from('6100620000000000', 'hex'), undefined],
  ])('detects text with %s as expected', (_, bytes, encoding) => {
    expect(detectUtf16Or32(bytes)).toBe(encoding);
  });

  test('decodeUtf16Or32 decodes more than 4096 characters, and the last code point', () => {
    const long = 'x'.repeat(4096);
    for (const text of [long.slice(1), long, `${long}y`, `${long}${long}z`])
      expect(decodeUtf16Or32(uint32(...Array.from(text, sign => sign.charCodeAt(0))), 'utf-32le')).toBe(text);
    expect(decodeUtf16Or32(Buffer.alloc(800_000, 'x\0\0\0'), 'utf-32le')).toBe('x'.repeat(200_000));
    expect(decodeUtf16Or32(uint32(0x10ffff, 0x110000), 'utf-32le')).toBe('\u{10ffff}\ufffd');
  });
});

test.each([
  ['abc', true],
  ['a\0c', true],
  ['é', false],
  ['\ufeffabc', true],
])('decodeText returns %j as UTF-8 and whether it is ASCII', (text, isAscii) => {
  const expected = Buffer.from(text.replace('\ufeff', ''));
  expect(decodeText(Buffer.from(text))).toEqual({ bytes: expected, isAscii });
});

test('decodeWithLabel guesses the encoding of text that is UTF-8 only after its first 64 KiB', () => {
  const start = 'é'.repeat(10).padEnd(65_536 - 10, 'x');
  expect(decodeWithLabel(undefined, Buffer.concat([Buffer.from(start), latin1('\xe9\xe8\xe9')]))).toContain(
    'é\ufffd'.slice(0, 1),
  );
});

describe('extractText of HTML', () => {
  test('uses a charset only if it is in the first 2048 bytes', () => {
    const page = (length: number): Buffer => {
      const meta = '<meta charset=koi8-r';
      return latin1(
        `${' '.repeat(length - meta.length)}${meta}><p>\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0`,
      );
    };
    expect(html(page(2048))?.trim()).toBe('оПХБЕР, ЙЮЙ ДЕКЮ');
    expect(html(page(2060))?.trim()).toBe('Привет, как дела');
  });

  test.each([
    ['<span hidden>a<span/>b</span>c', 'c'],
    ['<style>u{background:url(/a*)} .x{display:none}</style><p class=x>a<p>b', '\n\n\nb'],
    ['<style>/**/.x{display:none}</style><p class=x>a<p>b', '\n\n\nb'],
    ['<style>.x{opacity:0}</style><p class=x>a<p>b', '\n\n\nb'],
    ['<p a="">x<p b="">y', '\nx\ny'],
    ['<a\r>b<p\t>c<br\n>d', 'b\nc\nd'],
  ])('extracts the visible text of %j', (source, text) => {
    expect(html(source)?.trimStart()).toBe(text.trimStart());
  });
});

test.each([
  ['1 of 9 glyphs', 9, true],
  ['1 of 10 glyphs', 10, false],
])('readPdf reports missing text if %s have no character', (_, count, isPartial) => {
  const font =
    '<< /Type /Font /Subtype /Type1 /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [33 /g12345] >> >>';
  expect(readPdf(pdf({ pages: [`BT /F1 9 Tf (${'a'.repeat(count - 1)}!) Tj ET`], font }))?.isPartial).toBe(isPartial);
});

describe('readPdf', () => {
  const font = '/Resources << /Font << /F1 << /Subtype /Type1 >> >> >>';
  const text = (shown: string, x: number, y: number): Buffer => latin1(`BT /F1 9 Tf ${x} ${y} Td (${shown}) Tj ET`);
  const page = (annotation: string, ...more: readonly (string | Buffer)[]): string | undefined =>
    readPdf(
      assemble([
        '<< /Pages 2 0 R >>',
        '<< /Kids [3 0 R] >>',
        `<< ${font} /Contents 4 0 R /Annots [5 0 R] >>`,
        stream('', text('ab', 9, 609)),
        annotation,
        ...more,
      ]),
    )?.text;

  test.each([
    ['/Rect [30 600 90 700]', 'ab cd\n\f'],
    ['/Rect [30 590 90 700]', 'ab\ncd\n\f'],
    ['/Rect [10 600 90 700]', 'abcd\n\f'],
    ['', 'ab\ncd\n\f'],
  ])('draws an annotation at the lower left corner of its rectangle (%s)', (rectangle, expected) => {
    const form = stream(`/Subtype /Form ${font}`, text('cd', 9, 9));
    expect(page(`<< /Subtype /Stamp ${rectangle} /AP << /N 6 0 R >> >>`, form)).toBe(expected);
  });

  test.each([
    [8, 'ab\nvalue\n\f'],
    [9, 'ab\nvalue\n\f'],
    [10, 'ab\n\f'],
  ])('reads the value of a form field from its parent at level %d only if that is less than ten', (level, expected) => {
    const parents = Array.from({ length: level }, (_, index) =>
      index + 1 === level ? '<< /V (value) >>' : `<< /Parent ${index + 7} 0 R >>`,
    );
    expect(page('<< /Subtype /Widget /Parent 6 0 R >>', ...parents)).toBe(expected);
  });

  test.each([
    ['[10 20 110 220]', 100, 200],
    ['[110 220 10 20]', 100, 200],
    ['[0 0 595 842]', 595, 842],
    ['[5 6]', undefined, undefined],
    ['[5 /x 105 200]', 100, 200],
    ['[5 6 105]', 100, undefined],
  ])('extractPdfMetadata returns the size of the first page: %s', (box, width, height) => {
    const bytes = assemble(['<< /Pages 2 0 R >>', '<< /Kids [3 0 R] >>', `<< /MediaBox ${box} >>`]);
    expect(extractPdfMetadata(bytes)).toMatchObject({ pages: 1, pageWidth: width, pageHeight: height });
  });
});

describe('PdfFile', () => {
  const fileOf = (text: string): PdfFile => new PdfFile(latin1(text), new DocumentBudget(1000, 1000), 'all');
  const numbers = (file: PdfFile): number[] => [...file.numbers];

  test('reads a stream whose length refers to the stream itself', () => {
    const file = fileOf('1 0 obj << /Length 1 0 R >> stream\nabc\nendstream');
    expect(file.content(new PdfReference(1))?.toString()).toBe('abc\n');
  });

  test('reads an object stream after an object that has a newer version at the end of the file', () => {
    const objects = '<< /Type /ObjStm /N 1 /First 4 >> stream\n8 0 (eight)\nendstream';
    const file = fileOf(`2 0 obj 5 endobj 1 0 obj 6 endobj 3 0 obj ${objects} endobj 1 0 obj 7 endobj`);
    expect(file.resolve(new PdfReference(8))).toEqual(latin1('eight'));
    expect(file.resolve(new PdfReference(1))).toBe(7);
  });

  test('reads as many objects from an object stream as its dictionary states', () => {
    const file = fileOf('3 0 obj << /Type /ObjStm /N 1 /First 4 >> stream\n8 0 9 0\nendstream');
    expect(numbers(file)).toEqual([3, 8]);
  });
});

test('PdfLexer reads 60 nested arrays or dictionaries, and throws for 61', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['<</K', '>>'],
  ] as const) {
    const read = (depth: number): unknown =>
      new PdfLexer(latin1(`${open.repeat(depth)} 1 ${close.repeat(depth)}`), new DocumentBudget(1000, 0)).next(true);
    expect(read(60)).toBeTypeOf('object');
    expect(() => read(61)).toThrow('nested too deeply');
  }
});

test('PdfLexer throws for dictionaries that are nested as keys, and for the 61st level only', () => {
  const read = (depth: number): unknown =>
    new PdfLexer(latin1('<<'.repeat(depth)), new DocumentBudget(1000, 0)).next(true);
  expect(read(60)).toEqual(new Map());
  expect(() => read(61)).toThrow('nested too deeply');
});

test('PdfLexer reads up to three octal digits of an escaped character', () => {
  const read = (text: string): unknown => new PdfLexer(latin1(text), new DocumentBudget(10, 0)).next(true);
  expect(read('(\\1011\\18\\0612\\7)')).toEqual(latin1('A1\x01812\x07'));
});

test('PdfPageText accepts as many characters as its limit', () => {
  const page = new PdfPageText(4);
  page.show('abc', identityMatrix, identityMatrix, 10);
  page.note('d');
  expect(page.take()).toBe('abc\nd\n');
  expect(() => page.note('e')).toThrow('too much text');
  expect(() => page.show('e', identityMatrix, identityMatrix, 10)).toThrow('too much text');
});

test('decodePdfStream counts the bytes of a stream without filters', () => {
  const read = (length: number): unknown =>
    decodePdfStream(Buffer.alloc(length), [], [], new DocumentBudget(0, 10))?.length;
  expect(read(9)).toBe(9);
  expect(() => read(10)).toThrow('too large');
});

test.each(['<!-->', '<!--->', '<!---->', '<!-- > -- -->', '<!-->x', '<!doctype html>', '<?x?>'])(
  'extractText reads the text after the HTML comment or declaration %s',
  markup => {
    expect(html(`<p>a ${markup} b</p>`)).toMatch(/^\n?a x? ?b\n?$/);
  },
);

const invalidAfterSample = (text: string): Buffer =>
  Buffer.concat([Buffer.from(text), Buffer.alloc(1 << 16, 'x'), Buffer.of(0xff)]);

test.each([
  ['four characters beyond ASCII in the sample, and no invalid byte there', invalidAfterSample('éééé'), 'éééé'],
  ['three characters beyond ASCII in the sample, and no invalid byte there', invalidAfterSample('ééé'), 'Ã©Ã©Ã©'],
  [
    'eight characters for each invalid byte',
    Buffer.concat([Buffer.from('é'.repeat(8)), Buffer.of(0xff)]),
    'é'.repeat(8),
  ],
  [
    'seven characters for each invalid byte',
    Buffer.concat([Buffer.from('é'.repeat(7)), Buffer.of(0xff)]),
    'Ã©'.repeat(7),
  ],
])('decodeText reads a text as UTF-8 if it is mostly valid: %s', (_, bytes, start) => {
  expect(decodeText(bytes).bytes.toString()).toMatch(new RegExp(`^${start}`));
});
