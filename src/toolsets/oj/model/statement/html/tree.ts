import { Parser } from 'htmlparser2';
import { TreeBuilder } from './builder.ts';
import type { StatementElement } from './node.ts';

/** Builds the tree of what a reader of the page sees: tidy, escaped, nothing hidden; of a long page only enough. */
export function statementTree(
  html: string,
  link: string | undefined,
  enoughBytes: number,
): { root: StatementElement; isWhole: boolean } {
  let isWhole = true;
  const leave = (): void => {
    isWhole = false;
    parser.pause();
  };
  const builder = new TreeBuilder(link, enoughBytes, leave);
  // With entities to look for the parser steps through every text, without it leaps from tag to tag.
  const parser = new Parser(builder, { decodeEntities: html.includes('&') });
  parser.end(html);
  return { root: builder.finish(), isWhole };
}
