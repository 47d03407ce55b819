import type { Budget } from '../budget.ts';
import type { Kind } from '../elements.ts';
import { buildTree } from '../html/builder.ts';
import { StatementElement, type StatementNode, StatementText } from '../html/node.ts';
import { mergeInline } from './inline.ts';
import { elementMarkdown, turndownWalk } from './rules.ts';

// turndown appends child by child and copies its text each time, so many children are passed to it in groups.
const maxChildren = 32;
const leadingBreaks = /^\n+/;
/** Kinds whose rules look up their children. */
const parts: ReadonlySet<Kind> = new Set(['HEAD', 'ROWS', 'ROW']);
const inParts: ReadonlySet<Kind> = new Set([...parts, 'LI', 'CELL', 'HEADCELL']);
const holdsParts: ReadonlySet<Kind> = new Set([...parts, 'UL', 'OL', 'TABLE']);

/** Converts pages and fragments to Markdown; all conversions share one budget. */
export class Renderer {
  readonly #link: string | undefined;
  readonly #budget: Budget;

  constructor(link: string | undefined, budget: Budget) {
    this.#link = link;
    this.#budget = budget;
  }

  /** Converts a page; stops early once the result has `enoughBytes`. */
  markdown(html: string, enoughBytes: number): { markdown: string; isWhole: boolean } {
    const { root, isWhole } = buildTree(html, this.#link, enoughBytes, this.#budget);
    mergeInline(root);
    this.#group(root);
    const [only] = root.childNodes;
    if (root.childNodes.length === 1 && only?.nodeType === 3) return { markdown: only.nodeValue.trim(), isWhole };
    const page = new StatementElement(undefined, 'PAGE', true);
    page.childNodes.push(root);
    return { markdown: turndownWalk.markdown(page, this.#budget).trim(), isWhole };
  }

  /** The Markdown of a node without child blocks, or of a list or table of such; undefined for all nodes that turndown walks. */
  #textOf(node: StatementElement): string | undefined {
    const { nodeName, childNodes } = node;
    const [only] = childNodes;
    if (holdsParts.has(nodeName)) {
      let isText = true;
      for (const child of childNodes) {
        const isPart = child.nodeType === 1 && inParts.has(child.nodeName);
        if (child.nodeType === 1 && this.#textOf(child) === undefined) isText = false;
        isText &&= isPart;
      }
      if (!isText) return undefined;
      // A row is read by the rule of its table.
      return parts.has(nodeName) ? '' : elementMarkdown('', node, this.#budget);
    }
    if (childNodes.length === 0 || (childNodes.length === 1 && only?.nodeType === 3)) {
      return elementMarkdown(only?.nodeType === 3 ? only.nodeValue : '', node, this.#budget);
    }
    this.#group(node);
    return undefined;
  }

  /** Merges adjacent text and splits long child lists into nested blocks. */
  #group(element: StatementElement): void {
    let grouped: StatementNode[] = [];
    let text: string[] = [];
    const endText = (): void => {
      if (text.length > 0) grouped.push(new StatementText(element, text.join('')));
      text = [];
    };
    for (const node of element.childNodes) {
      const piece = node.nodeType === 3 ? node.nodeValue : this.#textOf(node);
      if (node.nodeName === 'LI') {
        endText();
        addItem(grouped, node);
      } else if (piece !== undefined) {
        addText(text, piece);
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

/** Joins texts as turndown does: the longer run of line breaks remains, at most two. */
function addText(texts: string[], piece: string): void {
  const last = texts.pop();
  const start = piece.length - piece.replace(leadingBreaks, '').length;
  if (last === undefined) {
    texts.push(piece);
    return;
  }
  let end = last.length;
  while (last[end - 1] === '\n') end--;
  texts.push(last.slice(0, end), '\n\n'.slice(0, Math.max(start, last.length - end)) + piece.slice(start));
}

/** Collects items without a list into one list. */
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
