import { type Sample, sample } from './sample.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const rtf = String.raw`{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset128 B;}{\f2\fcharset204 C;}{\f3\fcharset99 D;}}{\colortbl;\red0;}
{\info{\title T}{\subject S}{\author A}{\keywords K}{\operator no}}\f0 caf\'e9 don\rquote t \u8364?\uc2\u-10179??\u-8704??{\uc0\u65 b}\u66 cde\uc1
\par one\line two\tab three\emdash\endash\bullet\lquote\ldblquote\rdblquote\~x\_y\-z\{\}\\ {\f1\'93\'fa\'96\'7b} {\f2 \'cf\'f0}{\f3 \'e9}\f2\'cf\f0
{\*\generator no}{\*\unknown {\footnote no}}{\footnote a note}{\*\annotation said {\b more}}{\shp{\*\shpinst{\sp{\sn no}{\sv no}}{\shptxt boxed}}}\cell\row\bin3 }}}\page end\'a0}`;

const rtfs: readonly (readonly [name: string, source: string | Buffer])[] = [
  ['RTF', rtf],
  ['RTF with blanks before it', ' \n { \\rtf1 text}'],
  ['RTF too late in the file', `${' '.repeat(95)}{\\rtf1 text}`],
  ['RTF of a Macintosh', "{\\rtf1\\mac \\'8e}"],
  ['RTF with bytes above ASCII', latin1("{\\rtf1\\ansi\\ansicpg1251 \xcf\xf0 \\'e8x}")],
  ['RTF with a charset outside of the font table', "{\\rtf1{\\fonttbl{\\f1 A;}}\\f1\\fcharset204 \\'cf}"],
  ['RTF with a font without number', "{\\rtf1{\\fonttbl{\\f\\fcharset204 A;}{\\f0 B;}}\\f \\'cf\\f0 \\'cf}"],
  ['RTF with closing braces too many', '{\\rtf1 a}}} b'],
  ['RTF with symbols', '{\\rtf1 a\\\nb\\\rc\\|d\\:e\\uc f\\u?g\\bin h\\bin-2 i\\fcharset\\deff j\\constructor k}'],
  ...[
    [874, 'a1'],
    [932, "93\\'fa"],
    [936, "b0\\'a1"],
    [949, "b0\\'a1"],
    [950, "b0\\'aa"],
    [10_000, '8e'],
    [65_001, "c3\\'a9"],
    [1250, 'b9'],
    [437, '41'],
  ].map(([page, bytes]) => [`RTF with the code page ${page}`, `{\\rtf1\\ansicpg${page} \\'${bytes}}`] as const),
  ...[77, 128, 129, 134, 136, 161, 162, 163, 177, 178, 186, 204, 222, 238].map(
    charset =>
      [`RTF with the charset ${charset}`, `{\\rtf1{\\fonttbl{\\f7\\fcharset${charset} A;}}\\f7 \\'b0\\'b1}`] as const,
  ),
  ...[999, 1000, 1001].map(
    depth =>
      [
        `RTF with ${depth} nested groups`,
        `{\\rtf1 ${'{\\*'.repeat(depth - 1)}no${'}'.repeat(depth - 1)}{\\*\\x no}yes}end`,
      ] as const,
  ),
];

const page = `<!doctype html><html hidden><head><title>Title &amp; more</title><meta charset="utf-8"><style>.gone, p.off{display:none} #id-gone { color: red; visibility : hidden } @media print{.kept{display:none}} /* .c{display:none} */*{color:red} .zero{opacity:0.0} .tiny{font-size:0px} .small{font-size:0.5px}</style><script>if (a < b) "</scripts>"</script ></head>
<body hidden><p>one<br>two <b>b</b>old<p class="x gone y">no<p>shown<p id=id-gone>no</p>after<div class=kept>kept</div><div class='c'>c</div><div style="display: none">no<div>no</div>no</div>yes
<ul><li hidden>no<ul><li>no</ul>no<li>item<li style='visibility:hidden'>no</ul><table><tr hidden><td>no<tr><td>cell<td hidden>no<td>cell</table><select><option hidden>no<option>choice</select>
<span hidden="false">shown</span><span HIDDEN>no</span><input hidden>text<img hidden/>text<dl><dt hidden>no<dd>shown</dl><span class="zero">no</span><span class="tiny">no</span><span class="small">small</span>
<svg><text x="1" y="2">a<tspan x="1" y="2">b</tspan><tspan x="1" dy="1.2em">c</tspan><tspan x="4" dy="0">d</tspan><tspan y="9">e</tspan></text><g display="none"><text>no</text></g><g visibility="hidden">no</g></svg>
<ruby>東<rp>(</rp><rt>とう</rt><rp>)</rp>京<rt>きょう<rb>都<rt>と</ruby>に<ruby>住<rt>す</rt></ruby>む<p>1 < 2 <3 </ x> &lt;&#65;&#x42;&eacute;&copy y&notit;&unknown;&amp &#0;&#150;&#x110000;&aogon;&Alpha;&alpha;&hellip;&nbsp;&thinsp;&lpar;<![CDATA[raw < text]]><?pi no?><!-- no > -- no --><template>no</template>
<a title="x > y" href='>'>link</a><a title=">no quote>quoted</a><custom-element-name>own</custom-element-name><B>caps</B><STYLE>no</STYLE><script/>after<p hidden><b>no</b></div>shown<textarea hidden>no`;

const pages: readonly (readonly [name: string, source: string | Buffer])[] = [
  ['HTML', page],
  ['HTML with a charset', latin1('<meta http-equiv=x content="text/html; charset= windows-1251"><p>\xcf\xf0\xe8')],
  ['HTML in UTF-16 without a mark', Buffer.from('<meta charset="windows-1251"><p>é', 'utf16le')],
  ['HTML with a mark', '\ufeff<p>é'],
  ['HTML with an open comment', '<p>a<!-- b'],
  ['HTML with an open declaration', '<p>a<!doctype b'],
  ['HTML with open CDATA', '<p>a<![CDATA[b'],
  ['HTML with an open tag', '<p>a<b c="d'],
  ['HTML with an open script', '<p>a<script>b</scripty>'],
  ['HTML with an open style sheet', '<style>.a{display:none}/* .b{}</style><p class=a>no<p>yes'],
  [
    'HTML with comment marks in a style sheet',
    '<style><!-- .a{display:none} .b{x:y} .c d{display:none}} .e{display:none}</style><p class=a>no<p class=b>b<p class=c>c<p class=e>e',
  ],
  ['SVG with text', '<svg><title>T</title><text>label</text></svg>'],
];

const mail = `From: =?utf-8?B?QcOp?= =?utf-8?Q?_b=C3=A9?= <a@b.example>\r
To: bob@b.example,\r
 \teve@e.example\r
Subject: a =?iso-8859-1?Q?caf=E9_x?= b =?utf-8*en?b?w6k=?==?x?y?z?=\r
X-Other: more\r
 : no name\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary="b 1"; x*=utf-8''r%C3%A9\r
\r
preamble\r
--b 1\r
Content-Type: text/html; charset=iso-8859-1\r
Content-Transfer-Encoding: Quoted-Printable\r
\r
<p>caf=E9 =\r
and=3D more=  \r
</p>--b 1\r
--b 1\r
Content-Type: text/plain; name*=utf-8'de'r%C3%A9sum%c3%a9.txt\r
Content-Transfer-Encoding: base64\r
\r
Z3LDvMOf\r
ZQ==\r
--b 1\r
Content-Type: image/png; name=no.png\r
Content-Disposition: attachment; filename="picture; 1.png"\r
\r
no\r
--b 1\r
Content-Type: message/rfc822\r
\r
Subject: inner\r
\r
inner text\r
--b 1\r
Content-Type: message/delivery-status\r
\r
Status: 5.0.0\r
--b 1--\r
epilogue\r
`;
const nested = (depth: number): string =>
  depth === 0 ? 'Subject: deep\n\ndeepest' : `Content-Type: message/rfc822\n\n${nested(depth - 1)}`;

const mails: readonly (readonly [name: string, source: string | Buffer])[] = [
  ['mail', mail],
  ['mail without an end', mail.slice(0, mail.indexOf('--b 1--'))],
  ['mail without body', 'Subject: alone'],
  ['mail with raw bytes in a header', latin1('Subject: caf\xe9 \xfc\xf6\n\nx')],
  ['mail with a Japanese header', 'Subject: =?iso-2022-jp?B?GyRCRnwbKEI=?= =?iso-2022-jp?B?GyRCS1wbKEI=?=\n\nx'],
  ['mail with a character in two words', 'Subject: =?utf-8?B?w6nD?= =?utf-8?B?qQ==?=\n\nx'],
  [
    'mail in a mailbox',
    'From a@b Thu Jan  1 00:00:00 2026\nSubject: one\n\ntext\nFrom here\n\nFrom a@b Thu\nSubject: two\n\nlast',
  ],
  ['mail with lines before the header', '\nSubject: no\n\nbody'],
  ['mail with a folded first line', ' folded\nSubject: yes\nSubject: second\n\nbody'],
  ['mail with another part', 'Content-Type: application/pdf\n\nno'],
  ['mail without boundary', 'Content-Type: multipart/mixed\n\n--b\n\nno'],
  ...[99, 100, 101].map(depth => [`mail at depth ${depth}`, nested(depth)] as const),
];

const cards: readonly (readonly [name: string, extension: string, source: string | Buffer])[] = [
  ['calendar', 'ics', 'BEGIN:VEVENT\r\nSUMMARY:long\r\n  line\\, folded\\n\\N\\;\\\\x\n\ttab\r\nEND:VEVENT\r\n'],
  [
    'card',
    'vcf',
    'BEGIN:VCARD\r\nFN;CHARSET=utf-8;ENCODING=QUOTED-PRINTABLE:J=C3=BCr=\r\n=67en\r\nN;QUOTED-PRINTABLE:=41\r\nNOTE:=41\r\nEND:VCARD\r\n',
  ],
  [
    'card in latin1',
    'vcf',
    latin1(
      'FN;CHARSET=iso-8859-1;QUOTED-PRINTABLE:caf=E9\nN:caf\xe9 au lait et pâté\n'
        .replace('â', '\xe2')
        .replace('é', '\xe9'),
    ),
  ],
];

export const textSamples: readonly Sample[] = [
  ...rtfs.map(([name, source]) => sample(name, 'rtf', source)),
  ...pages.map(([name, source]) => sample(name, name.startsWith('SVG') ? 'svg' : 'html', source)),
  ...mails.map(([name, source]) => sample(name, 'eml', source)),
  ...cards.map(([name, extension, source]) => sample(name, extension, source)),
];

export const changedText: readonly Sample[] = [
  sample('RTF', 'rtf', rtf.replaceAll(/\{\\f1\\'.*?\{\}\\'7b\}/g, '')),
  sample('HTML', 'html', page.slice(page.indexOf('<ul>'), page.indexOf('<svg>'))),
  sample('SVG and ruby', 'html', page.slice(page.indexOf('<svg>'), page.indexOf('<p>1 <'))),
  sample('markup', 'html', page.slice(page.indexOf('<p>1 <'))),
  sample('styles', 'html', page.slice(0, page.indexOf('<script>'))),
  sample('mail', 'eml', mail),
];
