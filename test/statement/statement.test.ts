import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

const problemUrl = 'https://judge.example/problems/4/a';

function markdown(html: string): string {
  return statementMarkdown(html, problemUrl);
}

test.each([
  ['10<sup>5</sup>', '10^5'],
  ['10<sup>-9</sup>', '10^{-9}'],
  ['2<sup>n-1</sup>', '2^{n-1}'],
  ['2<sup>2<sup>k</sup></sup>', '2^{2^k}'],
  ['10<sup> 5 </sup>', '10^5'],
  ['10<sup>&nbsp;9</sup> or', '10^9 or'],
  ['2<i>n</i> + 3<i>m</i>', '2n + 3m'],
  ['10<sup>9</sup><i>k</i>', '10^{9}k'],
  ['<i>a</i><sub>i</sub><i>b</i>', 'a_{i}b'],
  ['10<sup>5</sup><b>7</b>', '10^{5}7'],
  ['a<sub>i</sub>', 'a_i'],
  ['a<sub>i,j</sub>', 'a_{i,j}'],
  ['a<sub>i</sub><sup>2</sup>', 'a_i^2'],
  ['a<sub>i</sub>b', 'a_{i}b'],
  ['<em>a<sub><i>i</i></sub></em>', '*a_i*'],
  ['x<sup></sup>', 'x'],
  ['<code>10<sup>5</sup></code>', '`10^5`'],
  ['<code>1 &lt;= a<sub>i</sub> &lt;= 10<sup>9</sup></code>', '`1 <= a_i <= 10^9`'],
  ['10<span style="vertical-align: super; font-size: smaller">5</span>', '10^5'],
  ['10<span style="position:relative;top:-0.5em;vertical-align:baseline">4</span>', '10^4'],
  ['a<span style="position: relative; bottom: -0.25em">i</span>', 'a_i'],
  ['x<span class="index" style="vertical-align:sub">i</span>', 'x_i'],
  ['<style>.c3{vertical-align:super}</style>10<span class="c3">5</span>', '10^5'],
  ['<style>.c3{vertical-align:super}</style><b class="c3">10</b>', '^10'],
  ['<code>10<span style="vertical-align:super">5</span></code>', '`10^5`'],
  ['<pre>2<sup>n-1</sup> a<sub>i</sub>b</pre>', '```\n2^{n-1} a_{i}b\n```'],
  ["P'<sub>1</sub>, ..., P'<sub>N</sub>", "P'_1, ..., P'_N"],
  ["P'<sub>1</sub> and x_ y", "P'\\_1 and x\\_ y"],
  ["P'<sub>1</sub>, ..., P'<sub>i+1</sub>", "P'\\_1, ..., P'\\_{i+1}"],
])('statementMarkdown keeps superscripts and subscripts: %s', (html, expected) => {
  expect(markdown(`<p>${html}</p>`)).toBe(expected);
});

test.each([
  ['a fraction', 'about <sup>30</sup>/<sub>50</sub> of it', 'about 30/50 of it'],
  [
    'a fraction after a whole number',
    '5<sup>3</sup>/<sub>4</sub> or 5&nbsp;<sup>3</sup>⁄<sub>4</sub>',
    '5 3/4 or 5 3⁄4',
  ],
  ['a fraction with letters', '(<sup>n</sup>/<sub>2</sub>)', '(n/2)'],
  ['an exponent before a slash', 'x<sup>2</sup>/<sub>y</sub>', 'x^2/_y'],
  ['deleted text that begins with punctuation', 'a<s>, b</s>. c', 'a~~, b~~. c'],
  ['small print', '1 &lt;= n<br><sup>The limit of <b>n</b> is small.</sup>', '1 <= n  \nThe limit of n is small.'],
  ['a constraint after a line break in a script', '10<sup>9<br>1 &lt;= k</sup>', '10^9  \n1 <= k'],
  ['words in a subscript of a sum', 'S<sub>x in subtree of u</sub>', 'S_{x in subtree of u}'],
  ['a footnote', '<sup>1</sup> See below', '^1 See below'],
  ['a raised sign', '<sup>&lt;</sup> means less', '^< means less'],
])('statementMarkdown reads raised and lowered text as %s', (_, html, expected) => {
  expect(markdown(`<p>${html}</p>`)).toBe(expected);
});

test.each([
  [
    'a pre element without code',
    '<pre>\n<strong>Input:</strong> a_i = [1,2]\n  *\n</pre>',
    '```\nInput: a_i = [1,2]\n  *\n```',
  ],
  ['a code element in pre', '<pre><code class="language-cpp">int a;\n</code></pre>', '```cpp\nint a;\n```'],
  ['tags in upper case', '<PRE>1\n2</PRE>', '```\n1\n2\n```'],
  ['br elements as line breaks', '<pre>YES<br />NO<br /></pre>', '```\nYES\nNO\n```'],
  ['no-break spaces become spaces, tabs are kept', '<pre>a&nbsp;b\tc\r\nd</pre>', '```\na b\tc\nd\n```'],
  ['backticks inside the sample', '<pre>a\n```\nb</pre>', '````\na\n```\nb\n````'],
  ['code with line breaks', '<p><code>a<br>b</code></p>', '```\na\nb\n```'],
  ['an image inside the sample', '<pre>a<img src="/x.png"></pre>', '```\na\n```\n\n![](https://judge.example/x.png)'],
  [
    'lines of Codeforces, which are div elements',
    '<pre><div class="test-example-line test-example-line-0">2</div><div class="test-example-line"></div><div class="test-example-line">8 1</div></pre>',
    '```\n2\n\n8 1\n```',
  ],
  [
    'a hint in a box with a border, which is not a part of the sample',
    '<pre><code class="lang-plain">25\n<div style="padding:6px;border:#B7CBFF 1px dashed"><div style="border-bottom:blue 1px dashed"><i>Hint</i></div>\nUse long.</div><i> </i></code></pre>',
    '```plain\n25\n```\n\n```\nHint\nUse long.\n```',
  ],
  [
    'the sides of an interaction on Kattis',
    '<div class="sampleinteractionwrite"><pre>? 5</pre></div>\n<div class="sampleinteractionread">\n<pre> 1 2\n3</pre></div>',
    '```write\n? 5\n```\n\n```read\n 1 2\n3\n```',
  ],
])('statementMarkdown writes a sample as a code fence: %s', (_, html, expected) => {
  expect(markdown(html)).toBe(expected);
});

test.each([
  ['a header row', '<tr><th>A|B<th>C<tr><td>x<td>y', '| A\\|B | C |\n| --- | --- |\n| x | y |'],
  [
    'characters that are markup only at the start of a line',
    '<tr><th># of<th>n<tr><td>+<td>-<tr><td>*<td>#<tr><td>&gt;<td>1.<tr><td>---<td>x',
    '| # of | n |\n| --- | --- |\n| + | - |\n| * | # |\n| > | 1. |\n| --- | x |',
  ],
  ['an empty row', '<tr><td>1<td>2<tr><td><td><tr><td>3<td>4', '|  |  |\n| --- | --- |\n| 1 | 2 |\n|  |  |\n| 3 | 4 |'],
  ['an escaped pipe', '<tr><th>a<th>b<tr><td>\\|x\\|<td>y', '| a | b |\n| --- | --- |\n| \\\\\\|x\\\\\\| | y |'],
  ['no header row', '<tr><td>1<td>2<tr><td>3<td>4', '|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |'],
  ['a bold first row', '<tr><td><b>n</b><td><b>k</b><tr><td>1<td>2', '| **n** | **k** |\n| --- | --- |\n| 1 | 2 |'],
  ['code with a pipe', '<tr><th>a<th>b<tr><td><code>x|y</code><td>z', '| a | b |\n| --- | --- |\n| `x\\|y` | z |'],
  ['paragraphs in a cell', '<tr><th>a<th>b<tr><td><p>x</p><p>y</p><td>z', '| a | b |\n| --- | --- |\n| x<br>y | z |'],
  [
    'rowspan and colspan',
    '<tr><th>a<th>b<tr><td rowspan=2>x<td>1<tr><td>2<tr><td colspan=2>w',
    '| a | b |\n| --- | --- |\n| x | 1 |\n| x | 2 |\n| w |  |',
  ],
  ['a single cell, which becomes its content', '<tr><td><p>One</p><p>two</p>', 'One\n\ntwo'],
  [
    'samples below their titles',
    '<tr><th>Input<th>Output<tr><td><pre>1\n2</pre><td><pre>3</pre>',
    '**Input**\n\n```\n1\n2\n```\n\n**Output**\n\n```\n3\n```',
  ],
])('statementMarkdown converts a table with %s', (_, rows, expected) => {
  expect(markdown(`<table>${rows}</table>`)).toBe(expected);
});

test('statementMarkdown states how many rows of a long table are omitted', () => {
  const rows = '<tr><td>a<td>b'.repeat(2010);
  expect(markdown(`<table>${rows}</table>`)).toMatch(/\n\n\(10 more rows\)$/);
});

test.each([
  ['a start attribute', '<ol start="3"><li>a<li>b</ol>', '3. a\n4. b'],
  ['a value attribute', '<ol><li>a<li value=9>b<li>c</ol>', '1. a\n9. b\n10. c'],
  ['the attribute "reversed"', '<ol reversed><li>a<li>b</ol>', '2. a\n1. b'],
  ['capital letters', '<ol type="A"><li>a<li>b</ol>', '* A. a\n* B. b'],
  ['small letters after z', '<ol type="a" start="26"><li>x<li>y</ol>', '* z. x\n* aa. y'],
  ['roman numerals', '<ol type="i" start="3"><li>x<li>y<li value="1994">z</ol>', '* iii. x\n* iv. y\n* mcmxciv. z'],
  ['letters from a style attribute', '<ol style="list-style-type: upper-alpha"><li>a<li>b</ol>', '* A. a\n* B. b'],
  ['digits from a style attribute', '<ol type="a" style="list-style-type: decimal"><li>a</ol>', '1. a'],
  ['letters after a list without letters', '<ul><li>q</ul><ol type="a"><li>x</ol>', '- q\n\n* a. x'],
  ['a letter list that starts at 0', '<ol type="A" start="0"><li>a</ol>', '* 0. a'],
  ['a nested list', '<ol><li>a<ul><li>b<li>c</ul><li>d</ol>', '1. a\n   - b\n   - c\n2. d'],
  ['a list between list items', '<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>', '- a\n  - b\n- c'],
  ['a sample in a list item', '<ul><li>a<pre>1\n\n2</pre></ul>', '- a\n\n  ```\n  1\n\n  2\n  ```'],
  ['terms and descriptions', '<dl><dt>Term<dd>Text<dt>Other<dd>More</dl>', '**Term**\n\n- Text\n\n**Other**\n\n- More'],
])('statementMarkdown converts a list with %s', (_, html, expected) => {
  expect(markdown(html)).toBe(expected);
});

test.each([
  ['AtCoder', '<p><var>1 \\leq N</var>, <var>A_{i_1}</var></p>', '$1 \\leq N$, $A_{i_1}$'],
  ['a var element with a subscript', '<p><var>a<sub>10</sub></var></p>', '$a_{10}$'],
  ['a var element with dollar signs', '<p><var>$N$</var> and <var>\\(M\\)</var></p>', '$N$ and \\(M\\)'],
  ['var elements in a sample', '<pre><var>N</var> <var>A_1</var></pre>', '```\nN A_1\n```'],
  ['Codeforces', '<p>$$$a_i * b_i * c &lt; 10^5$$$</p>', '$$$a_i * b_i * c < 10^5$$$'],
  ['MathJax delimiters', '<p>\\(x_1*y*z\\) \\[a*b*c\\] $a*b*c$</p>', '\\(x_1*y*z\\) \\[a*b*c\\] $a*b*c$'],
  [
    'KaTeX',
    '<span class="katex"><span class="katex-mathml"><math><semantics><mi>a</mi><annotation encoding="application/x-tex">a_i \\le 5</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">a≤5</span></span>',
    '$a_i \\le 5$',
  ],
  [
    'a display formula of KaTeX',
    '<p>x</p><span class="katex-display"><span class="katex"><math display="block"><annotation encoding="application/x-tex">x^2</annotation></math></span></span>',
    'x\n\n$$x^2$$',
  ],
  [
    'MathJax 2',
    '<p><span class="MathJax_Preview">n</span><span class="MathJax"><span class="mi">n</span></span><script type="math/tex">n_{k}</script></p>',
    '$n_{k}$',
  ],
  [
    'MathJax 3',
    '<mjx-container class="MathJax"><mjx-math aria-hidden="true"></mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>10</mn></msup></math></mjx-assistive-mml></mjx-container>',
    '$x^{10}$',
  ],
  [
    'an environment without delimiters',
    '<p>As<span>\\begin{align*} a_1 &amp;= b*c*d \\\\ &amp;= e_ 2 \\end{align*}</span></p>',
    'As$$\\begin{align*} a_1 &= b*c*d \\\\ &= e_ 2 \\end{align*}$$',
  ],
  ['a monospace element', '<p>"<tt>? $i$ $j$</tt>"</p>', '"? $i$ $j$"'],
  ['typewriter text of Codeforces', '<p><span class="tex-font-style-tt">! $$$a_i$$$</span></p>', '! $$$a_i$$$'],
  ['a code element, which MathJax skips', '<p><code>a $b$</code></p>', '`a $b$`'],
  ['monospace prices', '<p><kbd>$5 or $6</kbd></p>', '`$5 or $6`'],
  ['MathML', '<p><math><mfrac><mi>a</mi><msub><mi>b</mi><mi>i</mi></msub></mfrac></math></p>', '$\\frac{a}{b_i}$'],
])('statementMarkdown outputs the TeX source of a formula unchanged and only once: %s', (_, html, expected) => {
  expect(markdown(html)).toBe(expected);
});

test.each([
  ['<img src="/a b(1).png" alt="x [1]">', '![x \\[1\\]](https://judge.example/a%20b%281%29.png)'],
  ['<img src="//cdn.example/i.png">', '![](https://cdn.example/i.png)'],
  ['<img src="data:image/png;base64,AAAA" alt="a tree">', 'a tree'],
  ['<a href="../b">b</a>', '[b](https://judge.example/problems/b)'],
  ['<a href="/b?a=1&amp;mp;c=&d=2">b</a>', '[b](https://judge.example/b?a=1&amp;mp;c=&d=2)'],
  ['<a href="java\nscript:alert(1)">run</a>', 'run'],
  ['<a href="data:text/html,x">run</a>', 'run'],
  ['<a>text</a>', 'text'],
])('statementMarkdown resolves or removes the address of %s', (html, expected) => {
  expect(markdown(`<p>${html}</p>`)).toBe(expected);
});

test('statementMarkdown leaves a relative link unchanged when the problem URL is unknown', () => {
  expect(statementMarkdown('<p><a href="/x">x</a></p>', undefined)).toBe('[x](/x)');
});

test.each([
  ['# no heading', '\\# no heading'],
  ['1. no list', '1\\. no list'],
  ['- no list', '\\- no list'],
  ['> no quote', '\\> no quote'],
  ['---', '\\---'],
  ['a_b [1,2] n * m x.y!', 'a_b [1,2] n * m x.y!'],
  ['2*3*4', '2\\*3\\*4'],
  ['__init__', '\\_\\_init\\_\\_'],
  ['[t](u)', '[t]\\(u)'],
  ['a `x` b', 'a \\`x\\` b'],
  ['a &lt; b, vector&lt;int&gt;', 'a < b, vector\\<int>'],
  ['&amp;lt; &copy; a&nbsp;b', '\\&lt; © a b'],
  ['3*<i>n</i>*4', '3\\**n*\\*4'],
])('statementMarkdown escapes only characters that Markdown would parse as markup: %s', (html, expected) => {
  expect(markdown(`<p>${html}</p>`)).toBe(expected);
});

test.each([
  ['<strong>A</strong><strong> b</strong>', '**A b**'],
  ['have <strong><em>one</em> x </strong>y', 'have ***one* x** y'],
  ['<del>old</del> <ins>new</ins> <q>q</q>', '~~old~~ *new* "q"'],
  ['a<br>b<br><br>c<br>', 'a  \nb\n\nc'],
  ['for:<br>&nbsp;&nbsp;&nbsp;&nbsp;x', 'for:  \n    x'],
  ['<code>a`b</code> <code>x </code>y', '``a`b`` `x` y'],
  ['n <span style="text-decoration: line-through">at most 5</span> 6', 'n ~~at most 5~~ 6'],
  ['<b style="text-decoration-line:line-through">old</b>', '~~old~~'],
  ['<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>', '漢字(かんじ)'],
  ['<font face="monospace">x</font>', '`x`'],
])('statementMarkdown converts inline markup: %s', (html, expected) => {
  expect(markdown(`<p>${html}</p>`)).toBe(expected);
});

test.each([
  ['<p>a<p>b', 'a\n\nb'],
  ['<P>Text <B>bold</B><BR>two<P>three<H3>Input</H3>x', 'Text **bold**  \ntwo\n\nthree\n\n### Input\n\nx'],
  ['<p><b>x<i>y</b>z</i></p>', '**x*y***z'],
  ['<b><p>x</p><p>y</p></b>', 'x\n\ny'],
  ['<p style="text-decoration:line-through">old</p><p>new</p>', '~~old~~\n\nnew'],
  ['<div style="white-space:pre-wrap">3 4\n1 2 3\n  x</div>', '```\n3 4\n1 2 3\n  x\n```'],
  ['<div class="out" style="white-space: pre-line">1<br>2</div>', '```\n1\n2\n```'],
  ['<div style="white-space:pre-wrap">one line</div>', 'one line'],
  ['<div style="white-space:pre-wrap">\n<p>a <b>b</b></p>\n<p>c</p>\n</div>', 'a **b**\n\nc'],
  ['<h2># of items</h2>', '## # of items'],
  ['<p/>x<div/>z</p></p>', 'x\n\nz'],
  ['<p>10<sup>5<p>next', '10^5\n\nnext'],
  ['<details><summary>Hint</summary>Use <b>x</b></details>', '**Hint**\n\nUse **x**'],
  ['<figure><img src="/a.png"><figcaption>Cap</figcaption></figure>', '![](https://judge.example/a.png)\n\nCap'],
  ['<tr><td>a<th>b', 'a\n\nb'],
  ['<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2</table>', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
  ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n>\n> b'],
])('statementMarkdown converts malformed HTML: %s', (html, expected) => {
  expect(markdown(html)).toBe(expected);
});

test('statementMarkdown converts a complete statement of LeetCode', () => {
  const html = `<p>Given <code>nums</code>&nbsp;and <em>one <code>k</code></em>.</p>

<p>&nbsp;</p>
<p><strong class="example">Example 1:</strong></p>

<div class="example-block">
<p><strong>Input:</strong> <span class="example-io">s = &quot;ab&quot;</span></p>
</div>

<p><strong>Constraints:</strong></p>

<ul>
	<li><code>1 &lt;= n &lt;= 10<sup>5</sup></code></li>
	<li>1 &le; a<sub>i</sub></li>
</ul>
`;
  expect(markdown(html)).toBe(
    'Given `nums` and *one `k`*.\n\n**Example 1:**\n\n**Input:** s = "ab"\n\n**Constraints:**\n\n- `1 <= n <= 10^5`\n- 1 ≤ a_i',
  );
});

test('statementMarkdown converts a complete statement of Codeforces', () => {
  const html =
    '<div class="problem-statement"><div class="header"><div class="title">A. Melon</div><div class="time-limit"><div class="property-title">time limit per test</div>1 second</div></div><div><p>One <span class="tex-font-style-it">day</span> <span class="tex-font-style-tt">a_b</span></p></div><div class="sample-tests"><div class="section-title">Examples</div><div class="sample-test"><div class="input"><div class="title">Input<div class="input-output-copier">Copy</div></div><pre>8</pre></div></div></div></div>';
  expect(markdown(html)).toBe(
    '**A. Melon**\n\ntime limit per test: 1 second\n\nOne *day* `a_b`\n\n### Examples\n\n**Input**\n\n```\n8\n```',
  );
});

test('statementMarkdown outputs only the English part of a bilingual page of AtCoder', () => {
  const html =
    '<span class="lang"><span class="lang-ja"><p>配点</p></span><span class="lang-en"><h3>Sample <span class="btn btn-copy">Copy</span></h3><div class="div-btn-copy">Copy</div><pre class="prettyprint">1</pre></span></span>';
  expect(markdown(html)).toBe('### Sample\n\n```\n1\n```');
});

test('statementMarkdown outputs the Japanese part of an AtCoder page without an English part', () => {
  expect(markdown('<span class="lang-ja"><p>配点 <var>100</var></p></span>')).toBe('配点 $100$');
});
