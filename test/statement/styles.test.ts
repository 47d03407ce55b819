import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

const link = '<a href="http://a.example/" STYLE>c</a>';

function markdown(html: string, style = ''): string {
  return statementMarkdown(html.replaceAll('STYLE', `style="${style}"`), undefined);
}

test.each([
  ['block', '<p>a<span STYLE>b</span>c</p>', 'a\n\nb\n\nc'],
  ['flex', '<p><b STYLE>a</b><i STYLE>b</i></p>', '**a**\n\n*b*'],
  ['table-row', '<p><code STYLE>a</code><code STYLE>b</code></p>', '`a`\n\n`b`'],
  ['grid', `<p>a${link}</p>`, 'a\n\n[c](http://a.example/)'],
  ['block', '<pre><span STYLE>1 2</span><b STYLE>3</b></pre>', '```\n1 2\n3\n```'],
  ['block', '<code><span STYLE>a</span><span STYLE>b</span></code>', '```\na\nb\n```'],
  ['inline-block', '<p>a<span STYLE>b</span>c</p>', 'abc'],
  ['inline', '<div STYLE>a</div><p STYLE>b</p> <div STYLE>c</div>', 'ab c'],
  ['contents', '<div STYLE>a</div>b', 'ab'],
  ['inline', '<pre><div STYLE>a</div><div STYLE>b</div></pre>', '```\nab\n```'],
  ['block', '# A\n\nb `c` <span STYLE>d</span>', '# A\n\nb `c`\n\nd'],
])('statementMarkdown gives elements with display:%s their own line or none: %s', (display, html, expected) => {
  expect(markdown(html, `display: ${display}`)).toBe(expected);
});

test.each([
  ['pre', '<p>a <span STYLE>1  2\n3</span></p>', 'a 1  2  \n3'],
  ['pre-line', '<p>a <b STYLE>1  2\n3</b></p>', 'a **1 2  \n3**'],
  ['pre-wrap', '<div><section><p STYLE>a</p><span STYLE>b\nc</span></section></div>', 'a\n\nb  \nc'],
  ['pre-wrap', '<div STYLE><p>a\nb</p></div>', 'a  \nb'],
  ['pre', '<p><code STYLE>a  b\n  c</code></p>', '```\na  b\n  c\n```'],
  ['pre-wrap', '<p><span STYLE><code>a\nb</code></span></p>', '```\na\nb\n```'],
  ['pre', '<p><code STYLE>a  b</code></p>', '`a  b`'],
  ['nowrap', '<pre STYLE>a\nb</pre>', '```\na b\n```'],
  ['nowrap', '<p><span STYLE>a\nb</span></p>', 'a b'],
  ['pre', '<p><span STYLE>a\nb<i style="white-space:normal">c\nd</i></span></p>', 'a  \nb*c d*'],
])('statementMarkdown keeps the white space that white-space:%s keeps: %s', (whiteSpace, html, expected) => {
  expect(markdown(html, `white-space: ${whiteSpace}`)).toBe(expected);
});

const struck = 'text-decoration: line-through';

test.each([
  ['<s><p>a</p>b<p>c</p></s>', '~~a~~\n\n~~b~~\n\n~~c~~'],
  ['<del><ul><li>a<li>b<ul><li>c</ul></ul></del>', '- ~~a~~\n- ~~b~~\n  - ~~c~~'],
  ['<strike><table><tr><td>a<td>b</table></strike>c', '|  |  |\n| --- | --- |\n| ~~a~~ | ~~b~~ |\n\nc'],
  ['<table><tr STYLE><td>a<td>b<tr><td>c<td>d</table>', '|  |  |\n| --- | --- |\n| ~~a~~ | ~~b~~ |\n| c | d |'],
  ['<ul STYLE><li>a</ul><p>b</p>', '- ~~a~~\n\nb'],
  ['<div STYLE><p>a<br><br>b <s>c</s></p></div>', '~~a~~\n\n~~b c~~'],
  ['<s><pre>a</pre></s>', '<del>\n\n```\na\n```\n\n</del>'],
  ['<pre STYLE>a</pre>', '<del>\n\n```\na\n```\n\n</del>'],
  ['<pre>a <s>b</s></pre>', '```\na ~~b~~\n```'],
  ['<p><code STYLE>a</code> <code>b<del>c</del></code></p>', '~~`a`~~ `b~~c~~`'],
  [`<p>${link}</p>`, '~~[c](http://a.example/)~~'],
  ['<h2 STYLE>a</h2>', '## ~~a~~'],
  ['<pre><s>a</s><s>b</s>~~<s>c</s><s></s></pre>', '```\n~~ab~~~~~~c~~\n```'],
  ['<s><code>a <s>b</s></code></s>', '~~`a b`~~'],
  ['<pre><s>a <s>b</s></s><s> </s>c</pre>', '```\n~~a b~~ c\n```'],
])('statementMarkdown strikes everything through that the page strikes through: %s', (html, expected) => {
  expect(markdown(html, struck)).toBe(expected);
});

test.each([
  ['vertical-align: 5px', '10^5'],
  ['vertical-align: 50%', '10^5'],
  ['vertical-align: -0.3em', '10_5'],
  ['vertical-align: text-top; font-size: 70%', '10^5'],
  ['vertical-align: bottom; font-size: x-small', '10_5'],
  ['font-variant-position: super', '10^5'],
  ['position: relative; top: -4px', '10^5'],
  ['position: relative; top: 0.3em; font-size: smaller', '10_5'],
  ['position: relative; bottom: 5pt', '10^5'],
  ['position: relative; bottom: -4px', '10_5'],
  ['vertical-align: middle', '105'],
  ['vertical-align: top', '105'],
  ['vertical-align: 1px', '105'],
  ['vertical-align: -4px; display: inline-block', '105'],
  ['position: relative; top: 2px', '105'],
  ['position: relative; top: -40px', '105'],
  ['top: -4px', '105'],
])('statementMarkdown writes raised and lowered text as a script: %s', (style, expected) => {
  expect(markdown('<p>10<span STYLE>5</span></p>', style)).toBe(expected);
});

test('statementMarkdown writes links and bold text with a raised baseline as superscripts', () => {
  const style = 'vertical-align: super';
  expect(markdown(`<p>a<b STYLE>1</b> a${link}</p>`, style)).toBe('a^1 a[^c](http://a.example/)');
  expect(markdown('<p>a<small STYLE>1</small></p>', 'vertical-align: top')).toBe('a^1');
});

test.each([
  ['uppercase', '<p STYLE>yes $n$ <b>no</b></p>', 'YES $n$ **NO**'],
  ['lowercase', '<p><span STYLE>YES</span> No</p>', 'yes No'],
  ['capitalize', '<p STYLE>yes or no</p>', 'Yes Or No'],
  ['uppercase', '<pre STYLE>yes</pre>', '```\nYES\n```'],
  ['uppercase', '<p STYLE><code>yes</code> <i style="text-transform:none">no</i></p>', '`YES` *no*'],
])('statementMarkdown writes the letters that text-transform:%s shows: %s', (transform, html, expected) => {
  expect(markdown(html, `text-transform: ${transform}`)).toBe(expected);
});

test.each([
  ['<p>x = 0.<span STYLE>3</span></p>', 'x = 0.$\\overline{3}$'],
  ['<p><span STYLE>AB</span> + <b STYLE>x</b></p>', '$\\overline{AB}$ + $\\overline{x}$'],
  ['<p><span STYLE>a b</span></p>', '(overlined: a b)'],
  ['<p><code>~<span STYLE>x</span></code></p>', '`~\\overline{x}`'],
])('statementMarkdown writes a line above text as a formula or names it: %s', (html, expected) => {
  expect(markdown(html, 'text-decoration: overline')).toBe(expected);
  expect(markdown(html, 'border-top: 1px solid')).toBe(expected);
});

test.each([
  ['<ol style="list-style: none"><li>(1) a</ol>', '- (1) a'],
  ['<ul style="list-style-type: decimal"><li>a<li>b</ul>', '1. a\n2. b'],
  ['<ul style="list-style-type: upper-roman"><li>a<li>b</ul>', '* I. a\n* II. b'],
  ['<ol style="list-style-type: decimal-leading-zero"><li>a</ol>', '* 01. a'],
  ['<ol style="list-style-type: lower-greek"><li>a<li>b</ol>', '* α. a\n* β. b'],
  ['<ol><li>a<li style="list-style-type: lower-alpha">b<li type=I>c</ol>', '1. a\n* b. b\n* III. c'],
])('statementMarkdown numbers lists as their style does: %s', (html, expected) => {
  expect(statementMarkdown(html, undefined)).toBe(expected);
});
