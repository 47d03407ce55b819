import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

const problemUrl = 'https://judge.example/problems/4/a';

test.each([
  [
    'a subscript and a superscript side by side in code (LeetCode 1970, 2343, 2582, 2787, 2961, 2969, 3590, 3911, 3930, 3935)',
    '<code>((a<sub>i</sub><sup>b<sub>i</sub></sup> % 10)</code>',
    '`((a_i^{b_i} % 10)`',
  ],
  [
    'a subscript and a superscript side by side in a sample',
    '<pre>x<sub>1</sub><sup>2</sup>y</pre>',
    '```\nx_1^{2}y\n```',
  ],
  ['a blank as a subscript (LeetCode 1353, 1427, 1629, 1697)', 'a<sub> </sub>b', 'a b'],
  [
    'a blank at the end of a superscript in code (LeetCode 1710, 1751, 1801)',
    '<code>10<sup>9 </sup>+ 7</code>',
    '`10^9 + 7`',
  ],
  ['a blank at the end of a subscript in text (LeetCode 1834, 1914, 2054, 2735)', 'price<sub>i </sub>is', 'price_i is'],
  [
    'line breaks in a table cell',
    '<table><tr><td>输入:<br>10<br>4 6<td>x</table>',
    '|  |  |\n| --- | --- |\n| 输入:<br>10<br>4 6 | x |',
  ],
  [
    'paragraphs in a table cell',
    '<table><tr><td><p>a</p><p>b</p><td>x</table>',
    '|  |  |\n| --- | --- |\n| a<br>b | x |',
  ],
  [
    'code of two lines in a table cell',
    '<table><tr><td><code>a<br>b</code><td>x</table>',
    '|  |  |\n| --- | --- |\n| `a`<br>`b` | x |',
  ],
  [
    'text after a nested list (LeetCode 0588, 0818, 0936)',
    '<ul><li>a<ul><li>b</ul>c<li>d</ul>',
    '- a\n  - b\n\n  c\n- d',
  ],
  ['a list that is closed by the end tag of its parent', '<div><ul><li>a</div><p>b</p>', '- a\n\nb'],
  [
    'an end tag of an item whose start tag is in the outer list',
    '<ul><li>a<ul></li>b</ul>c<li>d</ul>',
    '- a\n\n  b\n\n  c\n- d',
  ],
  [
    'open elements at the end of a cell, a row and a table',
    '<table><tr><td><b>x</td><td>y</tr><tr><td><i>z</table>w',
    '|  |  |\n| --- | --- |\n| **x** | y |\n| *z* |\n\nw',
  ],
  ['a nested list that starts at 3', '<ul><li>a<ol start=3><li>b</ol></ul>', '- a\n\n  3. b'],
  ['a variable between TeX blanks', 'x <var>\\ p_i\\ </var> y', 'x $p_i$ y'],
  ['formulas side by side', '<var>Y</var><var>)</var>, <var>\\alpha</var><var>x</var>', '$Y)$, $\\alpha x$'],
  ['checkboxes', '<p><input type=checkbox checked> a</p><p><input type=checkbox> b</p>', '☑ a\n\n☐ b'],
  ['asterisks before and after a line break', 'x *a<br>b* y', 'x \\*a  \nb\\* y'],
  ['backticks before and after a line break', "`E' in<br>the `x'", "\\`E' in  \nthe \\`x'"],
  ['asterisks before and after an element', '*a <b>x</b> b*', '\\*a **x** b\\*'],
  ['an asterisk as a superscript', 'f<sup>*</sup>(e) c<sup>*</sup>(e)', 'f^{\\*}(e) c^{\\*}(e)'],
  ['a subscript after punctuation', "a'<sub>i</sub> &lt; a'<sub>p, q</sub>", "a'\\_i < a'\\_{p, q}"],
  [
    'four no-break spaces at the start of a paragraph',
    'a<br><br>&nbsp;&nbsp;&nbsp;&nbsp;x',
    'a\n\n\u00a0\u00a0\u00a0\u00a0x',
  ],
  ['a backslash before punctuation', '(\\) [\\] a\\b', '(\\\\) [\\\\] a\\b'],
  ['bold text directly before a Chinese word', '<b>注意：</b>本题', '**注意**：本题'],
  ['bold text directly after a Chinese word', '本题<b>（注意）</b>x', '本题（**注意**）x'],
  ['bold code directly before a Chinese word', '<b><code>x</code></b>本题', '`x`本题'],
  ['a subscript at the start of emphasis', 'b<em><sub>i</sub></em>的人', 'b_{i}的人'],
  ['a formula as the content of emphasis', '<i>$$$a_2 \\le b$$$</i>x', '$$$a_2 \\le b$$$x'],
  ['deleted text that ends with punctuation before a word', '<del>的 +</del>x', '~~的 +~~x'],
  ['an exclamation mark before a link', '!<a href="/u">x</a>', '\\![x](https://judge.example/u)'],
  ['the end of bold text in a sample', '<b>x<pre>1</b>2\n3</pre>4', 'x\n\n```\n12\n3\n```\n\n4'],
  ['the end of bold text in a list', '<b>For:<ul><li>1 ≤ n</b> ≤ 9</li><li>k</ul>y', 'For:\n\n- 1 ≤ n ≤ 9\n- k\n\ny'],
  ['the end of italic text in a quote', '<i>7<blockquote>8</i>9</blockquote>10', '7\n\n> 89\n\n10'],
  ['bold text after an end tag in a block', '<b>a<div>b</b>c</div>d <b>e</b>', 'a\n\nbc\n\nd **e**'],
  ['the end of deleted text in a paragraph', '<s>old<p>more</s> tail</p>y', '~~old~~\n\n~~more~~\n\ntail\n\ny'],
  ['a subscript at the start of a line', '<sub>n</sub>C<sub>m-1</sub>', '\\_{n}C_{m-1}'],
  ['code between line breaks', '<code><br>a b<br>c<br></code>', '```\na b\nc\n```'],
  ['a horizontal rule in a list item', '<ul><li><hr>x</ul>', '- ***\n\n  x'],
  ['a backtick before code', 'a`b<code>x</code>', 'a\\`b`x`'],
  ['an asterisk inside emphasis', '<i>a*b</i>', '*a\\*b*'],
  ['a dollar before a formula', '$5<var>x</var>', '\\$5$x$'],
  ['a backslash before emphasis', '\\<i>x</i>', '\\\\*x*'],
  ['an image with inline data', 'x<img src="data:image/png;base64,AA">y', 'x(picture)y'],
  ['a lazily loaded image', '<img data-src="/a.png">', '![](https://judge.example/a.png)'],
  [
    'a lazily loaded image with an inline placeholder',
    '<img src="data:,x" data-src="/a.png">',
    '![](https://judge.example/a.png)',
  ],
  ['an image with both src and data-src', '<img src="/a.png" data-src="/b.png">', '![](https://judge.example/a.png)'],
  ['an image with a file: address', 'x<img src="file://zrN4.png">y', 'x(picture)y'],
  [
    'comparisons, and text that looks like a tag or a link',
    '0&lt;N&lt;=9, a&lt;b,c&gt;, &lt;1:2&gt; &lt;b&gt; &lt;b c&gt; &lt;/i &lt;!-- &lt;http://x.y&gt; &lt;a@b.c&gt;',
    '0<N<=9, a<b,c>, <1:2> \\<b> \\<b c> \\</i \\<!-- \\<http://x.y> \\<a@b.c>',
  ],
  ['an empty block', 'a<center></center>b', 'a\n\nb'],
  ['an empty first line of a sample', '<pre><br>x</pre>', '```\n\nx\n```'],
  ['a line break after the start tag of a sample', '<pre>\nx</pre>', '```\nx\n```'],
  [
    'a table in a sample',
    '<pre><table><tr><th>a<th>b<tr><td>1<td>2</table></pre>',
    '| a | b |\n| --- | --- |\n| 1 | 2 |',
  ],
  [
    'an end tag in a cell without a start tag',
    '<table><tr><td>a</div><td>b</table>',
    '|  |  |\n| --- | --- |\n| a | b |',
  ],
  [
    'the source that MathJax stores for copying',
    '<mjx-container><mjx-math><mjx-mn>1</mjx-mn></mjx-math><math><mn>1</mn></math><span class="no-mathjax mjx-copytext">\\(100\\,000\\)</span></mjx-container>',
    '$100\\,000$',
  ],
  [
    'the source of a display formula',
    '<mjx-container display="true"><span class="mjx-copytext">$$a \\le b$$</span></mjx-container>',
    '$$a \\le b$$',
  ],
  [
    'a formula with line breaks',
    '$$f = \\left\\{<br>- x &amp; 1 \\\\<br>y_*$$ *<br>- x\\',
    '$$f = \\left\\{  \n- x & 1 \\\\  \ny_*$$ *  \n\\- x\\\\',
  ],
  ['two pairs of dollar signs with an empty line between them', '$$ *a*<br><br>b $$', '$$ \\*a\\*\n\nb $$'],
  ['a formula before a digit', '250$*$100$\\%$ of $5 and $6 *a*', '250$*$100$\\%$ of \\$5 and \\$6 \\*a\\*'],
  ['a percent sign before a blank in a formula', 'about $10\\% $ of', 'about $10\\% $ of'],
  ['formulas with a blank at their end', 'so $12\\ $ of $34 $ and $n$', 'so $12\\ $ of $34 $ and $n$'],
  ['a price before a formula', 'a prize of $1 and $n$ of $s = $ "a"', 'a prize of \\$1 and $n$ of $s = $ "a"'],
  ['an escaped dollar in a formula', 'of $\\{ \\$ , *, .\\} $.', 'of $\\{ \\$ , *, .\\} $.'],
  ['a star behind a subscript in bold text', '<b>R<sub>max</sub>* 4</b>', '**R_max\\* 4**'],
  [
    'a rule in a cell',
    '<table><tr><td><hr><td><hr><tr><td>a<td>b</table>',
    '|  |  |\n| --- | --- |\n|  |  |\n| a | b |',
  ],
  ['a heading in a box of a title', '<div class="section-title"><h3>Input</h3></div>', '### Input'],
  ['a percent sign in MathML', '<math><mn>5</mn><mo>%</mo></math>', '$5\\%$'],
  [
    'line breaks in a TeX environment',
    '<p>$$\\left\\{\\begin{matrix}<br>a=0\\\\ b=1<br><br>\\end{matrix}\\right.$$ c*d<br><br>e*</p>',
    '$$\\left\\{\\begin{matrix}  \na=0\\\\ b=1\n\\end{matrix}\\right.$$ c\\*d\n\ne\\*',
  ],
])('statementMarkdown converts an HTML page with %s', (_, html, expected) => {
  expect(statementMarkdown(`<div>${html}</div>`, problemUrl)).toBe(expected);
});

test.each([
  [
    'a list item that is a paragraph (262 statements of AtCoder)',
    '- <p>Alice chooses.</p>\n- <p>Bob.</p>',
    '- Alice chooses.\n- Bob.',
  ],
  ['a list item with two paragraphs', '- <p>a</p>\n  <p>b</p>\n- c', '- a\n\n  b\n- c'],
  ['a sample in a list item', '1. a\n   <pre>x\ny</pre>\n2. b', '1. a\n\n   ```\n   x\n   y\n   ```\n2. b'],
  ['a quoted paragraph', '> <p>a</p>', '> a'],
  ['indented code', 'a\n\n \t<p>b</p>', 'a\n\n \t<p>b</p>'],
  [
    'entities (1,219 statements of Codeforces)',
    'a &lt; b, $1 &lt; n$, $$x &amp; y$$ <br>',
    'a < b, $1 < n$, $$x & y$$',
  ],
  ['entities in a list item', '- 1 &lt; n <br>\n- x', '- 1 < n  \n- x'],
  ['entities that would be markup when decoded', 'a &lt;b&gt; &amp;lt; &#42;x&#42; <br>', 'a \\<b> \\&lt; \\*x\\*'],
  ['entities in code', '`a &lt; b` <br>\n```\n&lt;\n```', '`a &lt; b`  \n```\n&lt;\n```'],
  [
    'comparisons that look like tags, unchanged',
    'if a<b and c>d then x; a <- b = 3 </b> <br>',
    'if a<b and c>d then x; a <- b = 3 </b>',
  ],
  [
    'placeholders that look like tags, unchanged',
    'The line: <n> <input> <source> <br>',
    'The line: <n> <input> <source>',
  ],
  ['a line that looks like a list item', 'x\n\n<p>a<br>6. x</p>', 'x\n\na  \n6\\. x'],
  ['a table row with a line break', '| a |\n| --- |\n| 1<br>2 |', '| a |\n| --- |\n| 1<br>2 |'],
  ['bold text directly before a Chinese word', '<b>注意：</b>本题', '**注意**：本题'],
  ['a comparison at the end of code', 'a “<code>x<b</code>”, $y$', 'a “`x<b`”, $y$'],
  ['an #include line in a sample', '<pre>#include <stdio.h>\nx</pre>', '```\n#include <stdio.h>\nx\n```'],
  ['a placeholder in a paragraph', '<p>a <n> <b>b</b></p>', 'a \\<n> **b**'],
  [
    'pairs in angle brackets in a paragraph',
    '<p>a <x:y>, <p, q> and $l_i<r_i\\le 5<j \\le n$ <b>b</b></p>',
    'a <x:y>, <p, q> and $l_i<r_i\\le 5<j \\le n$ **b**',
  ],
  ['Markdown in a block element', '<center>![](a.png)</center>', '![](https://judge.example/problems/4/a.png)'],
  ['an exclamation mark before a link', 'Wow!<a href="/u">x</a>', 'Wow\\![x](https://judge.example/u)'],
  ['a horizontal rule in a list item', '- <hr>x', '- ***\n\n  x'],
  ['formulas with only a tag between them', '$a$<span>$b$</span>$c$', '$a$ $b$ $c$'],
  ['a line break at the start of an element', 'text <span><br>x</span>', 'text   \nx'],
  ['a blank at the start of an element', '<b>2</b><span>&nbsp;-1</span>', '**2** -1'],
  ['a formula in italics', '<i>$$$a_2 \\le b$$$</i>x', '$$$a_2 \\le b$$$x'],
  ['a blank at the end of an element', '<b>a </b><i>b</i>, <span>-1 &le; </span><var>x</var>', '**a** *b*, -1 ≤ $x$'],
  ['two code elements without a blank between them', '<tt>a</tt><tt>b</tt>', '`a` `b`'],
  ['subscripts after underlined text', '<u>1</u><sub>(2)</sub>, 10<sub>(2)</sub>', '*1*\\_{(2)}, 10_{(2)}'],
  ['a heading between empty lines', '<h2>\n\n    In\n</h2>\n\n<p>\n\n    x\n</p>\n\n- y', '## In\n\nx\n\n- y'],
  ['a heading that contains paragraphs', '<h2>a\n\nb</h2>', 'a\n\nb'],
  ['a number after a tab', '<p>\n\t1. x</p>\n\n- y', '1\\. x\n\n- y'],
  [
    'a code fence between list items',
    'a\n\n# h\n\n<ul>\n<li>b:</li>\n\n```\nx <b>  y\n```\n<li>c\n<ul><li>d</li></ul></li>\n</ul>',
    'a\n\n# h\n\n\n- b:\n\n```\nx <b>  y\n```\n\n- c\n  - d',
  ],
])('statementMarkdown converts HTML inside Markdown: %s', (_, text, expected) => {
  expect(statementMarkdown(`# T\n\n${text}`, problemUrl)).toBe(`# T\n\n${expected}`);
});

test('statementMarkdown decodes HTML entities inside formulas only if a Markdown text has no tags', () => {
  const text = '\n- $1 \\leq a &lt; b$ &lt; $$x &amp; y$$ `$&lt;$` vector<T> $&nope;$\n\n';
  expect(statementMarkdown(text, problemUrl)).toBe(
    '\n- $1 \\leq a < b$ &lt; $$x & y$$ `$&lt;$` vector<T> $&nope;$\n\n',
  );
  expect(statementMarkdown('$a &gt; b$ &gt;', problemUrl)).toBe('$a > b$ &gt;');
});

const dataUrl = `data:image/png;base64,${'A'.repeat(200)}`;

test.each([
  ['with a description', `# T\n\na ![a cat](${dataUrl}) b`, '# T\n\na a cat b'],
  ['without a description', `# T\n\n![](${dataUrl})\n\n\`![](data:x)\` *b*`, '# T\n\n(picture)\n\n`![](data:x)` *b*'],
  ['next to HTML', `# T\n\n![ ](${dataUrl}) <br>\nb`, '# T\n\n(picture)  \nb'],
])('statementMarkdown replaces an image with inline data in Markdown by its description: %s', (_, text, expected) => {
  expect(statementMarkdown(text, problemUrl)).toBe(expected);
});

test('statementMarkdown keeps a link if its text contains a bracket', () => {
  const html = '<p>a</p><a href="/u">a]b</a> <a href="/u">](</a> <a href="/u">[1]</a>';
  const u = '(https://judge.example/u)';
  expect(statementMarkdown(html, problemUrl)).toBe(`a\n\n[a\\]b]${u} [\\]\\(]${u} [[1]]${u}`);
});

test.each([
  ['all of the code', '<a href="/u">x_<sub>i</sub></a>', '[`x__i`](https://judge.example/u)'],
  ['a part of the code', 'f(<a href="/u">x</a>)', '`f(x)`'],
  ['the start of the code', '<a href="/u">x</a>()', '`x()`'],
  ['no text', '<a href="/u"></a>', ''],
  ['a rejected address', '<a href="javascript:x">x</a>', '`x`'],
])('statementMarkdown writes a link in code around it only if it contains %s', (_, code, expected) => {
  expect(statementMarkdown(`<p>a, <code>${code}</code></p>`, problemUrl)).toBe(`a, ${expected}`.trim());
});

test.each([
  ['a list', '<h3>Tasks\n<ul><li>a</li></ul>', '### Tasks\n\n- a\n\n### Out'],
  ['a sample', '<h3>Input<pre>1\n\n2</pre>', '### Input\n\n```\n1\n\n2\n```\n\n### Out'],
  ['paragraphs', '<h3>Input<p>a</p><p>b</p>', '### Input\n\na\n\nb\n\n### Out'],
  ['a sample without a title', '<h3><pre>1\n\n2</pre></h3>', '```\n1\n\n2\n```\n\n### Out'],
  ['a list without a title', '<h3><ol><li>a</ol></h3>', '1. a\n\n### Out'],
  ['the text of a list in its title', '<h3>1. a<br>- b</h3>', '### 1. a \\- b\n\n### Out'],
])('statementMarkdown ends the title of a heading before its blocks: %s', (_, heading, expected) => {
  expect(statementMarkdown(`${heading}<h3>Out</h3>`, problemUrl)).toBe(expected);
});

test('statementMarkdown escapes number signs at the end of a heading, so that they stay text', () => {
  expect(statementMarkdown('<h3>In C #</h3><h3>C#</h3><h3>#</h3>', problemUrl)).toBe(
    '### In C \\#\n\n### C#\n\n### \\#',
  );
});

test('statementMarkdown returns an empty string for a page that contains only empty superscripts and subscripts', () => {
  expect(statementMarkdown('<p><sup></sup><sub> </sub></p>', problemUrl)).toBe('');
});

test('statementMarkdown keeps a comparison in the TeX source of a rendered formula, which a browser parses as a tag', () => {
  const copy = '<span class="mjx-copytext">\\(1<i\\leq l\\)</span>';
  const dollars = '<span class="mjx-copytext">$1<i$</span>';
  const drawn = '<math><mn>1</mn><mo>&lt;</mo><mi>i</mi></math>';
  const pages = [drawn + copy, drawn + dollars, copy, dollars].map(
    inside => `<p>a <mjx-container>${inside}</mjx-container> b</p>`,
  );
  expect(pages.map(page => statementMarkdown(page, problemUrl))).toEqual([
    'a $1<i\\leq l$ b',
    'a $1<i$ b',
    'a $1<i\\leq l$ b',
    'a $1<i$ b',
  ]);
});

test('statementMarkdown does not parse HTML tags between two dollar signs as a formula', () => {
  const html = '<p>x</p><ol start="10"><li>$5</li></ol><div>$</div>';
  expect(statementMarkdown(html, problemUrl)).toBe('x\n\n10. $5\n\n$');
});

test.each([
  [2000, '$*a*+'],
  [2001, '$\\*a\\*+'],
])('statementMarkdown reads at most 2000 characters between two dollars as a formula: %i', (length, start) => {
  const text = `*a*${'+'.repeat(length - 3)}`;
  expect(statementMarkdown(`<p>$${text}$</p>`, problemUrl).slice(0, start.length)).toBe(start);
});

test('statementMarkdown parses text after an unclosed paragraph as Markdown', () => {
  const text = '# T\n\n<div>\n<p>A figure.\n</div>\n\n## In\n\n- $n$ *numbers*\n- x';
  expect(statementMarkdown(text, problemUrl)).toBe('# T\n\nA figure.\n\n## In\n\n- $n$ *numbers*\n- x');
  const unclosed = '<div>\n<p>A figure.\n</div>\n\n## In\n\n- $n$ *numbers*\n- x';
  expect(statementMarkdown(unclosed, problemUrl)).toBe('A figure.\n\n## In\n\n- $n$ *numbers*\n- x');
});

test('statementMarkdown parses a page with indented paragraphs after empty lines as HTML, not as Markdown code', () => {
  const html = '<h2>T</h2>\n\n\tfirst\n<br />\n\n\tsecond\n<br />\n\n\tthird';
  expect(statementMarkdown(html, problemUrl)).toBe('## T\n\nfirst  \nsecond  \nthird');
});

test('statementMarkdown parses a page as HTML if a bracket, a backtick and a dash occur in its text', () => {
  const html = '<div>f[i] = g[i](i&gt;=2)<br>\n- a ` b * c</div>';
  expect(statementMarkdown(html, problemUrl)).toBe('f[i] = g[i]\\(i>=2)  \n\\- a ` b * c');
});
