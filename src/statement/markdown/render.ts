import type { ConversionBudget } from '../budget.ts';
import { StyleSheet } from '../css/sheet.ts';
import type { MarkdownRole } from '../elements.ts';
import { buildStatementTree } from '../html/builder.ts';
import { StatementElement, type StatementNode, StatementText } from '../html/node.ts';
import { mergeInlineNodes } from './inline.ts';
import { formatMarkdownElement, hasMarkdownRule, turndownConverter } from './rules.ts';

// turndown appends one child at a time and copies the text each time. Groups of many children are therefore passed to
// it as nested blocks.
const maxChildren = 32;
const rowKinds: ReadonlySet<MarkdownRole> = new Set(['HEAD', 'ROWS', 'ROW']);
const itemKinds: ReadonlySet<MarkdownRole> = new Set(['LI']);
/**
 * Maps the type of a list or table to the types of children that its rule converts. All other children are converted
 * like ordinary content.
 */
const parts: ReadonlyMap<MarkdownRole, ReadonlySet<MarkdownRole>> = new Map<MarkdownRole, ReadonlySet<MarkdownRole>>([
  ['UL', itemKinds],
  ['OL', itemKinds],
  ['TABLE', rowKinds],
  ['HEAD', rowKinds],
  ['ROWS', rowKinds],
  ['ROW', new Set<MarkdownRole>(['CELL', 'HEADCELL'])],
]);

/** Converts pages and fragments to Markdown. All conversions of a renderer share one budget. */
export class MarkdownRenderer {
  readonly #link: string | undefined;
  readonly #budget: ConversionBudget;
  /** Contains the rules of the style sheets that were parsed so far. */
  readonly sheet: StyleSheet;
  /** True while a fragment is converted whose text is already Markdown. */
  #isMarkdown = false;

  constructor(link: string | undefined, budget: ConversionBudget) {
    this.#link = link;
    this.#budget = budget;
    this.sheet = new StyleSheet(budget);
  }

  /**
   * Converts a page, or a fragment of HTML inside Markdown. Stops early when the result has `enoughBytes` bytes. If
   * `isMarkdown` is true, the text between the tags of the fragment is already Markdown.
   */
  markdown(html: string, enoughBytes: number, isMarkdown = false): { markdown: string; isWhole: boolean } {
    const { root, isWhole } = buildStatementTree(html, this.#link, enoughBytes, this.sheet, this.#budget);
    this.#isMarkdown = isMarkdown;
    mergeInlineNodes(root, isMarkdown);
    this.#group(root);
    const [only] = root.childNodes;
    if (root.childNodes.length === 1 && only?.nodeType === 3) return { markdown: only.nodeValue.trim(), isWhole };
    const page = new StatementElement(undefined, 'PAGE', true);
    page.childNodes.push(root);
    return { markdown: turndownConverter.markdown(page, this.#budget).trim(), isWhole };
  }

  /**
   * Returns the Markdown of a node without child blocks, or of a list or table of such nodes. Returns undefined for a
   * node that turndown must traverse.
   */
  #textOf(node: StatementElement): string | undefined {
    mergeInlineNodes(node, this.#isMarkdown);
    const { nodeName, childNodes } = node;
    const partKinds = parts.get(nodeName);
    if (partKinds !== undefined) return this.#textOfParts(node, partKinds);
    const [only] = childNodes;
    if (childNodes.length === 0 || (childNodes.length === 1 && only?.nodeType === 3)) {
      return formatMarkdownElement(only?.nodeType === 3 ? only.nodeValue : '', node, this.#budget);
    }
    this.#group(node);
    // A block without a rule consists only of its text, so that turndown need not traverse it.
    const [text] = node.childNodes;
    const isText = node.childNodes.length === 1 && text?.nodeType === 3 && !hasMarkdownRule(nodeName);
    return isText ? formatMarkdownElement(text.nodeValue, node, this.#budget) : undefined;
  }

  #textOfParts(node: StatementElement, partKinds: ReadonlySet<MarkdownRole>): string | undefined {
    if (partKinds === itemKinds) attachLooseContent(node);
    else wrapItems(node);
    let isText = true;
    for (const child of node.childNodes) {
      if (child.nodeType !== 1 || !partKinds.has(child.nodeName)) isText = false;
      if (child.nodeType === 1 && this.#textOf(child) === undefined) isText = false;
    }
    if (!isText) return undefined;
    // The rule of the table element converts its rows.
    return rowKinds.has(node.nodeName) ? '' : formatMarkdownElement('', node, this.#budget);
  }

  /** Merges adjacent text nodes and splits a long array of children into nested blocks. */
  #group(element: StatementElement): void {
    let grouped: StatementNode[] = [];
    const text = new JoinedText();
    const endText = (): void => {
      if (!text.isEmpty) grouped.push(new StatementText(element, text.take()));
    };
    for (const node of element.childNodes) {
      const piece = node.nodeType === 3 ? node.nodeValue : this.#textOf(node);
      if (node.nodeName === 'LI') {
        endText();
        addItem(grouped, node);
      } else if (piece !== undefined) {
        text.add(piece);
      } else {
        endText();
        grouped.push(node);
      }
    }
    endText();
    while (grouped.length > maxChildren) grouped = groupInBlocks(element, grouped);
    element.childNodes = grouped;
  }
}

/**
 * Joins texts as turndown does: the longer run of line breaks at a border remains, and it is at most two line breaks
 * long.
 */
class JoinedText {
  #parts: string[] = [];
  /** The number of line breaks at the end of the text. `#parts` does not contain them. */
  #breaks = 0;
  isEmpty = true;

  add(piece: string): void {
    let start = 0;
    if (!this.isEmpty) {
      while (piece[start] === '\n') start++;
      this.#breaks = Math.min(2, Math.max(start, this.#breaks));
    }
    this.isEmpty = false;
    let end = piece.length;
    while (end > start && piece[end - 1] === '\n') end--;
    if (start < end) {
      this.#parts.push('\n'.repeat(this.#breaks), piece.slice(start, end));
      this.#breaks = 0;
    }
    this.#breaks += piece.length - end;
  }

  /** Returns the joined text and resets the buffer. */
  take(): string {
    this.#parts.push('\n'.repeat(this.#breaks));
    const text = this.#parts.join('');
    this.#parts = [];
    this.#breaks = 0;
    this.isEmpty = true;
    return text;
  }
}

/** Moves content between two list items into the first item, where a browser shows it. */
function attachLooseContent(list: StatementElement): void {
  let item: StatementElement | undefined;
  let loose: StatementElement | undefined;
  const nodes: StatementNode[] = [];
  for (const node of list.childNodes) {
    if (node.nodeType === 1 && node.nodeName === 'LI') {
      item = node;
      loose = undefined;
      nodes.push(node);
    } else if (item === undefined) nodes.push(node);
    else {
      if (loose === undefined) {
        loose = new StatementElement(item, 'BLOCK', true);
        loose.isMerged = true;
        item.childNodes.push(loose);
      }
      loose.childNodes.push(node);
    }
  }
  list.childNodes = nodes;
}

/** Puts list items that are directly in a table into new lists. */
function wrapItems(table: StatementElement): void {
  const nodes: StatementNode[] = [];
  for (const node of table.childNodes) {
    if (node.nodeType === 1 && node.nodeName === 'LI') addItem(nodes, node);
    else nodes.push(node);
  }
  table.childNodes = nodes;
}

/** Adds a list item that has no list to the previous list, or to a new list. */
function addItem(nodes: StatementNode[], item: StatementElement): void {
  let list = nodes.at(-1);
  if (list?.nodeType !== 1 || list.nodeName !== 'UL' || list.parentNode !== list) {
    list = new StatementElement(undefined, 'UL', true);
    nodes.push(list);
  }
  list.childNodes.push(item);
}

function groupInBlocks(parent: StatementElement, nodes: readonly StatementNode[]): StatementNode[] {
  const blocks: StatementNode[] = [];
  for (let start = 0; start < nodes.length; start += maxChildren) {
    const node = new StatementElement(parent, 'BLOCK', true);
    node.childNodes = nodes.slice(start, start + maxChildren);
    blocks.push(node);
  }
  return blocks;
}
