import type { ConversionBudget } from '../budget.ts';
import { readMarkdownLines } from '../commonmark/blocks.ts';

/**
 * Maps the start offset of each code fence to its end. A fence without an end inside a list item ends with the item,
 * and the same applies to a quote. The map is empty if all later text would become code, because the author then
 * indented the code less than its item.
 */
export function readFencedCodeBlocks(text: string, budget: ConversionBudget): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  let open: number | undefined;
  for (const { kind, content, end, opensFence } of readMarkdownLines(text, true, budget)) {
    if (opensFence) open = content;
    if (open === undefined || (kind !== 'fence' && kind !== 'code')) open = undefined;
    else {
      ends.set(open, end);
      if (kind === 'fence' && !opensFence) open = undefined;
    }
  }
  return open === undefined ? ends : new Map();
}
