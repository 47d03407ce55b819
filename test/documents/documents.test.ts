import { describe, expect, test } from 'vitest';
import { extractOfficeMetadata, extractOfficeText } from '../../src/documents/office/document.ts';
import { zip } from './zip.ts';

const word = (body: string): Buffer =>
  zip({ 'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>` });
const plain = (bytes: Buffer, extension: string): string | undefined =>
  extractOfficeText(bytes, extension)
    ?.replace(/[\s\ue000]+/g, ' ')
    .trim();

describe('office documents', () => {
  test.each([
    [
      'docx',
      'several runs in one word',
      word(
        '<w:p><w:r><w:t>hel</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>lo</w:t></w:r></w:p><w:p><w:t>next</w:t></w:p>',
      ),
      'hello next',
    ],
    [
      'docx',
      'tabs and line breaks between words',
      word('<w:p><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:p>'),
      'a b c',
    ],
    ['docx', 'entities', word('<w:p><w:t>R&amp;D &lt;3 &#233;&#x4e2d;</w:t></w:p>'), 'R&D <3 é中'],
    [
      'docx',
      'deleted text and field codes, which are omitted',
      word(
        '<w:p><w:del><w:delText xml:space="preserve">gone</w:delText></w:del><w:instrText>PAGE</w:instrText><w:t>kept</w:t></w:p>',
      ),
      'kept',
    ],
    [
      'docx',
      'footnotes and headers',
      zip({
        'word/document.xml': '<w:p>body</w:p>',
        'word/footnotes.xml': '<w:p>note</w:p>',
        'word/header1.xml': '<w:p>head</w:p>',
        'word/media/image1.png': 'no',
      }),
      'body note head',
    ],
    ['dotx', 'the extension of a template', word('<w:p>form</w:p>'), 'form'],
    [
      'odt',
      'paragraphs and blanks',
      zip({
        'content.xml':
          '<office:text><text:h>Title</text:h><text:p>one<text:s/>two<text:span>three</text:span><text:line-break/>four</text:p></office:text>',
      }),
      'Title one twothree four',
    ],
    [
      'odt',
      'footnotes and comments within a sentence',
      zip({
        'content.xml':
          '<office:text><text:p>one<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note</text:p></text:note-body></text:note> two<office:annotation><text:p>said</text:p></office:annotation> three<office:annotation-end/></text:p></office:text>',
      }),
      'one two three 1 a note said',
    ],
    ['docx', 'an absolute position tab', word('<w:p><w:t>left</w:t><w:ptab/><w:t>right</w:t></w:p>'), 'left right'],
    [
      'ods',
      'cells',
      zip({
        'content.xml':
          '<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row>',
      }),
      'a b',
    ],
    [
      'ods',
      'sheet names',
      zip({
        'content.xml': `<table:table table:style-name="a" table:name="R&amp;D"><text:p>a</text:p></table:table><table:table table:name='Sales'/>`,
      }),
      'R&D Sales a',
    ],
    [
      'fodt',
      'page headers before the body',
      Buffer.from(
        '<office:document><office:styles>no</office:styles><office:master-styles><style:header><text:p>head</text:p></style:header></office:master-styles><office:body><text:p>body</text:p></office:body></office:document>',
      ),
      'head body',
    ],
    ['odp', 'slides', zip({ 'content.xml': '<draw:page><text:p>slide</text:p></draw:page>' }), 'slide'],
    [
      'xlsx',
      'shared strings, inline strings and numbers, but no formulas',
      zip({
        'xl/sharedStrings.xml': '<sst><si><t>shared</t></si><si><r><t>in</t></r><r><t>rich</t></r></si></sst>',
        'xl/worksheets/sheet1.xml':
          '<row><c r="A1" t="s"><v>0</v></c><c r="B1"><f>SUM(A1)</f><v>42</v></c><c r="C1" t="inlineStr"><is><t>own</t></is></c></row>',
      }),
      'shared inrich 42 own',
    ],
    [
      'pptx',
      'slides in the order of the presentation',
      zip({
        'ppt/slides/slide10.xml': '<a:p><a:t>ten</a:t></a:p>',
        'ppt/slides/slide2.xml': '<a:p><a:r><a:t>t</a:t></a:r><a:r><a:t>wo</a:t></a:r></a:p>',
      }),
      'two ten',
    ],
    [
      'epub',
      'pages whose scripts are omitted',
      zip({
        'OEBPS/1.xhtml':
          '<html><head><style>p{}</style><script>x<1</script></head><body><p>em<b>pha</b>sis&nbsp;caf&eacute;</p><p>end</p></body></html>',
      }),
      'emphasis café end',
    ],
    [
      'docx',
      'a main document with another file name',
      zip({ 'word/document2.xml': '<w:p><w:t>body</w:t></w:p>', 'word/footer1.xml': '<w:p>foot</w:p>' }),
      'body foot',
    ],
    [
      'docx',
      'SmartArt',
      zip({ 'word/document.xml': '<w:p>a</w:p>', 'word/diagrams/data1.xml': '<a:p><a:t>b</a:t></a:p>' }),
      'b a',
    ],
    ['docx', 'a non-breaking hyphen', word('<w:p><w:t>non</w:t><w:noBreakHyphen/><w:t>break</w:t></w:p>'), 'non-break'],
    ['docx', 'an angle bracket in an attribute', word(`<w:p w:x="a>attr" w:y='">'>text</w:p>`), 'text'],
    [
      'docx',
      'an unclosed quotation mark in a tag',
      word(`<w:p w:x="a>text</w:p><w:p>more</w:p>`.replace('"', "'")),
      'text more',
    ],
    [
      'docx',
      'little-endian UTF-16 with a byte order mark',
      zip({ 'word/document.xml': Buffer.from('\ufeff<w:p>café</w:p>', 'utf16le') }),
      'café',
    ],
    [
      'docx',
      'big-endian UTF-16 with a byte order mark',
      zip({ 'word/document.xml': Buffer.from('\ufeff<w:p>café</w:p>', 'utf16le').swap16() }),
      'café',
    ],
    [
      'docx',
      'UTF-16 without a byte order mark',
      zip({ 'word/document.xml': Buffer.from('<w:p>café</w:p>', 'utf16le') }),
      'café',
    ],
    [
      'docx',
      'UTF-8 text that is declared as UTF-16',
      zip({ 'word/document.xml': '<?xml version="1.0" encoding="utf-16"?><w:p>café</w:p>' }),
      'café',
    ],
    [
      'docx',
      'UTF-8 text that is declared with an unknown encoding',
      zip({ 'word/document.xml': '<?xml version="1.0" encoding="x-none"?><w:p>café</w:p>' }),
      'café',
    ],
    [
      'docx',
      'an apostrophe in a processing instruction',
      word(`<?pi it's?><w:p>text</w:p><w:p>don't</w:p>`),
      "text don't",
    ],
    [
      'docx',
      'an apostrophe in a document type declaration',
      word(`<!DOCTYPE w [<!-- don't --> ]><w:p>it's</w:p>`),
      "it's",
    ],
    [
      'docx',
      'an apostrophe in an unquoted attribute value',
      word(`<w:p x=it's>text</w:p><w:p>don't</w:p>`),
      "text don't",
    ],
    [
      'odt',
      'an angle bracket in an empty list of tracked changes',
      zip({ 'content.xml': '<text:tracked-changes x="a>b"/><text:p>text</text:p>' }),
      'text',
    ],
    [
      'docx',
      'another declared encoding',
      zip({
        'word/document.xml': Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><w:p>caf\xe9</w:p>', 'latin1'),
      }),
      'café',
    ],
    [
      'docx',
      'a UTF-8 declaration and a byte order mark',
      zip({ 'word/document.xml': `\ufeff<?xml version="1.0" encoding="utf-8"?><w:p>café</w:p>` }),
      'café',
    ],
    [
      'odt',
      'deleted text, which is omitted',
      zip({ 'content.xml': '<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:p>kept</text:p>' }),
      'kept',
    ],
    [
      'xlsx',
      'sheet names',
      zip({
        'xl/workbook.xml': `<workbook><sheets><sheet name="R&amp;D" sheetId="1"/><x:sheet sheetId="2" name='Sales'/></sheets></workbook>`,
      }),
      'R&D Sales',
    ],
    [
      'xlsx',
      'namespace prefixes and single-quoted attributes',
      zip({
        'xl/worksheets/sheet1.xml': `<x:worksheet><x:row><x:c r="A1" t='s'><x:v>733217</x:v></x:c><x:c><x:f>A1*2</x:f><x:v>42</x:v></x:c></x:row></x:worksheet>`,
      }),
      '42',
    ],
    [
      'xlsx',
      'phonetic readings of a cell',
      zip({
        'xl/sharedStrings.xml':
          '<sst><si><t>日本</t><rPh sb="0" eb="2"><t>ニホン</t></rPh></si><si><r><t>東</t></r><r><t>京</t></r><rPh sb="0" eb="1"><t>とう</t></rPh></si></sst>',
      }),
      '日本 東京 ニホン とう',
    ],
    [
      'xlsx',
      'dates, in ISO form and as the cell shows them',
      zip({
        'xl/styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="[$-407]d&quot;. &quot;mmmm\\ yyyy;@"/><numFmt numFmtId='165' formatCode='0.00'/><numFmt numFmtId="166" formatCode="dd/mm/yy hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
        'xl/worksheets/sheet1.xml': `<worksheet><c><v>45796</v></c><c s="1"><v>45796</v></c><c s="2"><f>A1</f><v>45797.75</v></c><c s="3"><v>2.5</v></c><c s="4" t="n"><v>45798.5</v></c><c s="1" t="str"><v>45799</v></c><c s="1"><v>-1</v></c></worksheet>`,
      }),
      '45796 2025-05-19 45796 2025-05-20 20. May 2025 45797.75 2.5 2025-05-21 45798.5 45799 -1',
    ],
    [
      'xlsx',
      'dates since 1904',
      zip({
        'xl/workbook.xml': '<workbook><workbookPr date1904="1"/></workbook>',
        'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="15"/></cellXfs></styleSheet>',
        'xl/worksheets/sheet1.xml': '<worksheet><c><v>44334</v></c></worksheet>',
      }),
      '2025-05-19 19-May-25 44334',
    ],
    [
      'xlsx',
      'member names with backslashes',
      zip({ 'xl\\sharedstrings.xml': '<sst><si><t>a b</t></si></sst>' }),
      'a b',
    ],
    ['xlsx', 'text boxes', zip({ 'xl/drawings/drawing1.xml': '<a:p><a:t>boxed</a:t></a:p>' }), 'boxed'],
    [
      'pptx',
      'comments and SmartArt',
      zip({
        'ppt/comments/comment1.xml': '<p:text>said</p:text>',
        'ppt/diagrams/data1.xml': '<a:p>drawn</a:p>',
        'ppt/diagrams/layout1.xml': '<a:p>no</a:p>',
      }),
      'said drawn',
    ],
    [
      'xlsx',
      'charts, and comments in a separate folder',
      zip({
        'xl/charts/chart1.xml':
          '<c:title><a:p><a:t>Sales</a:t></a:p></c:title><c:strCache><c:pt><c:v>May</c:v></c:pt><c:pt><c:v>June</c:v></c:pt></c:strCache>',
        'xl/charts/style1.xml': 'no',
        'xl/comments/comment1.xml': '<comment><t>said</t></comment>',
      }),
      'Sales May June said',
    ],
    ['pptx', 'charts', zip({ 'ppt/charts/chart1.xml': '<a:t>drawn</a:t>' }), 'drawn'],
    ['docx', 'charts', zip({ 'word/charts/chart1.xml': '<a:t>drawn</a:t>' }), 'drawn'],
    ['ods', 'charts', zip({ 'Object 1/content.xml': '<text:p>drawn</text:p>' }), 'drawn'],
    [
      'epub',
      'the title of the book',
      zip({ 'a.opf': '<package><dc:title>Title</dc:title><dc:creator>Ada</dc:creator><item href="no"/></package>' }),
      'Title Ada',
    ],
    [
      'epub',
      'chapters with any file name',
      zip({ 'META-INF/container.xml': '<p>no</p>', 'OEBPS/one.xml': '<p>chapter</p>' }),
      'chapter',
    ],
    [
      'docx',
      'ruby text above words',
      word(
        '<w:p><w:r><w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby></w:r><w:r><w:t>京</w:t></w:r></w:p>',
      ),
      '東京 とう',
    ],
    [
      'odt',
      'ruby text above words',
      zip({
        'content.xml':
          '<text:p>の<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>とう</text:ruby-text></text:ruby>京</text:p>',
      }),
      'の東京 とう',
    ],
    ['docx', 'comments and CDATA', word('<!-- <w:t>no</w:t> --><w:p><![CDATA[a<b>c]]></w:p>'), 'a<b>c'],
  ])('extractOfficeText extracts the text of a .%s file with %s', (extension, _, bytes, expected) => {
    expect(plain(bytes, extension)).toBe(expected);
  });
});

test('extractOfficeText returns dates for cells with the built-in date formats, which a spreadsheet does not define, and for no other cells', () => {
  const textOf = (format: number): string | undefined => {
    const styles = `<styleSheet><cellXfs><xf numFmtId="${format}"/></cellXfs></styleSheet>`;
    const sheet = '<worksheet><c><v>45796</v></c></worksheet>';
    return plain(zip({ 'xl/styles.xml': styles, 'xl/worksheets/sheet1.xml': sheet }), 'xlsx');
  };
  const shown = Array.from({ length: 61 }, (_, format) => `${format}: ${textOf(format)}`);
  expect(shown.filter(line => line.includes('2025'))).toEqual([
    '14: 2025-05-19 45796',
    '15: 2025-05-19 19-May-25 45796',
    '16: 2025-05-19 19-May 45796',
    '17: 2025-05-19 May-25 45796',
    ...[22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58].map(format => `${format}: 2025-05-19 45796`),
  ]);
});

test('extractOfficeText reads a ZIP file with at most 65,535 bytes after its end record', () => {
  const file = word('<w:p><w:t>text</w:t></w:p>');
  expect(plain(Buffer.concat([file, Buffer.alloc(0xffff)]), 'docx')).toBe('text');
  expect(plain(Buffer.concat([file, Buffer.alloc(0x1_0000)]), 'docx')).toBeUndefined();
});

test('extractOfficeMetadata returns title, author and keywords of an office document', () => {
  const core =
    '<cp:coreProperties><dc:title>A &amp; B</dc:title><dc:creator>Ada</dc:creator><cp:keywords>x, y</cp:keywords></cp:coreProperties>';
  expect(extractOfficeMetadata(zip({ 'docProps/core.xml': core }), 'docx')).toEqual({
    title: 'A & B',
    author: 'Ada',
    keywords: 'x, y',
  });
  const meta =
    '<office:meta><dc:title>T</dc:title><meta:initial-creator>Bo</meta:initial-creator><meta:keyword>k</meta:keyword></office:meta>';
  expect(extractOfficeMetadata(zip({ 'meta.xml': meta }), 'odt')).toEqual({ title: 'T', author: 'Bo', keywords: 'k' });
  expect(extractOfficeMetadata(Buffer.from('x'), 'docx')).toBeUndefined();
});
