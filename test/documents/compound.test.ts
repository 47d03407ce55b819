import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CompoundFile } from '../../src/documents/compound/file.ts';
import { decompressRtf } from '../../src/documents/compound/rtf-compression.ts';
import { extractMetadata, extractText } from '../../src/documents/index.ts';
import * as fc from '../support/property.ts';
import { compound, excelRecord, type Storage, slideRecord, uint16, uint32, word } from './compound.ts';
import { zip } from './zip.ts';

const read = (bytes: Buffer, extension: string): string | undefined =>
  extractText(bytes, 'office', extension)?.text.toString();

describe('CompoundFile', () => {
  test.each([
    ['normal sectors', 0],
    ['the mini stream', 4096],
  ])('reads streams that are stored in %s', (_, miniCutoff) => {
    const streams = { a: Buffer.alloc(1500, 'a'), b: Buffer.from('b'), folder: { c: Buffer.from('c') } };
    const file = new CompoundFile(compound(streams, { miniCutoff }));
    expect(file.stream('A')?.toString()).toBe('a'.repeat(1500));
    expect(file.stream('b')?.toString()).toBe('b');
    expect(file.stream('c')).toBeUndefined();
    expect(file.stream('c', file.storage('folder'))?.toString()).toBe('c');
  });

  test('reads a file if the sectors of its allocation table are listed outside of the header (DIFAT)', () => {
    const large = Buffer.alloc(8 * 1024 * 1024, 'x');
    const bytes = compound({ large });
    // The test writer lists sectors only in the header of the file, so that the test itself lists the sectors from the
    // 110th on.
    const tableStart = bytes.readUInt32LE(76);
    const listed = Buffer.alloc(512, 0xff);
    for (let index = 109; index < bytes.readUInt32LE(44); index++)
      listed.writeUInt32LE(tableStart + index, 4 * (index - 109));
    bytes.writeUInt32LE(bytes.length / 512 - 1, 68);
    expect(new CompoundFile(Buffer.concat([bytes, listed])).stream('large')?.equals(large)).toBe(true);
  });

  test('stops reading when a sector chain or the directory tree has a cycle', () => {
    const bytes = compound({ a: Buffer.alloc(5000), b: Buffer.from('b') }, { miniCutoff: 0 });
    const table = (bytes.readUInt32LE(76) + 1) * 512;
    bytes.writeUInt32LE(0, table + 4);
    const directory = (bytes.readUInt32LE(48) + 1) * 512;
    bytes.writeUInt32LE(1, directory + 2 * 128 + 72);
    const file = new CompoundFile(bytes);
    expect(file.stream('a')?.length).toBe(5000);
    expect(file.stream('missing')).toBeUndefined();
  });
});

function word6Document(text: Buffer): Buffer {
  const document = Buffer.concat([Buffer.alloc(0x300), text]);
  document.writeUInt16LE(0xa5dc, 0);
  document.writeUInt16LE(104, 2);
  document.writeUInt32LE(0x300, 0x18);
  document.writeUInt32LE(document.length, 0x1c);
  return document;
}

describe('extractText of a .doc file', () => {
  test('extracts the text pieces of a Word 97 document in their order and in their encodings', () => {
    const storage = word(
      { text: 'Caf\xe9 \x93quoted\x94\r' },
      { text: 'Ärger über 漢字\r', isWide: true },
      { text: 'end' },
    );
    expect(read(compound(storage), 'doc')).toBe('Café “quoted”\nÄrger über 漢字\nend');
  });

  test('extracts the results of fields but not their instructions, and replaces control characters', () => {
    const text =
      'see \x13HYPERLINK "http://x"\x14the \x13PAGE\x142\x15 page\x15 cell\x07non\x1ebreaking soft\x1fhyphen\x01';
    expect(read(compound(word({ text })), 'dot')).toBe('see the 2 page cell\nnon-breaking softhyphen');
  });

  test('extracts the text of a phonetic guide after the text that it belongs to', () => {
    const field = '\x13 EQ \\* jc2 \\* hps11 \\o\\ad(\\s\\up 10(とうきょう),東京)\x15';
    expect(read(compound(word({ text: `昨日${field}へ`, isWide: true })), 'doc')).toBe('昨日東京へ\nとうきょう');
  });

  test('decodes a Word 6 document with the code page of its language, or with the most likely code page', () => {
    const russian = Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0', 'latin1');
    for (const language of [0x419, 0x409]) {
      const document = word6Document(russian);
      document.writeUInt16LE(language, 6);
      expect(read(compound({ WordDocument: document }), 'doc')).toBe('Привет, как дела');
    }
  });

  test('decodes a Word 6 document of an East Asian version, which has two bytes for each character', () => {
    const text = Buffer.from('今年 report', 'utf16le');
    const whole = word6Document(text);
    whole.writeUInt16LE(0x1000, 10);
    expect(read(compound({ WordDocument: whole }), 'doc')).toBe('今年 report');
    // In a complex document of Word, the lengths of the text pieces count characters.
    const plc = uint32(0, 3, 9, 0, 0, 0, 0);
    plc.writeUInt32LE(0x300, 14);
    plc.writeUInt32LE(0x306, 22);
    const clx = Buffer.concat([Buffer.of(2), uint32(plc.length), plc]);
    const complex = Buffer.concat([word6Document(text), clx]);
    complex.writeUInt16LE(0x1004, 10);
    complex.writeUInt32LE(complex.length - clx.length, 0x160);
    complex.writeUInt32LE(clx.length, 0x164);
    expect(read(compound({ WordDocument: complex }), 'doc')).toBe('今年 report');
  });

  test('extracts the texts of embedded documents after the text of the document, without page breaks', () => {
    const chart = Buffer.concat([workbookStart, excelRecord(0x00fc, uint32(1, 1), narrow('chart title'))]);
    const encrypted = { Workbook: Buffer.concat([workbookStart, excelRecord(0x002f, [0, 0])]) };
    const slides = { 'PowerPoint Document': slideRecord(1006, [slideText('inner slide')]) };
    const pool = {
      _1: { ...word({ text: 'inner' }), ObjectPool: { _2: { Workbook: chart } } },
      _3: encrypted,
      _4: slides,
    };
    expect(read(compound({ ObjectPool: pool, ...word({ text: 'outer' }) }), 'doc')).toBe(
      'outer\ninner\nchart title\ninner slide\n',
    );
    expect(read(compound({ ObjectPool: { _1: word({ text: 'inner' }) } }), 'doc')).toBeUndefined();
  });

  test.each([
    ['RTF', Buffer.from('{\\rtf1 plain \\b bold}'), 'plain bold'],
    ['HTML', Buffer.from('<html><b>bold</b> text</html>'), 'bold text'],
    ['a web archive (MHTML)', Buffer.from('MIME-Version: 1.0\nContent-Type: text/html\n\n<p>bold</p>'), 'bold'],
    ['plain text', Buffer.from('just text'), 'just text'],
    ['a Word 2007 document', zip({ 'word/document.xml': '<w:p><w:t>new</w:t></w:p>' }), 'new'],
  ])('detects and extracts %s in a file with the extension .doc', (_, bytes, text) => {
    expect(read(bytes, 'doc')?.trim()).toContain(text);
  });

  test('returns undefined for an encrypted document and for other binary files', () => {
    const storage = word({ text: 'secret' });
    const document = storage['WordDocument'];
    if (Buffer.isBuffer(document)) document.writeUInt16LE(0x0300, 10);
    expect(read(compound(storage), 'doc')).toBeUndefined();
    expect(read(Buffer.alloc(100), 'doc')).toBeUndefined();
    expect(read(compound({ other: Buffer.from('x') }), 'doc')).toBeUndefined();
  });
});

/** Each workbook and each sheet of Excel 97 starts with this record. */
const workbookStart = excelRecord(0x0809, uint16(0x0600), uint16(5));
const narrow = (text: string): Buffer =>
  Buffer.concat([uint16(text.length), Buffer.of(0), Buffer.from(text, 'latin1')]);

describe('extractText of an .xls file', () => {
  test('extracts shared strings that are continued in CONTINUE records', () => {
    const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
    const workbook = Buffer.concat([
      workbookStart,
      excelRecord(0x00fc, uint32(3, 3), narrow('first'), uint16(6), [1], wide('zwe')),
      excelRecord(0x003c, [0], Buffer.from('ite'), uint16(4), [0x0c], uint16(1), uint32(3)),
      excelRecord(0x003c, [1], wide('漢字')),
      excelRecord(0x003c, [0], Buffer.from('ok'), uint32(0), [1, 2, 3], narrow('last')),
    ]);
    expect(read(compound({ Workbook: workbook }), 'xls')).toBe('first\nzweite\n漢字ok\nlast');
  });

  test('extracts sheet names, cells, formulas, text boxes, headers and numbers', () => {
    const double = (value: number): Buffer => {
      const bytes = Buffer.alloc(8);
      bytes.writeDoubleLE(value);
      return bytes;
    };
    const cell = [0, 0, 0, 0, 0, 0];
    const small = (value: number): Buffer => uint32(((value << 2) | 2) >>> 0);
    const workbook = Buffer.concat([
      workbookStart,
      excelRecord(0x0085, uint32(0), uint16(0), [6, 0], Buffer.from('Budget')),
      excelRecord(0x0014, narrow('&L&"Arial,Bold"&12Report &P')),
      excelRecord(0x0204, cell, narrow('label')),
      excelRecord(0x0203, cell, double(1234.5)),
      excelRecord(0x027e, cell, small(42)),
      excelRecord(0x027e, cell, uint32(((199 << 2) | 3) >>> 0)),
      excelRecord(0x00bd, [0, 0, 0, 0], [0, 0], small(7), [0, 0], small(-8), [0, 0]),
      excelRecord(0x0006, cell, double(0.25), [0, 0]),
      excelRecord(0x0006, cell, [0, 0, 0, 0, 0, 0, 0xff, 0xff], [0, 0]),
      excelRecord(0x0207, narrow('result')),
      excelRecord(0x01b6, Buffer.alloc(10), uint16(7), uint16(0)),
      excelRecord(0x003c, [0], Buffer.from('comment')),
    ]);
    expect(
      read(compound({ Workbook: workbook }), 'xls')
        ?.split('\n')
        .map(text => text.trim()),
    ).toEqual(['Budget', 'Report', 'label', '1234.5', '42', '1.99', '7', '-8', '0.25', 'result', 'comment']);
  });

  test('decodes Excel 95 workbooks with their code page, and Excel 4 files without a container', () => {
    const label = (text: Buffer): Buffer => excelRecord(0x0204, [0, 0, 0, 0, 0, 0], uint16(text.length), text);
    const book = Buffer.concat([
      excelRecord(0x0809, uint16(0x0500), uint16(5)),
      excelRecord(0x0042, uint16(1251)),
      label(Buffer.of(0xcf, 0xf0, 0xe8)),
    ]);
    expect(read(compound({ Book: book }), 'xls')).toBe('При');
    const old = Buffer.concat([excelRecord(0x0409, uint16(0), uint16(16)), label(Buffer.from('old'))]);
    expect(read(old, 'xls')).toBe('old');
  });

  test('extracts dates in ISO form and as the cell shows them, also of formulas and of several cells in one record', () => {
    const number = Buffer.alloc(8);
    number.writeDoubleLE(45_796);
    const small = uint32((45_797 << 2) | 2);
    const cell = (style: number): Buffer => Buffer.concat([uint16(0), uint16(0), uint16(style)]);
    const workbook = Buffer.concat([
      workbookStart,
      excelRecord(0x041e, uint16(164), narrow('mmmm yy')),
      excelRecord(0x00e0, uint16(0), uint16(0), Buffer.alloc(16)),
      excelRecord(0x00e0, uint16(0), uint16(14), Buffer.alloc(16)),
      excelRecord(0x00e0, uint16(0), uint16(164), Buffer.alloc(16)),
      excelRecord(0x0203, cell(0), number),
      excelRecord(0x0203, cell(1), number),
      excelRecord(0x0006, cell(2), number, [0, 0]),
      excelRecord(0x027e, cell(1), small),
      excelRecord(0x00bd, [0, 0, 0, 0], uint16(0), small, uint16(1), small, [0, 0]),
    ]);
    expect(read(compound({ Workbook: workbook }), 'xls')?.split('\n')).toEqual(
      '45796|45796|2025-05-19|45796|2025-05-19 May 25|45797|2025-05-20|45797|45797|2025-05-20'.split('|'),
    );
  });

  test('returns undefined for an encrypted workbook', () => {
    const workbook = Buffer.concat([
      workbookStart,
      excelRecord(0x002f, [0, 0]),
      excelRecord(0x0204, Buffer.alloc(6), narrow('x')),
    ]);
    expect(read(compound({ Workbook: workbook }), 'xls')).toBeUndefined();
  });
});

/** Builds a presentation. Its persist directory contains the positions of the objects. */
function presentation(objects: readonly Buffer[], edit: readonly Buffer[] = []): Storage {
  let offset = 0;
  const offsets = objects.map(bytes => (offset += bytes.length) - bytes.length);
  const directory = slideRecord(6002, uint32((objects.length << 20) | 1, ...offsets));
  const userEdit = slideRecord(4085, Buffer.concat([uint32(0, 0, 0, offset, 1, 0, 0), ...edit]));
  return {
    'PowerPoint Document': Buffer.concat([...objects, directory, userEdit]),
    'Current User': Buffer.concat([uint32(0, 0, 0, 0), uint32(offset + directory.length)]),
  };
}

const slideText = (text: string): Buffer => slideRecord(4000, Buffer.from(text, 'utf16le'));

describe('extractText of a .ppt file', () => {
  const reference = (id: number): Buffer => slideRecord(1011, uint32(id, 0, 0, 0, 0));
  const list = (instance: number, ...records: readonly Buffer[]): Buffer => slideRecord(4080, records, instance);
  const document = slideRecord(1000, [
    list(0, reference(3), slideText('Outline two'), reference(2), slideRecord(4008, Buffer.from('Outline one'))),
    list(2, reference(4)),
  ]);
  const slides = [
    slideRecord(1006, [slideText('Body\rone'), slideRecord(5000, [slideText('___PPT10')])]),
    slideRecord(1006, [slideText('Body two')]),
    slideRecord(1008, [slideText('Notes')]),
  ];

  test('extracts the slides in order as pages, and the notes after them', () => {
    const text = read(compound(presentation([document, ...slides])), 'ppt');
    expect(text?.split('\f').map(page => page.trim())).toEqual([
      'Body two\nOutline two',
      expect.stringMatching(/^Body\none\nOutline one\n\ue000Notes/),
    ]);
    expect(text).not.toContain('PPT10');
  });

  test('extracts the comments of a slide', () => {
    const name = slideRecord(4026, Buffer.from('___PPT10', 'utf16le'));
    const comment = slideRecord(12_000, [slideRecord(4026, Buffer.from('Nice slide', 'utf16le'))]);
    const tags = slideRecord(5000, [slideRecord(5002, [name, slideRecord(5003, comment)])]);
    expect(read(compound({ 'PowerPoint Document': slideRecord(1006, [slideText('Body'), tags]) }), 'ppt')).toBe(
      'Body\nNice slide\n',
    );
  });

  test.each([
    ['compressed', 1, (bytes: Buffer) => Buffer.concat([uint32(bytes.length), deflateSync(bytes)])],
    ['uncompressed', 0, (bytes: Buffer) => bytes],
  ])('extracts the text of a document that is embedded in a presentation, if it is %s', (_, instance, pack) => {
    const inner = slideRecord(4113, pack(compound(word({ text: 'inner' }))), instance);
    const damaged = slideRecord(4113, Buffer.from('damaged'), instance);
    const text = read(compound(presentation([document, ...slides, inner, damaged])), 'ppt');
    expect(text?.split('\n').at(-2)).toBe('inner');
  });

  test('reads the slides of a file for two versions of PowerPoint once', () => {
    const dual = { PP97_DUALSTORAGE: presentation([document, ...slides]), 'PowerPoint Document': Buffer.alloc(8) };
    expect(read(compound(dual), 'ppt')?.match(/Body two/g)).toHaveLength(1);
  });

  test('omits slide versions that were replaced by a later save', () => {
    const storage = presentation([document, ...slides]);
    const stream = storage['PowerPoint Document'];
    const withOld = Buffer.concat([
      Buffer.isBuffer(stream) ? stream : Buffer.alloc(0),
      slideRecord(1006, [slideText('old')]),
    ]);
    expect(read(compound({ ...storage, 'PowerPoint Document': withOld }), 'ppt')).not.toContain('old');
  });

  test('extracts all texts when the persist directory is missing', () => {
    expect(read(compound({ 'PowerPoint Document': Buffer.concat(slides) }), 'pps')).toBe(
      '\nBody\none\nBody two\nNotes\n'.slice(1),
    );
  });

  test('returns undefined for an encrypted presentation', () => {
    expect(read(compound(presentation([document, ...slides], [uint32(1)])), 'ppt')).toBeUndefined();
  });
});

describe('extractText of a .msg file', () => {
  const property = (id: string, text: string): Storage => ({ [`__substg1.0_${id}001F`]: Buffer.from(text, 'utf16le') });

  test('extracts subject, addresses, body, attachments and attached messages', () => {
    const message = compound({
      ...property('1000', 'Dear Ann,\r\nsee below'),
      ...property('0037', 'Invoice'),
      ...property('0C1A', 'Bob'),
      '__recip_version1.0_#00000000': property('3003', 'ann@example.org'),
      '__attach_version1.0_#00000000': {
        ...property('3707', 'invoice 2025.pdf'),
        '__substg1.0_3701000D': property('0037', 'Inner'),
      },
    });
    expect(read(message, 'msg')).toBe('Invoice\nBob\nDear Ann,\nsee below\nann@example.org\ninvoice 2025.pdf\nInner');
  });

  test('extracts the HTML body or the compressed RTF body if there is no plain text body', () => {
    const html = { '__substg1.0_10130102': Buffer.from('<p>web <b>body</b></p>') };
    expect(read(compound(html), 'msg')?.trim()).toBe('web body');
    // The first reference of the compressed text points to 11 bytes of the initial dictionary, and the second one marks
    // the end.
    const [flags, first, last] = [Buffer.of(0b0000_0001), Buffer.of(0x00, 0x09), Buffer.of(0x0e, 0x70)];
    const literals = Buffer.from(' hello ');
    const packed = Buffer.concat([
      uint32(0, 200, 0x75465a4c, 0),
      flags,
      first,
      literals,
      Buffer.of(0b0100_0000),
      Buffer.from('world}'),
      last,
    ]);
    expect(decompressRtf(packed)?.toString('latin1')).toBe('{\\rtf1\\ansi hello world}');
    expect(read(compound({ '__substg1.0_10090102': packed }), 'msg')).toBe('hello world');
  });
});

test.each([
  [1251, '\xcf\xf0\xe8', 'При'],
  [65_001, 's\xc3\xbc\xc3\x9f', 'süß'],
  [65_001, 'a\xc3\xa9b', 'aéb'],
  [1249, 'na\xefve', 'naïve'],
])(
  'extractMetadata returns title, author and keywords of a summary stream with code page %i',
  (page, title, expected) => {
    const text = (value: string): Buffer =>
      Buffer.concat([uint32(0x1e, value.length + 1), Buffer.from(`${value}\0`, 'latin1')]);
    const values = [Buffer.concat([uint32(2), uint32(page)]), text(title), text('Ann'), text('tax, 2025')];
    let offset = 8 + 8 * values.length;
    const places = [1, 2, 4, 5].flatMap((id, index) => [
      id,
      (offset += values[index]?.length ?? 0) - (values[index]?.length ?? 0),
    ]);
    const set = Buffer.concat([uint32(0, values.length, ...places), ...values]);
    const summary = Buffer.concat([Buffer.alloc(44), uint32(48), set]);
    const bytes = compound({ ...word({ text: 'x' }), '\x05SummaryInformation': summary });
    const facts = extractMetadata((at, length) => bytes.subarray(at, at + length), bytes.length, officeType, 'doc');
    expect(facts).toEqual({ kMDItemTitle: expected, kMDItemAuthors: ['Ann'], kMDItemKeywords: ['tax, 2025'] });
  },
);

const officeType = { identifier: 'x', tree: [], kinds: ['document'], format: 'office', label: 'x' } as const;

describe('extractText of a damaged compound file', () => {
  const samples = [
    compound(word({ text: 'needle in a document' }, { text: 'wide', isWide: true })),
    compound({ Workbook: Buffer.concat([workbookStart, excelRecord(0x00fc, uint32(1, 1), narrow('needle'))]) }),
    compound(
      presentation([
        slideRecord(1000, [slideRecord(4080, [slideText('needle')])]),
        slideRecord(1006, [slideText('x')]),
      ]),
    ),
    compound({ a: { b: Buffer.from('c') }, '__substg1.0_0037001F': Buffer.from('needle', 'utf16le') }),
  ];

  test('throws no error when random bytes are changed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...samples),
        fc.array(fc.tuple(fc.nat(8000), fc.constantFrom(0, 1, 0x7f, 0x80, 0xfe, 0xff)), { minLength: 1, maxLength: 8 }),
        fc.nat(8000),
        (sample, changes, length) => {
          const bytes = Buffer.from(sample);
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          for (const each of [bytes, bytes.subarray(0, length % bytes.length)])
            expect(['string', 'undefined']).toContain(typeof read(each, 'doc'));
        },
      ),
      { numRuns: 2000, seed: 1 },
    );
  });

  test('ends in bounded time when many persist entries refer to one large slide', () => {
    const slide = slideRecord(
      1006,
      Array.from({ length: 2000 }, () => slideText('word')),
    );
    const entries = Array.from({ length: 4000 }, () => 0);
    const directory = slideRecord(6002, uint32((4000 << 20) >>> 0, ...entries));
    const edit = slideRecord(4085, uint32(0, 0, 0, slide.length, 1, 0, 0));
    const storage = {
      'PowerPoint Document': Buffer.concat([slide, directory, edit]),
      'Current User': uint32(0, 0, 0, 0, slide.length + directory.length),
    };
    expect(read(compound(storage), 'ppt')?.match(/word/g)?.length).toBe(2000);
  });
});
