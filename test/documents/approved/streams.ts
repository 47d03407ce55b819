import { extractWorkbookText } from '../../../src/documents/compound/excel.ts';
import { decompressRtf } from '../../../src/documents/compound/rtf-compression.ts';
import { compound, excelRecord, type Storage, uint16, uint32, word } from '../compound.ts';
import {
  complexWord,
  compressedRtf,
  header,
  label,
  oldRecords,
  oldWord,
  presentation,
  property,
  rtf,
  start,
  summaryOf,
  text,
  unicodeRecords,
} from './compound.ts';
import { mediaSamples } from './media.ts';
import { extract, listChanges, listCuts, sample } from './sample.ts';

const latin1 = (characters: string): Buffer => Buffer.from(characters, 'latin1');

/** Splits records of Excel, and returns the type and the body of each one. */
function recordsIn(bytes: Buffer): (readonly [type: number, body: Buffer])[] {
  const records: (readonly [number, Buffer])[] = [];
  for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt16LE(at + 2))
    records.push([bytes.readUInt16LE(at), bytes.subarray(at + 4, at + 4 + bytes.readUInt16LE(at + 2))]);
  return records;
}

function readWorkbook(bytes: Buffer): string {
  try {
    return extractWorkbookText(bytes);
  } catch (error) {
    return String(error);
  }
}

const lastCell = label(0x0204, text('end'));
const versions = [
  ['Excel 97', start(0x0600), unicodeRecords],
  [
    'Excel 5',
    start(0x0500),
    recordsIn(oldRecords(1251, 0x0500, 0x0809)).map(([type, body]) => excelRecord(type, body)),
  ],
  ['Excel 2', start(0, 0x0009), recordsIn(oldRecords(1252, 0, 0x0009)).map(([type, body]) => excelRecord(type, body))],
] as const;

/** Lists the texts of workbooks with one record before a number whose style has the format 200, for each length of the record. */
export function listShortRecords(): string {
  const lists = versions.flatMap(([name, first, records]) => {
    const format = excelRecord(0x041e, uint16(200), name === 'Excel 97' ? text('dd.mm.yyyy') : latin1('\ndd.mm.yyyy'));
    const number = label(0x0203, Buffer.from('00000000e0b1e540', 'hex'));
    const style = excelRecord(0x00e0, uint16(0), uint16(200));
    const general = excelRecord(0x00e0, uint16(0), uint16(0));
    const days = Buffer.from('00000000e0b1e540', 'hex');
    const small = uint32(((45_000 << 2) | 2) >>> 0);
    const dated = Buffer.concat([
      excelRecord(0x0203, uint16(0), uint16(0), uint16(1), days),
      excelRecord(0x027e, uint16(0), uint16(0), uint16(1), small),
      excelRecord(0x0006, uint16(0), uint16(0), uint16(1), days),
      excelRecord(0x00bd, uint16(0), uint16(0), uint16(1), small, uint16(0), small, uint16(1)),
    ]);
    const cut = (record: Buffer, before: Buffer, after: Buffer): string =>
      recordsIn(record)
        .map(([type, body]) =>
          listCuts(`${name}, record 0x${type.toString(16)}`, body, bytes =>
            readWorkbook(Buffer.concat([first, before, excelRecord(type, bytes), after])),
          ),
        )
        .join('');
    return [
      cut(Buffer.concat(records.slice(1)), Buffer.alloc(0), number),
      cut(format, Buffer.alloc(0), Buffer.concat([style, number])),
      cut(style, format, number),
      cut(dated, Buffer.concat([format, general, style]), number),
      cut(excelRecord(0x0022, uint16(1)), Buffer.concat([format, style]), number),
    ];
  });
  const first = [0, 1, 2, 4].map(length =>
    readWorkbook(Buffer.concat([excelRecord(0x0809, uint16(0x0500).subarray(0, length)), lastCell])),
  );
  return `${lists.join('')}a workbook with a short first record: ${JSON.stringify(first)}\n`;
}

const stream = (storage: Storage, name: string): Buffer => {
  const bytes = storage[name];
  if (!Buffer.isBuffer(bytes)) throw new Error(`there is no stream ${name}`);
  return bytes;
};
const read = (storage: Storage, extension = 'doc'): string => {
  const content = compound(storage);
  return extract({ extension, content });
};

const slides = presentation();
const document = word({ text: 'narrow ' }, { text: 'wide', isWide: true });
const summary = summaryOf(1252, 0x1e, latin1('Title\0'));

/** The streams of compound files, and what the reader returns for other bytes in their place. */
const streams: readonly (readonly [name: string, content: Buffer, run: (bytes: Buffer) => string])[] = [
  [
    'a presentation',
    stream(slides, 'PowerPoint Document'),
    bytes => read({ ...slides, 'PowerPoint Document': bytes }, 'ppt'),
  ],
  [
    'the user of a presentation',
    stream(slides, 'Current User'),
    bytes => read({ ...slides, 'Current User': bytes }, 'ppt'),
  ],
  ['the pieces of a document', stream(document, '1Table'), bytes => read({ ...document, '1Table': bytes })],
  ['a summary', summary, bytes => read({ ...document, '\x05SummaryInformation': bytes })],
  ['compressed RTF', compressedRtf(rtf), bytes => decompressRtf(bytes)?.toString('latin1') ?? 'no RTF'],
  ['RTF in a message', compressedRtf(rtf), bytes => read({ ...header, ...property('1009', '0102', bytes) }, 'msg')],
  ['a workbook', Buffer.concat(unicodeRecords), readWorkbook],
  ['an old workbook', oldRecords(1250, 0x0500, 0x0809), readWorkbook],
];

/** Lists the results for each length at which they change: of streams, and of media files. */
export function listAllCuts(): string {
  const old = oldWord('text', 0x0419);
  const headers = [
    [
      'a document without its end',
      stream(document, 'WordDocument').subarray(0, 0x1b0),
      (bytes: Buffer) => read({ ...document, WordDocument: bytes }),
    ],
    ['a document without a container', old, (bytes: Buffer) => extract({ extension: 'doc', content: bytes })],
    ['a document of Word 6', old, (bytes: Buffer) => read({ WordDocument: bytes })],
    ['pieces of a document of Word 6', complexWord(), (bytes: Buffer) => read({ WordDocument: bytes })],
    [
      'a workbook without a container',
      oldRecords(1252, 0, 0x0209),
      (bytes: Buffer) => extract({ extension: 'xls', content: bytes }),
    ],
  ] as const;
  const media = mediaSamples
    .filter(({ content }) => content.length < 300)
    .map(({ name, extension, content }) => listCuts(name, content, bytes => extract({ extension, content: bytes })));
  return [
    ...[...streams.slice(1), ...headers].map(([name, content, run]) => listCuts(name, content, run)),
    ...media,
  ].join('');
}

export function listStreamChanges(): string {
  return streams.map(([name, content, run]) => listChanges(sample(name, 'doc', content), run)).join('\n');
}
