import type { MarkdownRole } from '../elements.ts';

const noWhitespace = { leading: '', trailing: '' };

/**
 * turndown requires these properties of every node. They have the same value for all nodes and are therefore not
 * stored: the tree has no blank nodes, and no white space that turndown should move.
 */
class TurndownNode {
  get isBlock(): boolean {
    return true;
  }

  set isBlock(_: boolean) {}

  get isCode(): boolean {
    return false;
  }

  set isCode(_: boolean) {}

  get isBlank(): boolean {
    return false;
  }

  set isBlank(_: boolean) {}

  get flankingWhitespace(): unknown {
    return noWhitespace;
  }

  set flankingWhitespace(_: unknown) {}

  /** turndown only tests whether this string is blank, so that one visible character is sufficient. */
  get textContent(): string {
    return 'x';
  }
}

/**
 * A text node in the subset of the DOM that turndown needs. Attributes that a rule needs are read while the tree is
 * built.
 */
export class StatementText extends TurndownNode {
  readonly nodeType = 3;
  readonly nodeName = '#text';
  parentNode: StatementElement;
  nodeValue: string;
  readonly startsLine: boolean;

  constructor(parentNode: StatementElement, nodeValue: string, startsLine = false) {
    super();
    this.parentNode = parentNode;
    this.nodeValue = nodeValue;
    this.startsLine = startsLine;
  }
}

export class StatementElement extends TurndownNode {
  readonly nodeType = 1;
  readonly nodeName: MarkdownRole;
  readonly isBlockElement: boolean;
  parentNode: StatementElement;
  childNodes: StatementNode[] = [];
  isOpen = true;
  /** True if the end tag was parsed, but the following content still belongs to the element. */
  isReopened = false;
  /** True for an inline element that contains block elements. Markdown marks such as `**` cannot span blocks. */
  holdsBlock = false;
  /**
   * True for a plain container outside of lists, tables and quotes. Its earlier content stays unchanged when the parser
   * adds more.
   */
  onlyLinesUp = false;

  /** The literal is the text of a sample, code, a formula or a superscript, or the address of a link or an image. */
  literal = '';
  /** The label is the language of a sample, or the counter style of a list. */
  label = '';
  /**
   * The number is the level of a heading, the first number of a list, the number of a list item, or the column span of
   * a cell.
   */
  number: number | undefined = undefined;
  rowSpan = 1;
  isReversed = false;
  needsBraces = false;
  /**
   * True for a subscript directly after a letter or digit. In this position Markdown does not parse `_` as emphasis.
   */
  isAfterWord = false;
  /** True if the text and the inline elements of the node were already converted into one text node of Markdown. */
  isMerged = false;
  /** True if the style of an ancestor element strikes the text through. */
  isStruck = false;
  /** True if the element is written without the Markdown marks of its type. */
  isPlain = false;
  /** The Markdown of a list item or a table cell. The rule of the list or table reads this string. */
  markdown = '';

  constructor(parentNode: StatementElement | undefined, nodeName: MarkdownRole, isBlockElement: boolean) {
    super();
    this.parentNode = parentNode ?? this;
    this.nodeName = nodeName;
    this.isBlockElement = isBlockElement;
  }

  /**
   * turndown clones its input before it collapses white space. The white space of this tree is collapsed already, so
   * that the tree needs no clone.
   */
  cloneNode(): this {
    return this;
  }
}

export type StatementNode = StatementText | StatementElement;

/** Returns the child elements that have one of the given roles. */
export function childElementsOf(
  { childNodes }: StatementElement,
  ...kinds: readonly MarkdownRole[]
): StatementElement[] {
  return childNodes.filter((node): node is StatementElement => node.nodeType === 1 && kinds.includes(node.nodeName));
}
