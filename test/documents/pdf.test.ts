import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { extractPdfMetadata, readPdf } from '../../src/documents/pdf/document.ts';
import { PdfLexer } from '../../src/documents/pdf/syntax.ts';
import { DocumentBudget } from '../../src/documents/unreadable.ts';
import * as fc from '../support/property.ts';
import { assemble, line, pdf, stream } from './pdf.ts';

import encrypted from './pdf-encrypted.json' with { type: 'json' };

const spaced = (bytes: Buffer): string | undefined => readPdf(bytes)?.text.replace(/\s+/g, ' ').trim();

describe('readPdf', () => {
  test.each([
    ['a line', line('Hello world'), 'Hello world'],
    ['escapes', line('a\\(b\\)c\\\\d \\101\\053 \\\nx'), 'a(b)c\\d A+ x'],
    ['hexadecimal strings', 'BT /F1 12 Tf <48656C6C 6F2> Tj ET', 'Hello'],
    ['words with kerning', 'BT /F1 12 Tf [(W)80(or)-20(d)] TJ ET', 'Word'],
    ['words with gaps in place of blanks', 'BT /F1 12 Tf [(two)-333(words)] TJ ET', 'two words'],
    ['words with thin blanks', 'BT /F1 12 Tf [(216)-167(mm)] TJ ET', '216 mm'],
    ['lines separated by the operator Td', 'BT /F1 12 Tf 72 700 Td (one) Tj 0 -14 Td (two) Tj ET', 'one two'],
    ['lines separated by the operator T*', 'BT /F1 12 Tf 14 TL (one) Tj T* (two) Tj ET', 'one two'],
    ['the operators \' and "', `BT /F1 12 Tf 14 TL (one) Tj (two) ' 1 2 (three) " ET`, 'one two three'],
    [
      'words that are positioned one by one',
      `${line('left')} BT /F1 12 Tf 1 0 0 1 200 700 Tm (right) Tj ET`,
      'left right',
    ],
    ['letters that are positioned one by one', 'BT /F1 10 Tf 1 0 0 1 0 0 Tm (w) Tj 1 0 0 1 7.2 0 Tm (e) Tj ET', 'we'],
    ['a rotated line', 'BT /F1 12 Tf 0 1 -1 0 100 100 Tm (up) Tj 0 1 -1 0 120 100 Tm (again) Tj ET', 'up again'],
    ['single letters of a rotated line', 'BT /F1 10 Tf 0 1 -1 0 9 0 Tm (w) Tj 0 1 -1 0 9 7.2 Tm (e) Tj ET', 'we'],
    ['single words of a rotated line', 'BT /F1 10 Tf 0 1 -1 0 9 0 Tm (up) Tj 40 0 Td (there) Tj ET', 'up there'],
    ['WinAnsi characters', line('caf\xe9 \x93quoted\x94'), 'café “quoted”'],
    ['a page with an inline image', `BI /W 1 /H 1 /BPC 8 ID \x00(Tj) EI ${line('after')}`, 'after'],
    ['a page with a comment in its operators', `% (no) Tj\n${line('yes')}`, 'yes'],
    ['a page with malformed numbers', 'BT /F1 12 Tf 1 0 0 1 --5 .5 Tm (odd) Tj ET', 'odd'],
  ])('extracts the text of %s', (_, content, expected) => {
    expect(spaced(pdf({ pages: [content] }))).toBe(expected);
    expect(spaced(pdf({ pages: [content], isPacked: false }))).toBe(expected);
  });

  test('separates pages by form feeds', () => {
    expect(readPdf(pdf({ pages: [line('first'), line('second'), line('third')] }))?.text).toMatch(
      /first\s+second\s+third/,
    );
  });

  test('extracts the text of a form XObject at the position and with the fonts of the form', () => {
    const form = stream(
      '/Type /XObject /Subtype /Form /Resources << /Font << /F1 3 0 R >> >>',
      Buffer.from(line('inside')),
    );
    expect(spaced(pdf({ pages: [`${line('before')} q /X1 Do Q ${line('behind', 600)}`], extra: [form] }))).toBe(
      'before inside behind',
    );
  });

  test('decodes character codes with the Differences array of a font', () => {
    const font =
      '<< /Type /Font /Subtype /Type1 /BaseFont /X /Encoding << /Differences [1 /A /eacute /fi /uni4E2D /T_h 65 /alpha] >> >>';
    expect(spaced(pdf({ pages: ['BT /F1 12 Tf (\\001\\002\\003\\004\\005A) Tj ET'], font }))).toBe('Aéfi中Thα');
  });

  test('decodes character codes of a composite font with its ToUnicode map', () => {
    const map = stream(
      '',
      Buffer.from(
        '1 begincodespacerange <0000> <ffff> endcodespacerange 2 beginbfchar <0001> <00480065> <0002> <FB01> endbfchar 2 beginbfrange <0010> <0012> <0061> <0020> <0021> [<0078> <0079>] endbfrange',
      ),
    );
    const font =
      '<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 4 0 R /DescendantFonts [<< /DW 500 /W [1 [600 700] 16 18 400] >>] >>';
    expect(spaced(pdf({ pages: ['BT /F1 12 Tf <000100020010001100120020 0021> Tj ET'], font, extra: [map] }))).toBe(
      'Hefiabcxy',
    );
  });

  test('decodes character codes of a composite font with an identity map as UTF-16', () => {
    const map = stream(
      '',
      Buffer.from(
        '1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <0000> <ffff> <0000> endbfrange',
      ),
    );
    const font = '<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 4 0 R >>';
    expect(spaced(pdf({ pages: ['BT /F1 12 Tf <0000004100e96771> Tj ET'], font, extra: [map] }))).toBe('Aé東');
  });

  test('reads objects from object streams', () => {
    const inner = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Contents 5 0 R /Resources << /Font << /F1 4 0 R >> >> >>',
      '<< /Type /Font /Subtype /Type1 /Encoding /WinAnsiEncoding >>',
    ];
    let at = 0;
    const header = inner.map((object, index) => {
      const entry = `${index + 1} ${at}`;
      at += object.length + 1;
      return entry;
    });
    const head = `${header.join(' ')} `;
    const packed = deflateSync(Buffer.from(head + inner.join(' ')));
    const bytes = Buffer.concat([
      Buffer.from('%PDF-1.5\n5 0 obj\n'),
      stream('', Buffer.from(line('from a stream'))),
      Buffer.from('\nendobj\n6 0 obj\n'),
      stream(`/Type /ObjStm /N 4 /First ${head.length} /Filter /FlateDecode`, packed),
      Buffer.from('\nendobj\n7 0 obj\n<< /Type /XRef /Root 1 0 R >>\nendobj\n'),
    ]);
    expect(spaced(bytes)).toBe('from a stream');
  });

  test.each([
    ['ASCII85Decode', Buffer.from('<~87cURD]i,"Ebo80~>')],
    ['ASCIIHexDecode', Buffer.from(`${Buffer.from('Hello World!').toString('hex')}>`)],
    ['RunLengthDecode', Buffer.from([11, ...Buffer.from('Hello World!'), 128])],
    ['LZWDecode', Buffer.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01])],
  ])('decodePdfStream decodes the filter %s', async (filter, bytes) => {
    const { decodePdfStream } = await import('../../src/documents/pdf/filters.ts');
    const { PdfName } = await import('../../src/documents/pdf/syntax.ts');
    const decoded = decodePdfStream(bytes, [new PdfName(filter)], [], new DocumentBudget(1000, 100_000));
    expect(decoded?.toString('latin1')).toBe(filter === 'LZWDecode' ? '-----A---B' : 'Hello World!');
  });

  test('ignores the objects of an object stream that were replaced later in the file', () => {
    const old = '1 0 3 5 << >> [ 72 ]';
    const bytes = pdf({ pages: [line('as it is')], isPacked: false });
    const stale = stream('/Type /ObjStm /N 2 /First 8', Buffer.from(old));
    expect(spaced(Buffer.concat([bytes, Buffer.from('9 0 obj\n'), stale, Buffer.from('\nendobj\n')]))).toBe('as it is');
  });

  test('uses the last of several objects with the same number', () => {
    const bytes = pdf({ pages: [line('old text')], isPacked: false });
    const newer = Buffer.concat([
      Buffer.from('5 0 obj\n'),
      stream('', Buffer.from(line('new text'))),
      Buffer.from('\nendobj\n'),
    ]);
    expect(spaced(Buffer.concat([bytes, newer]))).toBe('new text');
  });
});

test('extractPdfMetadata returns page count, title, author and page size', () => {
  const info = '<< /Title (A \\(fine\\) title) /Author <FEFF004A00F600720067> >>';
  expect(extractPdfMetadata(pdf({ pages: [line('x'), line('y')], extra: [info], trailer: '/Info 4 0 R' }))).toEqual({
    pages: 2,
    title: 'A (fine) title',
    author: 'Jörg',
    pageWidth: 595,
    pageHeight: 842,
  });
});

describe('readPdf of an encrypted file', () => {
  test.each(Object.entries(encrypted.open))('decrypts the text if the user password is empty: %s', (_, content) => {
    expect(spaced(Buffer.from(content, 'base64'))).toBe('no secret a remark');
  });
  test.each(Object.entries(encrypted.locked))('returns undefined if a password is required: %s', (_, content) => {
    expect(readPdf(Buffer.from(content, 'base64'))?.text).toBeUndefined();
  });
});

describe('readPdf of an unreadable file', () => {
  const selfKids = assemble(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] >>']);
  test.each([
    ['a file that is not a PDF', Buffer.from('hello')],
    ['an empty file', Buffer.alloc(0)],
    ['a file with unsupported encryption', pdf({ pages: [line('secret')], trailer: '/Encrypt 9 0 R' })],
    ['a scanned page without text', pdf({ pages: ['q 100 0 0 100 0 0 cm /Im1 Do Q'] })],
    ['a page tree that contains itself', selfKids],
    ['an object that is a reference to itself', assemble(['<< /Pages 2 0 R >>', '2 0 R'])],
    [
      'a stream whose length is a reference to the stream',
      assemble([
        '<< /Pages 2 0 R >>',
        '<< /Kids [3 0 R] >>',
        '<< /Contents 4 0 R >>',
        '<< /Length 4 0 R >>\nstream\nx\nendstream',
      ]),
    ],
    [
      'a form XObject that draws itself',
      pdf({ pages: ['/X1 Do'], extra: [stream('/Subtype /Form', Buffer.from('/X1 Do /X1 Do'))] }),
    ],
    ['unclosed arrays', Buffer.concat([Buffer.from('%PDF-1.4\n1 0 obj\n'), Buffer.alloc(200_000, '[')])],
    [
      'unclosed dictionaries',
      Buffer.concat([
        Buffer.from('%PDF-1.4\n1 0 obj\n'),
        Buffer.from('<</a'.repeat(50_000)),
        Buffer.from('trailer << /Root 1 0 R >>'),
      ]),
    ],
  ])('returns no text for %s', (_, bytes) => {
    expect(readPdf(bytes)?.text).toBeUndefined();
  });

  test.each([
    ['7', 7],
    ['-7', -7],
    ['+7', 7],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['+.5', 0.5],
    ['4.', 4],
    ['--5', -5],
    ['1.2.3', 1.2],
  ])('parses %s as a number', (text, number) => {
    expect(new PdfLexer(Buffer.from(`${text} `), new DocumentBudget(10, 1000)).next(false)).toBe(number);
  });

  test('returns no text for a stream that decodes to more than its size limit', () => {
    const bomb = stream('/Filter /FlateDecode', deflateSync(Buffer.alloc(64 * 1024 * 1024, ' ')));
    expect(readPdf(pdf({ pages: ['/X1 Do'], extra: [bomb] }))?.text).toBeUndefined();
  });

  test('counts an uncompressed stream towards the size limit once for each reference', () => {
    const plain = stream('', Buffer.from(line('often') + ' '.repeat(1024 * 1024)));
    const named = (times: number): string | undefined =>
      readPdf(
        assemble([
          '<< /Type /Catalog /Pages 2 0 R >>',
          `<< /Kids [<< /Contents [${'4 0 R '.repeat(times)}] /Resources << /Font << /F1 3 0 R >> >> >>] >>`,
          '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
          plain,
        ]),
      )?.text;
    expect(named(2)).toContain('often');
    expect(named(200)).toBeUndefined();
  });

  test('extracts the other pages if one page is damaged', () => {
    const bytes = pdf({ pages: [line('good'), line('bad'), line('fine')] });
    const at = bytes.lastIndexOf('stream', bytes.lastIndexOf('stream', bytes.lastIndexOf('endstream') - 1) - 1);
    const damaged = Buffer.from(bytes);
    damaged.fill(0x11, at - 60, at - 30);
    expect(readPdf(damaged)?.text).toContain('fine');
  });

  test('throws no error and ends when random bytes are changed', () => {
    const whole = pdf({
      pages: [line('one'), line('two')],
      extra: [stream('/Subtype /Form', Buffer.from(line('form')))],
    });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 40 }),
        fc.nat(whole.length),
        (changes, length) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          expect(['string', 'undefined']).toContain(typeof readPdf(bytes.subarray(0, length))?.text);
          expect(['object', 'undefined']).toContain(typeof extractPdfMetadata(bytes));
        },
      ),
      { numRuns: 1000 },
    );
  });
});

test('PdfLexer throws an UnreadableError when the step budget is used up', () => {
  const lexer = new PdfLexer(Buffer.from('1 '.repeat(100)), new DocumentBudget(10, 1000));
  for (let step = 0; step < 10; step++) expect(lexer.next(false)).toBe(1);
  expect(() => lexer.next(false)).toThrow('exceeds the limit of parsing steps');
});
