import { expect, test } from 'vitest';
import { createTerminalStyle, wrapText } from '../../src/cli/terminal-style.ts';

test.each([
  ['a terminal', { isTTY: true }, {}, '\u001b[31mx\u001b[0m'],
  ['a pipe', {}, {}, 'x'],
  ['a terminal with NO_COLOR', { isTTY: true }, { NO_COLOR: '1' }, 'x'],
  ['a terminal with an empty NO_COLOR', { isTTY: true }, { NO_COLOR: '' }, '\u001b[31mx\u001b[0m'],
  ['a terminal without colours', { isTTY: true }, { TERM: 'dumb' }, 'x'],
])('createTerminalStyle writes colours only where they are supported: %s', (_, stream, env, text) => {
  expect(createTerminalStyle(stream, env).bad('x')).toBe(text);
});

test('wrapText breaks a text between words at 80 columns and indents the following lines', () => {
  const lines = wrapText(`${'word '.repeat(30)}${'x'.repeat(90)} end`, '- ', '    ');
  expect(lines[0]).toMatch(/^- word/);
  expect(lines.slice(1).every(line => line.startsWith('    '))).toBe(true);
  expect(lines.filter(line => line.length > 80)).toEqual([`    ${'x'.repeat(90)}`]);
  expect(lines.map(line => line.trim()).join(' ')).toBe(`- ${'word '.repeat(30)}${'x'.repeat(90)} end`);
});

test('createTerminalStyle writes headings in bold, and three kinds of results in green, yellow and red', () => {
  const { heading, good, warning, bad } = createTerminalStyle({ isTTY: true }, {});
  expect([heading, good, warning, bad].map(style => style('x'))).toEqual(
    [1, 32, 33, 31].map(code => `\u001b[${code}mx\u001b[0m`),
  );
});

test.each([
  [80, 1],
  [81, 2],
])('wrapText writes two words with %i columns on as many lines: %i', (columns, count) => {
  expect(wrapText(`a ${'b'.repeat(columns - 4)}`, '- ', '  ')).toHaveLength(count);
  expect(wrapText('b'.repeat(columns), '- ', '  ')).toEqual([`- ${'b'.repeat(columns)}`]);
});
