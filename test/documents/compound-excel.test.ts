import { describe, expect, test } from 'vitest';
import { compound, excelRecord, narrowText, readOfficeText, uint16, uint32, workbookStart } from './compound.ts';

describe('extractText of an .xls file', () => {
  test('extracts shared strings that are continued in CONTINUE records', () => {
    const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
    const workbook = Buffer.concat([
      workbookStart,
      excelRecord(0x00fc, uint32(3, 3), narrowText('first'), uint16(6), [1], wide('zwe')),
      excelRecord(0x003c, [0], Buffer.from('ite'), uint16(4), [0x0c], uint16(1), uint32(3)),
      excelRecord(0x003c, [1], wide('漢字')),
      excelRecord(0x003c, [0], Buffer.from('ok'), uint32(0), [1, 2, 3], narrowText('last')),
    ]);
    expect(readOfficeText(compound({ Workbook: workbook }), 'xls')).toBe('first\nzweite\n漢字ok\nlast');
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
      excelRecord(0x0014, narrowText('&L&"Arial,Bold"&12Report &P')),
      excelRecord(0x0204, cell, narrowText('label')),
      excelRecord(0x0203, cell, double(1234.5)),
      excelRecord(0x027e, cell, small(42)),
      excelRecord(0x027e, cell, uint32(((199 << 2) | 3) >>> 0)),
      excelRecord(0x00bd, [0, 0, 0, 0], [0, 0], small(7), [0, 0], small(-8), [0, 0]),
      excelRecord(0x0006, cell, double(0.25), [0, 0]),
      excelRecord(0x0006, cell, [0, 0, 0, 0, 0, 0, 0xff, 0xff], [0, 0]),
      excelRecord(0x0207, narrowText('result')),
      excelRecord(0x01b6, Buffer.alloc(10), uint16(7), uint16(0)),
      excelRecord(0x003c, [0], Buffer.from('comment')),
    ]);
    expect(
      readOfficeText(compound({ Workbook: workbook }), 'xls')
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
    expect(readOfficeText(compound({ Book: book }), 'xls')).toBe('При');
    const old = Buffer.concat([excelRecord(0x0409, uint16(0), uint16(16)), label(Buffer.from('old'))]);
    expect(readOfficeText(old, 'xls')).toBe('old');
  });

  test('decodes the sheets of an Excel 95 workbook like the workbook if they state the version of Excel 97', () => {
    const label = excelRecord(0x0204, [0, 0, 0, 0, 0, 0], uint16(3), Buffer.from('one'));
    const start = excelRecord(0x0809, uint16(0x0500), uint16(5));
    expect(readOfficeText(compound({ Book: Buffer.concat([start, workbookStart, label]) }), 'xls')).toBe('one');
  });

  test('extracts integers and results of formulas of Excel 2, 3 and 4', () => {
    const half = Buffer.alloc(8);
    half.writeDoubleLE(0.5);
    const text = Buffer.of(0, 0, 0, 0, 0, 0, 0xff, 0xff);
    const cell = Buffer.alloc(6);
    const attributes = Buffer.alloc(7);
    const start = (kind: number): Buffer => excelRecord(kind, uint16(0), uint16(16));
    const excel2 = [excelRecord(0x0002, attributes, uint16(1987)), excelRecord(0x0006, attributes, half)];
    const noNumber = excelRecord(0x0006, attributes, text);
    expect(readOfficeText(Buffer.concat([start(0x0009), ...excel2, noNumber]), 'xls')).toBe('1987\n0.5');
    for (const [kind, formula] of [
      [0x0209, 0x0206],
      [0x0409, 0x0406],
    ] as const) {
      const sheet = [start(kind), excelRecord(formula, cell, half), excelRecord(formula, cell, text)];
      expect(readOfficeText(Buffer.concat(sheet), 'xls')).toBe('0.5');
    }
  });

  test('extracts dates in ISO form and as the cell shows them, also of formulas and of several cells in one record', () => {
    const number = Buffer.alloc(8);
    number.writeDoubleLE(45_796);
    const small = uint32((45_797 << 2) | 2);
    const cell = (style: number): Buffer => Buffer.concat([uint16(0), uint16(0), uint16(style)]);
    const workbook = Buffer.concat([
      workbookStart,
      excelRecord(0x041e, uint16(164), narrowText('mmmm yy')),
      excelRecord(0x00e0, uint16(0), uint16(0), Buffer.alloc(16)),
      excelRecord(0x00e0, uint16(0), uint16(14)),
      excelRecord(0x00e0, uint16(0), uint16(164), Buffer.alloc(16)),
      excelRecord(0x0203, cell(0), number),
      excelRecord(0x0203, cell(1), number),
      excelRecord(0x0006, cell(2), number, [0, 0]),
      excelRecord(0x027e, cell(1), small),
      excelRecord(0x00bd, [0, 0, 0, 0], uint16(0), small, uint16(1), small, [0, 0]),
    ]);
    expect(readOfficeText(compound({ Workbook: workbook }), 'xls')?.split('\n')).toEqual(
      '45796|45796|2025-05-19|45796|2025-05-19 May 25|45797|2025-05-20|45797|45797|2025-05-20'.split('|'),
    );
  });

  test('returns undefined for an encrypted workbook', () => {
    const workbook = Buffer.concat([
      workbookStart,
      excelRecord(0x002f, [0, 0]),
      excelRecord(0x0204, Buffer.alloc(6), narrowText('x')),
    ]);
    expect(readOfficeText(compound({ Workbook: workbook }), 'xls')).toBeUndefined();
  });
});
