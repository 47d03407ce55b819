import { createHash } from 'node:crypto';
import {
  createFileTypeTable,
  extensionOf,
  fileKinds,
  fileTypeOfName,
  isFileTypeUncertain,
  mayBeOfFileKind,
  sniffExtension,
} from '../../../src/documents/file-type.ts';
import { unescapeMarkup } from '../../../src/documents/markup.ts';
import { CellDateFinder } from '../../../src/documents/office/cell-dates.ts';
import { convertCnsCodeToCid, findCidCollection } from '../../../src/documents/pdf/cid/collection.ts';
import { findPredefinedCidEncoding } from '../../../src/documents/pdf/cid/encoding.ts';

export function listFileTypes(): string {
  const table = createFileTypeTable();
  const types = Array.from(table, ([extension, type]) => {
    const { identifier, tree, kinds, format, label } = type;
    return `${extension}: ${label}, ${format}, ${kinds.join('+')}, ${identifier} < ${tree.join(' < ')}`;
  });
  const names = ['a.txt', 'b/c.TXT', 'a.b/c', '.profile', 'a.', 'a.ts', 'a.d.ts', 'A.D.TS', '.d.ts', 'a.MTS', 'x'];
  const facts = names.map(name => {
    const kinds = fileKinds.filter(kind => mayBeOfFileKind(name, kind));
    const type = fileTypeOfName(table, name).label;
    return `${name}: "${extensionOf(name)}", ${type}, uncertain ${isFileTypeUncertain(name)}, ${kinds.join('+')}`;
  });
  return `${[...types, ...facts].join('\n')}\n`;
}

/** Lists the extensions of files by their first bytes, also with one byte changed, removed or added before them. */
export function listSniffed(): string {
  const marks = [
    '%PDF-1',
    '\x89PNG\r\n\x1a\n',
    '\xff\xd8\xff',
    'GIF87a',
    'GIF89a',
    'RIFF\0\0\0\0WEBP',
    'RIFF\0\0\0\0WAVE',
    'ID3\x04',
    'fLaC\0',
    'OggS\0',
    '\0\0\0\x20ftypM4A ',
    '\0\0\0\x20ftypisom',
    'PK\x03\x04',
    '#!/bin/sh',
    'plain text',
    'From ann Mon Jan  1 10:20:30 2024\nFrom: Ann',
    'From ann Mon Jan  1 10:20:30 2024\r\nX-1: y',
    'From ann to Bob\nat 10:20:30\nx: y',
    `From ann${' '.repeat(362)}Jan 1 10:20:30 2024\nFrom: Ann`,
    `From ann${' '.repeat(372)}Jan 1 10:20:30 2024\nFrom: Ann`,
    '',
    '\0\x01\x02\x03binary',
  ];
  const lines = marks.map(mark => {
    const changed = [0, 1, 3, 5, 9, 12].map(at => `${mark.slice(0, at)}\x01${mark.slice(at + 1)}`);
    const heads = [mark, mark.slice(0, -1), mark.slice(1), ` ${mark}`, ...changed];
    const found = heads.map(head => sniffExtension('name', Buffer.from(head, 'latin1')) || '-');
    return `${JSON.stringify(mark.slice(0, 60))}: ${found.join(' ')}`;
  });
  const streams = [0, 1, 187, 188, 191, 192, 375, 376, 377, 383, 384, 385, 600].flatMap(length =>
    [
      [0, 188],
      [4, 192],
      [1, 188],
    ].map(([first = 0, step = 0]) => {
      const head = Buffer.alloc(length, ' ');
      for (let at = first; at < length; at += step) head[at] = 0x47;
      const wrong = Buffer.from(head);
      if (length > 0) wrong[first + step * Math.floor((length - 1 - first) / step)] = 0;
      const found = [head, wrong].flatMap(bytes =>
        ['a.ts', 'a.mts', 'a.txt', 'a'].map(name => sniffExtension(name, bytes)),
      );
      return `${length} bytes with 0x47 from ${first} in steps of ${step}: ${found.map(name => name || '-').join(' ')}`;
    }),
  );
  return `${[...lines, ...streams].join('\n')}\n`;
}

/** Lists dates of cells for each kind of format and for numbers of days at the limits. */
export function listCellDates(): string {
  const formats = [
    'yyyy-mm-dd',
    'd/m/yy',
    'dd.mm.yyyy',
    'y m d',
    'yyy',
    'mmm d, yyyy',
    'mmmm d',
    'mmmmm',
    'ddd dd',
    'dddd, d mmmm',
    'DD MMM YY',
    'd "of" mmmm',
    'd\\d mmm',
    '[$-409]d mmm;@',
    '[Red]yyyy',
    'd_)m*-',
    'yyyy-mm-dd hh:mm',
    'd mmm s',
    'h:mm am/pm',
    'mm',
    'mm:ss',
    'General',
    '"d"0',
    '0.00',
    '0;yyyy',
    `"${'x'.repeat(251)}"dd`,
    `"${'x'.repeat(252)}"dd`,
    `"${'x'.repeat(254)}"dd`,
  ];
  const serials = [0, 0.9, 1, 1.5, 59, 60, 61, 45_351.99, 2_958_465, 2_958_466, Number.NaN];
  return [false, true]
    .flatMap(is1904 => {
      const finder = new CellDateFinder();
      finder.is1904 = is1904;
      formats.forEach((code, index) => finder.addFormat(200 + index, code));
      finder.addFormat(14, 'd.m.yyyy');
      finder.addFormat(15, '0');
      const ids = [...formats.map((_, index) => 200 + index), ...Array.from({ length: 60 }, (_, id) => id)];
      for (const id of ids) finder.addStyle(id);
      return ids.map((id, style) => {
        const texts = finder.isDate(style)
          ? serials.map(serial => finder.textOf(style, serial)).join(' | ')
          : 'no date';
        return `${is1904 ? 1904 : 1899} ${formats[id - 200] ?? id}: ${texts}\n`.replaceAll(
          /x{9,}/g,
          run => `x*${run.length}`,
        );
      });
    })
    .join('');
}

/** Lists the characters of all references in HTML 4, with and without semicolon, and of numbers at the limits. */
export function listReferences(): string {
  const accents = [
    'acute',
    'grave',
    'circ',
    'uml',
    'tilde',
    'ring',
    'cedil',
    'caron',
    'ogon',
    'macr',
    'breve',
    'dot',
    'dblac',
  ];
  const names = [
    ...'nbsp shy yuml Yacute frac34 Alpha Omega omega Tau sigmaf amp lt gt quot apos hellip thinsp emsp zwj Tab NewLine'.split(
      ' ',
    ),
    ...'excl rcub rbrace check yen xlt l lt5 gtx ampamp notit copyright quo eth ETHx sect1 unknown iexclx plusmnx'.split(
      ' ',
    ),
    ...accents.map(accent => `z${accent}`),
    'zzacute',
    'abcdefghijkl',
    'abcdefghijklm',
    ...'#0 #1 #127 #128 #129 #150 #159 #160 #65533 #1114111 #1114112 #9999999 #12345678 #x0 #x41 #X41 #x7f #x80 #x9f #xa0'.split(
      ' ',
    ),
    ...'#x10ffff #x110000 #x1234567 # #x &'.split(' '),
  ];
  return names
    .map(name => [`&${name};`, `&${name}`, `&${name}x`].map(text => JSON.stringify(unescapeMarkup(text))).join(' '))
    .map((texts, index) => `${names[index]}: ${texts}\n`)
    .join('');
}

/** Lists the lengths of codes by their first byte, and some texts and character ids, for each predefined CMap. */
export function listCidEncodings(): string {
  const names =
    'Identity-H CNS-EUC-V UniJIS-UCS2-H UniJIS-UTF16-V UniGB-UTF8-H UniKS-UTF32-V 90ms-RKSJ-H H V 78-H Ext-V NWP-H EUC-H 78-EUC-V GB-H KSC-H GBK-EUC-H GBK2K-V KSCms-UHC-H ETen-B5-H HKscs-B5-V B5pc-H Other-H'.split(
      ' ',
    );
  // Malformed codes are left out, because their text depends on the version of Node.
  const codes = ['41', 'a1a1', 'b0b0', 'd840dc00', '0010ffff', '00110000', 'e6bca2'];
  const encodings = names.map(name => {
    const encoding = findPredefinedCidEncoding(name);
    if (encoding === undefined) return `${name}: unknown`;
    const lengths = [0x20, 0x2f, 0x30, 0x39, 0x3a, 0x80].map(second =>
      runsOf(Array.from({ length: 256 }, (_, first) => encoding.lengthAt(Buffer.of(first, second), 0))),
    );
    const end = encoding.lengthAt(Buffer.alloc(0), 0);
    const texts = codes.slice(0, /UTF/.test(name) ? undefined : /GB|KS|B5|EUC/.test(name) ? 3 : 1).map(code => {
      const bytes = Buffer.from(code, 'hex');
      return `${code} ${JSON.stringify(encoding.text?.(bytes) ?? encoding.cid?.(bytes))}`;
    });
    return `${name}: ${[...new Set(lengths)].join(' or ')}, ${end} at the end\n    ${texts.join(', ')}`;
  });
  const orderings = ['Japan1', 'GB1', 'CNS1', 'Korea1', 'Other'].map(ordering => {
    const collection = findCidCollection(ordering);
    const texts = Array.from({ length: 31_000 }, (_, cid) => collection?.text(cid) ?? '');
    const cids = [...new Set(texts)].map(text => collection?.cidOf(text));
    const hash = createHash('sha256')
      .update(JSON.stringify([texts, cids]))
      .digest('hex')
      .slice(0, 16);
    return `${ordering}: ${texts.filter(text => text !== '').length} texts, ${hash}`;
  });
  const cns = Array.from({ length: 2000 }, (_, index) => {
    const code = 0xa1a1 + 12 * index;
    return [convertCnsCodeToCid(code), convertCnsCodeToCid(0x8ea20000 + code)];
  });
  const hash = createHash('sha256').update(JSON.stringify(cns)).digest('hex').slice(0, 16);
  return `${[...encodings, ...orderings].join('\n')}\nCNS-EUC: ${cns.flat().filter(cid => cid !== undefined).length} codes, ${hash}\n`;
}

function runsOf(lengths: readonly number[]): string {
  const starts = lengths.flatMap((length, first) =>
    length === lengths[first - 1] ? [] : [`${first.toString(16)}:${length}`],
  );
  return starts.join(' ');
}
