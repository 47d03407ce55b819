import { isUtf8 } from 'node:buffer';
import { expect, test } from 'vitest';
import { decodeText, TextDecoderCache } from '../../src/documents/encoding/decode.ts';
import { guessEncoding } from '../../src/documents/encoding/guess.ts';
import { decodeUtf16Or32, detectUtf16Or32 } from '../../src/documents/encoding/wide.ts';
import { extractText, removeHiddenText } from '../../src/documents/index.ts';
import { extractContactOrCalendarText } from '../../src/documents/mail/card.ts';
import { decodeEncodedWords, parseMailHeaderValue, splitMailHeader } from '../../src/documents/mail/header.ts';
import { extractMailText } from '../../src/documents/mail/message.ts';
import {
  extractXmlText,
  findElementText,
  findTagEnd,
  removeElements,
  splitAtElements,
  unescapeMarkup,
} from '../../src/documents/markup.ts';
import { CellDateFinder } from '../../src/documents/office/cell-dates.ts';
import { listSheetNames, replaceFormulasByCellValues } from '../../src/documents/office/spreadsheet.ts';
import { extractRtfText } from '../../src/documents/rtf.ts';
import { type Generator, listGenerated, type Pieces, pieces } from '../support/generator.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const joined =
  (parts: Pieces, max = 9) =>
  (random: Generator): string =>
    random.repeat(1, max, () => random.pick(parts));

const xml = pieces(
  'a¦b c¦<p>¦</p>¦<w:p/>¦<w:tab/>¦<t>¦</t>¦<br\t/>¦<tc\r>¦<tr\n>¦<title\f>¦<row/>¦<x:unknown>¦<¦>¦"¦\'¦=¦/¦&amp;¦&lt¦&#65;¦&eacute;¦<!-- > -->¦<!--¦-->¦<![CDATA[<p>&amp;]]>¦<![CDATA[¦]]>¦<?pi >?>¦<?',
  '<a b="">¦<a b=">">¦<a b=\'>\'>¦<a b = ">">¦<a b\t=\r\n">">¦<a ">¦<">¦<a b="¦<!DOCTYPE x>¦<!DOCTYPE x [<!ENTITY y ">">]>¦<!DOCTYPE x [¦]>¦<n>¦</n>¦<n x="1"/>¦<nn>¦<n>in</n>¦<n\n>¦<m:title>T &amp; t</m:title>¦<title x>',
);

function readXml(markup: string): unknown {
  return [
    extractXmlText(markup),
    removeElements(markup, ['n', 'p']),
    splitAtElements(markup, ['n']).inside,
    findElementText(markup, 'title') ?? null,
    [0, 1, 2, 5].map(at => findTagEnd(markup, at)),
  ];
}

const html = pieces(
  'a¦b¦ ¦\n¦<p>¦</p>¦<P hidden>¦<p class=x>¦<p class="y x">¦<p id=z>¦<div>¦</div>¦<div hidden>¦<div style="display: none">¦<br>¦<br/>¦<span hidden>¦<span/>¦</span>¦<b>¦</b>¦<li hidden>¦<li>¦</ul>¦<ul>¦<td hidden>¦<td>¦<tr hidden>¦<tr>¦</table>¦<table>',
  '<style>.x{display:none}</style>¦<style>#z{visibility:hidden}/*{*/.x{}</style>¦<script>a<b</script>¦<script>¦<template>t</template>¦<ruby>¦<rt>¦</rt>¦<rp>¦</rp>¦<rb>¦</ruby>¦<text y=1>¦<tspan y=2>¦<tspan x=1 dy=3>¦</tspan>¦</text>¦<abcdefgh>¦<abcdefghi>¦<a~>¦<a\u007f>',
  '<¦>¦</¦</ >¦<1>¦&amp;¦&lt¦&#65¦&#x42;¦&copy;¦&_x;¦&abcdefghijklm;¦<!-- -->¦<!--¦<!-->¦<!x>¦<![CDATA[c]]>¦<![CDATA[¦<?p>¦"¦\'¦<a t=">">¦<a t=\'>\'>¦<a t="">¦<a "¦<a t = ">">¦&¦&z9;¦&zwj;¦&#x39¦&Z0_;¦<z>¦<b\r>¦<br\n>¦<div\f>¦<hr hidden>¦<option hidden>¦<option>¦</select>¦<dd hidden>¦<dt>¦</dl>¦é',
);
const readHtml = (source: string): unknown => [
  extractText(Buffer.from(source), 'html', 'html')?.text.toString(),
  removeHiddenText(Buffer.from(source)).toString(),
];

const css = pieces(
  '.x¦.y¦#z¦p.x¦p¦*¦ ¦,¦{¦}¦{display:none}¦{DISPLAY : none;}¦{color:red}¦{opacity:0}¦{opacity:0.5}¦{font-size:0px!important}¦{visibility:collapse}¦@media x{¦@x;¦/*¦*/¦/**/¦/*/¦/¦//*¦:hover¦\n',
);
const readStyles = (sheet: string): unknown =>
  extractText(latin1(`<style>${sheet}</style><p class=x>1<p class="y">2<p id=z>3`), 'html', 'html')?.text.toString();

const rtf = pieces(
  "a¦b c¦\\par ¦\\par\n¦\\tab¦\\~¦\\_¦\\-¦\\{¦\\}¦\\\\¦\\'e9¦\\'41¦\\'ff¦\\'zz¦\\u233?¦\\u-10179\\u-8704 ¦\\u8364 xy¦\\uc0 ¦\\uc2 ¦\\uc ¦{¦}¦{\\*\\x no}¦{\\*¦{\\pict 00}¦{\\fonttbl{\\f1\\fcharset204 A;}{\\f2\\fcharset B;}}¦\\f1 ¦\\f2 ¦\\f ¦\\fcharset161 ",
  '{\\footnote note}¦{\\info{\\title t}}¦{\\annotation¦\\bin3 abc¦\\bin ¦\\bin-2 x¦\\ansicpg1251 ¦\\ansicpg1253 ¦\\ansicpg¦\\mac ¦\\emdash¦\\unknown9 ¦\r\n¦\\\n¦é¦\\shptxt s¦\\rquote ¦\\u ¦{\\v h}',
);
const readRtf = (body: string): unknown => extractRtfText(latin1(`{\\rtf1 ${body}`));

const mail = pieces(
  'Subject: s¦Subject: =?utf-8?Q?=C3=A9_x?=¦To: a@b¦X-Y: z¦: none¦Content-Type: text/html¦Content-Type: multipart/mixed; boundary=b¦Content-Type: message/rfc822¦Content-Type: text/plain; charset=koi8-r; name="n.txt"¦Content-Type: image/png',
  "Content-Transfer-Encoding: base64¦Content-Transfer-Encoding: quoted-printable¦Content-Disposition: attachment; filename*=utf-8'en'r%C3%A9¦ folded¦\tfolded¦From a¦From ¦--b¦--b--¦--bc¦x--b¦YWJj¦=C3=A9=¦= \t¦<p>p¦\xc1\xc2¦¦¦¦",
);
const mailSource = (random: Generator): string =>
  `${random.pick(['', '', 'From a\n'])}${random.repeat(1, 12, () => random.pick(mail) + random.pick(['\n', '\n', '\r\n']))}`;

const headerPieces = pieces(
  'text/plain¦TEXT/Html ¦;¦; ¦charset=utf-8¦CharSet = "a;b"¦name*=utf-8\'\'%41%zz¦name*0*=x\'y¦name*=plain¦"¦=¦a¦ ¦\xe9¦=?utf-8?B?w6k=?=¦=?utf-8?q?a_=C3?=¦=?UTF-8?Q?=A9?=¦=?iso-8859-1*en?q?=E9?=¦=?iso-2022-jp?B?GyRCRnwbKEI=?=¦=?x?y?z?=¦?=',
);
function readHeader(value: string): unknown {
  const parsed = parseMailHeaderValue(value, new TextDecoderCache());
  return [decodeEncodedWords(value, new TextDecoderCache()), parsed.value, [...parsed.parameters]];
}

const card = pieces(
  'N:a¦SUMMARY:x¦NOTE;CHARSET=iso-8859-2;ENCODING=QUOTED-PRINTABLE:=E8=¦NOTE;QUOTED-PRINTABLE:=C3=A9¦\\n¦\\N¦\\,¦\\;¦\\\\¦\\x¦DTSTART:20241012T101500Z¦DTSTART:20241301¦BDAY:19990131¦DUE:18991231¦X:20240230T¦END:20240230T1Z¦\r\n¦\n¦\n ¦\r\n\t¦=41¦=¦:',
);

const cells = pieces(
  '<c>¦<c s="1">¦<c s="1" t="n">¦<c t="s">¦<c t="str" s="1">¦<c s="9">¦<c s="1"/>¦<c t="s"/>¦</c>¦<v>45351</v>¦<v> 1</v>¦<v>0.5</v>¦<v>x</v>¦<v>7</v>¦<f>A1</f>¦<f/>¦</f>¦<row>¦</row>¦<c¦<is><t>t</t></is>¦ ¦\n',
);
function readCells(body: string): unknown {
  const dates = new CellDateFinder();
  for (const format of [0, 14]) dates.addStyle(format);
  return [
    replaceFormulasByCellValues(`<worksheet>${body}`, dates),
    replaceFormulasByCellValues(`<x:worksheet>${body.replaceAll('<c', '<x:c').replaceAll('</c', '</x:c')}`, dates),
    replaceFormulasByCellValues(body, undefined),
    listSheetNames(body.replaceAll('<c s="1"', '<sheet a name="S &amp; 1"').replaceAll("t='s'", 'x')),
  ];
}

const dateFormats = pieces(
  'd¦dd¦ddd¦dddd¦m¦mm¦mmm¦mmmm¦mmmmm¦y¦yy¦yyy¦yyyy¦-¦/¦ ¦"q"¦\\d¦[Red]¦[h]¦_x¦*-¦;¦h¦s¦AM/PM¦A/P¦General¦0¦D¦@',
);
function readFormat(code: string): unknown {
  const finder = new CellDateFinder();
  finder.addFormat(200, code);
  finder.addStyle(200);
  return finder.isDate(0) ? [1, 60.5, 45_351].map(serial => finder.textOf(0, serial)) : 'no date';
}

/** Languages with their legacy encodings. A text mixes letters of one language with ASCII letters and signs. */
const alphabets: readonly (readonly [letters: string, encoder: readonly string[]])[] = [
  ['éèàêçùîôûëïâœ’“”–', ['windows-1252', 'macintosh', 'iso-8859-15']],
  ['łąężóśćńźŁĄ', ['windows-1250', 'iso-8859-2']],
  ['ışüğöçİâŞ', ['windows-1254']],
  ['оаинтсрвлкмдпуОАИН', ['windows-1251', 'koi8-r', 'iso-8859-5', 'ibm866']],
  ['αοιετσνηυρπκμΑΟ', ['windows-1253', 'iso-8859-7']],
  ['יוהלארבתשמנם', ['windows-1255']],
  ['اليمونرتبةع', ['windows-1256', 'iso-8859-6']],
  ['านรอกเงมยลว', ['windows-874']],
];
const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);
const tables = new Map(
  alphabets.flatMap(([, labels]) =>
    labels.map(label => {
      // The option `stream` avoids that some Node versions decode windows-1252 as latin1.
      const characters = new TextDecoder(label).decode(everyByte, { stream: true });
      return [label, new Map(Array.from(characters, (character, byte) => [character, byte]))] as const;
    }),
  ),
);
const ascii = pieces('a¦e¦N¦S¦ ¦ ¦, ¦the ¦\n¦1¦x');

function legacyText(random: Generator): string {
  const [letters, labels] = alphabets[random.below(alphabets.length)] ?? alphabets[0] ?? ['', []];
  const table = tables.get(labels[random.below(labels.length)] ?? '');
  return random.repeat(2, 12, () => {
    if (random.below(3) === 0) return random.pick(ascii);
    if (random.below(25) === 0) return String.fromCharCode(0x80 + random.below(128));
    return String.fromCharCode(table?.get(letters.charAt(random.below(letters.length))) ?? 0x20);
  });
}

const wideBytes = pieces(
  'a¦b¦1¦\0¦\0\0¦\0\0\0¦\0\0\0\0¦\x01¦\x04¦\x4e\0¦\0\x4e¦\xd8\x3d\xde\0¦\x3d\xd8\0\xde¦\xff\xfe¦\xfe\xff¦\xef¦\xbb¦\xbf¦\xef\xbb\xbf¦a\0¦b\0¦\0c¦\0d¦a\0\0\0¦\0\0\0b¦\0\0\x4e\0¦\0\x4e\0\0¦\x10\0¦\x11\0\0¦\0\x11\0\0¦\x7f¦\x1b$¦\xe9¦\xc3\xa9',
);
function readWide(text: string): unknown {
  const content = latin1(text);
  const encoding = detectUtf16Or32(content) ?? null;
  // The decoders of different Node versions disagree on malformed text in other encodings.
  const decoded = encoding === null && !isUtf8(content) ? undefined : decodeText(content);
  return [
    encoding,
    decoded?.bytes.toString('latin1'),
    decoded?.isAscii,
    (['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'] as const).map(each =>
      Buffer.from(decodeUtf16Or32(content, each)).toString('hex'),
    ),
  ];
}

const references = pieces(
  '&¦#¦x¦41¦65¦128¦9f¦1114111¦1114112¦10ffff¦;¦amp¦lt¦gt¦copy¦not¦it¦eacute¦z¦acute¦Alpha¦hellip¦g¦A¦ ¦0',
);

test.each<[inputs: string, list: () => string]>([
  ['xml', () => listGenerated(joined(xml), readXml, { shown: 40, blocks: 20 })],
  ['html', () => listGenerated(joined(html), readHtml, { shown: 40, blocks: 30 })],
  ['css', () => listGenerated(joined(css), readStyles, { shown: 40, blocks: 10 })],
  ['rtf', () => listGenerated(joined(rtf), readRtf, { blocks: 20 })],
  ['mail', () => listGenerated(mailSource, source => extractMailText(latin1(source)), { blocks: 10 })],
  ['mail-headers', () => listGenerated(joined(headerPieces), readHeader, { blocks: 5 })],
  [
    'header-lines',
    () =>
      listGenerated(
        mailSource,
        source => {
          const { lines, body } = splitMailHeader(latin1(source));
          return [lines, body.toString('latin1')];
        },
        { shown: 20, blocks: 3 },
      ),
  ],
  ['cards', () => listGenerated(joined(card), source => extractContactOrCalendarText(latin1(source)), { blocks: 10 })],
  ['cells', () => listGenerated(joined(cells), readCells, { shown: 30, blocks: 10 })],
  ['cell-formats', () => listGenerated(joined(dateFormats, 5), readFormat, { blocks: 10 })],
  ['references', () => listGenerated(joined(references, 6), unescapeMarkup, { blocks: 10 })],
  ['encodings', () => listGenerated(legacyText, text => guessEncoding(latin1(text)), { shown: 100, blocks: 3 })],
  ['wide-encodings', () => listGenerated(joined(wideBytes, 12), readWide, { shown: 40, blocks: 10 })],
])('the approved file lists the text that the reader of %s extracts from generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});
