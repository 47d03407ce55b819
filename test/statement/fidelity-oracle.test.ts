import { expect, test } from 'vitest';
import { isRight, judge } from './fidelity/read.mjs';

const base = 'https://judge.example/problems/1';

function missesOf(source: string, answer: string, kind: 'html' | 'md'): string[] {
  const { stars: _, ...categories } = judge({ kind, source, answer, base });
  return Object.entries(categories).flatMap(([name, { wrong }]) => (wrong === 0 ? [] : [name]));
}

test.each([
  ['a<b>b</b> <i>c</i>', 'a**b** *c*'],
  ['10<sup>5</sup> a<sub>i</sub>', '10^5 a_i'],
  ['10<sup>18</sup>, i<sup>th</sup>', '10^{18}, i^th'],
  ['2<sup>n-1</sup> a<sub>i</sub>b', '2^{n-1} a_{i}b'],
  ['2<sup>2<sup>k</sup></sup>', '2^{2^k}'],
  ['x<sup>2 </sup>+ y<sub> </sub>z', 'x^2 + y z'],
  ['a_b x^2 {1}', 'a_b x^2 {1}'],
  ['<code>1 &lt;= a<sub>i</sub></code>', '`1 <= a_i`'],
  ['<code>a</code><code>b</code>', '`ab`'],
  ['<font face="monospace">a</font>', 'a'],
  ['<font face="monospace">a</font>', '`a`'],
  ['<pre>1  2\n\n3\n</pre>', '```\n1  2\n\n3\n```'],
  ['<pre>10<sup>5</sup>&nbsp;x</pre>', '```\n10^5 x\n```'],
  ['<pre><div>1</div><div></div><div>2</div></pre>', '```\n1\n\n2\n```'],
  ['<var>1 \\leq N</var> <var>a<sub>10</sub></var>', '$1\\le N$ $a_{10}$'],
  ['$$$a_i &lt; 10^{5}$$$', '$$$a_i < 10^5$$$'],
  ['<var>a</var><var>b</var>', '$ab$'],
  ['$\\{a,$$b\\}$', '$\\{a,$$b\\}$'],
  ['<h3>a<ul><li>b</ul>', '### a\n\n- b'],
  ['<var>n</var>5', '$n$ 5'],
  ['$5 or $6', '\\$5 or \\$6'],
  ['<ul><li>a<ol start="3"><li>b</ol><li>c</ul>', '- a\n\n  3. b\n\n- c'],
  ['<ol type="A"><li>a<li>b</ol>', '* A. a\n* B. b'],
  ['<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
  ['<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>', '|a|b|\n|-|-|\n|1|2|\n|1|3|'],
  ['<table><tr><th>a<th>b<tr><td rowspan=2>1<td>2<tr><td>3</table>', '|a|b|\n|-|-|\n|1|2|\n||3|'],
  ['<table><tr><td>a<br>b<td>c</table>', '| | |\n|-|-|\n|a<br>b|c|'],
  ['<img src="/x.png" alt="y">', '![y](https://judge.example/x.png)'],
  ['<a href="t(1)">x</a>', '[x](https://judge.example/problems/t%281%29)'],
  ['<h2>a</h2>b<br>c', '## a\n\nb  \nc'],
  ['<p hidden>no</p><p style="opacity:0">no</p>yes<script>no</script>', 'yes'],
  ['<b>注意：</b>本题', '**注意：**本题'],
  ['a &lt;b&gt; *c* [d](e)', 'a \\<b> \\*c\\* [d]\\(e)'],
  ['<ul><b><li>a</li></b><b><li>b</li></b></ul>', '- a\n- b'],
  ['<ul><li>a</li>b <i>c</i><ul><li>d</li></ul>e</ul>', '- a\n\n  b *c*\n\n  - d\n\n  e'],
  ['<dl><dt>a<dd>b</dl>', 'a\n\n- b'],
  ['<a href="#n">1</a> <img src="/{x}.png">', '1 ![](https://judge.example/%7Bx%7D.png)'],
  ['<b>$5</b> or <b>$6</b>', '**$5** or **$6**'],
  ['<tt>? $i$</tt>', '? $i$'],
  ['<code>? $i$</code>', '`? $i$`'],
  ['\\begin{align} a \\\\ b \\end{align}', '$$\\begin{align} a \\\\ b \\end{align}$$'],
  ['<pre>1\n<div style="border:blue 1px solid">Hint</div></pre>', '```\n1\n```\n\n```\nHint\n```'],
  ['<p><sub>In small letters</sub>', 'In small letters'],
  ['a<s>b</s><s>c</s> <span style="text-decoration: line-through">d</span>', 'a~~bc~~ ~~d~~'],
  ['<div style="display: inline">a</div> b', 'a b'],
  ['<span class="katex">2<sup>3</sup></span>', '2^3'],
  ['5<sup>3</sup>/<sub>4</sub>', '5 3/4'],
  ['<pre><h3>a</h3></pre>', '```\na\n```'],
  ['a<sup><code>b</code></sup>', 'a^b'],
  ['<span class="katex"><span class="katex-html">n</span></span>', '$n$'],
  [
    '<table><tr><th>Sample Input 1<th>Sample Output 1<tr><td><pre>1</pre><td><pre>2</pre></table>',
    '**Sample Input 1**\n\n```\n1\n```\n\n**Sample Output 1**\n\n```\n2\n```',
  ],
])('the comparison of page and Markdown accepts %s → %s', (source, answer) => {
  expect(missesOf(source, answer, 'html')).toEqual([]);
});

test.each([
  ['one two', 'one', 'text'],
  ['one two', 'onetwo', 'text'],
  ['a<i>b</i>', 'a b', 'text'],
  ['2*3', '23', 'text'],
  ['a &lt;b&gt; c', 'a <b> c', 'text'],
  ['a &lt;int&gt; c', 'a <int> c', 'text'],
  ['a &amp;lt; b', 'a &lt; b', 'text'],
  ['a', 'a  \n$5', 'text'],
  ['(\\) a', '(\\) a', 'text'],
  ['10<sup>5</sup>', '105', 'scripts'],
  ['2<sup>n-1</sup>', '2^n-1', 'scripts'],
  ['a<sub>i</sub>b', 'a_ib', 'scripts'],
  ['a<sub>i</sub>', 'a^i', 'scripts'],
  ['a<sub>i</sub>,', 'a_{i,}', 'scripts'],
  ['a <del>b</del>', 'a b', 'text'],
  ['<i>a</i><sub>i, j</sub> <i>b</i><sub>i, j</sub>', '*a*_{i, j} *b*_{i, j}', 'scripts'],
  ['<var>p_i</var> x', '$p_i x', 'formulas'],
  ['<var>a\\,b</var>', '$ab$', 'formulas'],
  ['$a &lt; b$', '$a &lt; b$', 'formulas'],
  ['<pre>1  2</pre>', '```\n1 2\n```', 'samples'],
  ['<pre>1\n2</pre>', '1  \n2', 'samples'],
  ['<pre>\n\n1</pre>', '```\n1\n```', 'samples'],
  ['<pre>1</pre><pre>2</pre>', '```\n1\n2\n```', 'samples'],
  ['<p>a</p>    b', 'a\n\n    b', 'samples'],
  ['<code>a</code>', 'a', 'code'],
  ['a', '`a`', 'code'],
  ['<tt>? $i$</tt>', '`? $i$`', 'code'],
  ['\\begin{align} a \\\\ b \\end{align}', '\\begin{align} a \\\\ b \\end{align}', 'formulas'],
  ['<pre>1\n<div style="border:blue 1px solid">Hint</div></pre>', '```\n1\nHint\n```', 'samples'],
  ['<ul><li>a<ul><li>b</ul></ul>', '- a\n- b', 'lists'],
  ['<ul><li>a<ul><li>b</ul>c</ul>', '- a\n  - b\n  c', 'lists'],
  ['<ul><li>a<ol start="3"><li>b</ol></ul>', '- a\n  3. b', 'lists'],
  ['<ol><li>a<li>b</ol>', '1. a\n3. b', 'lists'],
  ['<p>1. a</p>', '1. a', 'lists'],
  ['<table><tr><th>a<th>b<tr><td>1<td>2</table>', '|a|b|\n|-|-|\n|1||', 'tables'],
  ['<table><tr><td>a<br>b<td>c</table>', '| | |\n|-|-|\n|a; b|c|', 'tables'],
  ['<img src="x.png">', '![](x.png)', 'images'],
  ['<img src="x.png">', '', 'images'],
  ['<a href="x">y</a>', 'y', 'links'],
  ['<h2>a</h2>', '### a', 'headings'],
  ['a<br>b', 'a\nb', 'lines'],
  ['<p>a</p><p>b</p>', 'a b', 'lines'],
])(
  'the comparison of page and Markdown rejects %s → %s as an error of the category "%s"',
  (source, answer, category) => {
    expect(missesOf(source, answer, 'html')).toContain(category);
  },
);

test.each([
  ['# T\n\n- <p>a</p>', '# T\n\n- a', '# T\n\n-\n\na'],
  ['# T\n\nvector<int> and `<b>` <b>c</b>', '# T\n\nvector<int> and `<b>` **c**', '# T\n\nvector and `<b>` **c**'],
  ['$a*b$ <i>c</i> $d*e$', '$a*b$ *c* $d*e$', '$a\\*b$ *c* $d\\*e$'],
  ['<p>a\n\nb</br/>c</p>', 'a b\n\nc', 'a b c'],
  ['# T\n\n__<sub>Sample code</sub>__', '# T\n\n__Sample code__', '# T\n\n__\\_{Sample code}__'],
  ['# T\n\na<br/ >b', '# T\n\na  \nb', '# T\n\na b'],
  ['# T\n\n<ui:y> <b>c</b>', '# T\n\n **c**', '# T\n\nui:y **c**'],
  ['<!--\n\n- a\n\n-->\n<p>**b**', '**b**', '- a\n\n**b**'],
  ['<td><code>*a*</code></td><p>**b**', '`*a*`\n\n**b**', '`*a`\n\n**b**'],
  ['- a\n<p>**b**</p>\n- c', '- a\n\n**b**\n\n- c', '- a\n\n**b**\n\nc'],
  ['![](video:1)<br>', '(picture)', '(video)'],
  ['<img src="p" alt="a \\(1\\)"><br>', '![a (1)](p)', '![a 1](p)'],
  ['$$\n1 &lt; 2\n$$\n<br>', '$$\n1 < 2\n$$', '$$\n1 &lt; 2\n$$'],
])(
  'the comparison of page and Markdown accepts correct and rejects wrong Markdown for Markdown with HTML: %j',
  (source, right, wrong) => {
    expect(missesOf(source, right, 'md')).toEqual([]);
    expect(missesOf(source, wrong, 'md')).not.toEqual([]);
  },
);

test('the comparison of page and Markdown accepts literal asterisks and counts them', () => {
  const result = judge({ kind: 'html', source: '<b>注意：</b>本题', answer: '**注意：**本题', base });
  expect(isRight(result)).toBe(true);
  expect(result.stars).toBe(4);
});
