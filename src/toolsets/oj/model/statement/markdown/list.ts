import type { StatementElement } from '../html/node.ts';
import { numeral } from './numeral.ts';

/** Turns an item's content into Markdown with its marker; following lines stand under the first. */
export function itemMarkdown(marker: string, content: string): string {
  return `${marker} ${indented(content, ' '.repeat(marker.length + 1))}`.trimEnd();
}

export function listMarkdown(list: StatementElement): string {
  const items = list.childNodes.filter(node => node.nodeType === 1 && node.nodeName === 'LI');
  const step = list.isReversed ? -1 : 1;
  let number = list.number ?? (list.isReversed ? items.length : 1);
  const lines: string[] = [];
  for (const item of items) {
    if (item.nodeType === 3) continue;
    number = item.number ?? number;
    // Another bullet than that of other lists, or two in a row would be one.
    if (list.label !== '') lines.push(itemMarkdown('*', `${numeral(number, list.label)}. ${item.markdown}`));
    else lines.push(itemMarkdown(list.nodeName === 'OL' ? `${number}.` : '-', item.markdown));
    number += step;
  }
  return lines.join('\n');
}

function indented(content: string, indentation: string): string {
  if (!content.includes('\n')) return content;
  return content.replace(/\n(?!\n|$)/g, `\n${indentation}`);
}
