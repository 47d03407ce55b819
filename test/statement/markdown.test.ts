import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

const problemUrl = 'https://judge.example/problems/4/a';

test.each([
  ['#include <list>\nvector<int> a; List<String> b;'],
  ['a < b > c, 1<n<5'],
  ['$1<n<5$ and $a<b>c$'],
  ['<https://judge.example> <me@judge.example>'],
  ['The line: <n> <m> <p> <q>'],
  ['vector<P> v; map<a> w'],
  ['`<b>x</b>` and ``<i>`</i>``'],
  ['```html\n<p>x</p>\n```\n'],
  ['- item\n\n  ```\n  <br>\n  ```\n'],
  ['~~~\n<!-- code -->\n~~~'],
  ['use \\<br> here'],
  ['only &lt;entities&gt;\r\n  and blanks \n'],
  ['👩‍💻 می‌خواهم ❤️ क्‍ष'],
])('statementMarkdown returns Markdown without HTML byte for byte: %j', text => {
  expect(statementMarkdown(text, problemUrl)).toBe(text);
});

test('statementMarkdown recognises a formula after a long text', () => {
  const text = `# T\n\n${'word '.repeat(1200)}`;
  expect(statementMarkdown(`${text}$a &lt;b&gt; c$<br>next`, problemUrl)).toBe(`${text}$a <b> c$  \nnext`);
});

test.each([
  ['# T\n\n- a <input type="hidden" value="x"> b', '# T\n\n- a  b'],
  [
    '# T\n\n10<span style="vertical-align: super">9</span>, a<span style="vertical-align:sub">i</span>b',
    '# T\n\n10^9, a_{i}b',
  ],
  ['# T\n\n10<sup>5</sup> a<sub>i</sub>b 2<sup>n-1</sup>', '# T\n\n10^5 a_{i}b 2^{n-1}'],
  ['# T\n\none<br>two<br/>\nthree', '# T\n\none  \ntwo  \nthree'],
  ['| a |\n| --- |\n| 1<br>2 |', '| a |\n| --- |\n| 1<br>2 |'],
  ['$1<n<5$<br>next', '$1<n<5$  \nnext'],
  ['## In\n\n- <b>x</b> <font color="red">y</font>\n- $a<b$', '## In\n\n- **x** y\n- $a<b$'],
  ['<center>![](a.png)</center>\n\n## In\n\ntext', '![](https://judge.example/problems/4/a.png)\n\n## In\n\ntext'],
  ['# T\n<img src="/a.png" width=300>\n', '# T\n![](https://judge.example/a.png)'],
  ['# T\n<a href="/b">b</a> <a href="javascript:x">c</a>', '# T\n[b](https://judge.example/b) c'],
  ['# T\n```\n<b>\n```\n<b>x</b>', '# T\n```\n<b>\n```\n**x**'],
  ['# T\n<table><tr><td>1<td>2</table>', '# T\n\n|  |  |\n| --- | --- |\n| 1 | 2 |'],
  ['# T\n\n<pre>\n1 2\n3\n</pre>\n\nend', '# T\n\n```\n1 2\n3\n```\n\nend'],
  ['<div>Note</div>\nIf $a<n$ then <u>x</u> costs $5.', 'Note\n\nIf $a<n$ then *x* costs $5.'],
  ['# T\n\n![](/a.png)</img>\none</br>\ntwo', '# T\n\n![](https://judge.example/a.png)\none  \ntwo'],
  ['# T\n\nabout <sup>1</sup>/<sub>7</sub>, *a*<sub>1</sub>, *a*<sub>2</sub>', '# T\n\nabout 1/7, *a*_1, *a*_2'],
  [`# T\n\nabout <sup>1</sup>/<sub>${'𝑛'.repeat(20)}</sub>`, `# T\n\nabout 1/${'𝑛'.repeat(20)}`],
  ['# T\n\n$a$<sub>$1$</sub>, $a$<sub>$2$</sub>, *b*<sub>3</sub>', '# T\n\n$a$_1, $a$_2, *b*_3'],
  ['# T\n\n*a*<sub>1</sub>, *a*<sub>2</sub> and *P*<sub>i+1</sub>', '# T\n\n*a*\\_1, *a*\\_2 and *P*_{i+1}'],
  ['# T\n\n<sub>**Limits** of [time](/b): none</sub>', '# T\n\n**Limits** of [time](https://judge.example/b): none'],
  ['# T\n\n__<sub>Sample code</sub>__', '# T\n\n__Sample code__'],
  ['# T\n\n### <sub>Sample code</sub>', '# T\n\n### Sample code'],
  ['# T\n\n*a*<sub>first index</sub>', '# T\n\n*a*_{first index}'],
  ['# T\n\nof <span>*x*<sup>n</sup></span>이다', '# T\n\nof *x*^{n}이다'],
  ['# T\n\nthe tag $\\texttt{<p>}$ and <b>x</b>', '# T\n\nthe tag $\\texttt{<p>}$ and **x**'],
  ['# T\n\nthe root (<body class="x">) and <b>x</b>', '# T\n\nthe root () and **x**'],
  ['# T\n\n1. Add:<br>\n\t<pre>a\n b</pre>\n\n2. c', '# T\n\n1. Add:  \n\n   ```\n   a\n    b\n   ```\n\n2. c'],
  ['# T\n<details><summary>Hint</summary>\n\nUse *x*\n\n</details>', '# T\n\n**Hint**\n\nUse *x*'],
])('statementMarkdown converts only the HTML tags in Markdown: %j', (text, expected) => {
  expect(statementMarkdown(text, problemUrl)).toBe(expected);
});

test.each([
  ['a <!-- SECRET --> b `<!-- shown -->`', 'a  b `<!-- shown -->`'],
  ['# T\n<script>SECRET</script>\n<style>SECRET</style>\nx', '# T\n\n\nx'],
  ['# T\n\n<span style="display:none">SECRET</span>x', '# T\n\nx'],
  ['a\u200bb \u202ex\u202c\u{e0041}', 'ab x'],
])('statementMarkdown removes text that is invisible in rendered Markdown: %j', (text, expected) => {
  expect(statementMarkdown(text, problemUrl)).toBe(expected);
});

const list = '<ul>\n  <li>a longer item than the text</li>\n  <li>b</li>\n</ul>';
const markdownList = '- a longer item than the text\n- b';

test.each([
  ['paragraphs without <p> and <br> are separated by an empty line', 'A *b*.\n\n**C:**\n\n', 'A *b*.\n\n**C:**\n\n'],
  ['a page has code only in a sample', 'A *b*.\n\n**C:**\n\n<pre>x</pre>\n\n', 'A *b*.\n\n**C:**\n\n```\nx\n```\n\n'],
  ['a bold title stands between empty lines', 'A *b*<br>\n\n**C**\n\n', 'A *b*  \n\n**C**\n\n'],
  ['lines end with <br> only in a container', 'A *b*.\n\nC.\n\n<div>1<br>2</div>\n\n', 'A *b*.\n\nC.\n\n1  \n2\n\n'],
  ['<br> only follows a block', 'A *b*.\n\nC.\n\n<div>1</div><br>\n\n', 'A *b*.\n\nC.\n\n1\n\n'],
  ['code has a plural s', 'All *b* are `1`s.\n\n', 'All *b* are `1`s.\n\n'],
])('statementMarkdown reads a text with a list as Markdown if %s', (_, text, expected) => {
  expect(statementMarkdown(text + list, undefined)).toBe(expected + markdownList);
});

test.each([
  ['lines end with <br>', 'A *b*.\n\nC:<br>\n\n', 'A \\*b\\*. C:\n\n'],
  ['the text has <p>', 'A *b*.\n\nC.\n<p>\n', 'A \\*b\\*. C.\n\n'],
  ['there is one paragraph', 'A *b*.\n\n', 'A \\*b\\*.\n\n'],
])('statementMarkdown reads a text with a list as a page if %s', (_, text, expected) => {
  expect(statementMarkdown(text + list, undefined)).toBe(expected + markdownList);
});
