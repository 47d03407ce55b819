// Builds a collection of 50,000 files with about 1 GB, the same each time: texts, source code, office files, PDFs and
// media.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { crc32, deflateRawSync, deflateSync } from './files-zip.mjs';

function createRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
  };
}

const random = createRandom(20261118);
const below = limit => Math.floor(random() * limit);
const pick = list => list[below(list.length)];

const consonants = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'th',
  'st',
  'tr',
  'k',
  'v',
  'w',
  'h',
  'j',
];
const vowels = ['a', 'e', 'i', 'o', 'u', 'ea', 'ou', 'io'];
const word = () =>
  Array.from({ length: 1 + below(3) }, () => pick(consonants) + pick(vowels)).join('') +
  (random() < 0.5 ? pick(consonants) : '');
const vocabulary = [...new Set(Array.from({ length: 30_000 }, word))];
/** The words follow Zipf's law: the first words of the list are the most frequent ones. */
const zipf = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? vocabulary[0];

const sentence = () => {
  const words = Array.from({ length: 6 + below(12) }, zipf);
  return `${words[0][0].toUpperCase()}${words[0].slice(1)} ${words.slice(1).join(' ')}.`;
};
const codeLine = () => {
  const name = `${zipf()}${zipf().replace(/^./, first => first.toUpperCase())}`;
  return pick([
    `const ${name} = ${zipf()}(${zipf()}, ${below(1000)});`,
    `  if (${name} === ${zipf()}) return ${zipf()}.${zipf()};`,
    `export function ${name}(${zipf()}, ${zipf()}) {`,
    `// ${sentence()}`,
    '}',
    `import { ${name} } from './${zipf()}.js';`,
  ]);
};
const pool = (line, bytes) => {
  const lines = [];
  for (let length = 0; length < bytes; length += lines.at(-1).length + 1) lines.push(line());
  return lines.join('\n');
};
const prosePool = pool(sentence, 6_000_000);
const codePool = pool(codeLine, 6_000_000);
const slice = (source, bytes) => {
  const start = below(source.length - bytes);
  return source.slice(source.indexOf('\n', start) + 1, start + bytes);
};
/** Returns a random length. Long files are rare, and short files are common. */
const around = mean => Math.max(60, Math.floor(-Math.log(1 - random()) * mean));

function zip(entries) {
  const [pieces, directory] = [[], []];
  let offset = 0;
  for (const [name, text] of entries) {
    const [content, bytes] = [Buffer.from(text), Buffer.from(name)];
    const packed = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(content.length, 18);
    fields.writeUInt16LE(bytes.length, 22);
    pieces.push(Buffer.from('PK\x03\x04'), fields, bytes, packed);
    const central = Buffer.alloc(16);
    central.writeUInt32LE(offset, 12);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), fields, central.subarray(2), bytes);
    offset += 30 + bytes.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...pieces, listed, end]);
}

const paragraphs = bytes => slice(prosePool, bytes).split('\n');
export const docx = () =>
  zip([
    ['[Content_Types].xml', '<Types/>'],
    [
      'word/document.xml',
      `<w:document><w:body>${paragraphs(around(12_000))
        .map(
          text =>
            `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>${text.slice(0, 20)}</w:t></w:r><w:r><w:t xml:space="preserve">${text.slice(20)}</w:t></w:r></w:p>`,
        )
        .join('')}</w:body></w:document>`,
    ],
  ]);
const odt = () =>
  zip([
    ['mimetype', 'application/vnd.oasis.opendocument.text'],
    [
      'content.xml',
      `<office:document-content><office:body>${paragraphs(around(6000))
        .map(text => `<text:p>${text}</text:p>`)
        .join('')}</office:body></office:document-content>`,
    ],
  ]);
const xlsx = () => {
  const cells = paragraphs(around(8000)).map(text => text.slice(0, 60));
  return zip([
    ['xl/sharedStrings.xml', `<sst>${cells.map(text => `<si><t>${text}</t></si>`).join('')}</sst>`],
    [
      'xl/worksheets/sheet1.xml',
      `<worksheet><sheetData>${cells.map((_, row) => `<row><c r="A${row}" t="s"><v>${row}</v></c><c r="B${row}"><v>${below(100_000)}</v></c></row>`).join('')}</sheetData></worksheet>`,
    ],
  ]);
};
export function pdf() {
  const objects = [];
  const pages = Array.from({ length: 1 + below(5) }, () => {
    const lines = paragraphs(3000).map(
      (text, row) => `1 0 0 1 72 ${770 - row * 12} Tm [(${text.slice(0, 30)})-20(${text.slice(30)})] TJ`,
    );
    const stream = deflateSync(Buffer.from(`BT /F1 10 Tf\n${lines.join('\n')}\nET`));
    objects.push(
      Buffer.concat([
        Buffer.from(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
        stream,
        Buffer.from('\nendstream'),
      ]),
    );
    objects.push(
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${objects.length + 3} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
    );
    return `${objects.length + 3} 0 R`;
  });
  const all = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Count ${pages.length} /Kids [${pages.join(' ')}] >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    ...objects,
  ];
  const body = all.flatMap((object, index) => [Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
  return Buffer.concat([
    Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1'),
    ...body,
    Buffer.from('trailer << /Root 1 0 R >>\n%%EOF\n'),
  ]);
}
const noise = Buffer.from(Uint8Array.from({ length: 4_000_000 }, () => below(256)));
const media = (mark, mean) => () => {
  const length = Math.min(around(mean), 3_000_000);
  const start = below(noise.length - length);
  return Buffer.concat([Buffer.from(mark, 'latin1'), noise.subarray(start, start + length)]);
};
const accents = { a: 'á', e: 'é', o: 'ö', u: 'ü', n: 'ñ', c: 'ç' };
const prose = number => {
  const text = slice(prosePool, around(15_800));
  return number % 97 === 0 ? text.replace(/[aeounc]/g, letter => (random() < 0.1 ? accents[letter] : letter)) : text;
};

const plan = [
  [
    27_000,
    'source',
    ['js', 'ts', 'py', 'c', 'h', 'rs', 'go', 'java', 'json', 'css'],
    () => slice(codePool, around(4150)),
  ],
  [14_000, 'texts', ['txt', 'md', 'tex', 'log', 'html'], prose],
  [1200, 'office', ['docx'], docx],
  [300, 'office', ['odt'], odt],
  [300, 'office', ['xlsx'], xlsx],
  [1200, 'papers', ['pdf'], pdf],
  [2800, 'pictures', ['png'], media('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 80_000)],
  [2800, 'pictures', ['jpg'], media('\xff\xd8\xff\xe0\0\x10JFIF\0', 80_000)],
  [250, 'music', ['mp3'], media('ID3\x03\0\0\0\0\0\0\xff\xfb\x90\0', 300_000)],
  [60, 'videos', ['mp4'], media('\0\0\0\x18ftypisom\0\0\0\0', 900_000)],
  [90, 'odds', ['', 'dat', 'bin', 'svg'], media('\0\x01', 2000)],
];

/** Each of these words occurs in exactly five texts or source files, because people search for rare words. */
export const rareWords = ['zyxomark', 'quillhaven', 'seastone', 'notationeer', 'brimwillow', 'retainsole'];

/** Builds the collection in a folder. `scale` makes it smaller. Returns the number of files and their bytes. */
export async function buildCorpus(folder, scale = 1) {
  let [files, bytes] = [0, 0];
  const marked = new Map();
  for (const wanted of rareWords) {
    for (let copy = 0; copy < 5; copy++) {
      const key = below(Math.floor(41_000 * scale));
      marked.set(key, `${marked.get(key) ?? ''} ${wanted}`);
    }
  }
  for (const [count, area, extensions, content] of plan) {
    for (let number = 0; number < Math.ceil(count * scale); number++) {
      const place = path.join(
        folder,
        area === 'office' || area === 'papers' ? 'documents' : 'plain',
        area,
        vocabulary[number % 53],
        vocabulary[Math.floor(number / 53) % 15],
      );
      await mkdir(place, { recursive: true });
      const extension = extensions[number % extensions.length];
      const mark = area === 'source' || area === 'texts' ? marked.get(files) : undefined;
      const made = content(number);
      const whole = mark === undefined ? made : `${made}\n${mark.toUpperCase()}\n`;
      await writeFile(path.join(place, `${vocabulary[number % 4001]}-${number}${extension && '.'}${extension}`), whole);
      files++;
      bytes += whole.length;
    }
  }
  return { files, bytes };
}
