import { compound, presentation, type Storage, slideRecord, slideText, uint32, word } from '../compound.ts';
import { box, frame, id3, numbers, wav } from '../media.ts';
import { word as wordXml } from '../office.ts';
import { assemble, stream } from '../pdf.ts';
import { zip } from '../zip.ts';
import { composite, file, latin1, range, shownText } from './pdf-parts.ts';
import { type Sample, sample } from './sample.ts';

/** Builds one file for each number on both sides of a limit. */
const around = (limit: number, name: string, extension: string, make: (size: number) => Buffer | string): Sample[] =>
  range(limit - 1, limit + 2).map(size => sample(`${name}: ${size}`, extension, make(size)));

const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
const latinFont = '/Resources << /Font << /F1 << /Subtype /Type1 >> >> >>';
/** The dictionaries have no types, because pages with a type are also found without a page tree. */
const catalog = '<< /Pages 2 0 R >>';
const page = `<< ${latinFont} /Contents 4 0 R >>`;
const shownStream = stream('', latin1(shownText('shown')));

const pdfLimits: readonly Sample[] = [
  ...around(60, 'nested page trees', 'pdf', depth =>
    assemble([
      catalog,
      `<< /Kids [5 0 R] >>`,
      page,
      shownStream,
      ...range(1, depth).map(level => `<< /Kids [${level === depth ? 3 : level + 5} 0 R] >>`),
    ]),
  ),
  ...around(50, 'references to references', 'pdf', count =>
    assemble([
      catalog,
      '<< /Kids [3 0 R] >>',
      `<< ${latinFont} /Contents 5 0 R >>`,
      shownStream,
      ...range(1, count).map(step => `${step === count ? 4 : step + 5} 0 R`),
    ]),
  ),
  ...around(12, 'nested forms', 'pdf', depth =>
    assemble([
      catalog,
      '<< /Kids [3 0 R] >>',
      `<< ${latinFont} /Resources << /Font << /F1 << /Subtype /Type1 >> >> /XObject << /X 5 0 R >> >> /Contents 4 0 R >>`,
      stream('', latin1(`${shownText('page')} /X Do`)),
      ...range(1, depth).map(level =>
        stream(
          `/Subtype /Form /Resources << /Font << /F1 << /Subtype /Type1 >> >> /XObject << /X ${level + 5} 0 R >> >>`,
          latin1(`${shownText(`form${level}`)} ${level === depth ? '' : '/X Do'}`),
        ),
      ),
    ]),
  ),
  ...around(40, 'length of a reference to the catalog', 'pdf', length =>
    latin1(
      assemble([catalog, '<< /Kids [3 0 R] >>', page, shownStream])
        .toString('latin1')
        .replace('/Root 1 0 R', `/Root${'1 0 R'.padStart(length - 5)}`),
    ),
  ),
  ...[
    '5 Do',
    '(X1) Do',
    '/X1 Do',
    '(F1) Tf (b) Tj',
    '/F1 Tf (b) Tj',
    '7 Tj',
    '[(a) 7 <</B (c)>> (d)] TJ',
    '(a) (b) Tj',
    "(a) '",
    '1 2 (a) "',
    'Q Q (a) Tj',
    'BT BT (a) Tj ET ET',
    '/F1 9 Tf (a)Tj T* (b)Tj',
    'true (a) Tj',
    'null Tj',
  ].map(content =>
    file(`operators ${content}`, {
      pages: [`BT /F1 9 Tf 9 9 Td (x) Tj ${content} (y) Tj ET`],
      extra: [stream('/Subtype /Form', latin1(shownText('form')))],
    }),
  ),
  ...[
    '1 begincodespacerange <00> <ff> endcodespacerange 1 begincidchar <41> 66 endcidchar',
    '1 begincodespacerange 5 <ff> endcodespacerange',
    '1 begincodespacerange <0000000000> <ffffffffff> endcodespacerange',
    '1 begincodespacerange <> <> endcodespacerange',
    '1 begincodespacerange <00> <7f> <8000> <ffff> endcodespacerange 2 begincidrange <20> <7e> 1 <8140> <817e> 633 endcidrange',
    '1 begincidrange <20> 7e 1 endcidrange',
    '1 begincidrange <7e> <20> 1 endcidrange',
    '1 begincidchar <20> endcidchar',
  ].map(map =>
    file(`CMap ${map}`, {
      pages: ['BT /F1 9 Tf 9 9 Td <4142208140> Tj ET'],
      font: composite('/Encoding 4 0 R', '/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) >>'),
      extra: [stream('/CMapName /X', latin1(map))],
    }),
  ),
  ...['/StandardEncoding', '/MacRomanEncoding', '/WinAnsiEncoding', '/MacExpertEncoding'].map(encoding =>
    file(`all codes of ${encoding}`, {
      pages: [
        `BT /F1 9 Tf 9 9 Td <${range(0x20, 0xff)
          .map(code => code.toString(16))
          .join('')}> Tj ET`,
      ],
      font: `<< /Subtype /Type1 /BaseFont /X /Encoding ${encoding} >>`,
    }),
  ),
];

const audioLimits: readonly Sample[] = [
  ...range(0, 6).map(more =>
    sample(`one MP3 frame and ${more} other bytes`, 'mp3', Buffer.concat([frame, Buffer.alloc(more, 1)])),
  ),
  ...range(0, 6).map(more =>
    sample(`MP3 frame without its last ${more} bytes`, 'mp3', frame.subarray(0, frame.length - more)),
  ),
  ...range(1, 6).map(length =>
    sample(
      `ID3 with ${length} bytes of UTF-16`,
      'mp3',
      Buffer.concat([
        latin1('ID3\x03\0\0\0\0\0'),
        Buffer.of(10 + length),
        latin1('TIT2'),
        numbers(6, { 0: length }),
        Buffer.of(2, 0, 0x41, 0, 0x42, 0).subarray(0, length),
      ]),
    ),
  ),
  ...range(0, 12).map(length => sample(`ID3 of ${length} bytes`, 'mp3', id3.subarray(0, length))),
  ...around(1000, 'Vorbis comments before the title', 'flac', count => {
    const comments = Buffer.concat([
      ...range(1, count - 1).map(() => Buffer.from('020000004d3d', 'hex')),
      uint32(7),
      latin1('TITLE=x'),
    ]);
    const body = Buffer.concat([uint32(0, count), comments]);
    return Buffer.concat([
      latin1('fLaC\0\0\0\x22'),
      numbers(34, { 10: 0x0ac4_42f0, 14: 44_100 }),
      Buffer.of(0x84, 0, body.length >> 8, body.length & 0xff),
      body,
    ]);
  }),
  ...range(0, 12).map(length =>
    sample(
      `${length} bytes of Vorbis comments`,
      'flac',
      Buffer.concat([
        latin1('fLaC\0\0\0\x22'),
        numbers(34, { 10: 0x0ac4_42f0, 14: 44_100 }),
        Buffer.of(0x84, 0, 0, length),
        Buffer.concat([uint32(0, 1, 9), latin1('TITLE=abc')]).subarray(0, length),
      ]),
    ),
  ),
  ...[-9, -8, -7, 0].map(more => {
    const length = 256 * 1024 - wav.length + more;
    return sample(
      `WAV with its data ${-more} bytes before the end of the part that is read`,
      'wav',
      Buffer.concat([
        wav.subarray(0, 36),
        latin1('LIST'),
        uint32(length),
        Buffer.alloc(length),
        wav.subarray(36),
        Buffer.alloc(400),
      ]),
    );
  }),
  ...around(2000, 'boxes before the movie', 'mp4', count =>
    Buffer.concat([
      ...range(1, count - 1).map(() => box('free', Buffer.alloc(0))),
      box('moov', box('mvhd', numbers(100, { 12: 1000, 16: 12_500 }))),
    ]),
  ),
  ...around(1000, 'markers before the size', 'jpg', count =>
    Buffer.concat([
      Buffer.of(0xff, 0xd8),
      ...range(1, count - 1).map(() => Buffer.of(0xff, 0xe0, 0, 2)),
      Buffer.of(0xff, 0xc0, 0, 9, 8, 0, 2, 0, 3, 1, 1),
    ]),
  ),
];

const property = (id: string, value: string): Storage => ({ [`__substg1.0_${id}001F`]: wide(value) });
const nestedMessage = (depth: number): Storage =>
  depth === 0
    ? property('0037', 'deepest')
    : {
        ...property('0037', `level${depth}`),
        '__attach_version1.0_#0': { '__substg1.0_3701000D': nestedMessage(depth - 1) },
      };

const [fieldStart, fieldResult, fieldEnd] = ['\x13', '\x14', '\x15'];

const compoundLimits: readonly Sample[] = [
  ...around(20, 'nested messages', 'msg', depth => compound(nestedMessage(depth))),
  ...around(2000, 'recipients', 'msg', count =>
    compound(
      Object.fromEntries(
        range(1, count).map(number => [
          `__recip_version1.0_#${number}`,
          number > count - 3 ? property('3001', `r${number}`) : {},
        ]),
      ),
    ),
  ),
  ...[
    `a${fieldEnd}b`,
    `a${fieldResult}b`,
    `a${fieldStart}b${fieldEnd}c`,
    `a${fieldStart}b${fieldResult}c${fieldEnd}d`,
    `a${fieldStart}b${fieldStart}c${fieldResult}d${fieldEnd}e${fieldResult}f${fieldEnd}g`,
    `a${fieldStart}b${fieldResult}c${fieldResult}d${fieldEnd}${fieldEnd}e`,
    `${fieldEnd}${fieldResult}a${fieldStart}b`,
  ].map(content => sample(`fields ${JSON.stringify(content)}`, 'doc', compound(word({ text: content })))),
  ...around(1000, 'summary properties', 'doc', count => {
    const start = 8 + 8 * count;
    const places = range(1, count - 1).flatMap(id => [id + 100, 0]);
    const set = Buffer.concat([uint32(0, count, ...places, 2, start), uint32(0x1e, 6), latin1('title\0')]);
    return compound({
      ...word({ text: 'x' }),
      '\x05SummaryInformation': Buffer.concat([Buffer.alloc(44), uint32(48), set]),
    });
  }),
  ...[1, 4, 7, 8, 11, 12, 15, 16].map(length => {
    const document = slideRecord(1000, [
      slideRecord(4080, [slideRecord(1011, Buffer.concat([uint32(2), Buffer.alloc(16)])), slideText('shown')]),
    ]);
    const slide = slideRecord(1006, [slideText('slide')]);
    const at = document.length + slide.length;
    const directory = Buffer.concat([uint32((2 << 20) | 1, 0, document.length), Buffer.alloc(4)]).subarray(0, length);
    const user = at + 8 + directory.length;
    return sample(
      `presentation with a directory of ${length} bytes`,
      'ppt',
      compound({
        'PowerPoint Document': Buffer.concat([
          document,
          slide,
          slideRecord(6002, directory),
          slideRecord(4085, uint32(0, 0, 0, at, 1, 0, 0)),
        ]),
        'Current User': uint32(0, 0, 0, 0, user),
      }),
    );
  }),
  ...[0, 4, 8].map(length =>
    sample(
      `presentation with ${length} more bytes in its edit`,
      'ppt',
      compound(presentation([slideRecord(1000, [slideText('a')])], [Buffer.alloc(length)])),
    ),
  ),
  ...around(1000, 'spaces before HTML', 'doc', count => `${' '.repeat(count)}<p>a</p>`),
  ...range(997, 1003).map(count =>
    sample(`${count} spaces before a mail`, 'doc', `${' '.repeat(count - 13)}MIME-Version: 1.0\n\n<p>a</p>`),
  ),
];

const sheet = (cell: string): Buffer =>
  zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row>${cell}</row></sheetData></worksheet>`,
  });

function encoded(text: string, encoding: 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be'): Buffer {
  if (encoding === 'utf-16le') return wide(text);
  if (encoding === 'utf-16be') return wide(text).swap16();
  const points = uint32(...Array.from(text, character => character.codePointAt(0) ?? 0));
  return encoding === 'utf-32le' ? points : points.swap32();
}

const textLimits: readonly Sample[] = [
  ...around(
    10_000,
    'run of text',
    'rtf',
    count => `{\\rtf1 ${'a'.repeat(count)}\\'e9 {\\*\\x no}${'b'.repeat(count)}\\par}`,
  ),
  ...around(10_000, 'document type', 'docx', length =>
    zip({
      'word/document.xml': `<!DOCTYPE x [<!ENTITY y "${'>'.repeat(length - 30)}">]><w:document><w:body><w:p><w:t>a</w:t></w:p></w:body></w:document>`,
    }),
  ),
  ...around(40, 'element name', 'docx', length =>
    wordXml(`<w:p><w:t>a</w:t></w:p><${'x'.repeat(length - 3)}:tr/><w:t>b</w:t>`),
  ),
  ...around(100, 'number of a cell', 'xlsx', length =>
    sheet(`<c r="A1" s="1"><v>45000.${'0'.repeat(length - 11)}</v></c>`),
  ),
  ...[
    '<v></v>',
    '<v>x</v>',
    '<v/>',
    '',
    '<f>A</f><v>45000</v>',
    '</f><v>45000</v>',
    '<is><t>t</t></is>',
    '<v>0</v>',
    '<v>-1</v>',
    '<v>2958465.5</v>',
    '<v>2958466</v>',
  ].map(value => sample(`cell ${value}`, 'xlsx', sheet(`<c r="A1" s="1">${value}</c>`))),
  ...(['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'] as const).flatMap(encoding =>
    [
      'a',
      'ab',
      'Ab1',
      '数',
      '数据结构',
      '<p>数据<p>é',
      '<p>a😀b',
      '一一一',
      '\u0100\u0200x',
      `${'数'.repeat(400)}a`,
      `${'abc '.repeat(20)}\u{10ffff}`,
    ].flatMap(text =>
      ['', '\ufeff'].map(mark =>
        sample(
          `HTML in ${encoding}${mark && ' with a mark'}: ${text.slice(0, 12)}`,
          'html',
          encoded(mark + text, encoding),
        ),
      ),
    ),
  ),
  ...[0, 1, 2, 3].map(more =>
    sample(`HTML in UTF-16 and ${more} bytes`, 'html', Buffer.concat([wide('\ufeffabc'), Buffer.alloc(more, 0x64)])),
  ),
  ...["koi8-r''%D0%D2%C9", "iso-8859-1'de'r%E9sum%e9", "''plain", "x'y", "utf-8''%zz%4", "utf-8''a%C3"].map(value =>
    sample(`mail with the name ${value}`, 'eml', `Content-Type: text/plain; name*=${value}\n\nx`),
  ),
  sample('mail with the boundary of a text', 'eml', 'Content-Type: text/plain; boundary=b\n\n--b\n\nx\n--b--\n'),
  sample('mail with parts without a boundary', 'eml', 'Content-Type: multipart/mixed\n\n--b\n\nx\n--b--\n'),
  ...[
    '--b\n\na\n--b--',
    'x--b\n\na\n--b--',
    '\n--b\n\na\n--b--',
    'xy--b\n\na\n--b--',
    '--b',
    '--b--',
    '--b\n\na',
    '--b\n\na\n--b\n\nc',
  ].map(body =>
    sample(
      `mail with the parts ${JSON.stringify(body)}`,
      'eml',
      `Content-Type: multipart/mixed; boundary=b\n\n${body}`,
    ),
  ),
  ...around(
    100,
    'charsets in one mail',
    'eml',
    count =>
      `Subject: ${range(1, count - 1)
        .map(number => `=?x-${number}?Q?a?=`)
        .join(' ')} =?koi8-r?Q?=C1?=\n\nx`,
  ),
  ...[
    'a:hover{display:none}',
    '.a{display:none',
    '/*.a{}*/.a{display:none}',
    '/* .a{display:none}',
    '.a{}{display:none}',
    '}.a{display:none}',
    '@media x{.a{display:none}}.b{display:none}',
    '.a{display:none}.b{x:y}',
  ].map(css =>
    sample(`HTML with the style sheet ${css}`, 'html', `<style>${css}</style><p class=a>a</p><p class=b>b</p>`),
  ),
];

export const limitSamples: readonly Sample[] = [...pdfLimits, ...audioLimits, ...compoundLimits, ...textLimits];
