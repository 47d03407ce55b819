import { describe, expect, test } from 'vitest';
import { CompoundFile } from '../../src/documents/compound/file.ts';
import { extractMetadata } from '../../src/documents/index.ts';
import * as fc from '../support/property.ts';
import {
  compound,
  excelRecord,
  narrowText,
  presentation,
  readOfficeText,
  slideRecord,
  slideText,
  uint32,
  word,
  workbookStart,
} from './compound.ts';
import { zip } from './zip.ts';

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

  test('ignores listed sectors of the allocation table beyond the number in the header', () => {
    const bytes = compound({ large: Buffer.alloc(8 * 1024 * 1024) });
    const [count, tableStart, tableBytes] = [bytes.readUInt32LE(44), bytes.readUInt32LE(76), 128 * 512];
    const listed = Buffer.alloc(512);
    for (let index = 109; index < 236; index++)
      listed.writeUInt32LE(tableStart + Math.min(index, count - 1), 4 * (index - 109));
    const padded = Buffer.concat([bytes, Buffer.alloc((count + 1) * tableBytes - bytes.length), listed]);
    padded.writeUInt32LE(padded.length / 512 - 2, 68);
    // The second sector of the stream is one that only the table beyond this number could link.
    const start = new CompoundFile(padded).entries.find(({ name }) => name === 'large')?.start ?? 0;
    padded.writeUInt32LE(count * 128, (tableStart + 1) * 512 + 4 * start);
    expect(new CompoundFile(padded).stream('large')?.length).toBe(512);
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
    expect(readOfficeText(compound(storage), 'doc')).toBe('Café “quoted”\nÄrger über 漢字\nend');
  });

  test('extracts the results of fields but not their instructions, and replaces control characters', () => {
    const text =
      'see \x13HYPERLINK "http://x"\x14the \x13PAGE\x142\x15 page\x15 cell\x07non\x1ebreaking soft\x1fhyphen\x01';
    expect(readOfficeText(compound(word({ text })), 'dot')).toBe('see the 2 page cell\nnon-breaking softhyphen');
  });

  test('extracts the text of a phonetic guide after the text that it belongs to', () => {
    const field = '\x13 EQ \\* jc2 \\* hps11 \\o\\ad(\\s\\up 10(とうきょう),東京)\x15';
    expect(readOfficeText(compound(word({ text: `昨日${field}へ`, isWide: true })), 'doc')).toBe(
      '昨日東京へ\nとうきょう',
    );
  });

  test('decodes a Word 6 document with the code page of its language, or with the most likely code page', () => {
    const russian = Buffer.from('\xcf\xf0\xe8\xe2\xe5\xf2, \xea\xe0\xea \xe4\xe5\xeb\xe0', 'latin1');
    for (const language of [0x419, 0x409]) {
      const document = word6Document(russian);
      document.writeUInt16LE(language, 6);
      expect(readOfficeText(compound({ WordDocument: document }), 'doc')).toBe('Привет, как дела');
    }
  });

  test('decodes a Word 6 document of an East Asian version, which has two bytes for each character', () => {
    const text = Buffer.from('今年 report', 'utf16le');
    const whole = word6Document(text);
    whole.writeUInt16LE(0x1000, 10);
    expect(readOfficeText(compound({ WordDocument: whole }), 'doc')).toBe('今年 report');
    // In a complex document of Word, the lengths of the text pieces count characters.
    const plc = uint32(0, 3, 9, 0, 0, 0, 0);
    plc.writeUInt32LE(0x300, 14);
    plc.writeUInt32LE(0x306, 22);
    const clx = Buffer.concat([Buffer.of(2), uint32(plc.length), plc]);
    const complex = Buffer.concat([word6Document(text), clx]);
    complex.writeUInt16LE(0x1004, 10);
    complex.writeUInt32LE(complex.length - clx.length, 0x160);
    complex.writeUInt32LE(clx.length, 0x164);
    expect(readOfficeText(compound({ WordDocument: complex }), 'doc')).toBe('今年 report');
  });

  test('extracts the texts of embedded documents after the text of the document, without page breaks', () => {
    const chart = Buffer.concat([workbookStart, excelRecord(0x00fc, uint32(1, 1), narrowText('chart title'))]);
    const encrypted = { Workbook: Buffer.concat([workbookStart, excelRecord(0x002f, [0, 0])]) };
    const slides = { 'PowerPoint Document': slideRecord(1006, [slideText('inner slide')]) };
    const pool = {
      _1: { ...word({ text: 'inner' }), ObjectPool: { _2: { Workbook: chart } } },
      _3: encrypted,
      _4: slides,
    };
    expect(readOfficeText(compound({ ObjectPool: pool, ...word({ text: 'outer' }) }), 'doc')).toBe(
      'outer\ninner\nchart title\ninner slide\n',
    );
    expect(readOfficeText(compound({ ObjectPool: { _1: word({ text: 'inner' }) } }), 'doc')).toBeUndefined();
  });

  test.each([
    ['RTF', Buffer.from('{\\rtf1 plain \\b bold}'), 'plain bold'],
    ['HTML', Buffer.from('<html><b>bold</b> text</html>'), 'bold text'],
    ['a web archive (MHTML)', Buffer.from('MIME-Version: 1.0\nContent-Type: text/html\n\n<p>bold</p>'), 'bold'],
    ['plain text', Buffer.from('just text'), 'just text'],
    ['a Word 2007 document', zip({ 'word/document.xml': '<w:p><w:t>new</w:t></w:p>' }), 'new'],
  ])('detects and extracts %s in a file with the extension .doc', (_, bytes, text) => {
    expect(readOfficeText(bytes, 'doc')?.trim()).toContain(text);
  });

  test('returns undefined for an encrypted document and for other binary files', () => {
    const storage = word({ text: 'secret' });
    const document = storage['WordDocument'];
    if (Buffer.isBuffer(document)) document.writeUInt16LE(0x0300, 10);
    expect(readOfficeText(compound(storage), 'doc')).toBeUndefined();
    expect(readOfficeText(Buffer.alloc(100), 'doc')).toBeUndefined();
    expect(readOfficeText(compound({ other: Buffer.from('x') }), 'doc')).toBeUndefined();
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
    compound({ Workbook: Buffer.concat([workbookStart, excelRecord(0x00fc, uint32(1, 1), narrowText('needle'))]) }),
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
            expect(['string', 'undefined']).toContain(typeof readOfficeText(each, 'doc'));
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
    expect(readOfficeText(compound(storage), 'ppt')?.match(/word/g)?.length).toBe(2000);
  });
});

test.each([
  [0, 'süß'],
  [1, 'sÃ¼ÃŸ'],
])(
  'extractMetadata reads a code page at the end of the summary only if it is complete: %d bytes are missing',
  (missing, title) => {
    const text = Buffer.concat([uint32(0x1e, 6), Buffer.from('süß\0')]);
    const set = Buffer.concat([uint32(0, 2, 2, 24, 1, 24 + text.length), text, uint32(2), Buffer.of(0xe9, 0xfd)]);
    const summary = Buffer.concat([Buffer.alloc(44), uint32(48), set]);
    const bytes = compound({
      ...word({ text: 'x' }),
      '\x05SummaryInformation': summary.subarray(0, summary.length - missing),
    });
    const facts = extractMetadata((at, length) => bytes.subarray(at, at + length), bytes.length, officeType, 'doc');
    expect(facts).toEqual({ kMDItemTitle: title });
  },
);
