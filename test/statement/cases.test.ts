import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

const problemUrl = 'https://judge.example/problems/4/a';

test.each([
  [
    'scripts side by side in code (LeetCode 1970, 2343, 2582, 2787, 2961, 2969, 3590, 3911, 3930, 3935)',
    '<code>((a<sub>i</sub><sup>b<sub>i</sub></sup> % 10)</code>',
    '`((a_i^{b_i} % 10)`',
  ],
  ['scripts side by side in a sample', '<pre>x<sub>1</sub><sup>2</sup>y</pre>', '```\nx_1^{2}y\n```'],
  ['a blank as an index (LeetCode 1353, 1427, 1629, 1697)', 'a<sub> </sub>b', 'a b'],
  ['a blank at the end of an index (LeetCode 1710, 1751, 1801)', '<code>10<sup>9 </sup>+ 7</code>', '`10^9 + 7`'],
  ['the same in text (LeetCode 1834, 1914, 2054, 2735)', 'price<sub>i </sub>is', 'price_i is'],
  [
    'line breaks in a cell',
    '<table><tr><td>输入:<br>10<br>4 6<td>x</table>',
    '|  |  |\n| --- | --- |\n| 输入:<br>10<br>4 6 | x |',
  ],
  ['paragraphs in a cell', '<table><tr><td><p>a</p><p>b</p><td>x</table>', '|  |  |\n| --- | --- |\n| a<br>b | x |'],
  [
    'code of two lines in a cell',
    '<table><tr><td><code>a<br>b</code><td>x</table>',
    '|  |  |\n| --- | --- |\n| `a`<br>`b` | x |',
  ],
  [
    'text after a nested list (LeetCode 0588, 0818, 0936)',
    '<ul><li>a<ul><li>b</ul>c<li>d</ul>',
    '- a\n  - b\n\n  c\n- d',
  ],
  ['a list that the end of what it is in ends (no judge)', '<div><ul><li>a</div><p>b</p>', '- a\n\nb'],
  [
    'the end of an item that only the list outside has',
    '<ul><li>a<ul></li>b</ul>c<li>d</ul>',
    '- a\n\n  b\n\n  c\n- d',
  ],
  [
    'the end of a table, of a row, of a cell behind what is still open in it',
    '<table><tr><td><b>x</td><td>y</tr><tr><td><i>z</table>w',
    '|  |  |\n| --- | --- |\n| **x** | y |\n| *z* |\n\nw',
  ],
  ['a nested list that begins at 3', '<ul><li>a<ol start=3><li>b</ol></ul>', '- a\n\n  3. b'],
  ['a variable between blanks of TeX', 'x <var>\\ p_i\\ </var> y', 'x $p_i$ y'],
  ['formulas side by side', '<var>Y</var><var>)</var>, <var>\\alpha</var><var>x</var>', '$Y)$, $\\alpha x$'],
  ['boxes', '<p><input type=checkbox checked> a</p><p><input type=checkbox> b</p>', '☑ a\n\n☐ b'],
  ['stars across a line break', 'x *a<br>b* y', 'x \\*a  \nb\\* y'],
  ['backticks across a line break', "`E' in<br>the `x'", "\\`E' in  \nthe \\`x'"],
  ['stars across an element', '*a <b>x</b> b*', '\\*a **x** b\\*'],
  ['a star as an index', 'f<sup>*</sup>(e) c<sup>*</sup>(e)', 'f^{\\*}(e) c^{\\*}(e)'],
  ['an index behind punctuation', "a'<sub>i</sub> &lt; a'<sub>p, q</sub>", "a'\\_i < a'\\_{p, q}"],
  [
    'four no-break spaces that begin a paragraph',
    'a<br><br>&nbsp;&nbsp;&nbsp;&nbsp;x',
    'a\n\n\u00a0\u00a0\u00a0\u00a0x',
  ],
  ['a backslash before punctuation', '(\\) [\\] a\\b', '(\\\\) [\\\\] a\\b'],
  ['bold before a word of Chinese', '<b>注意：</b>本题', '**注意**：本题'],
  ['bold behind a word', '本题<b>（注意）</b>x', '本题（**注意**）x'],
  ['bold code before a word', '<b><code>x</code></b>本题', '`x`本题'],
  ['an index at the edge of emphasis', 'b<em><sub>i</sub></em>的人', 'b_{i}的人'],
  ['a formula at the edge of emphasis', '<i>$$$a_2 \\le b$$$</i>x', '$$$a_2 \\le b$$$x'],
  ['a blank that would come to the edge of a mark', '<del>的 +</del>x', '的 +x'],
  ['an exclamation mark before a link', '!<a href="/u">x</a>', '\\![x](https://judge.example/u)'],
  ['an index at the start of a line', '<sub>n</sub>C<sub>m-1</sub>', '\\_{n}C_{m-1}'],
  ['a rule in an item', '<ul><li><hr>x</ul>', '- ***\n\n  x'],
  ['a backtick before code', 'a`b<code>x</code>', 'a\\`b`x`'],
  ['a star within emphasis', '<i>a*b</i>', '*a\\*b*'],
  ['a dollar before a formula', '$5<var>x</var>', '\\$5$x$'],
  ['a backslash before a mark', '\\<i>x</i>', '\\\\*x*'],
  ['a picture that has no address', 'x<img src="data:image/png;base64,AA">y', 'x(picture)y'],
  ['a picture that is loaded late', '<img data-src="/a.png">', '![](https://judge.example/a.png)'],
  [
    'a picture that is loaded late, of small size',
    '<img src="data:,x" data-src="/a.png">',
    '![](https://judge.example/a.png)',
  ],
  ['a picture that has both addresses', '<img src="/a.png" data-src="/b.png">', '![](https://judge.example/a.png)'],
  ['a picture in a file of a disk', 'x<img src="file://zrN4.png">y', 'x(picture)y'],
  [
    'comparisons, and what would be a tag or a link',
    '0&lt;N&lt;=9, a&lt;b,c&gt;, &lt;1:2&gt; &lt;b&gt; &lt;b c&gt; &lt;/i &lt;!-- &lt;http://x.y&gt; &lt;a@b.c&gt;',
    '0<N<=9, a<b,c>, <1:2> \\<b> \\<b c> \\</i \\<!-- \\<http://x.y> \\<a@b.c>',
  ],
  ['an empty block', 'a<center></center>b', 'a\n\nb'],
  ['an empty first line of a sample', '<pre><br>x</pre>', '```\n\nx\n```'],
  ['a line break behind the tag of a sample', '<pre>\nx</pre>', '```\nx\n```'],
  [
    'a table in a sample',
    '<pre><table><tr><th>a<th>b<tr><td>1<td>2</table></pre>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  ['an end tag that is not of this cell', '<table><tr><td>a</div><td>b</table>', '|  |  |\n| --- | --- |\n| a | b |'],
  [
    'the source that MathJax keeps for copying',
    '<mjx-container><mjx-math><mjx-mn>1</mjx-mn></mjx-math><math><mn>1</mn></math><span class="no-mathjax mjx-copytext">\\(100\\,000\\)</span></mjx-container>',
    '$100\\,000$',
  ],
  [
    'the source of a formula on a line of its own',
    '<mjx-container display="true"><span class="mjx-copytext">$$a \\le b$$</span></mjx-container>',
    '$$a \\le b$$',
  ],
  [
    'a formula over line breaks',
    '$$f = \\left\\{<br>- x &amp; 1 \\\\<br>y_*$$ *<br>- x\\',
    '$$f = \\left\\{  \n- x & 1 \\\\  \ny_*$$ *  \n\\- x\\\\',
  ],
  ['two dollars with an empty line between them', '$$ *a*<br><br>b $$', '$$ \\*a\\*\n\nb $$'],
  ['a formula before a digit', '250$*$100$\\%$ of $5 and $6 *a*', '250$*$100$\\%$ of $5 and $6 \\*a\\*'],
  ['a percent sign of MathML', '<math><mn>5</mn><mo>%</mo></math>', '$5\\%$'],
  [
    'line breaks in an environment of TeX',
    '<p>$$\\left\\{\\begin{matrix}<br>a=0\\\\ b=1<br><br>\\end{matrix}\\right.$$ c*d<br><br>e*</p>',
    '$$\\left\\{\\begin{matrix}  \na=0\\\\ b=1\n\\end{matrix}\\right.$$ c\\*d\n\ne\\*',
  ],
])('%s', (_, html, expected) => {
  expect(statementMarkdown(`<div>${html}</div>`, problemUrl)).toBe(expected);
});

test.each([
  [
    'an item that is a paragraph (262 of AtCoder)',
    '- <p>Alice chooses.</p>\n- <p>Bob.</p>',
    '- Alice chooses.\n- Bob.',
  ],
  ['two paragraphs of an item', '- <p>a</p>\n  <p>b</p>\n- c', '- a\n\n  b\n- c'],
  ['a sample of an item', '1. a\n   <pre>x\ny</pre>\n2. b', '1. a\n\n   ```\n   x\n   y\n   ```\n2. b'],
  ['a quoted paragraph', '> <p>a</p>', '> a'],
  ['indented code', 'a\n\n \t<p>b</p>', 'a\n\n \t<p>b</p>'],
  ['entities (1,219 of Codeforces)', 'a &lt; b, $1 &lt; n$, $$x &amp; y$$ <br>', 'a < b, $1 < n$, $$x & y$$'],
  ['entities of an item', '- 1 &lt; n <br>\n- x', '- 1 < n  \n- x'],
  ['entities that would be markup', 'a &lt;b&gt; &amp;lt; &#42;x&#42; <br>', 'a \\<b> \\&lt; \\*x\\*'],
  ['entities in code', '`a &lt; b` <br>\n```\n&lt;\n```', '`a &lt; b`  \n```\n&lt;\n```'],
  ['a comparison', 'if a<b and c>d then x; a <- b = 3 </b> <br>', 'if a<b and c>d then x; a <- b = 3 </b>'],
  ['placeholders', 'The line: <n> <input> <source> <br>', 'The line: <n> <input> <source>'],
  ['a line that looks like an item', 'x\n\n<p>a<br>6. x</p>', 'x\n\na  \n6\\. x'],
  ['a row with a line break', '| a |\n| --- |\n| 1<br>2 |', '| a |\n| --- |\n| 1<br>2 |'],
  ['bold before a word', '<b>注意：</b>本题', '**注意**：本题'],
  ['a comparison at the end of code', 'a “<code>x<b</code>”, $y$', 'a “`x<b`”, $y$'],
  ['a header in a sample', '<pre>#include <stdio.h>\nx</pre>', '```\n#include <stdio.h>\nx\n```'],
  ['a placeholder in a paragraph', '<p>a <n> <b>b</b></p>', 'a \\<n> **b**'],
  [
    'pairs in a paragraph',
    '<p>a <x:y>, <p, q> and $l_i<r_i\\le 5<j \\le n$ <b>b</b></p>',
    'a <x:y>, <p, q> and $l_i<r_i\\le 5<j \\le n$ **b**',
  ],
  ['Markdown in a block', '<center>![](a.png)</center>', '![](https://judge.example/problems/4/a.png)'],
  ['an exclamation mark before a link', 'Wow!<a href="/u">x</a>', 'Wow\\![x](https://judge.example/u)'],
  ['a rule in an item', '- <hr>x', '- ***\n\n  x'],
  ['formulas with only a tag between them', '$a$<span>$b$</span>$c$', '$a$ $b$ $c$'],
  ['a break that begins an element', 'text <span><br>x</span>', 'text   \nx'],
  ['a blank that begins an element', '<b>2</b><span>&nbsp;-1</span>', '**2** -1'],
  ['a formula in italics', '<i>$$$a_2 \\le b$$$</i>x', '$$$a_2 \\le b$$$x'],
  ['a blank at the end of an element', '<b>a </b><i>b</i>, <span>-1 &le; </span><var>x</var>', '**a** *b*, -1 ≤ $x$'],
  ['codes with only a tag between them', '<tt>a</tt><tt>b</tt>', '`a` `b`'],
  ['indices behind marks', '<u>1</u><sub>(2)</sub>, 10<sub>(2)</sub>', '*1*\\_{(2)}, 10_{(2)}'],
  ['a heading between empty lines', '<h2>\n\n    In\n</h2>\n\n<p>\n\n    x\n</p>\n\n- y', '## In\n\nx\n\n- y'],
  ['a heading of paragraphs', '<h2>a\n\nb</h2>', 'a\n\nb'],
  ['a number behind a tab', '<p>\n\t1. x</p>\n\n- y', '1\\. x\n\n- y'],
  [
    'a fence among the items of a list',
    'a\n\n# h\n\n<ul>\n<li>b:</li>\n\n```\nx <b>  y\n```\n<li>c\n<ul><li>d</li></ul></li>\n</ul>',
    'a\n\n# h\n\n\n- b:\n\n```\nx <b>  y\n```\n\n- c\n  - d',
  ],
])('converts HTML inside Markdown: %s', (_, text, expected) => {
  expect(statementMarkdown(`# T\n\n${text}`, problemUrl)).toBe(`# T\n\n${expected}`);
});

test('decodes entities in formulas of Markdown without tags and keeps all others', () => {
  const text = '\n- $1 \\leq a &lt; b$ &lt; $$x &amp; y$$ `$&lt;$` vector<T> $&nope;$\n\n';
  expect(statementMarkdown(text, problemUrl)).toBe(
    '\n- $1 \\leq a < b$ &lt; $$x & y$$ `$&lt;$` vector<T> $&nope;$\n\n',
  );
  expect(statementMarkdown('$a &gt; b$ &gt;', problemUrl)).toBe('$a > b$ &gt;');
});

const dataUrl = `data:image/png;base64,${'A'.repeat(200)}`;

test.each([
  ['with a description', `# T\n\na ![a cat](${dataUrl}) b`, '# T\n\na a cat b'],
  ['without one', `# T\n\n![](${dataUrl})\n\n\`![](data:x)\` *b*`, '# T\n\n(picture)\n\n`![](data:x)` *b*'],
  ['beside HTML', `# T\n\n![ ](${dataUrl}) <br>\nb`, '# T\n\n(picture)  \nb'],
])('replaces the inline data of an image in Markdown: %s', (_, text, expected) => {
  expect(statementMarkdown(text, problemUrl)).toBe(expected);
});

test('keeps a link whose text contains a bracket', () => {
  const html = '<p>a</p><a href="/u">a]b</a> <a href="/u">](</a> <a href="/u">[1]</a>';
  const u = '(https://judge.example/u)';
  expect(statementMarkdown(html, problemUrl)).toBe(`a\n\n[a\\]b]${u} [\\]\\(]${u} [[1]]${u}`);
});

test('keeps hashes at the end of a heading as text', () => {
  expect(statementMarkdown('<h3>In C #</h3><h3>C#</h3><h3>#</h3>', problemUrl)).toBe(
    '### In C \\#\n\n### C#\n\n### \\#',
  );
});

test('returns an empty string for a page with empty subscripts only', () => {
  expect(statementMarkdown('<p><sup></sup><sub> </sub></p>', problemUrl)).toBe('');
});

test('prefers the rendering of a formula when its source is cut off', () => {
  const copy = '<span class="mjx-copytext">\\(1<i\\leq l\\)</span>';
  const dollars = '<span class="mjx-copytext">$1<i$</span>';
  const drawn = '<math><mn>1</mn><mo>&lt;</mo><mi>i</mi></math>';
  const pages = [drawn + copy, drawn + dollars, copy, dollars].map(
    inside => `<p>a <mjx-container>${inside}</mjx-container> b</p>`,
  );
  expect(pages.map(page => statementMarkdown(page, problemUrl))).toEqual([
    'a $1<i$ b',
    'a $1<i$ b',
    'a $1$ b',
    'a $1$ b',
  ]);
});

test('does not parse tags between two dollars as a formula', () => {
  const html = '<p>x</p><ol start="10"><li>$5</li></ol><div>$</div>';
  expect(statementMarkdown(html, problemUrl)).toBe('x\n\n10. $5\n\n$');
});

test('parses text behind an unclosed paragraph as Markdown', () => {
  const text = '# T\n\n<div>\n<p>A figure.\n</div>\n\n## In\n\n- $n$ *numbers*\n- x';
  expect(statementMarkdown(text, problemUrl)).toBe('# T\n\nA figure.\n\n## In\n\n- $n$ *numbers*\n- x');
  const unclosed = '<div>\n<p>A figure.\n</div>\n\n## In\n\n- $n$ *numbers*\n- x';
  expect(statementMarkdown(unclosed, problemUrl)).toBe('A figure.\n\n## In\n\n- $n$ *numbers*\n- x');
});

test('converts a page with paragraphs indented behind empty lines as HTML', () => {
  const html = '<h2>T</h2>\n\n\tfirst\n<br />\n\n\tsecond\n<br />\n\n\tthird';
  expect(statementMarkdown(html, problemUrl)).toBe('## T\n\nfirst  \nsecond  \nthird');
});

test('converts a page with a bracket, a backtick and a dash in a container as HTML', () => {
  const html = '<div>f[i] = g[i](i&gt;=2)<br>\n- a ` b * c</div>';
  expect(statementMarkdown(html, problemUrl)).toBe('f[i] = g[i]\\(i>=2)  \n\\- a ` b * c');
});
