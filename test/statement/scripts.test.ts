import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

test.each([
  ['two superscripts side by side', '10<sup>1</sup><sup>8</sup>', '10^18'],
  ['a sign and a number in two superscripts', '10<sup>-</sup><sup>9</sup>', '10^{-9}'],
  ['two subscripts side by side', 'a<sub>i</sub><sub>j</sub>', 'a_ij'],
  ['two superscripts in code', '<code>10<sup>1</sup><sup>8</sup>a</code>', '`10^{18}a`'],
  ['two subscripts in a sample', '<pre>a<sub>1</sub><sub>2</sub></pre>', '```\na_12\n```'],
  ['superscripts in a superscript', '2<sup>n<sup>1</sup><sup>8</sup></sup>', '2^{n^18}'],
  ['two superscripts with bold text', '10<sup>1</sup><b><sup>8</sup></b>', '10^18'],
  ['a blank between two superscripts', '10<sup>1</sup> <sup>8</sup>', '10^1 ^8'],
  ['a superscript after a subscript', 'a<sub>i</sub><sup>2</sup>', 'a_i^2'],
  ['a raised comma behind a superscript', '10<sup>5</sup><sup>,</sup> n', '10^5, n'],
])('statementMarkdown writes %s as one script or as two that cannot be confused', (_, html, expected) => {
  expect(statementMarkdown(`<p>${html}</p>`, undefined)).toBe(expected);
  expect(statementMarkdown(`# A\n\n${html}\n\n\`x\``, undefined)).toContain(expected);
});

test.each([
  ['<b>10<sup>5</sup></b>7', '10^{5}7'],
  ['<i>a<sub>i</sub></i>b', 'a_{i}b'],
  ['<b><i>10<sup>5</sup></i></b>7', '10^{5}7'],
  ['10<b><sup>1</sup></b><sup>8</sup>', '10^18'],
  ['10<sup>5</sup><b>7</b>', '10^{5}7'],
  ['10<sup>5</sup><b><i>7</i></b>', '10^{5}7'],
  ['<b>10<sup>5</sup></b><i>7</i>', '10^{5}7'],
  ['<b>10<sup>5</sup></b> 7', '**10^5** 7'],
])('statementMarkdown separates a script from the next digit or letter by braces: %s', (html, expected) => {
  expect(statementMarkdown(`<p>${html}</p>`, undefined).replaceAll('*', '')).toBe(expected.replaceAll('*', ''));
});
