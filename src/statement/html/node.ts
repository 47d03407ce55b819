import type { ElementKind } from '../elements.ts';

/** The subset of a DOM that turndown needs; attributes that a rule needs are read while the tree is built. */
export class StatementText {
  readonly nodeType = 3;
  readonly nodeName = '#text';
  // turndown writes these properties on every node.
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

  readonly nodeName: ElementKind;
  readonly isBlockElement: boolean;
  parentNode: StatementElement;
  childNodes: StatementNode[] = [];
  isOpen = true;
  /** Its end tag was read, but the following content still belongs to it. */
  isReopened = false;
  /** An inline element that contains blocks: Markdown marks cannot span them. */
  holdsBlock = false;
  /** A container of the page itself, not part of a list, a table or a quote. */
  onlyLinesUp = false;

  /** The text of a sample, code, a formula or a script; the address of a link or an image. */
  literal = '';
  /** The language of a sample; the counter style of a list. */
  label = '';
  /** The level of a heading, the first number of a list, the number of an item, the column span of a cell. */
  number: number | undefined = undefined;
  rowSpan = 1;
  isReversed = false;
  needsBraces = false;
  /** A subscript directly behind a letter or digit, where `_` is not a Markdown mark. */
  isAfterWord = false;
  /** The element is written without its marks. */
  isPlain = false;
  /** The Markdown of an item or a cell, for the rule of its list or table. */
  markdown = '';

  constructor(parentNode: StatementElement | undefined, nodeName: ElementKind, isBlockElement: boolean) {
    this.parentNode = parentNode ?? this;
    this.nodeName = nodeName;
    this.isBlockElement = isBlockElement;
  }

  /** turndown trims blanks around inline nodes only; the tree has none, so every node counts as a block. */
  get isBlock(): boolean {
    return true;
  }

  set isBlock(_: boolean) {}

  /** turndown only tests for non-blank text; the tree has no empty elements, so any character will do. */
  get textContent(): string {
    return 'x';
  }

  /** turndown clones its input before it collapses white space; this tree is already collapsed. */
  cloneNode(): this {
    return this;
  }
}

export type StatementNode = StatementText | StatementElement;

/** Returns the child elements of the given kinds. */
export function childrenOf({ childNodes }: StatementElement, ...kinds: readonly ElementKind[]): StatementElement[] {
  return childNodes.filter(node => node.nodeType === 1).filter(({ nodeName }) => kinds.includes(nodeName));
}
