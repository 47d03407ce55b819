// This grammar generates slow inputs. Each construct causes quadratic time, deep recursion or high memory use in some
// converter and can have any size.

/** oj-mcp reads at most 1 MiB, which includes the JSON record around the content. */
const maxWireBytes = 1_047_000;

/** The HTML at the start ensures that no server parses the content as Markdown. */
const page = '<p>Two <b>words</b></p>';
const markdown = '# Two words\n\n';

/** Repeats a piece of text between a start and an end until the size is reached. */
const flood = (name, start, piece, end = '') => ({
  name,
  content: bytes => start + copies(piece, bytes - wireBytes(start) - wireBytes(end)) + end,
});

/** Returns nested elements. Half of the size is used for start tags and half for end tags. */
const nest = (name, start, open, inside, close, depth = Infinity) => ({
  name,
  content(bytes) {
    const levels = Math.min(depth, Math.floor(bytes / (wireBytes(open) + wireBytes(close))));
    const room = Math.max(inside.length, bytes - levels * (wireBytes(open) + wireBytes(close)));
    return start + open.repeat(levels) + (depth === Infinity ? inside : copies(inside, room)) + close.repeat(levels);
  },
});

/** Returns runs of a character, each longer by one, so that no two runs have the same length. */
const growing = (name, start, character, separator, end = '') => ({
  name,
  content(bytes) {
    let text = start;
    let left = bytes - wireBytes(start + end);
    for (let length = 1; left > length + 2; length++) {
      const run = character.repeat(length) + separator;
      text += run;
      left -= wireBytes(run);
    }
    return text + end;
  },
});

function copies(piece, bytes) {
  return piece.repeat(Math.max(1, Math.floor(bytes / wireBytes(piece)) - 1));
}

function wireBytes(text) {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

const floods = (start, rows) => rows.map(([name, before, piece, end]) => flood(name, start + before, piece, end));
const names = text => text.split(' ');

const blanks = floods(page, [
  ['spaces in pre', '<pre>a', ' ', 'b</pre>'],
  ['blank lines in pre', '<pre>a', ' \n', 'b</pre>'],
  ['tabs and line feeds in pre', '<pre>', '\t\n', '</pre>'],
  ['spaces in a paragraph', '<p>a', ' ', 'b</p>'],
  ['line feeds in a paragraph', '<p>a', '\n', 'b</p>'],
  ['nbsp entities', '', '&nbsp;'],
  ['nbsp characters', '', '\u00a0'],
  ['nbsp behind line breaks', '', 'a<br>&nbsp;&nbsp;&nbsp;&nbsp;'],
  ['blanks between tags', '', '<i> </i> '],
  ['blanks in a comment', '<!--', ' ', '--><p>x'],
]);

const blocks = names('p div h1 blockquote pre ul ol li dl dd table tr td th details summary figure center hr textarea');
const inlines = names('b i u del q a sup sub code var kbd span font button select option ruby rt svg math iframe');
const elements = [
  ...[...blocks, ...inlines].map(name => flood(`unclosed ${name}`, page, `<${name}>x`)),
  ...[...blocks, ...inlines].map(name => flood(`${name} side by side`, page, `<${name}>x</${name}>`)),
  ...names('div b blockquote pre sup table code span li').map(name =>
    nest(`${name} in each other`, page, `<${name}>`, 'x', `</${name}>`),
  ),
  nest('lists in each other', page, '<ul><li>a', 'x', '</li></ul>'),
  nest('tables in each other', page, '<table><tr><td>', 'x', '</td></tr></table>'),
  nest('sub and sup in each other', page, '<sub><sup>', 'x', '</sup></sub>'),
  nest('lines in 60 quotes', page, '<blockquote>', 'x<br>', '</blockquote>', 60),
  nest('paragraphs in 90 lists', page, '<ul><li>', '<p>x</p>', '</li></ul>', 90),
  nest('samples in 90 lists', page, '<ul><li>', '<pre>x\ny</pre>', '</li></ul>', 90),
  nest('items in 290 bold', page, '<b>', '<li>x', '</b>', 290),
  nest('end tags in 290 blocks', page, '<div>', '</b>', '</div>', 290),
  nest('indices in code in each other', page, '<code>', 'a<sub>i</sub>', '</code>', 290),
];

const structure = floods(page, [
  ['b and i crossed', '', '<b><i>x</b></i>'],
  ['blocks and marks unclosed', '', '<div><p>a<span><em>'],
  ['end tags only', '', '</p></div></b>'],
  ['paragraph ends', 'x', '</p>'],
  ['links in links', '', '<a href="x">y'],
  ['links side by side', '<p>', '<a href=#>b</a>'],
  ['links and words', '<p>', 'a <a href="/u">b</a>! '],
  ['items with numbers', '<ol start="99999999999999999999">', '<li value="-5">a'],
  ['items of an endless list', '<ol type="A">', '<li>a'],
  ['lists in one item', '<ul><li>', '<ol start=3><li>a</ol>b'],
  ['rows', '<table>', '<tr><td>1</td></tr>', '</table>'],
  ['cells of one row', '<table><tr>', '<td>1', '</table>'],
  ['paragraphs in one cell', '<table><tr><td>a<td>', '<p>1</p>', '</table>'],
  ['line breaks in one cell', '<table><tr><td>a<td>', '1<br>', '</table>'],
  ['code lines in one cell', '<table><tr><td>a<td><code>', '1<br>', '</code></table>'],
  ['samples in cells', '<table>', '<tr><td><pre>1</pre>', '</table>'],
  ['wide spans', '<table>', '<tr><td colspan="99999999" rowspan="65534">1', '</table>'],
  ['wide spans in one row', '<table><tr>', '<td colspan=100 rowspan=100>', '</table>'],
  ['wide spans of text in one row', '<table><tr>', '<td colspan=100 rowspan=90>a', '</table>'],
  ['cells without a table', '', '<td><tr>'],
  ['tables in a sample', '<pre>', '<table><td>x</table>', '</pre>'],
  ['line breaks', '', '<br>'],
  ['images', '', '<img src="a" alt="b">'],
  ['pictures of data', '', '<img src="data:,">'],
  ['pairs of scripts in code', '<code>', 'x<sub>1</sub><sup>2</sup> + ', '</code>'],
  ['scripts in scripts in code', '<code>', '<sub>i<sup>2', '</code>'],
  ['indices behind punctuation', '<p>', "'<sub>i</sub>"],
  ['indices of blanks', '<p>', 'a<sub> </sub>'],
  ['formulas side by side', '<p>', '<var>x</var>'],
  ['bold before words', '<p>', '<b>x：</b>y'],
  ['bold of punctuation', '<p>a<b>', '：', '</b>a'],
  ['both languages', '', '<span class="lang-ja">x</span><span class="lang-en">y</span>'],
]);

const attributes = [
  ...floods(page, [
    ['image with a long alt', '<img src="a" alt="', '[', '">'],
    ['image of much data', '<img src="data:image/png;base64,', 'A', '">'],
    ['link with a long href', '<a href="', '(', '">y</a>'],
    ['links with blanks', '', '<a href=" \t\n x">y</a>'],
    ['one long attribute', '<p class="', 'a b ', '">x</p>'],
    ['unclosed attribute', '<a href="', 'x'],
    ['unclosed attributes in a row', '', '<a href="x'],
    ['the same attribute', '<p ', 'a=1 ', '>x</p>'],
    ['boolean attributes', '<p', ' a', '>x</p>'],
    ['language of a sample', '<pre class="', ' lang', '">x</pre>'],
  ]),
  {
    name: 'attributes by many names',
    content: bytes =>
      `${page}<p ${Array.from({ length: Math.floor(bytes / 10) }, (_, index) => `a${index}=1`).join(' ')}>x</p>`,
  },
];

const styles = [
  ...floods(page, [
    ['one long style', '<p style="', 'color:red;', '">x</p>'],
    ['transform of a long name', '<p style="transform:', 'a', '">x</p>'],
    ['transforms', '<p style="transform:', 'rotate(1deg) ', '">x</p>'],
    ['open functions', '<p style="transform:', 'a(', '">x</p>'],
    ['colons of a style', '<p style="', 'list-style:', '">x</p>'],
    ['escapes of a style', '<p style="display:', '\\6e', '">x</p>'],
    ['comments of a style', '<p style="', '/**/', '">x</p>'],
    ['hidden elements', '', '<p style="display:none">a</p>'],
    ['unclosed style', '<style>', '</ style'],
    ['quotes of a sheet', '<style>', '"\'', '</style><p class=a>x'],
    ['blocks of a sheet', '<style>', '@media{', '</style><p class=a>x'],
    ['rules of a sheet for one class', '<style>', '.a{color:red}', '</style><p class=a>x'],
    ['selectors of a sheet', '<style>', '.a,', '.b{color:red}</style><p class=a>x'],
    ['blanks of a selector', '<style>.a', ' ', 'b{color:red}</style><p class=a>x'],
    [
      'elements of a styled class',
      '<style>.a{color:red;top:0;left:0;width:1px;height:1px}</style>',
      '<p class="a a a">x',
    ],
    ['classes of an element', '<style>.a{color:red}</style><p class="', 'a ', '">x</p>'],
  ]),
  {
    name: 'long selectors with many declarations',
    content: bytes =>
      `${page}<style>${copies('.a,', bytes / 2)}.b{${copies('color:red;', bytes / 2)}}</style><p class=a>x`,
  },
  {
    name: 'many rules for many elements',
    content: bytes =>
      `${page}<style>${copies('.a{color:red;top:0}', bytes / 2)}</style>${copies('<i class=a>x</i>', bytes / 2)}`,
  },
];

const tokens = floods(page, [
  ['runs of <', '', '<'],
  ['runs of <a', '', '<a '],
  ['runs of </', '', '</'],
  ['runs of <!', '', '<!'],
  ['runs of <!--', '', '<!--'],
  ['runs of <![CDATA[', '', '<![CDATA['],
  ['runs of <?', '', '<?'],
  ['runs of &', '', '&'],
  ['runs of &#', '', '&#'],
  ['entities without semicolon', '', '&ltamp'],
  ['one entity of many digits', '&#', '9', ';'],
  ['entities of markup', '<p>', '&lt;b&gt;&amp;lt;'],
  ['unclosed script', '<script>', '</scrip'],
  ['scripts in a row', '', '<script>x</script>'],
  ['unclosed comment', '<!--', '--'],
  ['unclosed textarea', '<textarea>', '</t'],
  ['unclosed title', '<title>', '<'],
]);

const marks = [
  ...names('* _ ` $$$ [ ]( \\ ~ | > # - + = 1. ** __ ~~ *_ ![ \\( \\[ \\\\ \\($').map(mark =>
    flood(`runs of ${mark}`, page, mark),
  ),
  ...names('* _ ` ~~ $ [').map(mark => flood(`${mark} and words`, `${page}<p>`, `${mark}a `)),
  ...names('* _ ` ~~').map(mark => flood(`${mark} and line breaks`, `${page}<p>`, `${mark}a<br>b${mark} `)),
  growing('growing runs of `', page, '`', ' '),
  growing('growing runs of ` in code', `${page}<code>`, '`', ' ', '</code>'),
  growing('growing runs of ` in pre', `${page}<pre>`, '`', ' ', '</pre>'),
  ...floods(page, [
    ['dollars and words', '', '$$$a_1 '],
    ['list marks at line starts', '', '<br>1. '],
    ['hashes at line starts', '', '<p># '],
    ['pipes in a cell', '<table><tr><td>', '|', '</td></tr></table>'],
    ['backslashes in a cell', '<table><tr><td>x<td>', '\\|', '</td></tr></table>'],
  ]),
];

const katex = `${page}<span class="katex"><span class="katex-html">`;
const mathjax = `${page}<mjx-container>`;
const formulas = [
  flood('letters in drawn powers', katex + '<span class="msupsub">'.repeat(200), '<i>x</i>'),
  flood('degrees of a drawn root', `${katex}<span class="sqrt">`, '<i class="root"></i>'),
  flood('words of functions', katex, '<span class="mop">ab</span>'),
  flood('rows of a drawn matrix', `${mathjax}<mjx-mtable>`, '<mjx-mtr>x</mjx-mtr>'),
  flood('matrices in a drawn matrix', mathjax + '<mjx-mtable>'.repeat(250), '<mjx-mtr>x</mjx-mtr>'),
  flood('drawn fractions', mathjax + '<mjx-mfrac><mjx-frac>'.repeat(120), '<mjx-c class="mjx-c31"></mjx-c>'),
  flood('classes of a drawn letter', `${mathjax}<mjx-c class="`, 'mjx-c ', '"></mjx-c>'),
  flood(
    'drawn matrices of one column',
    katex,
    `<span class=mtable><b class=col-align-><i class=vlist>${'<b></b>'.repeat(190)}</i></b>${'<i class=col-align-></i>'.repeat(51)}</span>`,
  ),
  {
    name: 'a drawn matrix of one long column',
    content: bytes =>
      `${katex}<span class="mtable"><span class="col-align-c"><span class="vlist">${copies('<i>a</i>', bytes / 2)}</span></span>${copies('<i class="col-align-c"></i>', bytes / 2)}</span>`,
  },
  nest('fractions in each other', `${page}<math>`, '<mfrac><mi>a</mi>', 'x', '</mfrac>'),
  nest('powers in 280 powers', `${page}<math>`, '<msup>', '<mi>x</mi>', '</msup>', 280),
  flood('drawings and their sources', page, '<span class="MathJax">n</span><script type="math/tex">n</script>'),
  nest('svg and math in each other', page, '<svg><math>', 'x', '</math></svg>'),
];

const characters = [
  ['one word', 'a'],
  ['wide characters', '😀'],
  ['combining marks', '\u0301'],
  ['zero-width characters', '\u200b'],
  ['variation selectors', 'a\ufe0f'],
  ['lone surrogates', '\ud800'],
  ['NUL characters', '\u0000'],
].map(([name, piece]) => flood(name, page, piece));

const inMarkdown = [
  ...names('` $ < > [ * _ ~~~ $< `< `$<a [a](b) &lt; <b> </b> <br> <p> </p> <!-- --> &').map(piece =>
    flood(piece, markdown, piece),
  ),
  ...floods(markdown, [
    ['fences', '', '```\n'],
    ['unclosed tags', '', '<p x="'],
    ['unclosed code around tags', '', '`<b>``'],
    ['quoted lines', '', '> > > '],
    ['spaces', 'a', ' ', 'b<br>'],
    ['indented lines', '', '    <b>\n'],
    ['blanks, then paragraphs in words', 'x <br>', ' ', 'a<p>'.repeat(2000)],
    ['paragraphs in words behind a break', `x <br>${' '.repeat(100_000)}`, 'a<p>'],
    ['line breaks in a row of a table', '| a', '<br>', ' |'],
    ['rows with line breaks', '', '| a<br>b |\n'],
    ['paragraphs', '', '<p>a</p>'],
    ['paragraphs in items', '', '- <p>a</p>\n'],
    ['paragraphs in quotes', '', '> <p>a</p>\n'],
    ['indented paragraphs', '', ' \t<p>a</p>\n'],
    ['bold with Markdown', '', '<b>*a*</b> '],
    ['bold before words', '', '<b>x：</b>y'],
    ['code', '', '<code>a</code> '],
    ['empty code', '', '<code></code>'],
    ['scripts', '', 'a<sup>2</sup>'],
    ['samples', '', '<pre>a</pre>\n'],
    ['tables', '', '<table><td>a</table>\n'],
    ['links', '', '<a href=#>b</a>'],
    ['comparisons', '', 'if a<b and c>d '],
    ['attributes of one tag', '<p', ' a=b', '>x</p>'],
    ['quotes of one tag', '<p a=', '"\'', '>x</p>'],
    ['entities in a formula', '$', '&lt;', '$ <br>'],
    ['entities in formulas', '', '$a &lt; b$ '],
    ['formulas with a bare <', '', '$a<b$ '],
    ['hidden elements', '', '<i hidden>a</i>'],
  ]),
  growing('growing runs of `', markdown, '`', ' ', '<p>x</p>'),
  growing('fences of growing length', markdown, '`', '\n', '<p>x</p>'),
  nest('spans with attributes in each other', markdown, '<span a=b>', 'x', '</span>'),
  nest('blocks with Markdown in each other', markdown, '<div>', '**x**', '</div>'),
  nest('bold with Markdown in each other', markdown, '<b>', '*x*', '</b>'),
].map(({ name, content }) => ({ name: `Markdown: ${name}`, content }));

export const hostileInputs = [
  ...blanks,
  ...elements,
  ...structure,
  ...attributes,
  ...styles,
  ...tokens,
  ...marks,
  ...formulas,
  ...characters,
  ...inMarkdown,
];

/** Shares of the maximum size. A linear algorithm takes twice the time for twice the size. */
export const shares = [1 / 4, 1 / 2, 1];

/** The id of the problem whose content is a construct of this size. */
export function hostileNumber(index, share) {
  return index * shares.length + shares.indexOf(share);
}

export function hostileContent(number) {
  const share = shares[number % shares.length];
  return hostileInputs[Math.floor(number / shares.length)].content(Math.floor(maxWireBytes * share));
}
