import type { ConversionBudget } from '../budget.ts';
import { readMarkdownLines } from '../commonmark/blocks.ts';

/**
 * Maps the offset of each fence of code to the end of the code. A fence without an end in a list item or a quote ends
 * with the item or the quote. The map is empty if the rest of the statement would become code then: authors write code
 * with less indentation than the item, and mean the next fence as its end.
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
