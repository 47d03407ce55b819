import { compound, excelRecord, type Storage, slideRecord, uint16, uint32, word } from '../compound.ts';
import { type Sample, sample } from './sample.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
export const double = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

/** Builds a document of Word 95, or of an older version without a container. */
export function oldWord(text: string, language: number, mark = 0xa5dc): Buffer {
  const document = Buffer.alloc(0x200);
  document.writeUInt16LE(mark, 0);
  document.writeUInt16LE(104, 2);
  document.writeUInt16LE(language, 6);
  document.writeUInt32LE(document.length, 0x18);
  document.writeUInt32LE(document.length + text.length, 0x1c);
  return Buffer.concat([document, latin1(text)]);
}

export function complexWord(): Buffer {
  const document = oldWord('onetwo and more', 0x0409);
  const plc = Buffer.concat([
    uint32(0, 3, 6),
    uint16(0),
    uint32(0x203),
    uint16(0),
    uint16(0),
    uint32(0x200),
    uint16(0),
  ]);
  const clx = Buffer.concat([Buffer.of(1, 1, 0, 9, 2), uint32(plc.length), plc]);
  document.writeUInt16LE(4, 10);
  document.writeUInt32LE(document.length, 0x160);
  document.writeUInt32LE(clx.length, 0x164);
  return Buffer.concat([document, clx]);
}

const wordWith = (change: (document: Buffer) => void): Buffer => {
  const parts = word({ text: 'text' });
  if (Buffer.isBuffer(parts['WordDocument'])) change(parts['WordDocument']);
  return compound(parts);
};

const controls = `a${Array.from({ length: 0x20 }, (_, code) => `${code.toString(16)}${String.fromCharCode(code)}`).join('')}\x15\x80z`;
const fields =
  'before\x13 PAGE \x13 inner \x14 hidden \x15 \x14shown \x13 X \x14result\x15 end\x15 after\x14 x\x15 y\x13 open';

const words: readonly (readonly [name: string, content: Buffer])[] = [
  [
    'pieces of one and two bytes',
    compound(word({ text: 'narrow \x80 ' }, { text: 'wide 本 ', isWide: true }, { text: 'end' })),
  ],
  [
    'control characters',
    compound(word({ text: controls.replaceAll('\x13', '').replaceAll('\x14', '').replaceAll('\x15', '') })),
  ],
  ['fields', compound(word({ text: fields }))],
  ['the other table', wordWith(document => document.writeUInt16LE(0, 10))],
  ['an encrypted document', wordWith(document => document.writeUInt16LE(0x300, 10))],
  ['a version before Unicode', wordWith(document => document.writeUInt16LE(192, 2))],
  ['pieces in an old version', compound({ WordDocument: complexWord() })],
  ...[
    0x0409, 0x0419, 0x0404, 0x0405, 0x0408, 0x040d, 0x0401, 0x041f, 0x0411, 0x0412, 0x0402, 0x040e, 0x0415, 0x0418,
    0x041a, 0x041b, 0x0422, 0x0423, 0x0424,
  ].map(
    language => [`the language ${language}`, compound({ WordDocument: oldWord('text \xb0\xa1', language) })] as const,
  ),
  ...[0xa5db, 0xa5dc, 0xa59b, 0xa59c, 0xa59d].map(
    mark => [`the mark ${mark.toString(16)}`, oldWord('no container', 0x0409, mark)] as const,
  ),
];

export const label = (type: number, ...body: readonly Buffer[]): Buffer => excelRecord(type, Buffer.alloc(6), ...body);
export const text = (value: string, flags = 0): Buffer =>
  Buffer.concat([uint16(value.length), Buffer.of(flags), flags & 1 ? wide(value) : latin1(value)]);
export const start = (version: number, type = 0x0809): Buffer => excelRecord(type, uint16(version), uint16(5));

export const unicodeRecords: readonly Buffer[] = [
  start(0x0600),
  excelRecord(0x0085, Buffer.alloc(6), Buffer.of(5, 0), latin1('Sheet')),
  excelRecord(0x0014, text('&"Arial"left&12&B&Cmiddle')),
  excelRecord(0x0015, text('foot本', 1)),
  excelRecord(
    0x00fc,
    uint32(3, 3),
    text('shared'),
    Buffer.concat([uint16(4), Buffer.of(0x0d), uint16(1), uint32(2), wide('rich'), Buffer.alloc(6)]),
    uint16(8),
    Buffer.of(0),
    latin1('spl'),
  ),
  excelRecord(0x003c, Buffer.of(1), wide('it本')),
  excelRecord(0x003c, Buffer.of(0), latin1('ed'), text('last')),
  label(0x0204, text('label')),
  label(0x00d6, text('rich label')),
  excelRecord(0x0207, text('result')),
  excelRecord(0x001c, Buffer.alloc(4), text('no note')),
  excelRecord(0x01b6, Buffer.alloc(10), uint16(9), Buffer.alloc(6)),
  excelRecord(0x003c, Buffer.of(0), latin1('text ')),
  excelRecord(0x003c, Buffer.of(1), wide('box本')),
  excelRecord(0x01b6, Buffer.alloc(10)),
  label(0x0203, double(0.1 + 0.2)),
  label(0x0203, double(Number.NaN)),
  label(0x0006, double(1.5)),
  label(0x0006, Buffer.from('0000000000000000'.replace(/.{4}$/, 'ffff'), 'hex')),
  label(0x027e, uint32(((42 << 2) | 2) >>> 0)),
  label(0x027e, uint32(((4250 << 2) | 3) >>> 0)),
  label(0x027e, uint32(((-7 << 2) | 2) >>> 0)),
  label(0x027e, uint32(0x3ff8_0000)),
  label(0x027e, uint32(0x4059_0001)),
  excelRecord(0x00bd, Buffer.alloc(4), uint16(0), uint32(6), uint16(0), uint32(10), uint16(1)),
  excelRecord(0x0003, Buffer.alloc(7), double(3)),
];

export const oldRecords = (codePage: number, version: number, type: number): Buffer =>
  Buffer.concat([
    start(version, type),
    excelRecord(0x0042, uint16(codePage)),
    excelRecord(0x0085, Buffer.alloc(6), Buffer.of(3), latin1('S\xb0\xa1')),
    excelRecord(0x0014, Buffer.of(4), latin1('&Bhd')),
    label(0x0204, uint16(4), latin1('l\xb0\xa1z')),
    excelRecord(0x0004, Buffer.alloc(7), Buffer.of(3), latin1('old')),
    excelRecord(0x001c, Buffer.alloc(4), uint16(4), latin1('note')),
    excelRecord(0x0207, uint16(3), latin1('res')),
    excelRecord(0x0003, Buffer.alloc(7), double(7.25)),
    excelRecord(0x0003, Buffer.alloc(14)),
    label(0x0203, double(2)),
    excelRecord(0x0203, Buffer.alloc(13)),
    excelRecord(0x0006, Buffer.alloc(13)),
    excelRecord(0x027e, Buffer.alloc(9)),
    excelRecord(0x0042, Buffer.of(1)),
    excelRecord(0x0204, Buffer.alloc(7)),
  ]);

const workbooks: readonly (readonly [name: string, content: Buffer])[] = [
  ['Excel 97', compound({ Workbook: Buffer.concat(unicodeRecords) })],
  ...[932, 936, 949, 950, 1249, 1250, 1251, 1258, 1259, 10_000, 32_768].map(
    page => [`the code page ${page}`, compound({ Book: oldRecords(page, 0x0500, 0x0809) })] as const,
  ),
  ...[0x0009, 0x0209, 0x0409, 0x0a09].map(
    type => [`a workbook of type ${type.toString(16)} without a container`, oldRecords(1252, 0, type)] as const,
  ),
  ...[16, 17].map(
    length =>
      [
        `a workbook without a container whose first record has ${length} bytes`,
        Buffer.concat([excelRecord(0x0009, Buffer.alloc(length)), label(0x0204, uint16(4), latin1('cell'))]),
      ] as const,
  ),
  [
    'an encrypted workbook',
    compound({ Workbook: Buffer.concat([start(0x0600), excelRecord(0x002f, Buffer.alloc(4))]) }),
  ],
  [
    'a workbook that starts with a short record',
    compound({ Workbook: Buffer.concat([excelRecord(0x0809, Buffer.of(5)), label(0x0204, text('unicode'))]) }),
  ],
];

const wideText = (value: string): Buffer => slideRecord(4000, wide(value));
const narrowText = (value: string): Buffer => slideRecord(4008, latin1(value));
const comment = slideRecord(12_000, [slideRecord(4026, wide('comment'))]);
const tags = slideRecord(5000, [
  slideRecord(5002, [
    slideRecord(4026, wide('___PPT10')),
    slideRecord(5003, [comment, wideText('no')]),
    slideRecord(5004, [comment]),
  ]),
  wideText('no'),
]);

/** Saves a presentation, and saves it again with a new version of the first slide. */
export function presentation(keyBytes = 0): Storage {
  const pieces: Buffer[] = [];
  const add = (record: Buffer): number => {
    const offset = pieces.reduce((sum, piece) => sum + piece.length, 0);
    pieces.push(record);
    return offset;
  };
  add(slideRecord(2000, Buffer.alloc(4)));
  const list = (instance: number, ...ids: readonly number[]): Buffer =>
    slideRecord(
      4080,
      ids.flatMap(id => [slideRecord(1011, uint32(id, 0, 0)), narrowText(`title ${id}`)]),
      instance,
    );
  const document = add(
    slideRecord(1000, [list(0, 2, 3, 9, 3), list(1, 2), list(2, 4), wideText('in document\rnext\vline\x01'), tags]),
  );
  const slides = ['old', 'second', 'notes'].map((name, index) =>
    add(
      slideRecord(index === 2 ? 1008 : 1006, [
        wideText(name),
        slideRecord(4026, wide('string')),
        slideRecord(77, latin1('none')),
      ]),
    ),
  );
  const unlisted = add(slideRecord(1006, [narrowText('unlisted')]));
  const firstDirectory = add(slideRecord(6002, uint32((5 << 20) | 1, document, ...slides, unlisted)));
  const firstEdit = add(slideRecord(4085, Buffer.concat([uint32(0, 0, 0, firstDirectory), Buffer.alloc(12)])));
  const changed = add(slideRecord(1006, [wideText('new'), narrowText('caf\xe9\x0b')]));
  const directory = add(slideRecord(6002, uint32((1 << 20) | 2, changed, (2 << 20) | 20, document)));
  const edit = add(slideRecord(4085, Buffer.concat([uint32(0, 0, firstEdit, directory), Buffer.alloc(12 + keyBytes)])));
  return {
    'PowerPoint Document': Buffer.concat(pieces),
    'Current User': Buffer.concat([Buffer.alloc(16), uint32(edit)]),
  };
}

const presentations: readonly (readonly [name: string, content: Buffer])[] = [
  ['a presentation', compound(presentation())],
  ['an encrypted presentation', compound(presentation(4))],
  [
    'a presentation without a directory',
    compound({ 'PowerPoint Document': presentation()['PowerPoint Document'] ?? Buffer.alloc(0) }),
  ],
  [
    'a presentation for two versions',
    compound({ PP97_DUALSTORAGE: presentation(), 'PowerPoint Document': wideText('95') }),
  ],
];

export const property = (id: string, type: string, value: Buffer): Storage => ({ [`__substg1.0_${id}${type}`]: value });
const recipient: Storage = {
  ...property('3001', '001F', wide('Bob')),
  ...property('3003', '001E', latin1('bob@b.example')),
};
const inner: Storage = { ...property('0037', '001F', wide('inner')), ...property('1000', '001F', wide('inner body')) };
const attachments = (message: Storage): Storage => ({
  '__attach_version1.0_#00000000': {
    ...property('3704', '001F', wide('SHORT.TXT')),
    ...property('3707', '001F', wide('long name.txt')),
  },
  '__attach_version1.0_#00000001': { ...property('3704', '001F', wide('only.txt')), '__substg1.0_3701000D': message },
  '__recip_version1.0_#00000000': recipient,
});
export const header: Storage = {
  ...property('0037', '001F', wide('subject')),
  ...property('0C1A', '001E', latin1('caf\xe9')),
  ...property('0E04', '001F', wide('to\0')),
  ...property('0C1F', '001F', wide('from')),
};

/** Encodes all bytes without compression, except for one reference of 10 bytes to the dictionary. */
export function compressedRtf(source: string): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < source.length; at += 7) {
    const literals = latin1(source.slice(at, at + 7));
    const reference = at === 7 ? Buffer.of(0x0b, 0x48) : Buffer.alloc(0);
    parts.push(Buffer.of(reference.length > 0 ? 1 << literals.length : 0), literals, reference);
  }
  const body = Buffer.concat([...parts, latin1(' '.repeat(1))]);
  return Buffer.concat([uint32(body.length + 12, source.length + 9, 0x75465a4c, 0), body]);
}

export const rtf = '{\\rtf1\\ansi body of rtf\\par second line}';
const messages: readonly (readonly [name: string, content: Buffer])[] = [
  [
    'a message',
    compound({ ...header, ...property('1000', '001F', wide('plain\r\nbody')), ...attachments(attachments(inner)) }),
  ],
  [
    'a message in HTML',
    compound({
      ...header,
      ...property('1000', '001F', wide(' ')),
      ...property('1013', '0102', latin1('<p>caf\xe9<br>x')),
      ...property('1009', '0102', latin1('no')),
    }),
  ],
  [
    'a message in RTF',
    compound({ ...header, ...property('1009', '0102', Buffer.concat([uint32(0, 0, 0x414c454d, 0), latin1(rtf)])) }),
  ],
  ['a message in compressed RTF', compound({ ...header, ...property('1009', '0102', compressedRtf(rtf)) })],
];

export const summaryOf = (codePage: number, type: number, title: Buffer): Buffer => {
  const values = [
    Buffer.concat([uint32(2), uint16(codePage), uint16(0)]),
    Buffer.concat([uint32(type), uint32(type === 0x1f ? title.length / 2 : title.length), title]),
    Buffer.concat([uint32(0x1e, 4), latin1('Ada\0')]),
    Buffer.concat([uint32(0x03, 4), latin1('no\0\0')]),
  ];
  let at = 8 + 8 * values.length;
  const places = [1, 2, 4, 5].map((id, index) => {
    const place = uint32(id, at);
    at += values[index]?.length ?? 0;
    return place;
  });
  return Buffer.concat([Buffer.alloc(44), uint32(48), uint32(at, values.length), ...places, ...values]);
};
const summaries = (
  [
    [1252, 0x1e, latin1('caf\xe9\0x')],
    [1251, 0x1e, latin1('\xcf\xf0\xe8\0')],
    [1249, 0x1e, latin1('na\xefve\0')],
    [1258, 0x1e, latin1('a\xd0\0')],
    [65_001, 0x1e, Buffer.from('süß\0')],
    [10_000, 0x1e, latin1('\x8ea\0')],
    [1200, 0x1e, wide('wide\0')],
    [1252, 0x1f, wide('typed\0')],
    [1252, 0x1f, wide('no end')],
    [1252, 0x1e, latin1('no end')],
  ] as const
).map(([page, type, title]) =>
  sample(
    `summary with code page ${page} and type ${type}`,
    'doc',
    compound({ '\x05SummaryInformation': summaryOf(page, type, title), ...word({ text: 'body' }) }),
  ),
);

const others: readonly (readonly [name: string, content: Buffer])[] = [
  [
    'large streams',
    compound({ Workbook: Buffer.concat([...unicodeRecords, Buffer.alloc(9000)]), Other: { Empty: Buffer.alloc(0) } }),
  ],
  ['streams in sectors', compound(word({ text: 'in sectors' }), { miniCutoff: 0 })],
  ['a name in lower case', compound({ workbook: Buffer.concat(unicodeRecords.slice(0, 2)) })],
  ['RTF with another extension', latin1(rtf)],
  ['HTML with another extension', latin1('  <html><p>page</p>')],
  ['a web archive', latin1('MIME-Version: 1.0\r\nContent-Type: text/html\r\n\r\n<p>archive</p>')],
  ['plain text', latin1('just text')],
  ['other bytes', Buffer.from([1, 0, 2, 0, 0, 0, 0, 0])],
  ['a container without documents', compound({ Other: latin1('x') })],
];

export const compoundSamples: readonly Sample[] = [
  ...[...words, ...workbooks, ...presentations, ...messages, ...others].map(([name, content]) =>
    sample(name, name.includes('message') ? 'msg' : 'doc', content),
  ),
  ...summaries,
];

export const changedCompound: readonly Sample[] = [
  sample('workbook', 'xls', oldRecords(1251, 0, 0x0409)),
  sample(
    'container',
    'doc',
    compound({
      '\x05SummaryInformation': summaryOf(1252, 0x1e, latin1('Title\0')),
      Book: excelRecord(0x0204, Buffer.alloc(6), uint16(3), latin1('abc')),
    }),
  ),
];
