import { expect, test } from 'vitest';
import { statementMarkdown, statementPlainText } from '../../src/statement/index.ts';

test.each([
  ['<p>x <b class="h">SECRET <i class="v">y</i> SECRET</b> z</p>', 'x y z'],
  ['<p>10<sup class="h">9<b class="v">5</b></sup></p>', '10^{ 5}'],
  ['<p class="h">SECRET<p>x</p>', 'x'],
  ['<div class="h"><div class="v">x<div class="h">SECRET</div>y</div>SECRET</div>z', 'x\n\ny\n\nz'],
  ['<div style="display:none">SECRET<b class="v">SECRET</b></div>x', 'x'],
  ['<pre class="h"><b class="v">1</b>\n<b class="v">2</b></pre>', '1\n2'],
])('statementPlainText shows visible elements in text with `visibility: hidden`: %s', (content, expected) => {
  const html = content
    .replaceAll('class="h"', 'style="visibility:hidden"')
    .replaceAll('class="v"', 'style="visibility:visible"');
  const [, ...text] = statementPlainText(html).split(/(?<=\.\))\n\n/);
  expect(
    text
      .join('')
      .replace(/ +/g, ' ')
      .replace(/ ?\n ?/g, '\n'),
  ).toBe(expected);
});

test.each([
  ['a visible element', '<p>x <span class="h">SECRET <b class="v">y</b> SECRET</span> z</p>', 'x **y** z'],
  ['a block in hidden text', '<div class="h">SECRET<p class="v">x</p>SECRET</div><p>y</p>', 'x\n\ny'],
  ['hidden text in visible text', '<p class="h">SECRET<i class="v">x<b class="h">SECRET</b> y</i></p>', '*x y*'],
  ['a list item', '<ul class="h"><li>SECRET<li class="v">x</ul>', '- x'],
  ['classes of frameworks', '<p class="invisible">SECRET<b class="visible">x</b></p>', '**x**'],
  ['a drawing', '<p>x<svg><g visibility="hidden">SECRET<text visibility="visible">y</text></g></svg></p>', 'x y'],
  ['a superscript', '<p>10<sup class="h">9<b class="v">5</b></sup> <sub class="h">9</sub></p>', '10^5'],
  ['the lines of a sample', '<pre class="h">9\n<i class="v">1</i>\n<i class="v">2</i></pre>', '```\n\n1\n2\n```'],
  ['paragraphs', '<p class="h">9<i class="v">1</i></p><p class="h">9<i class="v">2</i></p>', '*1*\n\n*2*'],
  ['cells', '<table class="h"><tr><td class="v">1<td class="v">2</table>', '|  |  |\n| --- | --- |\n| 1 | 2 |'],
  ['a gap in place of a digit', '<p>1<span class="h">0</span>5</p>', '1 5'],
  ['no sample that is hidden', '<h3>Output</h3><pre class="h">9</pre><p>x</p>', '### Output\n\nx'],
  [
    'no hidden list, table, title and picture',
    '<div class="h"><ul><li>9</ul><table><tr><td>9</table><h2>9</h2><hr><img src="a.png"></div>',
    '',
  ],
  ['no element inside `display:none`', '<p>x<b style="display:none">SECRET<i class="v">SECRET</i></b></p>', 'x'],
  ['no removed element', '<p class="h"><b class="v" style="display:none">SECRET</b></p>', ''],
  [
    'an element in Markdown',
    '## T\n\n- a <span class="h">SECRET <b class="v">x</b></span>\n- b',
    '## T\n\n- a **x**\n- b',
  ],
  ['no element in Markdown', '## T\n\n- a <span class="h">SECRET</span>\n- b', '## T\n\n- a\n- b'],
])('text with `visibility: hidden` shows %s', (_, content, expected) => {
  const styles = '.h{visibility:hidden} .v{visibility:visible}';
  expect(statementMarkdown(`<style>${styles}</style>\n\n${content}`, undefined).replace(/ +\n/g, '\n').trim()).toBe(
    expected,
  );
});
