import { describe, expect, test } from 'vitest';
import type { FileFormat } from '../../src/documents/file-type.ts';
import { extractText } from '../../src/documents/index.ts';
import { createFolder, openFiles } from '../toolsets/files/open-files.ts';

const seen = (content: string | Buffer, format: FileFormat): string | undefined =>
  extractText(Buffer.from(content), format, '')?.text.toString().replace(/\s+/g, ' ').trim();

describe('extractText of an HTML page', () => {
  test.each([
    ['<p>Hello <b>w</b>orld</p>', 'Hello world'],
    ['r&eacute;sum&eacute; &amp; caf&#233; &#xe9;t&#x00E9; &#146;quoted&#148;', 'résumé & café été ’quoted”'],
    ['<td>one</td><td>two</td>', 'one two'],
    ['a<br>b<!-- no --><script>no</script ><STYLE>no</STYLE>c', 'a bc'],
    ['1 < 2 and <a title="x > y">link</a>', '1 < 2 and link'],
    ['<script>never closed', ''],
    ['<meta charset="windows-1251"><p>\xcf\xf0\xe8', 'При'],
    ['<meta charset="iso-8859-1"><p>it\x92s \x80', 'it’s €'],
    ['x &unknown; &copy y, r&eacutesum&eacute &notit; &amp', 'x &unknown; © y, résumé ¬it; &'],
    [
      '<p><ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう<RB>都<rt>と</ruby>に<ruby>住<rt>す</rt></ruby>む</p>次',
      '東京都に住む とうきょうと す 次',
    ],
    ['<ruby>字<rt>じ', '字 じ'],
    ['<rt></rt><rp>', ''],
    ['<p>a</p><![CDATA[b<b>]]>c<![CDATA[d and no end', 'a b<b>cd and no end'],
    ['&lpar;co&hyphen;op&rpar;&NewLine;at&commat;home&excl;', '(co‐op) at@home!'],
  ])('extracts from %j the text %j', (content, expected) => {
    expect(
      seen(Buffer.from(content, /[\x80-\xff]/.test(content) && !content.includes('&') ? 'latin1' : 'utf8'), 'html'),
    ).toBe(expected);
  });
});

describe('extractText of an SVG image', () => {
  const text = (content: string): string => extractText(Buffer.from(content), 'html', 'svg')?.text.toString() ?? '';
  const lines = (content: string): string[] =>
    text(content)
      .split(/\n+/)
      .filter(line => line.trim() !== '');

  test.each([
    [
      'tspan elements within one line',
      '<text><tspan>The quick br</tspan><tspan>own fox</tspan></text>',
      ['The quick brown fox'],
    ],
    ['several text elements', '<text>one</text><text>two</text>', ['one', 'two']],
    [
      'positioned paragraphs with tspan elements',
      '<text><tspan><tspan x="1" y="10"><tspan>a</tspan></tspan></tspan><tspan><tspan x="1" y="20"><tspan>b br</tspan><tspan>own</tspan></tspan></tspan></text>',
      ['a', 'b brown'],
    ],
    ['a tspan at a new y position', '<text x="1" y="5">one<tspan x="1" y="9">two</tspan></text>', ['one', 'two']],
    [
      'a tspan at the same y position',
      "<text y='5'>The quick br<tspan x='62' y='5'>own</tspan></text>",
      ['The quick brown'],
    ],
    [
      'a tspan moved down at the start of a line',
      '<text><tspan x="0" dy="0">one</tspan><tspan x="0" dy="1.2em">two</tspan></text>',
      ['one', 'two'],
    ],
    ['a tspan moved up within a line', '<text>x<tspan dy="-4">2</tspan><tspan dy="4"> is</tspan></text>', ['x2 is']],
    [
      'a title, entities and a link',
      '<title>T</title><text>caf&#233; &amp; <a href="#">bar</a></text>',
      ['T', 'café & bar'],
    ],
  ])('separates lines correctly for %s', (_, content, expected) => {
    expect(lines(`<svg>${content}</svg>`)).toEqual(expected);
  });

  test('returns undefined for an image without text elements', () => {
    expect(extractText(Buffer.from('<svg><path d="M0 0"/></svg>'), 'html', 'svg')).toBeUndefined();
  });

  test('returns text in which a search finds a phrase across several elements, and also the source code', async () => {
    const root = createFolder({ 'a.svg': '<svg><text><tspan>The quick br</tspan><tspan>own fox</tspan></text></svg>' });
    const opened = await openFiles({ 'files-root': [root] });
    for (const query of ['quick brown fox', 'br</tspan>'])
      expect(await opened.paths('search', { query })).toEqual(['a.svg']);
  });
});

describe('extractText of an RTF file', () => {
  test.each([
    ['{\\rtf1\\ansi Hello {\\b w}orld\\par next}', 'Hello world next'],
    ["{\\rtf1\\ansi\\ansicpg1252 r\\'e9sum\\'e9 don\\rquote t}", 'résumé don’t'],
    ["{\\rtf1\\ansi\\ansicpg1251 \\'cf\\'f0\\'e8\\'e2\\'e5\\'f2}", 'Привет'],
    ["{\\rtf1\\ansi\\uc1 caf\\u233?! \\uc2\\u26085\\'93\\'fa\\u26412?}", 'café! 日本'],
    [
      '{\\rtf1{\\fonttbl{\\f0 Times;}}{\\colortbl;\\red0;}{\\*\\generator Riched;}{\\info{\\title T}{\\author A}}body}',
      'body T A',
    ],
    ["{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset0 A;}{\\f1\\fcharset128 B;}}\\f1 \\'93\\'fa\\'96\\'7b}", '日本'],
    ['{\\rtf1 a\\~b\\_c\\-d\\emdash e\\{\\}\\\\}', 'a b‑cd—e{}\\'],
    ['{\\rtf1 a\\bin3 }}}b}', 'ab'],
    ["{\\rtf1 a\\'zz b\\'4", 'azz b4'],
    ['{\\rtf1 a{\\*\\footnote \\pard a note} b{\\*\\unknown no}}', 'a b a note'],
    ['{\\rtf1 a{\\*\\atnid no}{\\*\\annotation said} b}', 'a b said'],
    ['{\\rtf1 a{\\shp{\\*\\shpinst{\\sp{\\sn no}{\\sv no}}{\\shptxt boxed}}} b}', 'a b boxed'],
    ['{\\rtf1 {\\*\\unknown {\\*\\footnote no}}a}', 'a'],
  ])('extracts from %j the text %j', (content, expected) => {
    expect(seen(content, 'rtf')).toBe(expected);
  });

  test('reads nested groups of any depth', () => {
    const deep = `{\\rtf1 ${'{'.repeat(5000)}{\\*\\x no}a${'}'.repeat(5000)}{\\*\\x no}b}`;
    expect(String(extractText(Buffer.from(deep), 'rtf', 'rtf')?.text)).toMatch(/b$/);
  });

  test('returns undefined for a file that is not RTF', () => {
    expect(extractText(Buffer.from('just text'), 'rtf', 'rtf')).toBeUndefined();
  });
});

const mail = (headers: string, body: string): string => `${headers}\r\n\r\n${body}`;

/** Returns a mail that contains a text in nested parts of this depth. */
function forwarded(depth: number): string {
  let inner = '\r\ndeepest';
  for (let level = 0; level < depth; level++)
    inner = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${inner}\r\n--b${level}--`;
  return inner;
}

describe('extractText of a mail', () => {
  test.each([
    ['encoded words next to plain words', mail('Subject: a =?utf-8?Q?b?=c=?utf-8?Q?d?= e', 'x'), 'a bcd e x'],
    [
      'consecutive encoded words of different encodings',
      mail('Subject: =?utf-8?B?UsOpc3Vtw6k=?= =?iso-8859-1?Q?_caf=E9?=', 'x'),
      'Résumé café x',
    ],
    [
      'a base64 body',
      mail(
        'Content-Transfer-Encoding: base64\r\nContent-Type: text/plain; charset=utf-8',
        Buffer.from('grüße an alle')
          .toString('base64')
          .replace(/(.{8})/g, '$1\r\n'),
      ),
      'grüße an alle',
    ],
    [
      'a quoted-printable body',
      mail(
        'Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain; charset="windows-1252"',
        'caf=E9 and a long =\r\nline',
      ),
      'café and a long line',
    ],
    [
      'text, HTML and attachment names of a multipart mail',
      mail(
        'From: a@example.org\r\nContent-Type: multipart/mixed;\r\n boundary="b"',
        '--b\r\nContent-Type: text/html\r\n\r\n<p>Hel<b>lo</b></p>\r\n--b\r\nContent-Type: image/png; name="dot.png"\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b--\r\nFor old programs.\r\n',
      ),
      'a@example.org Hello dot.png',
    ],
    [
      'all further headers, after the body',
      mail(
        'X-Label: =?utf-8?Q?gr=C3=BCn?=\r\nSubject: one\r\nReceived: a\r\n\tby b\r\nReceived: c\r\nMIME-Version: 1.0',
        'text',
      ),
      'one text x-label: grün received: a by b received: c',
    ],
    [
      'a truncated multipart mail',
      mail('Content-Type: multipart/mixed; boundary=b', '--b\r\nContent-Type: text/plain\r\n\r\nwhole\r\n--b'),
      'whole',
    ],
    ['an attached mail', mail('Content-Type: message/rfc822', mail('Subject: inner', 'text')), 'inner text'],
    [
      'all mails of an mbox file',
      `From x\n${mail('Subject: one', 'first\n')}\nFrom y\n${mail('Subject: two', 'second')}`,
      'one first two second',
    ],
    [
      'characters that only windows-1252 has',
      mail(
        'Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain; charset=windows-1252',
        'it=92s =80 5',
      ),
      'it’s € 5',
    ],
    [
      'an attachment name that is not ASCII',
      mail("Content-Type: application/pdf; name*=utf-8''r%C3%A9sum%C3%A9.pdf", 'x'),
      'résumé.pdf',
    ],
    [
      'a character that is split across two encoded words',
      mail('Subject: =?utf-8?B?5pel5pys6Kqe44E=?=\r\n =?UTF-8?Q?=AE_text?=', 'x'),
      '日本語の text x',
    ],
    [
      'consecutive encoded words in ISO-2022-JP',
      mail('Subject: =?ISO-2022-JP?B?GyRCJUYlOSVIGyhC?=\r\n =?ISO-2022-JP?B?GyRCJUYlOSVIGyhC?=', 'x'),
      'テストテスト x',
    ],
    [
      'a delivery status report',
      mail(
        'Content-Type: multipart/report; boundary=b',
        '--b\r\nContent-Type: message/delivery-status\r\n\r\nAction: failed\r\n--b--',
      ),
      'Action: failed',
    ],
    ['mails nested thirty levels deep', forwarded(30), 'deepest'],
    [
      'mails nested 150 levels deep as raw source',
      forwarded(150),
      expect.stringMatching(/^(?:--b\d+ Content-Type: multipart\/mixed; boundary=b\d+ )+--b0 deepest /),
    ],
  ])('extracts %s', (_, content, expected) => {
    expect(seen(content, 'mail')).toEqual(expected);
  });

  test('extracts every mail of a mailbox with many mails and every part of a mail with many parts', () => {
    const box = Array.from(
      { length: 2000 },
      (_, turn) => `From x\n${mail(`From: a\r\nTo: b\r\nSubject: ${turn}`, 'x')}`,
    );
    expect(seen(box.join('\n'), 'mail')).toMatch(/ a b 1999 x$/);
    const parts = Array.from({ length: 10_000 }, (_, turn) => `--b\r\n\r\npart ${turn}\r\n`);
    const whole = mail('Content-Type: multipart/mixed; boundary=b', `${parts.join('')}--b--`);
    expect(seen(whole, 'mail')).toMatch(/ part 9999$/);
  });
});

describe('extractText of a vCard or iCalendar file', () => {
  test.each([
    ['a folded line', 'SUMMARY:Dentist, and the f\r\n olded rest\r\n', 'SUMMARY:Dentist, and the folded rest'],
    ['backslash escapes', 'NOTE:one\\, two\\; three\\nfour', 'NOTE:one, two; three four'],
    [
      'a quoted-printable vCard of version 2.1',
      'N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:M=FCl=\r\nler\r\nTEL:1',
      'N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Müller TEL:1',
    ],
    [
      'a value that contains the word QUOTED-PRINTABLE unchanged',
      'URL:http://example.org/?a=20',
      'URL:http://example.org/?a=20',
    ],
    [
      'dates in their ISO form after the stored ones',
      'DTSTART;VALUE=DATE:20241012\r\nDTEND:20241013T080000Z\r\nTEL:12345678\r\nTEL:2024101299',
      'DTSTART;VALUE=DATE:20241012 2024-10-12 DTEND:20241013T080000Z 2024-10-13 TEL:12345678 TEL:2024101299',
    ],
  ])('extracts %s', (_, content, expected) => {
    expect(seen(content, 'card')).toBe(expected);
  });
});

test.each([
  ['card', ';QUOTED-PRINTABLE'.repeat(200_000)],
  ['card', 'N;QUOTED-PRINTABLE:=\n'.repeat(100_000)],
  ['mail', `Subject: ${'=?utf-8?Q?a?= =?utf-8?B?YQ==?='.repeat(50_000)}`],
  ['mail', `Subject: ${'=?a'.repeat(300_000)}`],
  ['mail', `Subject: ${'=?a?q??='.repeat(2_400_000)}`],
  ['html', '&nope'.repeat(200_000)],
] as const)('extractText reads a hostile %s file in time linear in its length (%#)', (format, content) => {
  expect(seen(content, format)).toBeTypeOf('string');
});

test('the tool search finds phrases across markup, escape sequences and encodings, and in the source of HTML pages', async () => {
  const root = createFolder({
    'a.html': '<p>lazy <i>propa</i>gation</p>',
    'b.rtf': '{\\rtf1\\ansi lazy {\\b propagation}}',
    'c.eml': mail(
      'Content-Transfer-Encoding: base64\r\nContent-Type: text/plain',
      Buffer.from('lazy propagation').toString('base64'),
    ),
    'd.eml': mail('Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain', 'lazy prop=\r\nagation'),
    'e.txt': Buffer.from('lazy propagation without a mark', 'utf16le'),
    'f.htm': '<div class="lazy-propagation-box">nothing</div>',
    Inbox: `From a@example.org Thu Jan  1 00:00:00 2026\n${mail('Subject: =?utf-8?B?bGF6eSBwcm9wYWdhdGlvbg==?=', 'x')}`,
    'g.txt': 'lazy\u00adness, lazy\u2011propagation, lazy “propa\u200bgation”',
  });
  const opened = await openFiles({ 'files-root': [root] });
  const found = async (query: string): Promise<string[]> => (await opened.paths('search', { query })).sort();
  for (let turn = 0; turn < 3; turn++) {
    expect(await found('lazy propagation')).toEqual(['Inbox', 'a.html', 'b.rtf', 'c.eml', 'd.eml', 'e.txt']);
    expect(await found('class="lazy-propagation-box"')).toEqual(['f.htm']);
    expect(await found('"propagation"')).toEqual(['g.txt']);
    expect(await found('lazy-propagation')).toEqual(['f.htm', 'g.txt']);
  }
});
