import { parseFragment, serialize } from 'parse5';
import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';
import * as fc from '../support/property.ts';

const pageBytes = 128 * 1024;
const problemUrl = 'https://judge.example/problems/4/a';

test.each(['', ' \n\t', '\u3000', ' \u200b\n', '\u0085', '<br>\u200b'])(
  'statementMarkdown returns an empty string for blank content: %j',
  content => {
    expect(statementMarkdown(content, problemUrl)).toBe('');
  },
);

test('statementMarkdown returns an empty string for a page without visible text', () => {
  expect(statementMarkdown('<script>alert(1)</script>', problemUrl)).toBe('');
});

const plainNote =
  '(Plain text: this page could not be converted, so its lists, tables and formulas have lost their shape.)';

test('statementMarkdown returns plain text with a note when the page is nested too deeply', () => {
  const html = `${'<div>'.repeat(400)}<p>a &lt;b&gt; 10<sup>5</sup></p><script>SECRET</script><p hidden>SECRET</p><pre>x\n  y</pre>`;
  expect(statementMarkdown(html, problemUrl)).toBe(`${plainNote}\n\na &lt;b> 10^{5}\n\nx\n  y`);
});

test.each([
  ['blanks in a sample', '<pre>x', ' ', 'y</pre>'],
  ['no-break spaces', '<p>x', '&nbsp;', 'y'],
  ['list items', '<ol>', '<li>x', 'y'],
  ['nested lists', '', '<ul><li>x', 'y'],
  ['nested blocks', '', '<div>', 'xy'],
  ['nested bold elements', '', '<b>', 'xy'],
  ['paragraph end tags', 'x', '</p>', 'y'],
  ['less-than signs', 'x', '<', 'y'],
  ['ampersands', '<p>x', '&', 'y'],
  ['unclosed attributes', 'x', '<a "', 'y'],
  ['cells with large rowspan and colspan', '<table><tr>', '<td rowspan=1000 colspan=1000>x', 'y'],
  ['asterisks and underscores', '<p>x', '*_', 'y'],
  ['letters in a rendered superscript', `<span class="katex">${'<span class="msupsub">'.repeat(200)}`, '<i>x</i>', 'y'],
  ['rows of a rendered matrix', '<mjx-container><mjx-mtable>', '<mjx-mtr>x</mjx-mtr>', 'y'],
  ['rows of nested rendered matrices', `<mjx-container>${'<mjx-mtable>'.repeat(250)}`, '<mjx-mtr>x</mjx-mtr>', 'y'],
  [
    'rendered fractions',
    `<mjx-container>${'<mjx-mfrac><mjx-frac>'.repeat(120)}`,
    '<mjx-c class="mjx-c31"></mjx-c>',
    'y',
  ],
  ['list-style declarations', '<ol style="', 'list-style:', '"><li>xy</ol>'],
  ['text-decoration declarations', '<span style="', 'text-decoration:', '">xy</span>'],
  [
    'rendered matrices with one column',
    '<span class="katex">x',
    `<span class=mtable><b class=col-align-><i class=vlist>${'<b></b>'.repeat(190)}</i></b>${'<i class=col-align-></i>'.repeat(51)}</span>`,
    'y',
  ],
  ['opening TeX delimiters', '<p>x', '\\($', 'y'],
  ['line breaks in nested quotes', '<blockquote>'.repeat(200), 'x<br>', 'y'],
  ['nested superscripts', 'x', '<sup>y', ''],
  ['invalid characters', '<p>x', '\ud800&#0;&#x110000;\0', 'y'],
  ['opening code delimiters', '# x <br>', '`a``b', 'y'],
])('statementMarkdown converts a page with a very long run of %s', (_, start, piece, end) => {
  const text = statementMarkdown(start + piece.repeat(pageBytes / piece.length) + end, problemUrl);
  expect(text).toContain('x');
  expect(text).toContain('y');
});

const tagNames =
  'p div b i em strong code pre sup sub ul ol li table tr td th span a img br hr h3 var script style svg math katex dl dt dd details ruby rt q del textarea xmp title';
const drawnPieces = 'katex mfrac frac-line vlist pstrut msupsub op-limits sqrt root mtable col-align-c mspace'.split(
  ' ',
);
const mathJaxNames =
  'container math msup msub msubsup script mfrac frac num den line msqrt mroot root box munder munderover over mtable mtr c'.split(
    ' ',
  );
const soupPiece = fc.oneof(
  fc.constantFrom(...drawnPieces.map(name => `<span class="${name}" style="top:-3em;height:2em">`), '</span>'),
  fc.constantFrom(...mathJaxNames.flatMap(name => [`<mjx-${name} class="mjx-c31">`, `</mjx-${name}>`])),
  fc.constantFrom(
    ...tagNames.split(' ').flatMap(name => [`<${name}>`, `</${name}>`, `<${name} class="katex" style="x">`]),
  ),
  fc.constantFrom(
    '$',
    '$$$',
    '`',
    '```\n',
    '\n\n',
    '- ',
    '# ',
    '|',
    '&lt;',
    '&nbsp;',
    '<!--',
    '-->',
    '\\(',
    '<',
    '>',
    '"',
    '**',
    '_',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const soup = fc.array(soupPiece, { maxLength: 60 }).map(pieces => pieces.join(''));

test('statementMarkdown never throws for random text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), text => {
      expect(statementMarkdown(text, problemUrl)).toBeTypeOf('string');
    }),
  );
});

test('statementMarkdown never throws for random tags', () => {
  fc.assert(
    fc.property(soup, text => {
      expect(statementMarkdown(text, text)).toBeTypeOf('string');
    }),
    { numRuns: 500 },
  );
});

test('statementMarkdown never outputs the text of a script', () => {
  const page = fc.tuple(soup, soup).map(([before, after]) => `<p>x</p>${before}<script>SECRET</script>${after}`);
  // The output may contain the text of a script only if the script is a part of a comment, a raw text element, a code
  // span or an unclosed tag that begins before it.
  const isOpen = /<!--|<textarea|<xmp|<title|<style|<script|`|\$|\\/;
  fc.assert(
    fc.property(page, html => {
      fc.pre(!isOpen.test(html.slice(0, html.indexOf('SECRET') - '<script>'.length)));
      fc.pre(/<script>SECRET<\/script>/.test(serialize(parseFragment(html))));
      expect(statementMarkdown(html, problemUrl)).not.toContain('SECRET');
    }),
  );
});

test('statementMarkdown returns text without tags unchanged', () => {
  const visible = fc.string({
    unit: fc.constantFrom(' ', ...'a b 1 . # * _ - ` $ | [ ] ( ) > & ; \n'.split(' ')),
    minLength: 1,
  });
  fc.assert(
    fc.property(
      visible.filter(text => text.trim() !== ''),
      text => {
        expect(statementMarkdown(text, problemUrl)).toBe(text);
      },
    ),
  );
});

const inline = fc.constantFrom('b', 'i', 'em', 'code', 'sup', 'sub', 'span', 'a', 'q', 'del', 'u');
const word = fc.integer({ min: 0, max: 999_999 }).map(String);
const phrase = fc.array(fc.tuple(word, inline), { minLength: 1, maxLength: 5 });
const blockName = fc.constantFrom('p', 'div', 'pre', 'li', 'td', 'h3', 'blockquote', 'dd', 'th', 'summary');

test('statementMarkdown outputs every number of a random page and no tag', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(blockName, phrase), { minLength: 1, maxLength: 8 }), blocks => {
      const html = blocks.map(([name, words]) => {
        const inner = words.map(([number, mark]) => `<${mark}>${number}</${mark}> ${number}`).join(' ');
        return `<${name}>${inner}</${name}>`;
      });
      const text = statementMarkdown(`<div>${html.join('\n')}</div>`, problemUrl);
      for (const [, words] of blocks) for (const [number] of words) expect(text).toContain(number);
      expect(text).not.toMatch(/<\/?[a-z]/);
    }),
  );
});

test('statementMarkdown ignores column spans in a table row of more than 1000 columns', () => {
  const html = `<p>x</p><table><tr>${'<td colspan=100 rowspan=90>a'.repeat(5000)}</table>`;
  expect(statementMarkdown(html, problemUrl).split('\n')[2]?.length).toBeLessThan(50_000);
});
