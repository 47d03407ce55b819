import { describe, expect, test } from 'vitest';
import { extractHtmlText, removeHiddenText } from '../../src/documents/html/text.ts';

const words = (markup: string): string => extractHtmlText(markup).replace(/\s+/g, ' ').trim();

describe('the text of an HTML page', () => {
  test.each([
    ['the attribute `hidden`', '<div hidden>secret</div>'],
    ['`hidden` with a value', '<div hidden="until-found">secret</div>'],
    ['display: none', '<p style="color:red; DISPLAY : none">secret</p>'],
    ['display: none !important', "<span style='display:none!important'>secret</span>"],
    ['visibility: hidden', '<div style=visibility:hidden>secret</div>'],
    ['opacity: 0', '<div style="opacity:0">secret</div>'],
    ['font-size: 0', '<div style="font-size:0px;">secret</div>'],
    ['an element in a hidden one', '<div hidden><div>a</div><b>secret</b></div>'],
    [
      'a class that a style sheet hides',
      '<style>/* x */ .a, div.b { display:none }</style><div class="c b">secret</div>',
    ],
    ['an id that a style sheet hides', '<style>#b{visibility:hidden}</style><div id=b>secret</div>'],
    ['a script in a hidden element', '<div hidden><script>"</div>"</script>secret</div>'],
    ['an SVG text with a display attribute', '<svg><text display="none">secret</text></svg>'],
    ['ruby in a hidden element', '<div hidden><ruby>secret<rt>secret</rt></ruby></div>'],
  ])('omits hidden text: %s', (_, markup) => {
    expect(words(`before ${markup} after`)).toBe('before after');
  });

  test.each([
    ['an element with opacity 0.5', '<div style="opacity:0.5">shown</div>'],
    ['an element whose attribute value contains hiding styles', '<div title=" hidden style=display:none ">shown</div>'],
    [
      'a class that is hidden in print only',
      '<style>@media print { .a { display:none } }</style><div class=a>shown</div>',
    ],
    ['a hidden body element, which a script shows later', '<body style="display:none">shown</body>'],
    ['the text after a hidden input element', '<input hidden>shown'],
    ['the text after a hidden void element', '<path hidden/>shown'],
  ])('keeps visible text: %s', (_, markup) => {
    expect(words(`before ${markup} after`)).toBe('before shown after');
  });

  test.each([
    ['a paragraph at the next block', '<p hidden>secret<p>shown'],
    ['a paragraph at the end of its parent', '<div><p hidden>secret</div>shown'],
    ['a list item at the next item', '<ul><li hidden>secret<ul><li>secret</ul><li>shown</ul>'],
    ['a list item at the end of its list', '<ul><li hidden>secret</ul>shown'],
    ['a cell at the next row', '<table><tr><td hidden>secret<tr><td>shown</table>'],
  ])('ends the hidden element without an end tag where HTML ends it: %s', (_, markup) => {
    expect(words(markup)).toBe('shown');
  });

  test('ends after a hidden element that is never closed', () => {
    expect(words('before<div hidden>secret</p></span>')).toBe('before');
  });
});

test('removeHiddenText replaces hidden text by blanks and keeps the length and the lines of the source', () => {
  const source = 'a\n<div hidden>sec\nret</div>\n<p>b</p>';
  expect(removeHiddenText(Buffer.from(source)).toString()).toBe('a\n<div hidden>   \n   </div>\n<p>b</p>');
});

test('extractHtmlText takes "<" as the start of a tag only before a letter from a to z', () => {
  const starts = Array.from({ length: 0x60 }, (_, index) => String.fromCharCode(0x20 + index));
  const isTag = (character: string): boolean => words(`a<${character}x>b`).replace(' ', '') === 'ab';
  expect(starts.filter(isTag).join('')).toBe('!/?ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz');
});
