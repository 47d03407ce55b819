import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

/**
 * Each of these selectors matches the secret in `<div id="d" class="o"><p class="a b" data-k="v w">SECRET</p></div>`.
 */
test.each(
  [
    [
      '.a.b',
      'p.a',
      '#d p',
      '#d > p',
      'div p.b',
      '.o>.a',
      '[data-k]',
      '[data-k="v w"]',
      '[data-k~=w]',
      '[data-k^="v"]',
      '[data-k$=w]',
    ],
    [
      '[data-k*=" "]',
      '[data-K="V W" i]',
      ':is(.x, .a)',
      ':where(#d) .b',
      'p:not(.x)',
      'body p',
      'html > body > div > p',
      ':root p',
    ],
    [
      '.x, .a',
      '*',
      'P.a',
      '.\\61',
      'div *',
      ':is(div, section) > :is(p, b):not(.c, .d)',
      '[class~="a"][data-k|="v w"]',
    ],
  ].flat(),
)('a style sheet hides the elements that match the selector %s', selector => {
  const sheet = `<style>${selector}{display:none}</style>`;
  const page = '<div id="d" class="o"><p class="a b" data-k="v w">SECRET</p></div>';
  expect(statementMarkdown(`${sheet}${page}`, undefined)).not.toContain('SECRET');
  expect(statementMarkdown(`${page}${sheet}`, undefined)).not.toContain('SECRET');
});

test.each(
  [
    ['.a.c', 'b.a', '#d > .o', 'p p', 'p > div', '[data-k=v]', '[data-k|=v]', '[data-x]', 'p:hover', 'p::before'],
    [
      '.A',
      'section p',
      ':is(.x, .y)',
      'p:not(.a, .x)',
      'p:unknown(.a)',
      'p:not(:unknown)',
      ':root > p',
      'p>',
      'p.a + ',
      '#d > p ~',
      '.a + .a',
      '.o ~ .a',
    ],
  ].flat(),
)('a style sheet does not hide elements that do not match the selector %s', selector => {
  const page = '<div id="d" class="o"><p class="a b" data-k="v w">SEEN</p></div>';
  expect(statementMarkdown(`<style>${selector}{display:none}</style>${page}`, undefined)).toContain('SEEN');
});

test.each([
  ['the more specific rule wins', '#d p{display:none} p.a.b{display:block}', false],
  ['the more specific rule wins also if it is last', 'p.a{display:block} #d p{display:none}', false],
  ['the later of two equally specific rules wins', '.a{display:none} .b{display:block}', true],
  ['an important declaration wins', '.a{display:none!important} #d .b{display:block}', false],
  ['a media rule for screens applies', '@media only screen{.a{display:none}}', false],
  ['a media list with "all" applies', '@media print, all{.a{display:none}}', false],
  ['a rule after a media rule for print applies', '@media print{.a{color:red}} .a{display:none}', false],
  ['a media rule for print does not apply', '@media print{.a{display:none}}', true],
  ['a media rule for small screens does not apply', '@media (max-width: 600px){.a{display:none}}', true],
  ['a rule in a positive @supports query applies', '@supports (display:grid){.a{display:none}}', false],
  ['a rule in a negated @supports query does not apply', '@supports not (display:grid){.a{display:none}}', true],
  ['a nested rule applies', '#d{ .a{display:none} }', false],
  ['a nested rule with the parent selector & applies', '.b{ &.a{display:none} }', false],
  ['a declaration in a nested media rule applies', '.a{ @media screen{display:none} }', false],
  [':where() adds no specificity', ':where(#d .a){display:none} p{display:block}', true],
])('statementMarkdown applies the CSS cascade to hidden elements: %s', (_, sheet, isSeen) => {
  const page = '<div id="d"><p class="a b">TEXT</p></div>';
  expect(statementMarkdown(`<style>${sheet}</style>${page}`, undefined).includes('TEXT')).toBe(isSeen);
});

test.each([
  ['.x + p', true],
  ['.x+p', true],
  ['.x ~ p', true],
  ['h3 ~ p', true],
  ['h3 + p', false],
  ['p + .x', false],
  ['div > h3 + b + p', true],
  ['p:nth-child(3)', true],
  ['p:nth-child(odd)', true],
  ['p:nth-child(2n + 1)', true],
  ['p:nth-child(-n+2)', false],
  ['p:nth-child(even)', false],
  ['p:nth-of-type(1)', true],
  ['p:first-of-type', true],
  ['p:first-child', false],
  ['p:not(:first-child):not(.x)', true],
])('statementMarkdown applies style sheet selectors that depend on earlier siblings: %s', (selector, isHidden) => {
  const page = '<div><h3>a</h3> <b class="x">b</b> <p>SECRET</p><i>c</i></div>';
  const markdown = statementMarkdown(`<style>${selector}{display:none}</style>${page}`, undefined);
  expect(!markdown.includes('SECRET')).toBe(isHidden);
});

test.each([
  'div :last-child',
  'p:nth-last-child(1)',
  'div:has(b) p',
  'p:only-of-type',
  'p:not(:last-child)',
  ':is(p:last-child)',
])(
  'statementMarkdown marks text that the selector %s may hide, because the selector depends on later elements',
  selector => {
    const page = '<div>a <p>TEXT</p></div>';
    expect(statementMarkdown(`<style>${selector}{display:none}</style>${page}`, undefined)).toContain(
      '(possibly hidden: TEXT)',
    );
    expect(statementMarkdown(`<style>${selector}{color:red}</style>${page}`, undefined)).not.toContain('hidden');
  },
);

test('statementMarkdown removes elements that a style sheet inside a Markdown text hides', () => {
  const text = '# T\n\n<style>.x{display:none}</style>\n\na <span class="x">SECRET</span> b\n\n- c';
  expect(statementMarkdown(text, undefined)).not.toContain('SECRET');
});

test('statementMarkdown returns plain text when the style sheet of a page exceeds the step budget', () => {
  const sheet = `<style>${'.q div div div div p,'.repeat(9)}b{color:red}</style>`;
  const page = `${sheet}${'<div>'.repeat(100)}<p>x</p>`.repeat(2);
  expect(statementMarkdown(page, undefined)).toMatch(/^\(Plain text:/);
});
