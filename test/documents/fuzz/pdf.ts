import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { createFileTypeTable, unknownFileType } from '../../../src/documents/file-type.ts';
import { extractMetadata, extractText } from '../../../src/documents/index.ts';
import { ChoiceReader, defineTarget } from '../../fuzz/target.ts';
import { line, pdf, stream } from '../pdf.ts';

const type = createFileTypeTable().get('pdf') ?? unknownFileType;

/**
 * The input is a complete PDF file or one part of a valid file, because mutations of a complete file do not change the
 * text in compressed parts.
 */
const shapes = ['file', 'content', 'font', 'cmap', 'object', 'trailer', 'filter'] as const;
type Shape = (typeof shapes)[number];

const input = (shape: Shape, content: string | Buffer): Buffer =>
  Buffer.concat([Buffer.of(shapes.indexOf(shape)), Buffer.from(content)]);

const typeZeroFont =
  '<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 4 0 R /DescendantFonts [<< /Subtype /CIDFontType2 /DW 500 /W [1 [400 300] 5 9 700] >>] >>';

export const target = defineTarget({
  name: 'pdf',
  corpus: [
    input('file', pdf({ pages: [line('one')], isPacked: false })),
    input(
      'content',
      "BT /F1 12 Tf 72 700 Td (one) Tj 0 -14 TD [(t) -300 (wo)] TJ T* (\\101\\)) ' ET q 1 0 0 1 9 9 cm /X1 Do Q",
    ),
    input('content', 'BT /F1 12 Tf <414243> Tj ET BI /W 1 /H 1 /BPC 8 /CS /G ID x EI /P <</MCID 0>> BDC EMC'),
    input(
      'font',
      '<< /Type /Font /Subtype /Type1 /Encoding << /BaseEncoding /MacRomanEncoding /Differences [65 /eacute /uni4E00 /u1F600] >> /FirstChar 65 /Widths [500 600] >>',
    ),
    input(
      'cmap',
      '1 begincodespacerange <00> <ffff> endcodespacerange 1 beginbfchar <0041> <D83DDE00> endbfchar 2 beginbfrange <0042> <0050> <0061> <0051> <0052> [<0070> <0071>] endbfrange',
    ),
    input(
      'object',
      '<< /Type /XObject /Subtype /Form /Matrix [1 0 0 1 5 5] /Resources << /Font << /F1 3 0 R >> >> /Length 12 >>\nstream\n(in form) Tj\nendstream',
    ),
    input('trailer', '/Info << /Title (\\376\\377\\000T) /Author <feff0041> >>'),
    input('filter', '/Filter [/ASCIIHexDecode /ASCII85Decode]\n<~87cURD]~>'),
    input(
      'filter',
      '/Filter /LZWDecode /DecodeParms << /Predictor 12 /Columns 4 /EarlyChange 0 >>\n\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01',
    ),
  ],
  dictionary: [
    ...'obj|endobj|stream|endstream|xref|trailer|startxref|<<|>>|[|]|(|)|<|>|/Filter|/FlateDecode'.split('|'),
    ...'/ASCII85Decode|/LZWDecode|/RunLengthDecode|/Length|/Kids|/Parent|/Contents|/Resources|/Font|/F1 '.split('|'),
    ...'1 0 R|4 0 R|0 0 R|BT|ET|Tf|Tj|TJ|Td|Tm|cm|Do|q|Q|BI|ID|EI|beginbfchar|beginbfrange|/ObjStm'.split('|'),
    ...'/Encrypt|/Predictor 15|/W [1 2 1]|/Prev|-1|1e9|\\ddd|%|/Type0|/Identity-H|/Widths|/DW|\n'.split('|'),
  ],
  mutations: 700,
  run(bytes) {
    const choice = new ChoiceReader(bytes);
    const file = fileOf(shapes[choice.below(shapes.length)] ?? 'file', choice.rest());
    const text = extractText(file, 'pdf', 'pdf')?.text;
    assert.ok(text === undefined || isUtf8(text), 'the text is not valid UTF-8');
    const facts = extractMetadata((start, length) => file.subarray(start, start + length), file.length, type, 'pdf');
    const json = JSON.stringify(facts);
    assert.deepEqual(JSON.parse(json), facts, 'a fact is changed by JSON');
    assert.ok(!/\\ud[89a-f]/.test(json), 'a fact contains a lone surrogate');
    return [text?.toString(), facts];
  },
});

function fileOf(shape: Shape, part: Buffer): Buffer {
  const text = part.toString('latin1');
  const pages = [line('one'), 'BT /F1 9 Tf <00410042> Tj /X1 Do ET'];
  switch (shape) {
    case 'file':
      return part;
    case 'content':
      return pdf({ pages: [text] });
    case 'font':
      return pdf({ pages, font: text });
    case 'cmap':
      return pdf({ pages, font: typeZeroFont, extra: [stream('', part)] });
    case 'object':
      return pdf({ pages, extra: [part] });
    case 'trailer':
      return pdf({ pages, trailer: text });
    case 'filter':
      break;
  }
  const end = part.indexOf(0x0a);
  return pdf({ pages, extra: [stream(text.slice(0, end), part.subarray(end + 1))] });
}
