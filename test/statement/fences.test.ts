import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

test.each([
  ['a list item', '- a\n  ```\n  <b>x</b>\n\n'],
  ['an item of a numbered list', '1. a\n\n   ```\n   <b>x</b>\n2. b\n\n'],
  ['a quote', '> ```\n> <b>x</b>\n\n'],
  ['a list in a quote', '> - ~~~\n>   <b>x</b>\n>\n> b\n\n'],
])('statementMarkdown ends an unclosed fence with %s, as CommonMark does', (_, code) => {
  expect(statementMarkdown(`${code}c 10<sup>5</sup>`, undefined)).toBe(`${code}c 10^5`);
});

test.each([
  ['at the top', '```\n<b>x</b>\n\nc <b>y</b>'],
  ['in a list item until a line of code with less indentation', '- a\n  ```\n<b>x</b>\n  ```'],
])('statementMarkdown leaves the code of a fence unchanged %s', (_, code) => {
  expect(statementMarkdown(`<b>a</b>\n\n${code}`, undefined)).toBe(`**a**\n\n${code}`);
});
