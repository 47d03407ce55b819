import { describe, expect, test } from 'vitest';
import { extractText } from '../../src/documents/index.ts';
import { readPdf } from '../../src/documents/pdf/document.ts';
import { pdf, stream } from './pdf.ts';

/** Returns the objects of a composite font without a ToUnicode map. */
function font(encoding: string, ordering: string, widths = ''): string {
  const info = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >>`;
  return `<< /Type /Font /Subtype /Type0 /Encoding ${encoding} /DescendantFonts [<< /Subtype /CIDFontType0 ${info} ${widths} >>] >>`;
}

function show(...hex: readonly string[]): string {
  return `BT /F1 10 Tf 50 700 Td ${hex.map(codes => `<${codes}> Tj`).join(' ')} ET`;
}

const textOf = (bytes: Buffer): string | undefined => readPdf(bytes)?.text.trim();
const codesOf = (...cids: readonly number[]): string => cids.map(cid => cid.toString(16).padStart(4, '0')).join('');

describe('readPdf', () => {
  test.each([
    ['Japan1', codesOf(1533, 2248, 843, 34), '漢字あA'],
    ['Japan1', codesOf(13706), '𠮷'],
    ['GB1', codesOf(0x771, 0x1233), '汉字'],
    ['CNS1', codesOf(0x100f, 0x3bf), '漢字'],
    ['Korea1', codesOf(0xce0, 0x4d6), '한글'],
  ])('decodes character ids (CIDs) of the collection %s as %s', (ordering, codes, text) => {
    expect(textOf(pdf({ pages: [show(codes)], font: font('/Identity-H', ordering) }))).toBe(text);
    expect(textOf(pdf({ pages: [show(codes)], font: font('/Identity-V', ordering) }))).toBe(text);
  });

  test.each([
    ['90ms-RKSJ-H', 'Japan1', '8abf8e9a41', '漢字A'],
    ['EUC-H', 'Japan1', 'b4c1bbfa', '漢字'],
    ['H', 'Japan1', '34413b7a', '漢字'],
    ['Ext-V', 'Japan1', '34413b7a', '漢字'],
    ['UniJIS-UCS2-H', 'Japan1', '6f225b57', '漢字'],
    ['UniJIS-UTF16-H', 'Japan1', '6f22d842dfb7', '漢𠮷'],
    ['UniJIS-UTF8-H', 'Japan1', 'e6bca2f0a0aeb7', '漢𠮷'],
    ['UniJIS-UTF32-H', 'Japan1', '00006f2200020bb7', '漢𠮷'],
    ['GBK-EUC-H', 'GB1', 'babad7d6', '汉字'],
    ['GBK2K-H', 'GB1', 'babad7d69534b235', '汉字𠮷'],
    ['GB-H', 'GB1', '3a3a5756', '汉字'],
    ['ETen-B5-H', 'CNS1', 'ba7ea672', '漢字'],
    ['CNS-EUC-H', 'CNS1', 'e9c78ea1c7f3', '漢字'],
    ['KSCms-UHC-H', 'Korea1', 'c7d1b1db', '한글'],
    ['KSC-H', 'Korea1', '4751315b', '한글'],
  ])('decodes character codes with the predefined CMap %s', (cmap, ordering, codes, text) => {
    expect(textOf(pdf({ pages: [show(codes)], font: font(`/${cmap}`, ordering) }))).toBe(text);
  });
  test('decodes character codes with an embedded CMap that refers to a predefined CMap', () => {
    const cmap = (body: string): Buffer => stream('', Buffer.from(body));
    const own = cmap(`1 begincodespacerange <00> <ff> endcodespacerange
      1 begincidchar <41> 1533 endcidchar 1 begincidrange <50> <52> 842 endcidrange`);
    expect(textOf(pdf({ pages: [show('4151ff')], font: font('4 0 R', 'Japan1'), extra: [own] }))).toBe('漢あ');
    const derived = cmap('/90ms-RKSJ-H usecmap 1 begincidchar <8abf> 2248 endcidchar');
    expect(textOf(pdf({ pages: [show('8abf8e9a')], font: font('4 0 R', 'Japan1'), extra: [derived] }))).toBe('漢字');
  });

  test('reads codes with the code lengths of the ToUnicode map if the CMap is unknown, also at both ends of a range', () => {
    const map = stream(
      '',
      Buffer.from(`2 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange
        4 beginbfchar <00> <0061> <7f> <0062> <8000> <0063> <ffff> <0064> endbfchar`),
    );
    const own = font('/Own-H', 'Japan1').replace('/Subtype', '/ToUnicode 4 0 R /Subtype');
    expect(textOf(pdf({ pages: [show('00ffff7f800000')], font: own, extra: [map] }))).toBe('adbca');
  });

  test('detects the gaps between words with the widths that the font states for CIDs', () => {
    const proportional = font('/90msp-RKSJ-H', 'Japan1', '/W [1 94 300]');
    const page = `BT /F1 10 Tf 50 700 Td <4142> Tj 6 0 Td <43> Tj 9 0 Td <44> Tj ET`;
    expect(textOf(pdf({ pages: [page], font: proportional }))).toBe('ABC D');
  });

  test('returns no text for CIDs of an unknown collection', () => {
    expect(textOf(pdf({ pages: [show(codesOf(1533))], font: font('/Identity-H', 'Identity') }))).toBeUndefined();
  });

  test('stops at the step budget when each code is compared with many ranges of an embedded CMap', () => {
    const ranges = Array.from({ length: 20_000 }, (_, index) => {
      const low = (0x10000 + index * 2).toString(16).padStart(8, '0');
      return `<${low}> <${(0x10001 + index * 2).toString(16).padStart(8, '0')}> 1`;
    });
    const cmap = `1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 begincidrange ${ranges.join(' ')} endcidrange`;
    const codes = Array.from({ length: 20_000 }, (_, index) => index.toString(16).padStart(8, '0')).join('');
    const bytes = pdf({ pages: [show(codes)], font: font('4 0 R', 'Japan1'), extra: [stream('', Buffer.from(cmap))] });
    expect(readPdf(bytes)).toBeUndefined();
  });
});

describe('extractText', () => {
  const unknown = codesOf(...Array.from({ length: 20 }, (_, index) => 100 + index));
  const latin = '(twenty letters and more of them)';

  test('marks a PDF as partly readable when more than a tenth of its glyphs have no known character', () => {
    const bytes = (codes: string): Buffer =>
      pdf({
        pages: [`BT /F2 10 Tf 50 700 Td ${latin} Tj 0 -20 Td /F1 10 Tf <${codes}> Tj ET`],
        font: font('/Identity-H', 'Identity'),
        extra: ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
        resources: '/F2 4 0 R',
      });
    expect(extractText(bytes(unknown), 'pdf', 'pdf')).toEqual({ text: expect.any(Buffer), isPartial: true });
    expect(extractText(bytes(codesOf(1)), 'pdf', 'pdf')).toMatchObject({ isPartial: false });
  });

  test('never marks an RTF document as partly readable', () => {
    expect(extractText(Buffer.from('{\\rtf1 a}'), 'rtf', 'rtf')).toEqual({ text: Buffer.from('a'), isPartial: false });
    expect(extractText(Buffer.from('no PDF'), 'pdf', 'pdf')).toBeUndefined();
  });
});
