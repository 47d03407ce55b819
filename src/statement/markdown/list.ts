import { childElementsOf, type StatementElement } from '../html/node.ts';

const romanValues = {
  m: 1000,
  cm: 900,
  d: 500,
  cd: 400,
  c: 100,
  xc: 90,
  l: 50,
  xl: 40,
  x: 10,
  ix: 9,
  v: 5,
  iv: 4,
  i: 1,
};

const greekLetters = 'αβγδεζηθικλμνξοπρστυφχψω';

/** Returns the Markdown of an item: its marker and its content, with the next lines indented. */
function itemMarkdown(marker: string, content: string): string {
  return `${marker} ${indented(content, ' '.repeat(marker.length + 1))}`.trimEnd();
}

export function formatMarkdownList(list: StatementElement): string {
  const items = childElementsOf(list, 'LI');
  const step = list.isReversed ? -1 : 1;
  let number = list.number ?? (list.isReversed ? items.length : 1);
  const lines: string[] = [];
  for (const item of items) {
    number = item.number ?? number;
    // Markdown would join this list with an adjacent list that has the bullet `-`. The bullet `*` keeps the two lists
    // separate.
    const label = list.nodeName === 'OL' ? item.label || list.label : '';
    if (label !== '') lines.push(itemMarkdown('*', `${numeral(number, label)}. ${item.markdown}`));
    else lines.push(itemMarkdown(list.nodeName === 'OL' ? `${number}.` : '-', item.markdown));
    number += step;
  }
  return lines.join('\n');
}

function indented(content: string, indentation: string): string {
  if (!content.includes('\n')) return content;
  return content.replace(/\n(?!\n|$)/g, `\n${indentation}`);
}

/** Returns the label of an item in a list with letters or Roman numerals, which Markdown does not support. */
function numeral(number: number, type: string): string {
  if (type === '0') return String(number).padStart(2, '0');
  if (number < 1 || number > 3999) return String(number);
  if (type === 'α') return greekLetters[number - 1] ?? String(number);
  const small = type.toLowerCase() === 'a' ? letters(number) : roman(number);
  return type === type.toLowerCase() ? small : small.toUpperCase();
}

function letters(number: number): string {
  const rest = Math.floor((number - 1) / 26);
  return (rest > 0 ? letters(rest) : '') + String.fromCodePoint(97 + ((number - 1) % 26));
}

function roman(number: number): string {
  let left = number;
  let text = '';
  for (const [sign, value] of Object.entries(romanValues)) for (; left >= value; left -= value) text += sign;
  return text;
}
