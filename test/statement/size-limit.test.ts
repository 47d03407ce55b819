import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';
import { truncateBytes, truncationNote } from '../../src/text/truncate.ts';
import * as fc from '../support/property.ts';

const problemUrl = 'https://judge.example/problems/4/a';

test('statementMarkdown stops reading when the output exceeds the requested number of bytes, and appends a note', () => {
  const text = statementMarkdown('<p>one</p><p>two</p><p>three</p><p>four</p>', problemUrl, 5);
  expect(text).toBe(`one\n\ntwo${truncationNote}`);
});

test('statementMarkdown reads the whole page when its output has exactly the requested number of bytes', () => {
  expect(statementMarkdown('<p>one</p><p>two</p>', problemUrl, 6)).toBe('one\n\ntwo');
});

test.each([
  ['an English version replaces the Japanese one', '<p class="lang-ja">japanese</p><p class="lang-en">english</p>'],
  [
    'the source of a formula replaces its drawing',
    '<p><span class="MathJax">drawn</span></p><script type="math/tex">x</script>',
  ],
  [
    'a wide row adds a column to the table header',
    '<table><tr><th>aaaa</th></tr><tr><td><p>b</p></td><td>c</td></tr></table>',
  ],
  ['loose text in a list stands above its items', '<ul><li><p>aaaa</p></li>loose</ul>'],
  [
    'a style sheet at the end hides an earlier paragraph',
    '<p class="x">aaaa</p><p>b</p><p>c</p><style>.x{display:none}</style>',
  ],
  ['a reversed list needs the number of its items', '<ol reversed><li><p>aaaa</p></li><li>b</li></ol>'],
  ['bold markup around blocks is dropped', '<b>aaaa<p>b</p></b>'],
  ['a copy button is dropped', '<button>Copy</button><p>aaa</p><p>b</p>'],
  ['a copy button with an icon is dropped', '<button><i></i>Copy</button><p>aaa</p><p>b</p>'],
  ['a heading that contains only a sample is no heading', `<h2><pre>a${'\n'.repeat(40)}b</pre></h2><p>c</p><p>d</p>`],
])('statementMarkdown reads on after the size limit if later content can change earlier output: %s', (_, html) => {
  const whole = statementMarkdown(html, problemUrl);
  for (let maxBytes = 1; maxBytes < 20; maxBytes++) {
    expect(truncateBytes(statementMarkdown(html, problemUrl, maxBytes), maxBytes)).toBe(truncateBytes(whole, maxBytes));
  }
});

test.each([
  ['a heading', '<h2>one</h2>'],
  ['a heading with a mark', '<h2><b>one</b></h2>'],
  ['a term', '<dl><dt>one</dt></dl>'],
  ['a table', '<table><tr><td>one</td></tr></table>'],
  ['a table in a table', '<table><tr><td><table><tr><td>one</td></tr></table></td></tr></table>'],
  ['a button', '<button>one</button>'],
  ['an empty heading', '<h2></h2>'],
])('statementMarkdown does not count the text of %s, but that of the blocks after it', (_, html) => {
  const stopOf = (maxBytes: number): string | undefined =>
    /(\w+)[^\w]*$/.exec(
      statementMarkdown(`${html}<p>two</p><p>three</p><p>four</p><p>five</p>`, problemUrl, maxBytes).replace(
        truncationNote,
        '',
      ),
    )?.[1];
  expect([2, 3, 7, 8, 11, 12].map(stopOf)).toEqual(['two', 'three', 'three', 'four', 'four', 'five']);
});

const names =
  'p div section pre code b em sup sub var ul ol li table tr td th h3 blockquote q button a dl dt dd hr br select option';
const attributes =
  '|class=lang-en|class=MathJax|class=title|class=property-title|class=test-example-line|hidden|href=/x|reversed|rowspan=2|colspan=2';
const attribute = fc.oneof(fc.constant(''), fc.constantFrom(...attributes.split('|')));
const text = fc.constantFrom('a', 'bc', ' ', '\n', '&nbsp;', '10', '*', '_', '$x$', '数', 'Copy', '<br>', '<hr>');
const page = fc.letrec<{ piece: string; pieces: string }>(tie => ({
  pieces: fc.array(tie('piece'), { maxLength: 6 }).map(all => all.join('')),
  piece: fc.oneof(
    { maxDepth: 5 },
    text,
    fc
      .tuple(fc.constantFrom(...names.split(' ')), attribute, tie('pieces'), fc.boolean())
      .map(([name, more, inside, isClosed]) => `<${name} ${more}>${inside}${isClosed ? `</${name}>` : ''}`),
  ),
})).pieces;

test('statementMarkdown with a size limit returns the beginning of the complete output for random pages', () => {
  fc.assert(
    fc.property(page, fc.integer({ min: 1, max: 60 }), (piece, maxBytes) => {
      const html = `<p>Start</p>${piece}<p>More</p>${piece}`;
      const left = truncateBytes(statementMarkdown(html, problemUrl, maxBytes), maxBytes);
      expect(left).toBe(truncateBytes(statementMarkdown(html, problemUrl), maxBytes));
    }),
    { numRuns: 1000 },
  );
});
