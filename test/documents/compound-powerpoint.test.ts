import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compound, presentation, readOfficeText, slideRecord, slideText, uint32, word } from './compound.ts';

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
    const text = readOfficeText(compound(presentation([document, ...slides])), 'ppt');
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
    expect(
      readOfficeText(compound({ 'PowerPoint Document': slideRecord(1006, [slideText('Body'), tags]) }), 'ppt'),
    ).toBe('Body\nNice slide\n');
  });

  test.each([
    ['compressed', 1, (bytes: Buffer) => Buffer.concat([uint32(bytes.length), deflateSync(bytes)])],
    ['uncompressed', 0, (bytes: Buffer) => bytes],
  ])('extracts the text of a document that is embedded in a presentation, if it is %s', (_, instance, pack) => {
    const inner = slideRecord(4113, pack(compound(word({ text: 'inner' }))), instance);
    const damaged = slideRecord(4113, Buffer.from('damaged'), instance);
    const text = readOfficeText(compound(presentation([document, ...slides, inner, damaged])), 'ppt');
    expect(text?.split('\n').at(-2)).toBe('inner');
  });

  test('extracts each slide once from a file that contains a version for PowerPoint 95 and one for PowerPoint 97', () => {
    const dual = { PP97_DUALSTORAGE: presentation([document, ...slides]), 'PowerPoint Document': Buffer.alloc(8) };
    expect(readOfficeText(compound(dual), 'ppt')?.match(/Body two/g)).toHaveLength(1);
  });

  test('extracts the text stream of PowerPoint 95, and ignores it beside a version for PowerPoint 97', () => {
    const old = {
      Text_Content: Buffer.from('Agenda: what we don\x92t know\r\rIt\x92s\x0bhere', 'latin1'),
      'PowerPoint Document': Buffer.alloc(8),
    };
    expect(readOfficeText(compound(old), 'ppt')).toBe('Agenda: what we don’t know\n\nIt’s\nhere');
    const dual = { ...old, PP97_DUALSTORAGE: presentation([document, ...slides]) };
    expect(readOfficeText(compound(dual), 'ppt')).not.toContain('Agenda');
  });

  test.each([
    ['Windows', 'eddead0b', 'caf\xe9', (value: number) => Buffer.of(value & 255, value >> 8)],
    ['Macintosh', '0baddeed', 'caf\x8e', (value: number) => Buffer.of(value >> 8, value & 255)],
  ])('extracts the texts of PowerPoint 4 for %s, and ignores other bytes', (system, mark, coffee, number) => {
    const long = (value: number): Buffer =>
      system === 'Windows' ? Buffer.concat([number(value), number(0)]) : Buffer.concat([number(0), number(value)]);
    const text = (content: string, kind = 0x14): Buffer =>
      Buffer.concat([
        ...[75, 0, 0, 0x10, 0, 100, kind, 0, 1, 1].map(number),
        long(content.length),
        Buffer.from(content, 'latin1'),
      ]);
    const stream = Buffer.concat([
      Buffer.from(mark, 'hex'),
      Buffer.alloc(40, '3'),
      text('First\rline'),
      Buffer.alloc(3, 'x'),
      text(`${'long '.repeat(60)}${coffee}`, 0),
      text('binary\0'),
      text('last\x0bone', 0x1e),
    ]);
    expect(readOfficeText(compound({ PP40: stream }), 'ppt')).toBe(
      `First\nline\n${'long '.repeat(60)}café\nlast\none\n`,
    );
  });

  test('omits slide versions that were replaced by a later save', () => {
    const storage = presentation([document, ...slides]);
    const stream = storage['PowerPoint Document'];
    const withOld = Buffer.concat([
      Buffer.isBuffer(stream) ? stream : Buffer.alloc(0),
      slideRecord(1006, [slideText('old')]),
    ]);
    expect(readOfficeText(compound({ ...storage, 'PowerPoint Document': withOld }), 'ppt')).not.toContain('old');
  });

  test('extracts all texts when the persist directory is missing', () => {
    expect(readOfficeText(compound({ 'PowerPoint Document': Buffer.concat(slides) }), 'pps')).toBe(
      '\nBody\none\nBody two\nNotes\n'.slice(1),
    );
  });

  test('returns undefined for an encrypted presentation', () => {
    expect(readOfficeText(compound(presentation([document, ...slides], [uint32(1)])), 'ppt')).toBeUndefined();
  });
});

test.each([0, 1, 2, 3])(
  'reads the offsets of a persist directory at the end of a .ppt file that lacks %d bytes',
  missing => {
    const slide = (id: number): Buffer => slideRecord(1011, uint32(id, 0, 0, 0, 0));
    const document = slideRecord(1000, [slideRecord(4080, [slide(2), slide(3)])]);
    const objects = [document, slideRecord(1006, [slideText('first')]), slideRecord(1006, [slideText('second')])];
    let offset = 0;
    const offsets = objects.map(bytes => (offset += bytes.length) - bytes.length);
    const userEdit = slideRecord(4085, uint32(0, 0, 0, offset + 36, 1, 0, 0));
    const directory = slideRecord(6002, uint32((objects.length << 20) | 1, ...offsets));
    const stream = Buffer.concat([...objects, userEdit, directory]);
    const storage = {
      'PowerPoint Document': stream.subarray(0, stream.length - missing),
      'Current User': uint32(0, 0, 0, 0, offset),
    };
    const text = readOfficeText(compound(storage), 'ppt');
    expect(text).toContain('first');
    expect(text?.includes('second')).toBe(missing === 0);
  },
);
