import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

test.each([
  'visibility:hidden;visibility:bogus',
  'visibility:hidden;visibility:0',
  'visibility:hidden;visibility:visible !bogus',
  'display:none;display:bogus',
  'display:none;display:block-bogus',
  'display:none;display:-ms-flexbox',
  'opacity:0;opacity:bogus',
  'font-size:0;font-size:bogus',
  'font-size:0;font-size:16 px',
  'transform:scale(0);transform:bogus',
  'scale:0;scale:bogus',
  'zoom:0;zoom:bogus',
  'filter:opacity(0);filter:bogus',
  'content-visibility:hidden;content-visibility:shown',
])('statementMarkdown ignores the unknown value that follows a hiding one: %s', style => {
  const sheet = `<style>.x{${style}}</style><p>before <b class="x">SECRET</b></p>`;
  for (const html of [`<p>before <b style="${style}">SECRET</b></p>`, sheet])
    expect(statementMarkdown(html, undefined)).toBe('before');
});

test.each([
  'visibility:hidden;visibility:initial',
  'visibility:hidden;visibility:var(--v, visible)',
  'display:none;display:-webkit-inline-box',
  'display:none;display:inline flow-root',
  'display:none;display:table-row-group',
  'opacity:0;opacity:.5',
  'opacity:0;opacity:1e0',
  'opacity:0;opacity:calc(1)',
  'font-size:0;font-size:xx-large',
  'font-size:0;font-size:clamp(1rem, 2vw, 3rem)',
  'left:-9999px;left:auto',
  'left:-9999px;left:3px',
  'transform:scale(0);transform:none',
])('statementMarkdown shows text with a known value after a hiding one: %s', style => {
  expect(statementMarkdown(`<p>before <b style="${style}">SEEN</b></p>`, undefined)).toMatch(/^before\s+\*\*SEEN\*\*$/);
});

test.each([
  ['left:-9999px;left:bogus', '(possibly hidden: SEEN)'],
  ['overflow:hidden;overflow:bogus;height:0', '(possibly hidden: SEEN)'],
  ['vertical-align:super;vertical-align:bogus', '^SEEN'],
])('statementMarkdown ignores the unknown value after another one: %s', (style, expected) => {
  expect(statementMarkdown(`<p>10<span style="${style}">SEEN</span></p>`, undefined)).toBe(`10${expected}`);
});

test.each([
  ['/* note */.x{display:none}', false],
  ['/**/.x{display:none}', false],
  ['/* a *//* b */.x{display:none}/* c */', false],
  ['/* * / ** */.x{display:none}', false],
  ['.x{/* color: red; */display:none}', false],
  ['.x{display/**/:/**/none}', false],
  ['.x{display:none} /* unclosed', false],
  ['/* unclosed .x{display:none}', true],
  ['.y{color:red} /* unclosed .x{display:none}', true],
  ['/* note */ /*/ .x{display:none}', true],
  ['.x{dis/**/play:none}', true],
  ['.x{/* display:none */}', true],
])('statementMarkdown ignores the comments of a style sheet: %s', (sheet, isShown) => {
  const html = `<style>${sheet}</style><p>before <b class="x">SECRET</b> after</p>`;
  expect(statementMarkdown(html, undefined).includes('SECRET')).toBe(isShown);
});

test.each([
  ['/* note */display:none', false],
  ['display:none/* unclosed', false],
  ['/* unclosed display:none', true],
])('statementMarkdown ignores the comments of a style attribute: %s', (style, isShown) => {
  expect(statementMarkdown(`<p>before <b style="${style}">SECRET</b></p>`, undefined).includes('SECRET')).toBe(isShown);
});
