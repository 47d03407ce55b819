import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { createFileTypeTable, unknownFileType } from '../../../src/documents/file-type.ts';
import { extractMetadata, extractText } from '../../../src/documents/index.ts';
import { ChoiceReader, defineTarget } from '../../fuzz/target.ts';
import { zip } from '../zip.ts';

const types = createFileTypeTable();
const extensions =
  'html svg rtf eml mbox ics vcf txt docx xlsx pptx odt ods epub fodt png jpg gif bmp webp tiff heic mp3 wav flac ogg m4a mp4 mov aiff'.split(
    ' ',
  );

const isArchive = /^(?:docx|xlsx|pptx|od[ts]|epub)$/;

/**
 * The names of archive members that contain the text of office documents. The input of the fuzz target is the content
 * of one of them.
 */
const members = [
  'word/document.xml',
  'xl/worksheets/sheet1.xml',
  'xl/sharedStrings.xml',
  'ppt/slides/slide1.xml',
  'content.xml',
  'META-INF/container.xml',
  'docProps/core.xml',
  'meta.xml',
];

const input = (extension: string, content: string | Buffer, member = ''): Buffer =>
  Buffer.concat([Buffer.of(extensions.indexOf(extension), members.indexOf(member) + 1), Buffer.from(content)]);

export const target = defineTarget({
  name: 'documents',
  corpus: [
    input('html', '<!doctype html><meta charset=gbk><title>T</title><style>p{}</style><p>one<br>two &eacute;'),
    input('svg', '<svg xmlns="http://www.w3.org/2000/svg"><text x="1">label</text></svg>'),
    input('rtf', "{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 A;}}\\f0 caf\\'e9 \\u8364?\\par {\\*\\x y}\\bin3 abc}"),
    input(
      'eml',
      'From: =?utf-8?B?QQ==?= <a@b.example>\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=latin1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>=E9=\r\n--b--\r\n',
    ),
    input(
      'mbox',
      'From a@b Thu Jan  1 00:00:00 2026\nSubject: one\n\ntext\n\nFrom a@b Thu Jan  1 00:00:01 2026\nS: t\n\n',
    ),
    input('ics', 'BEGIN:VEVENT\r\nSUMMARY:long\r\n  line\\, folded\r\nEND:VEVENT\r\n'),
    input('vcf', 'BEGIN:VCARD\r\nFN;CHARSET=utf-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCrgen\r\nEND:VCARD\r\n'),
    input('docx', '<w:document><w:p><w:r><w:t>one</w:t><w:tab/></w:r></w:p></w:document>', 'word/document.xml'),
    input('xlsx', '<sst><si><t>one</t></si><si><r><t>two</t></r></si></sst>', 'xl/sharedStrings.xml'),
    input('odt', '<office:text><text:p>one<text:s text:c="3"/><text:tab/>two</text:p></office:text>', 'content.xml'),
    input('docx', zip({ 'word/document.xml': '<w:p><w:t>raw</w:t></w:p>' }, { level: 0 })),
    input('fodt', '<?xml version="1.0"?><office:body><text:p>flat</text:p></office:body>'),
    input('txt', Buffer.from('\xff\xfeh\0i\0', 'latin1')),
    input('txt', Buffer.from('\x83\x65\x83\x58\x83\x67', 'latin1')),
    input('png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x20\x08\x02\0\0\0', 'latin1')),
    input(
      'jpg',
      Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\xff\xc0\0\x0b\x08\0\x10\0\x20\x01', 'latin1'),
    ),
    input(
      'mp3',
      Buffer.from('ID3\x03\0\0\0\0\0\x15TIT2\0\0\0\x0b\0\0\x01\xff\xfeT\0u\0n\0e\0\xff\xfb\x90\0', 'latin1'),
    ),
    input(
      'wav',
      Buffer.from('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data', 'latin1'),
    ),
    input('flac', Buffer.from('fLaC\x80\0\0\x22\x10\0\x10\0\0\0\0\0\0\0\x0a\xc4\x42\xf0\0\0\0\x01', 'latin1')),
    input('mp4', Buffer.from('\0\0\0\x10ftypisom\0\0\0\0\0\0\0\x74moov\0\0\0\x6cmvhd\0\0\0\0', 'latin1')),
  ],
  dictionary: [
    ...'<p>|</p>|<title>|<script>|<style>|</style>|<!--|&#|&eacute;|<w:p>|<w:t>|</w:t>|<text:p>|<t>|<![CDATA['.split(
      '|',
    ),
    ...'{|}|\\par |\\u-3 |\\bin9 |{\\*\\|\\uc0 |\r\n\r\n|--b|Content-Type: |=?utf-8?Q?|?=|; boundary=|BEGIN:'.split(
      '|',
    ),
    ...'PK\x03\x04|PK\x01\x02|PK\x05\x06|IHDR|ID3\x04|TPE1|moov|mvhd|trak|RIFF|data|OggS|\xff\xd8|charset='.split('|'),
  ],
  mutations: 700,
  run(bytes) {
    const choice = new ChoiceReader(bytes);
    const extension = extensions[choice.below(extensions.length)] ?? '';
    const member = members[choice.below(members.length + 1) - 1];
    const type = types.get(extension) ?? unknownFileType;
    const content = member === undefined ? choice.rest() : zip({ [member]: choice.rest() }, { level: 0 });
    const text = extractText(content, type.format, extension)?.text;
    assert.ok(text === undefined || isUtf8(text), 'the text is not valid UTF-8');
    const read = (start: number, length: number): Buffer => content.subarray(start, start + length);
    const facts = extractMetadata(read, content.length, type, extension);
    const json = JSON.stringify(facts);
    assert.deepEqual(JSON.parse(json), facts, 'a fact is changed by JSON');
    assert.ok(!/\\ud[89a-f]/.test(json), 'a fact contains a lone surrogate');
    // The decoders of different Node versions disagree on malformed text in other encodings.
    return isUtf8(content) || isArchive.test(extension) ? [text?.toString(), facts] : facts;
  },
});
