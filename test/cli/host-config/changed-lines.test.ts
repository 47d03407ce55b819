import { expect, test } from 'vitest';
import { formatChangedLines } from '../../../src/cli/host-config/changed-lines.ts';

const shown = (text: string) => ({ text: text.replaceAll(' ', '\n'), hidden: [] });

test.each([
  ['a', 'a', ''],
  ['a b c', 'a c', '- b'],
  ['a c', 'a b c', '+ b'],
  ['a b c', 'a x c', '- b|+ x'],
  ['a b c d e', 'a x c y e', '- b|- c|- d|+ x|+ c|+ y'],
  // The last lines that are equal do not include those that are already equal at the start.
  ['a a', 'a', '- a'],
  ['a', 'a a', '+ a'],
  ['a a a', 'a a', '- a'],
  ['a b a b', 'a b', '- a|- b'],
  ['a b', 'b a', '- a|- b|+ b|+ a'],
  ['a b c', 'x b c', '- a|+ x'],
  ['a b c', 'a b x', '- c|+ x'],
  ['', 'a', '- |+ a'],
])('formatChangedLines returns the lines that differ between %j and %j: %j', (before, after, expected) => {
  expect(formatChangedLines(shown(before), shown(after)).join('|')).toBe(expected);
});

test('formatChangedLines masks hidden ranges and keeps their quotation marks and line breaks', () => {
  const text = 'a = "secret"\nb = "shown"\nc = "more\nlines"';
  const rangeOf = (part: string) => ({ from: text.indexOf(part), to: text.indexOf(part) + part.length });
  const hidden = ['"more\nlines"', '"secret"'].map(rangeOf);
  expect(formatChangedLines({ text: '', hidden: [] }, { text, hidden }).slice(1)).toEqual([
    '+ a = "…"',
    '+ b = "shown"',
    '+ c = "…',
    '+ …"',
  ]);
});
