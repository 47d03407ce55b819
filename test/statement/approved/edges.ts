/** Each statement is built with numbers on both sides of a limit. */
export interface LimitCase {
  name: string;
  make: (size: number) => string;
  sizes: readonly number[];
}

const around = (limit: number): number[] => [-2, -1, 0, 1, 2].map(more => limit + more);
const nested = (open: string, close: string, size: number): string => open.repeat(size) + close.repeat(size);

export const limitCases: readonly LimitCase[] = [
  { name: 'Markdown containers', make: size => `${'> '.repeat(size)}    <b>x</b>\n`, sizes: around(100) },
  {
    name: 'line of an HTML block',
    make: size => `<x-y a="${'z'.repeat(size - 11)}">\n*a* <b>c</b>\n\n*a*`,
    sizes: around(2000),
  },
  {
    name: 'parentheses in an address',
    make: size => `<b>x</b> [a](b${nested('(', ')', size)}) [c](javascript:${nested('(', ')', size)})`,
    sizes: around(32),
  },
  {
    name: 'CSS selector',
    make: size =>
      `<style>.${'x'.repeat(size - 5)},.a b{display:none}.${'y'.repeat(size - 1)}{display:none}</style><p class="${'y'.repeat(size - 1)}">y</p><p>z</p>`,
    sizes: around(1000),
  },
  {
    name: 'nested CSS functions',
    make: size => `<style>${':not('.repeat(size)}p${')'.repeat(size)}{display:none}</style><p>y</p><div>z</div>`,
    sizes: [1, 2, 3, 4, 5, 6],
  },
  {
    name: 'nested CSS rule',
    make: size =>
      `<style>.${'x'.repeat(size - 4)}{ p{display:none}}</style><div class="${'x'.repeat(size - 4)}"><p>y</p></div><p>z</p>`,
    sizes: Array.from({ length: 19 }, (_, index) => 985 + index),
  },
  {
    name: 'nested scripts in code',
    make: size => `<pre>a${nested('<sup>b', '</sup>', size)}\nc</pre>`,
    sizes: around(8),
  },
  { name: 'spaces in code', make: size => `<pre>a${' '.repeat(size)}b</pre>`, sizes: around(1000) },
  { name: 'line breaks in code', make: size => `<pre>a${'\n'.repeat(size)}b</pre>`, sizes: around(1000) },
  { name: 'nested elements', make: size => `<p>a</p>${nested('<div>', 'c</div>', size)}`, sizes: around(300) },
  { name: 'nested lists', make: size => `<p>a</p>${nested('<ul><li>b', '</ul>', size)}`, sizes: [3, 4, 149, 150, 151] },
  { name: 'no-break spaces', make: size => `<p>a${'&nbsp;'.repeat(size)}b</p>`, sizes: around(100) },
  { name: 'blocks in a block', make: size => `<div>${'<p>b</p>'.repeat(size)}</div><p>c</p>`, sizes: around(16) },
  {
    name: 'items in a list',
    make: size => `<p>a</p><ol reversed>${'<li>b</li>'.repeat(size)}</ol>`,
    sizes: around(32),
  },
  { name: 'rows', make: size => `<table>${'<tr><td>a<td>b'.repeat(size)}</table>`, sizes: around(2000) },
  {
    name: 'column span',
    make: size => `<table><tr><td colspan=${size}>a<tr><td>b</table>`,
    sizes: [0, 1, 2, ...around(100)],
  },
  {
    name: 'row span',
    make: size => `<table><tr><td rowspan=${size}>a<td>b${'<tr><td>c'.repeat(103)}</table>`,
    sizes: [0, 1, 2, ...around(100)],
  },
  { name: 'columns', make: size => `<table><tr>${'<td>a'.repeat(size)}</table>`, sizes: around(1000) },
  {
    name: 'repeated cells',
    make: size =>
      `<table>${`<tr>${'<td rowspan=100>a'.repeat(10)}<td>b${'<tr><td>c'.repeat(99)}`.repeat(2)}<tr><td rowspan=${size - 1979}>d<td>e${'<tr><td>f'.repeat(30)}</table>`,
    sizes: around(2000),
  },
  {
    name: 'length of a repeated cell',
    make: size => `<table><tr><td rowspan=2>${'a'.repeat(size)}<td>b<tr><td>c</table>`,
    sizes: around(200),
  },
  { name: 'formula', make: size => `a $${'x'.repeat(size - 6)}&lt;yz$ <b>c</b>`, sizes: around(5000) },
  { name: 'code', make: size => `a \`${'x'.repeat(size - 5)}<b>yz\` <b>c</b>`, sizes: around(5000) },
  { name: 'TeX in brackets', make: size => `a \\[${'x'.repeat(size - 6)}&lt;\\] <b>c</b>`, sizes: around(1000) },
  { name: 'TeX in parentheses', make: size => `a \\(${'x'.repeat(size - 6)}&lt;\\) <b>c</b>`, sizes: around(1000) },
  { name: 'indentation of a tag', make: size => `a\n${' '.repeat(size)}<ul><li>b</li></ul>\n\nc`, sizes: around(200) },
  { name: 'open tags', make: size => `a *b*\n\n${nested('<div>\n', '\n</div>', size)}\n\n- c\n`, sizes: around(100) },
  {
    name: 'text before a fence',
    make: size => `a <b>c</b>\n${' '.repeat(size)}\`\`\`\n<p>x\n\`\`\`\n`,
    sizes: [2, 3, 4, ...around(20)],
  },
  {
    name: 'fence at the start',
    make: size => `${' '.repeat(size)}\`\`\`\n<p>x\n\`\`\`\n<b>c</b>`,
    sizes: [2, 3, 4, ...around(20)],
  },
  {
    name: 'info string of a fence',
    make: size => `a <b>c</b>\n~~~${'x'.repeat(size)}\n<p>x\n~~~\n\`\`\`${'x'.repeat(size)}\`\n<p>x\n`,
    sizes: around(200),
  },
];

/** Texts with samples, built with numbers on both sides of a limit. */
export const sampleLimitCases: readonly LimitCase[] = [
  {
    name: 'label with spaces',
    make: size => `Sample Input${' '.repeat(size - 13)}:\n\`\`\`\n1\n\`\`\`\nSample Output\n\`\`\`\n2\n\`\`\`\n`,
    sizes: around(60),
  },
  {
    name: 'inputs without an output',
    make: size =>
      `${Array.from({ length: size }, (_, index) => `<p>Sample Input ${index}</p><pre>${index}</pre>`).join('')}<p>Sample Output 0</p><pre>a</pre><p>Sample Output 1</p><pre>b</pre><p>Sample Output 2</p><pre>c</pre>`,
    sizes: around(100),
  },
  {
    name: 'labels before a block',
    make: size =>
      `<p>Sample Input 1</p>${'<p>Explanation</p>'.repeat(size)}<pre>1</pre><p>Sample Output 1</p><pre>2</pre>`,
    sizes: around(20),
  },
];

/** Statements in which a condition of the converter decides that no other approved statement reaches. */
export const edgePages: readonly string[] = [
  ...[
    'n',
    '+n',
    '-n',
    '+n+2',
    '-n+2',
    '2n',
    '+2n+1',
    '-2n+3',
    'n-1',
    '3',
    '+3',
    '-3',
    '0',
    '0n+2',
    'odd',
    'EVEN',
    '2 n',
    'x',
  ].map(
    argument =>
      `<style>li:nth-child(${argument}){display:none}p:nth-of-type(${argument}){display:none}</style><ul><li>a</li><li>b</li><li>c</li><li>d</li></ul><section><p>e</p><h3>x</h3><p>f</p><p>g</p></section>`,
  ),
  ...['\\61 ', '\\000061', '\\0', '\\d800 ', '\\10ffff ', '\\110000 ', '\\a', '\\', '\\61\\62 '].map(
    name =>
      `<style>.${name}{display:none}</style><p class="a">a</p><p class="\u{10ffff}">b</p><p class="ab">c</p><p class="">d</p>`,
  ),
  ...['https://a.example/', 'https://a.example', 'https://a.example/x y', 'mailto:a@b.example', '/p'].map(
    address =>
      `<p><a href="${address}">${address}</a> <a href="${address}/">${address}</a> <a href="${address}"><b>${address}</b></a></p>`,
  ),
  ...['0.4ex', '-0.4ex', '2ex', '0.3ch', '1em', '-1em', '1.1em', '0.15em', '0.14em', '20%', '15%', '4px'].map(
    shift =>
      `<p>a<span style="vertical-align:${shift};font-size:small">b</span>c<span style="vertical-align:${shift}">d</span>e<span style="position:relative;top:${shift}">f</span></p>`,
  ),
  ...[
    'hsl(0 100% 100%)',
    'hsl(120, 100%, 50%)',
    'hsl(0 0% 100%)',
    'hsl(0 0% 99%)',
    'hsl(240deg 50% 97%)',
    'hsla(30, 100%, 98%, 1)',
    'rgb(100% 100% 100%)',
    'rgb(99%, 99%, 99%)',
    'rgba(255 255 255 / 4%)',
    'rgb(0 0 0 / 5%)',
    'rgb(0 0 0 / 6%)',
    '#ffff',
    '#fff8',
    '#ffffff0c',
    '#0000000d',
    '#f0f0f0',
    '#efefef',
    '#f0f0ef',
  ].map(
    color =>
      `<p>a<span style="color:${color}">b</span><span style="color:${color};background:white">c</span><span style="color:#fdfdfd;background:${color}">d</span></p>`,
  ),
  ...['table', 'thead', 'tbody', 'tr', 'td', 'th', 'caption'].flatMap(name =>
    ['color:white', 'background:black', 'color:white;background:white', 'color:red;background:red'].map(style =>
      `<table><caption>cap</caption><thead><tr><th>head</th></tr></thead><tbody><tr><td>cell<b>bold</b></td><td style="background:white">white</td><td style="color:black">black</td></tr></tbody></table>`.replace(
        `<${name}>`,
        `<${name} style="${style}">`,
      ),
    ),
  ),
  ...['<p>', '<div>', '<b>', '<br>', '<DIV>', '<pre>'].flatMap(tag => [
    `a ${tag} b`,
    `a${tag}b`,
    `a\n${tag} b *c*`,
    `x<${tag}y`,
    `<b>q</b>${tag}b`,
    `_${tag}b`,
    `.${tag}b`,
  ]),
  '- a\n\n<p>b</p>\n\nc',
  '- a\n\n  <p>b</p>\n\n  c',
  '1. a\n\n   <div>b</div>\n\n  c',
  '10. a\n\n    <p>b</p>\n c',
  '- a\n\t<p>b</p>\n',
  '- a\n\n <p>b</p>\n\n c\n- d',
  '* a\n  * b\n\n    <p>c</p>\n\n  d\n\ne',
  '<!-->a--> b <b>c</b>',
  '<!--->a--> b <b>c</b>',
  '<!---->a <b>c</b>',
  'x <!-- <b>a</b>',
  '\n<!-- <b>a</b>',
  'x <!--a--><!--b--> <b>c</b> <!--d-->',
  '[a](<b>"c")',
  '[a](<javascript:x>"c") <b>d</b>',
  '[a](javascript:x "c") <b>d</b>',
  '[a](javascript:x"c") <b>d</b>',
  '[a](javascript:\\) x) <b>d</b>',
  '[a](javascript:\\\x01) <b>d</b>',
  '[a]: javascript:x\n\n<b>[a]</b>',
  '[a]:\n\n<b>[a]</b>',
  '[a]: <>\n\n<b>[a]</b>',
  '$x$<b>a</b>$y$',
  '\\(x<y\\) <b>a</b>',
  '\\[x\n\ny&lt;\\] <b>a</b>',
  '\\[&lt;\\]&lt; <b>a</b>',
  '\\(&lt;\\)<b>a</b>\\(&gt;\\)',
  '$$x&lt;y$$ and $ 5&lt;6 $ <b>a</b>',
  '$$$x&lt;y$$$ <b>a</b>',
  '\\<b>x</b> \\\\(&lt;\\)',
  '<span class="MathJax">x</span><script type="math/tex">y_1</script>',
  '<span class="MathJax">x</span> <script type="math/tex">y_1</script>',
  '<span class="MathJax">x</span>z<script type="math/tex">y_1</script>',
  '<code><span class="MathJax">x</span><script type="math/tex">y_1</script></code>',
  '<script type="math/tex; mode=display">y_1</script>a<script type="math/tex"> </script>',
  ...[
    '<p a="1" b="2">x</p>',
    '<p a="1"b="2">x</p>',
    '<a href="/x"  title="y">x</a>',
    '<a href="/x"/>x</a>',
    '<a href=""  >x</a>',
    '<a\nhref="/x"\ttitle="y">x</a>',
    '<a href="/x" href="/y">x</a>',
    '<a href="/x>y</a><p>z',
    '<a =href="/x">y</a>',
  ].map(page => `<p>a</p>${page}<p>b</p>`),
  ...[
    '1. a',
    '1) a',
    '12. a',
    '  1. a',
    '- a',
    '+ a',
    '-',
    '1.',
    '#',
    '# a',
    '> a',
    '---',
    '    a',
    '=',
    'a\n===',
    '* * *',
  ].map(line => `<p>${line}</p><p>x<br>${line}</p><p> ${line}</p>`),
  ...[
    '<li>a',
    '<li>a<li>b',
    'x<li>a',
    '<li>a</li><p>b</p><li>c',
    '<ul><li>a</ul><li>b',
    '<table><li>a<li>b<tr><td>c</table>',
  ].map(page => `<p>t</p>${page}<p>u</p>`),
  '<pre>\na<sup>2</sup><div>b</div><span style="display:block">c</span>d</pre>',
  '<p>a</p><table><tr><td rowspan=2>b|c<td>d<tr><td>e</table>',
];

/** Statements with samples in which a condition of the search for samples decides. */
export const edgeSamples: readonly string[] = [
  ...[
    '<pre>1<div>2</div>3</pre>',
    '<pre>1<span style="display:block">2</span>3</pre>',
    '<pre>\n1<sup>2</sup></pre>',
    '<pre>1<div class="test-example-line">2</div><div class="test-example-line">3</div></pre>',
    '<pre><b>1</b><br>2</pre>',
    '<pre>\n\n1</pre>',
    '<pre><code>\n1</code></pre>',
    '<pre>1<table border=1><tr><td>2</table>3</pre>',
  ].map(block => `<p>Sample Input</p>${block}<p>Sample Output</p>${block}`),
  ...['Input', 'Sample Input', 'Sample Input 1:', '**Input**', 'Input<b>'].flatMap(label => [
    `${label}\n\n    1\n    2\n\nSample Output\n\n    3\n`,
    `${label}\n    1\n\nSample Output\n    3\n`,
    `${label}\n\n<p>1\n\nSample Output\n\n    3\n`,
    `${label}\n\n\n    1\n\n\n    2\ntext\n\nSample Output\n\n\t3\n`,
    `${label}\n\n    <b>1\n\nSample Output\n\n    3\n`,
  ]),
  '<p>Input</p><pre>1</pre><p>Input</p><pre>2</pre><p>Output</p><pre>3</pre>',
  '<p>Sample Input</p><pre>1</pre><p>Sample Input</p><pre>2</pre><p>Sample Output</p><pre>3</pre><p>Sample Output</p><pre>4</pre>',
  '<!-- a\n```\n1\n```\n-->\nSample Input\n```\n1\n```\nSample Output\n~~~~\n2\n~~~\n~~~~\n',
  'Sample Input\n```input1\n1\n```output1\n2\n```',
];
