import { zip } from '../zip.ts';
import { type Sample, sample } from './sample.ts';

const word = `<w:document><w:body><w:p><w:r><w:t>one</w:t></w:r><w:r><w:t xml:space="preserve"> two</w:t></w:r><w:tab/><w:t>R&amp;D&#233;&#x4e2d;</w:t><w:br/><w:cr/><w:ptab w:alignment="a>b"/></w:p>
<w:p><w:del><w:delText>gone</w:delText></w:del><w:instrText>PAGE</w:instrText><w:instrTextual>kept</w:instrTextual><w:t>co<w:noBreakHyphen/>op</w:t><w:ruby><w:rt><w:t>reading</w:t></w:rt><w:rubyBase><w:t>base</w:t></w:rubyBase></w:ruby><w:rt/></w:p>
<w:tbl><w:tr><w:tc>a</w:tc><w:tc>b</w:tc></w:tr></w:tbl><!-- a > b --><![CDATA[c < d]]><?pi e > f?><w:p>end<w:delText>open</w:body></w:document>`;
const core =
  '<cp:coreProperties><dc:title> A &amp; B </dc:title><dc:creator>Ada</dc:creator><cp:keywords>x, y</cp:keywords></cp:coreProperties>';

const sheet = `<x:worksheet><x:row><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1"><x:f>SUM(A1)</x:f><x:v>42</x:v></x:c><x:c t='s'/><x:c r="C1" t="inlineStr"><x:is><x:t>own</x:t></x:is></x:c><x:cols>7</x:cols><x:c t="str"><x:v>s</x:v></x:c><x:c t="s"><x:v>9</x:v></x:row></x:worksheet>`;
const strings =
  '<sst><si><t>shared</t></si><si><r><t>in</t></r><r><t>rich</t></r><rPh sb="0"><t>rp</t></rPh></si><x:rPh>xr</x:rPh></sst>';
const workbook = `<workbook><sheets><sheet name="R&amp;D" sheetId="1"/><x:sheet sheetId="2" name='Sales'/><sheet sheetId="3"/></sheets></workbook>`;

const text = `<office:document-content><office:body><table:table table:style-name="a" table:name="R&amp;D"><text:p>cell</text:p></table:table><table:table table:name='Sales'/>
<text:tracked-changes><text:p>old</text:p></text:tracked-changes><text:h>Title</text:h><text:p>one<text:s/>two<text:span>three</text:span><text:line-break/>four<text:tab/>five</text:p>
<text:p>a<text:note><text:note-citation>1</text:note-citation><text:p>a note</text:p></text:note> b<office:annotation><text:p>said</text:p></office:annotation><office:annotation-end/><text:ruby><text:ruby-base>base</text:ruby-base><text:ruby-text>reading</text:ruby-text></text:ruby></text:p><text:list-item>item</text:list-item></office:body></office:document-content>`;
const meta =
  '<office:meta><dc:title>T</dc:title><meta:initial-creator>Bob</meta:initial-creator><meta:keyword>k</meta:keyword><meta:keyword>l</meta:keyword></office:meta>';

const stored = (members: Readonly<Record<string, string | Buffer>>): Buffer => zip(members, { level: 0 });

/**
 * Changes a number of two bytes at each occurrence of a signature, for example the compression method in all headers.
 */
function patched(file: Buffer, mark: string, offset: number, value: number): Buffer {
  const copy = Buffer.from(file);
  for (let at = copy.indexOf(mark, 0, 'latin1'); at !== -1; at = copy.indexOf(mark, at + 1, 'latin1'))
    copy.writeUInt16LE(value, at + offset);
  return copy;
}

/** Builds an archive with one member that is not compressed, with extra fields in both headers and a comment at the end. */
function plainZip(name: string, content: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  fields.writeUInt16LE(5, 24);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(`${name}extra`), content]);
  const place = Buffer.alloc(14);
  place.writeUInt16LE(3, 0);
  const listed = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00'),
    fields.fill(0, 24),
    place,
    Buffer.from(`${name}xyz`),
  ]);
  const twice = Buffer.concat([patched(patched(listed, 'PK\x01\x02', 30, 0), 'PK\x01\x02', 32, 3), listed]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt32LE(twice.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, twice, end, Buffer.from('a comment')]);
}

const document = stored({ 'word/document.xml': '<w:p>body</w:p>', 'word/header1.xml': '<w:p>head</w:p>' });
const wide = (markup: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(markup, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};

const encodings: readonly (readonly [name: string, markup: Buffer | string])[] = [
  ['a declaration of latin1', Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><w:p>caf\xe9</w:p>', 'latin1')],
  [
    'a declaration of cp1251',
    Buffer.from("<?xml version='1.0' encoding='windows-1251'?><w:p>\xcf\xf0</w:p>", 'latin1'),
  ],
  ['a wrong declaration of UTF-16', '<?xml version="1.0" encoding="UTF-16"?><w:p>é</w:p>'],
  ['an unknown encoding of UTF-8 text', '<?xml version="1.0" encoding="x-none"?><w:p>é</w:p>'],
  ['an unknown encoding', Buffer.from('<?xml version="1.0" encoding="x-none"?><w:p>\xe9</w:p>', 'latin1')],
  ['UTF-16 with a mark', wide('\ufeff<w:p>é</w:p>', false)],
  ['UTF-16 in the other order with a mark', wide('\ufeff<w:p>é</w:p>', true)],
  ['UTF-16 without a mark', wide('<w:p>é</w:p>', false)],
  ['UTF-16 in the other order without a mark', wide('<w:p>é</w:p>', true)],
  ['UTF-8 with a mark', '\ufeff<?xml version="1.0" encoding="utf8"?><w:p>é</w:p>'],
];

const everyMember = (names: readonly string[]): Buffer =>
  stored(Object.fromEntries(names.map(name => [name, `<p>${name}</p>`])));

const memberNames: Readonly<Record<string, readonly string[]>> = {
  docx: [
    'word/document.xml',
    'word/a/b.xml',
    'word/diagrams/data1.xml',
    'word/charts/chart.xml',
    'word/charts/style1.xml',
    'word/media/i.png',
    'x/word/a.xml',
    'word\\footnotes.xml',
  ],
  xlsx: [
    'xl/workbook.xml',
    'xl/sharedStrings.xml',
    'xl/comments2.xml',
    'xl/worksheets/sheet10.xml',
    'xl/worksheets/sheet9.xml',
    'xl/threadedComments/t.xml',
    'xl/drawings/d.xml',
    'xl/styles.xml',
    'xl/charts/chart3.xml',
  ],
  pptx: [
    'ppt/slides/slide10.xml',
    'ppt/slides/slide9.xml',
    'ppt/notesSlides/n.xml',
    'ppt/comments/c.xml',
    'ppt/charts/chart1.xml',
    'ppt/slideMasters/m.xml',
  ],
  odt: ['content.xml', 'styles.xml', 'Object 1/content.xml', 'Object 1/styles.xml', 'meta.xml'],
  epub: ['META-INF/container.xml', 'a.xhtml', 'b.html', 'c.htm', 'd.xml', 'e.opf', 'f.css'],
};

const book = stored({
  'a.opf':
    '<package><dc:title>Book</dc:title><dc:creator>Eve</dc:creator><dc:description>About</dc:description></package>',
  'a.xhtml': '<p hidden>no</p><p>one<br/>two</p>',
});

const flat = `<?xml version="1.0"?><office:document office:version="1"><office:styles>no</office:styles><office:master-styles><text:p>head</text:p></office:master-styles><office:body><text:p>body<office:binary-data>AAAA</office:binary-data></text:p></office:body></office:document>`;

export const officeSamples: readonly Sample[] = [
  sample(
    'Word',
    'docx',
    stored({ 'docProps/core.xml': core, 'word/document.xml': word, 'word/footnotes.xml': '<w:p>note</w:p>' }),
  ),
  sample(
    'Excel',
    'xlsx',
    stored({
      'xl/workbook.xml': workbook,
      'xl/sharedStrings.xml': strings,
      'xl/worksheets/sheet1.xml': sheet,
      'xl/worksheets/sheet2.xml': '<worksheet><c t="s"><v>5</v></c><c><f/><v>6</v></c></worksheet>',
    }),
  ),
  sample('OpenDocument', 'odt', stored({ 'content.xml': text, 'meta.xml': meta })),
  sample('EPUB', 'epub', book),
  sample('flat OpenDocument', 'fodt', flat),
  sample(
    'flat OpenDocument without styles',
    'fods',
    '<office:document><office:body ><text:p>b</text:p></office:body></office:document>',
  ),
  sample('another XML file', 'fodp', '<office:documents/>'),
  ...Object.entries(memberNames).map(([extension, names]) =>
    sample(`members of ${extension}`, extension, everyMember(names)),
  ),
  ...['dotm', 'xltx', 'ppsx', 'sxw', 'doc', 'xlt', 'pot', 'zip'].map(extension =>
    sample(
      `the extension ${extension}`,
      extension,
      everyMember(['word/document.xml', 'xl/sharedStrings.xml', 'ppt/slides/slide1.xml', 'content.xml']),
    ),
  ),
  ...encodings.map(([name, markup]) => sample(name, 'docx', stored({ 'word/document.xml': Buffer.from(markup) }))),
  sample('a compressed member', 'docx', zip({ 'word/document.xml': '<w:p>packed</w:p>' })),
  sample('an encrypted member', 'docx', patched(document, 'PK\x01\x02', 8, 1)),
  sample('an unknown compression method', 'docx', patched(document, 'PK\x01\x02', 10, 12)),
  sample('a member without compression', 'docx', plainZip('word/document.xml', Buffer.from('<w:p>plain</w:p>'))),
  sample('damaged compression', 'docx', patched(document, 'PK\x03\x04', 28, 3)),
  sample('a member after the end', 'docx', patched(document, 'PK\x01\x02', 44, 1)),
  sample('bytes before and after the archive', 'docx', Buffer.concat([document, Buffer.alloc(200)])),
  sample('no archive', 'docx', 'PK\x03\x04'),
  sample(
    'metadata without values',
    'docx',
    stored({ 'docProps/core.xml': '<dc:title> </dc:title><dc:title>second</dc:title><dc:creator a="1">Ada' }),
  ),
];

export const changedOffice: readonly Sample[] = [
  sample('archive without compression', 'docx', plainZip('word/a.xml', Buffer.from('<w:p>plain</w:p>'))),
  sample('archive', 'docx', stored({ 'word/a.xml': '', 'word/b.xml': '<w:p>b</w:p>' })),
];

/** Each string of XML becomes the body of a document. */
export const changedMarkup: readonly Sample[] = [
  sample('Word', 'fodt', `<office:document>${word}${sheet}</office:document>`),
  sample('flat OpenDocument', 'fodt', `<office:document><office:body>${text}</office:body></office:document>`),
];
