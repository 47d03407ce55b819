import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

const base = 'https://judge.example/problems/4/a';

test.each([
  ['at the end of a superscript', '<p>10<sup>5<br></sup>1 ≤ a</p>', '10^5  \n1 ≤ a'],
  ['inside a superscript', '<p>x<sup>a<br>b</sup>c</p>', 'x^a  \n^{b}c'],
  ['inside a subscript of a sample', '<pre>x<sub>1<br></sub>2 3</pre>', '```\nx_1\n2 3\n```'],
  ['written as a character inside a script of a sample', '<pre>10<sup>5\n</sup>1 2</pre>', '```\n10^5\n1 2\n```'],
  ['inside a script of code', '<code>10<sup>5<br></sup>1</code>', '```\n10^5\n1\n```'],
  ['written as a lone CR in a sample', '<pre>a\rb\r\nc</pre>', '```\na\nb\nc\n```'],
])('statementMarkdown ends the line at a line break %s', (_, html, expected) => {
  expect(statementMarkdown(html, base)).toBe(expected);
});

test('statementMarkdown writes a line break inside a superscript of a table row as <br>', () => {
  const row = '| 10<sup>5<br></sup>x |';
  expect(statementMarkdown(`| a |\n| --- |\n${row}`, base)).toBe('| a |\n| --- |\n| 10^5<br>x |');
});

test('statementMarkdown keeps a line break as <br> in a table whose rows do not begin with a bar', () => {
  const table = 'a | b\n--- | ---\n1 | 2</br>3 <br> 4\n5 | 6<br>7';
  expect(statementMarkdown(`${table}\n\nx | y<br>z`, base)).toBe(
    'a | b\n--- | ---\n1 | 2<br>3 <br>4\n5 | 6<br>7\n\nx | y  \nz',
  );
});

test.each([
  ['a list item directly in a table', '<table><li>a</li></table>', '- a'],
  [
    'a list item in a table row',
    '<table><tr><li>a</li><td>b</td><td>c</td></tr></table>',
    '- a\n\n|  |  |\n| --- | --- |\n| b | c |',
  ],
  [
    'a description directly in a table',
    '<table><dd>x</dd><tr><td>1</td><td>2</td></tr></table>',
    '- x\n\n|  |  |\n| --- | --- |\n| 1 | 2 |',
  ],
  ['text between list items', '<ul><li>a</li>text <b>x</b><li>b</li></ul>', '- a\n\n  text **x**\n- b'],
  ['a paragraph between list items', '<ol><li>a</li><p>x</p><li>b</li>end</ol>', '1. a\n\n   x\n2. b\n\n   end'],
  ['text before the first list item', '<ul>first<li>a</li></ul>', 'first\n- a'],
])('statementMarkdown keeps the position of %s', (_, html, expected) => {
  expect(statementMarkdown(html, base)).toBe(expected);
});

test('statementMarkdown returns an empty string for a page that a style sheet hides completely', () => {
  expect(statementMarkdown('<style>.a{display:none}</style><p class="a">x</p>', base)).toBe('');
});

test.each([
  ['an empty sample below its heading', '<h3>Output 2</h3><pre></pre><p>x</p>', '### Output 2\n\n```\n```\n\nx'],
  ['a blank sample below its heading', '<h3>Output 2</h3><div><pre> \n</pre></div>', '### Output 2\n\n```\n```'],
  [
    'empty code in a sample below its heading',
    '<h4>Input</h4><pre><code class="lang-plain"></code></pre><p>x</p>',
    '#### Input\n\n```plain\n```\n\nx',
  ],
  ['an empty sample after text', '<h3>Output</h3><p>x</p><pre>&nbsp;</pre>', '### Output\n\nx'],
  [
    'a picture in a sample below its heading',
    '<h3>Output</h3><pre><img src="/a.png"></pre>',
    '### Output\n\n![](https://judge.example/a.png)',
  ],
  [
    'a table in a sample below its heading',
    '<h3>Output</h3><pre><table><tr><td>1</td></tr></table></pre>',
    '### Output\n\n1',
  ],
])('statementMarkdown writes %s', (_, html, expected) => {
  expect(statementMarkdown(html, base)).toBe(expected);
});
