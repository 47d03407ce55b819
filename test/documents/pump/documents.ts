import { decodeText } from '../../../src/documents/encoding/decode.ts';
import { defineReader, nest, repeat, repeatBytes } from '../../fuzz/pump/reader.ts';
import { fileReader } from '../file-reader.ts';
import { zip } from '../zip.ts';

const markup = [
  ...'<|<!--|<![CDATA[|<!a[|<p>|</p>|<p a="|<a \'|<a b=c |&|&#|&amp| |\n|<script>|<style>|<title>'.split('|'),
  ...'<text>|<meta charset=|a<br>|<table><tr><td>|<plaintext>|<!'.split('|'),
];
const elements = ['p', 'table', 'li', 'b', 'svg', 'text:p', 'w:p', 't'].map(
  name => [`<${name}>`, `</${name}>`] as const,
);
const xml = [
  ...repeat([...markup, '<w:t>a</w:t>', '<w:p>', '<text:s text:c="9"/>', '<si><t>a</t></si>', '<c t="s"><v>0']),
  ...nest(elements),
];

const mailHead = 'From: a@b.example\r\nSubject: x\r\n';
const multipart = `${mailHead}Content-Type: multipart/mixed; boundary=b\r\n\r\n`;
const mail = [
  ...repeat(
    ['X: y\r\n', ' folded\r\n', 'a', ':', '=?utf-8?Q?a?= ', '=?utf-8?B?', '=?', '"', '(', '<', ';', '\t'],
    mailHead,
    '\r\n\r\nbody',
  ),
  ...repeat(
    [
      '=?utf-8?Q?=41?=\r\n ',
      '=?utf-8?B?QQ==?=',
      '=?utf-8?Q?=C3=A9?=a',
      '=?x?Q?=E9?=a',
      '=?utf-8?Q?=41?==?koi8-r?Q?=C1?=',
      '=?iso-2022-jp?B?GyRCJCIbKEI=?= ',
      '"A, B" <a@b.example>,\r\n ',
      '=?b?',
      '?=',
    ],
    'Subject: ',
    '\r\n\r\nbody',
  ),
  ...repeat(['a: é\r\n', 'a: =?utf-8?Q?=C3=A9?=\r\n', 'a: =?x?Q?=E9?=\r\n'], mailHead, '\r\nbody'),
  ...repeat(
    ['; a=b', '; a*0=b', "; a*=utf-8''%C3%A9", '; boundary="', '"', ' ', ';'],
    `${mailHead}Content-Type: multipart/mixed`,
    '\r\n\r\nbody',
  ),
  ...repeat(
    [
      '--b\r\n',
      '--b\r\n\r\n',
      '--b\r\nSubject: =?x?Q?=E9?=\r\n\r\n',
      '--b--\r\n',
      '\r\n',
      '-',
      '--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n',
    ],
    multipart,
  ),
  ...repeat(['=', '=\r\n', '=41', '=4'], `${mailHead}Content-Transfer-Encoding: quoted-printable\r\n\r\n`),
  ...repeat(['QUJD', 'Q', '=', '\r\n'], `${mailHead}Content-Transfer-Encoding: base64\r\n\r\n`),
];
const box = [
  ...mail,
  ...repeat(
    ['From a@b Thu Jan  1 00:00:00 2026\nS: t\n\n', 'From ', '\nFrom ', '>From '],
    'From a@b Thu Jan  1 00:00:00 2026\n',
  ),
];
const cards = repeat(
  ['SUMMARY:a\r\n', ' a\r\n', 'N;', ';', 'A;ENCODING=QUOTED-PRINTABLE:=\r\n', '\\', '\\n', ':', '"', 'BEGIN:VCARD\r\n'],
  'BEGIN:VCARD\r\nFN:a\r\n',
);
const rtf = [
  ...repeat(
    [
      '{',
      '}',
      '\\',
      '\\par ',
      '\\u-3 ',
      "\\'e9",
      '\\bin9 ',
      '{\\*\\x',
      '{\\fonttbl',
      '\\uc9 ',
      'a',
      '\\bin999999999 ',
      '\r\n',
    ],
    '{\\rtf1 ',
  ),
  ...nest(
    [
      ['{', '}'],
      ['{\\f0 ', '}'],
    ],
    '{\\rtf1 ',
  ),
];

const plain = defineReader({
  name: 'encodings',
  cases: repeatBytes([
    'a',
    '\x83\x65',
    '\xa4\xa2',
    '\xe9',
    '\xc3\xa9',
    'a\0',
    '\0a',
    '\x1b$B$"',
    '\x1b$',
    '\xd0\xd1',
    '\0\0\0a',
    'a\0\0\0',
    '\x81',
    '\xff',
  ]),
  read: input => decodeText(input).bytes,
});

const media = [
  { extension: 'png', pieces: ['\0\0\0\0tEXt\0\0\0\0', '\0'], start: '\x89PNG\r\n\x1a\n' },
  { extension: 'jpg', pieces: ['\xff\xe1\0\x02', '\xff', '\xff\xda\0\x02', '\0'], start: '\xff\xd8' },
  { extension: 'gif', pieces: ['\x21\xfe\0', ','], start: 'GIF89a\x10\0\x20\0\0\0\0' },
  { extension: 'webp', pieces: ['VP8 \0\0\0\0'], start: 'RIFF\xff\xff\0\0WEBP' },
  { extension: 'tiff', pieces: ['\0\x01\0\x03\0\0\0\x01\0\0\0\0'], start: 'MM\0*\0\0\0\x08\xff\xff' },
  {
    extension: 'mp3',
    pieces: ['TIT2\0\0\0\0\0\0', '\xff\xfb\x90\0', '\0', '\xff'],
    start: 'ID3\x03\0\0\0\x7f\x7f\x7f',
  },
  { extension: 'wav', pieces: ['LIST\0\0\0\0', 'data'], start: 'RIFF\xff\xff\0\0WAVE' },
  { extension: 'flac', pieces: ['\x04\0\0\0', '\x04\0\0\x04\xff\xff\xff\xff'], start: 'fLaC' },
  { extension: 'ogg', pieces: ['OggS\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0', 'O', 'OggS'], start: '' },
  {
    extension: 'mp4',
    pieces: ['\0\0\0\x08free', '\0\0\0\x08moov', '\0\0\0\x08trak', '\0'],
    start: '\0\0\0\x10ftypisom\0\0\0\0',
  },
  { extension: 'aiff', pieces: ['NAME\0\0\0\0', 'SSND'], start: 'FORM\0\0\xff\xffAIFF' },
].map(({ extension, pieces, start }) => fileReader(extension, repeatBytes(pieces, start)));

export const readers = [
  plain,
  fileReader('html', [...repeat(markup), ...nest(elements), ...repeat(markup, '<html><body><p>')]),
  fileReader('svg', repeat(markup, '<svg><text>')),
  fileReader('rtf', rtf),
  fileReader('eml', mail),
  fileReader('mbox', box),
  fileReader('vcf', cards),
  fileReader('ics', cards),
  fileReader('docx', xml, part => zip({ 'word/document.xml': part, 'docProps/core.xml': part })),
  fileReader('xlsx', xml, part => zip({ 'xl/sharedStrings.xml': part, 'xl/worksheets/sheet1.xml': part })),
  fileReader('pptx', xml, part => zip({ 'ppt/slides/slide1.xml': part })),
  fileReader('odt', xml, part => zip({ 'content.xml': part, 'meta.xml': part })),
  fileReader('fodt', xml),
  fileReader('epub', xml, part => zip({ 'META-INF/container.xml': part, '1.html': part })),
  fileReader('docx', repeatBytes(['PK\x01\x02', 'PK\x03\x04', 'PK\x05\x06', '\0'], 'PK\x03\x04')),
  ...media,
];
