import MarkdownIt from 'markdown-it';
import { expect, test } from 'vitest';
import { ConversionBudget } from '../../src/statement/budget.ts';
import { readMarkdownLines } from '../../src/statement/commonmark/blocks.ts';
import { statementMarkdown } from '../../src/statement/index.ts';
import * as fc from '../support/property.ts';

const base = 'https://judge.example/problems/4/a';

test.each([
  ['indented code', '<b>x</b>\n\n    <b>1</b> &lt; 2\n\nend', '**x**\n\n    <b>1</b> &lt; 2\n\nend'],
  [
    'indented code in a list item',
    '- a <b>x</b>\n\n      a<b>c &amp;\n\n  text',
    '- a **x**\n\n      a<b>c &amp;\n\n  text',
  ],
  ['indented code in a quote', '> <b>x</b>\n>\n>     <b>1</b>', '> **x**\n>\n>     <b>1</b>'],
  ['code indented with a tab', '<b>x</b>\n\n\t<i>1</i>', '**x**\n\n\t<i>1</i>'],
  ['an indented line that continues a paragraph', 'a <b>x</b>\n    <i>y</i>', 'a **x**\n    *y*'],
  ['an indented table row between empty lines', '<table>\n\n    <tr><td>1</td></tr>\n\n</table>', '1'],
])('statementMarkdown treats %s in Markdown with HTML as CommonMark does', (_, text, expected) => {
  expect(statementMarkdown(`# T\n\n${text}`, base)).toBe(`# T\n\n${expected}`);
});

test.each([
  ['paragraph', '<p>Note:\n\n## Input\n\n```\n1 <b> 2\n```', 'Note:\n\n## Input\n\n```\n1 <b> 2\n```'],
  ['paragraph in a section', '<section><p>Note:\n\n## Input\n\nx', 'Note:\n\n## Input\n\nx'],
  ['quote', '<blockquote>Note:\n\n- a\n- b', 'Note:\n\n- a\n- b'],
])('statementMarkdown ends an unclosed %s at an empty line and keeps the following Markdown', (_, text, expected) => {
  expect(statementMarkdown(text, base)).toBe(expected);
});

test.each([
  ['emphasis in a span', '<span style="color:red">_NOTE! this_</span>', '_NOTE! this_'],
  ['a link in a subscript', '<sub>[Day 1](u/v)</sub> x', '_{[Day 1](https://judge.example/problems/4/u/v)} x'],
  ['a bold superscript without its marks', '2<sup>**n**</sup> x', '2^n x'],
  ['an italic subscript without its marks', '_D_<sub>_K_</sub>', '_D_\\_K'],
  ['a formula in a script without its dollars', '$A$<sub>$i$</sub> 10<sup>$n$</sup>', '$A$_i 10^n'],
  ['a subscript behind an underscore of emphasis', '_p<sub>a<sub>i</sub>-1</sub> x_', '_p\\_{a_i-1} x_'],
  ['escapes in code', '<code>3 \\* 10<sup>4</sup> \\[]</code>', '`3 * 10^4 []`'],
  [
    'entities between bracket delimiters',
    'a \\[ x &amp; 1 \\\\ y &lt; 2 \\] <b>c</b>',
    'a \\[ x & 1 \\\\ y < 2 \\] **c**',
  ],
  ['a break at the start of a line of an item', '- a\n<br>b\n- c', '- a  \n  b\n- c'],
  [
    'a table of Markdown in an item of an HTML list',
    '<ul><li>a\n\n| b | c |\n| --- | --- |\n| 1 | 2 |\n</li></ul>',
    '- a\n\n| b | c |\n| --- | --- |\n| 1 | 2 |',
  ],
  ['code outside of tags', '<ul><li>a</li></ul>\n\nb `|` c\n\nd', '- a\n\nb `|` c\n\nd'],
  ['code in an item of an HTML list', '<ul><li>`a<b` &lt;i&gt;</li></ul>', '- `a<b` \\<i>'],
  [
    'bold text in a table cell',
    '<table><tr><td>**x**</td><td>y</td></tr></table>',
    '|  |  |\n| --- | --- |\n| **x** | y |',
  ],
])('statementMarkdown keeps Markdown inside HTML tags: %s', (_, text, expected) => {
  expect(statementMarkdown(`# T\n\n${text}`, base)).toBe(`# T\n\n${expected}`);
});

const pieces = [
  'a',
  'b c',
  ' ',
  '  ',
  '    ',
  '\t',
  '\n',
  '\n\n',
  '\r',
  '\r\n',
  '> ',
  '>',
  '- ',
  '-',
  '* ',
  '1. ',
  '2) ',
  '10. ',
];
const marks = [
  '```',
  '~~~',
  '``` x',
  '# ',
  '#',
  '---',
  '===',
  '***',
  '<div>',
  '<pre>',
  '</pre>',
  '<!--',
  '-->',
  '<b>',
  '<x y="z">',
  '`',
];
const markdown = fc
  .array(fc.constantFrom(...pieces, ...pieces, ...marks), { maxLength: 14 })
  .map(parts => parts.join(''));

/** Returns the source lines that markdown-it parses as code. */
function codeLines(text: string): Set<number> {
  const lines = new Set<number>();
  for (const { type, map } of new MarkdownIt({ html: true }).parse(text, {})) {
    if (map === null || (type !== 'fence' && type !== 'code_block')) continue;
    for (let line = map[0]; line < map[1]; line++) lines.add(line);
  }
  return lines;
}

/** Unlike CommonMark, markdown-it continues a quote with a line such as `    > x`, which is indented code. */
const indentedQuote = /^(?: {4}| {0,3}\t)[ \t]*>/m;

test('readMarkdownLines finds the same code blocks as markdown-it in random Markdown', () => {
  fc.assert(
    fc.property(markdown, text => {
      fc.pre(!indentedQuote.test(text));
      const expected = codeLines(text);
      const lines = readMarkdownLines(text, true, new ConversionBudget());
      const found = lines.flatMap(({ kind }, index) =>
        kind === 'code' || kind === 'indented' || kind === 'fence' ? [index] : [],
      );
      const isBlank = (index: number): boolean => text.slice(lines[index]?.content, lines[index]?.end).trim() === '';
      const shown = (numbers: readonly number[]): number[] => numbers.filter(index => !isBlank(index));
      expect(shown(found), JSON.stringify(text)).toEqual(shown([...expected]));
    }),
    { numRuns: 5000 },
  );
});

// A tab extends to the next multiple of four columns (CommonMark 2.2). The columns that a list or quote leaves belong to
// its content.
test.each([
  ['>\t\tbar <b>x</b>', '>\t\tbar <b>x</b>'],
  ['-\t\tbar <b>x</b>', '-\t\tbar <b>x</b>'],
  ['-\tbar <b>x</b>', '-\tbar **x**'],
  ['- a\n\n\t\t<b>x</b>', '- a\n\n\t\t<b>x</b>'],
  ['- a\n\n \t\t<b>x</b>', '- a\n\n \t\t<b>x</b>'],
  ['- a\n\n  \t<b>x</b>', '- a\n\n  \t**x**'],
  ['- a\n\n\t<b>x</b>', '- a\n\n\t**x**'],
  ['1. a\n\n\t\t<b>x</b>', '1. a\n\n\t\t<b>x</b>'],
  ['1. a\n\n\t  <b>x</b>', '1. a\n\n\t  **x**'],
])('statementMarkdown counts the columns of a tab that a list or quote takes only in part: %j', (source, expected) => {
  expect(statementMarkdown(source, undefined)).toBe(expected);
});
