import { expect, test } from 'vitest';
import { ConversionBudget } from '../../src/statement/budget.ts';
import { statementMarkdown } from '../../src/statement/index.ts';
import * as fc from '../support/property.ts';

const problemUrl = 'https://judge.example/problems/4/a';

/** Returns the number of counted steps of a conversion. An element counts as several characters. */
function stepsOf(content: string): number {
  const budget = new ConversionBudget();
  statementMarkdown(content, problemUrl, Infinity, undefined, budget);
  const { elements, searched, rules, copied, written } = budget;
  return 20 * elements.spent + [searched, rules, copied, written].reduce((sum, { spent }) => sum + spent, 0);
}

const names =
  'p div b i code pre sup sub var ul ol li table tr td th h3 blockquote q button a dl dt dd span select option svg math mjx-msup mjx-mtable mjx-mtr';
const tag = fc
  .tuple(
    fc.constantFrom('', '/'),
    fc.constantFrom(...names.split(' ')),
    fc.constantFrom(
      '',
      ' class=a',
      ' class="katex"',
      ' style="color:red;top:0"',
      ' colspan=9 rowspan=9',
      ' href=#',
      ' hidden',
    ),
  )
  .map(([slash, name, attributes]) => `<${slash}${name}${slash === '' ? attributes : ''}>`);
const text = fc.constantFrom(
  ...'a|1|*|_|`|~~|$x$|&lt;|&nbsp;|\\|\n|\n\n|# |- |<br>|<hr>|<img src=x>|：|<!-- x -->'.split('|'),
  ' ',
);
const sheet = fc.constantFrom('<style>.a{color:red}</style>', '<style>.a,.b{top:0;left:0}</style>');
const piece = fc
  .array(fc.oneof({ arbitrary: tag, weight: 4 }, { arbitrary: text, weight: 3 }, { arbitrary: sheet, weight: 1 }), {
    minLength: 1,
    maxLength: 8,
  })
  .map(parts => parts.join(''));
const start = fc.constantFrom(
  '<p>x</p>',
  '# T\n\nx ',
  '<table><tr><td>x',
  '<ul><li>x',
  '<code>x',
  '<span class="katex">x',
);

test('statementMarkdown needs about twice the steps for a random input that is repeated twice as often', () => {
  fc.assert(
    fc.property(start, piece, (before, repeated) => {
      // This number of repetitions exceeds the depth limit, so that nested elements become plain text in both inputs.
      const once = stepsOf(before + repeated.repeat(700));
      expect(stepsOf(before + repeated.repeat(1400))).toBeLessThanOrEqual(2.6 * once + 1000);
    }),
    { numRuns: 150 },
  );
});

test.each([
  [
    'many links on a page with a URL of 1,500 letters',
    (n: number) => '<a href=#>b</a> '.repeat(n),
    `https://judge.example/${'x'.repeat(1500)}`,
  ],
  [
    'many links on a page with a URL of 60,000 letters',
    (n: number) => '<a href=#>b</a> '.repeat(n),
    `https://judge.example/${'x'.repeat(60_000)}`,
  ],
])('statementMarkdown with %s stops at the step budget', (_, content, link) => {
  const answer = statementMarkdown(`<p>x ${content(40_000)}</p>`, link);
  expect(answer.length).toBeLessThan(5_000_000);
});

test.each([
  [
    'long style sheet selectors with many declarations',
    (n: number) => `<style>${'.a,'.repeat(n)}.b{${'color:red;'.repeat(n)}}</style><p class=a>x`,
  ],
  [
    'style sheet rules for many elements',
    (n: number) => `<style>${'.a{color:red}'.repeat(n)}</style>${'<p class=a>x'.repeat(n)}`,
  ],
  [
    'pairs of subscript and superscript in code',
    (n: number) => `<p><code>${'x<sub>1</sub><sup>2</sup> + '.repeat(n)}</code>`,
  ],
  ['nested spans in Markdown', (n: number) => `# T\n\n${'<span a=b>'.repeat(n)}x${'</span>'.repeat(n)}`],
  ['line breaks in nested superscripts', (n: number) => `<pre>${'<sup>'.repeat(200)}${'x\n'.repeat(n)}`],
  [
    'style sheet selectors that do not match',
    (n: number) => `<style>${'.q div p{top:0}'.repeat(9)}</style>${'<div><p>x</p></div>'.repeat(n)}`,
  ],
  ['list items in a table', (n: number) => `<table>${'<li>a'.repeat(n)}`],
  ['indented code', (n: number) => `# T\n\n<b>x</b>\n\n${'    <i>a</i>\n\n'.repeat(n)}`],
  ['nested rejected links', (n: number) => `${'['.repeat(n)}${'](javascript:x)'.repeat(n)}`],
  ['link definitions and references', (n: number) => '[a]: javascript:x\n\n[b][a] [a]\n\n'.repeat(n)],
  ['empty lines in nested lists', (n: number) => `[a](javascript:x)\n\n${'- '.repeat(n)}x${'\n'.repeat(n)}`],
  ['words with tags after blanks', (n: number) => `# h\n\nx <br>${' '.repeat(20 * n)}${'a<p>'.repeat(n)}`],
])('statementMarkdown needs at most linear steps for %s', (_, content) => {
  expect(stepsOf(content(2000))).toBeLessThanOrEqual(2.6 * stepsOf(content(1000)) + 1000);
});
