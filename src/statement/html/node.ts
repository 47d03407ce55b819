import type { Kind } from '../elements.ts';

/** The little of a DOM that turndown asks for; what a rule needs of the attributes is read while the tree is built. */
export class StatementText {
  readonly nodeType = 3;
  readonly nodeName = '#text';
  // turndown writes these on every node.
  isCode = false;
  isBlank = false;
  flankingWhitespace: unknown = undefined;

  parentNode: StatementElement;
  nodeValue: string;
  readonly startsLine: boolean;

  constructor(parentNode: StatementElement, nodeValue: string, startsLine = false) {
    this.parentNode = parentNode;
    this.nodeValue = nodeValue;
    this.startsLine = startsLine;
  }

  get isBlock(): boolean {
    return true;
  }

  set isBlock(_: boolean) {}

  get textContent(): string {
    return 'x';
  }
}

export class StatementElement {
  readonly nodeType = 1;
  isCode = false;
  isBlank = false;
  flankingWhitespace: unknown = undefined;

  readonly nodeName: Kind;
  readonly isBlockElement: boolean;
  parentNode: StatementElement;
  childNodes: StatementNode[] = [];
  isOpen = true;
  /** Closed on the page, but what follows belongs to it. */
  isReopened = false;
  /** An inline element around blocks: its marks would be torn apart. */
  holdsBlock = false;
  /** Blocks follow each other here, in the page and not in a list, a table or the like. */
  onlyLinesUp = false;

  /** The text of a sample, code, a formula or an index; the address of a link or a picture. */
  literal = '';
  /** The language of a sample; what a list is counted with, if not with digits. */
  label = '';
  /** The level of a heading, the first number of a list, the own number of an item, the width of a cell. */
  number: number | undefined = undefined;
  rowSpan = 1;
  isReversed = false;
  needsBraces = false;
  /** An index right behind a letter or digit, where its line is no mark. */
  isAfterWord = false;
  /** Without its marks. */
  isPlain = false;
  /** What an item or a cell became, for the rule of the list or table around it. */
  markdown = '';

  constructor(parentNode: StatementElement | undefined, nodeName: Kind, isBlockElement: boolean) {
    this.parentNode = parentNode ?? this;
    this.nodeName = nodeName;
    this.isBlockElement = isBlockElement;
  }

  /** turndown looks for blanks at the edges of what is no block; the tree has none, so that all may be blocks. */
  get isBlock(): boolean {
    return true;
  }

  set isBlock(_: boolean) {}

  /** turndown asks only whether there is any ink; empty elements have left the tree, so no text need be gathered. */
  get textContent(): string {
    return 'x';
  }

  /** turndown copies its input before it tidies white space, but this tree is ours, and tidy. */
  cloneNode(): this {
    return this;
  }
}

export type StatementNode = StatementText | StatementElement;

/** The elements right in it, of those kinds. */
export function childrenOf({ childNodes }: StatementElement, ...kinds: readonly Kind[]): StatementElement[] {
  return childNodes.filter(node => node.nodeType === 1).filter(({ nodeName }) => kinds.includes(nodeName));
}
