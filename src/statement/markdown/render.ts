import TurndownService from 'turndown/lib/turndown.browser.cjs.js';
import type { Budget } from '../budget.ts';
import type { Kind } from '../elements.ts';
import { statementTree } from '../html/builder.ts';
import { StatementElement, type StatementNode, StatementText } from '../html/node.ts';
import { fencedSample } from './escape.ts';
import { inlineRules, marked, mergeInline, type Rule } from './inline.ts';
import { listMarkdown } from './list.ts';
import { linesOf, tableMarkdown } from './table.ts';

// turndown adds to its text child by child and copies all of it each time: many children come to it in groups.
const maxChildren = 32;
/** At the end of a heading they would be taken for its other mark. */
const closingHashes = /(?<![^ ])#+$/;
const leadingBreaks = /^\n+/;
/** Their rules look for their parts among their children. */
const parts: ReadonlySet<Kind> = new Set(['HEAD', 'ROWS', 'ROW']);
const inParts: ReadonlySet<Kind> = new Set([...parts, 'LI', 'CELL', 'HEADCELL']);
const holdsParts: ReadonlySet<Kind> = new Set([...parts, 'UL', 'OL', 'TABLE']);

/** Turns pages and pieces of pages into Markdown, all on one budget. */
export class Renderer {
  readonly #link: string | undefined;
  readonly #budget: Budget;
  #service: TurndownService<StatementElement> | undefined;
  #markdown = '';

  constructor(link: string | undefined, budget: Budget) {
    this.#link = link;
    this.#budget = budget;
  }

  /** Of a long page no more than gives that many bytes. */
  markdown(html: string, enoughBytes: number): { markdown: string; isWhole: boolean } {
    const { root, isWhole } = statementTree(html, this.#link, enoughBytes, this.#budget);
    mergeInline(root);
    this.#group(root);
    const [only] = root.childNodes;
    if (root.childNodes.length === 1 && only?.nodeType === 3) return { markdown: only.nodeValue.trim(), isWhole };
    const page = new StatementElement(undefined, 'PAGE', true);
    page.childNodes.push(root);
    this.#service ??= this.#openService();
    this.#service.turndown(page);
    return { markdown: this.#markdown.trim(), isWhole };
  }

  #openService(): TurndownService<StatementElement> {
    const service = new TurndownService<StatementElement>();
    // The text in the tree is escaped already.
    service.escape = text => text;
    // One rule for all: turndown would ask every rule about every node.
    service.addRule('statement', {
      filter: () => true,
      replacement: (content, node) => {
        if (node.nodeName !== 'BODY') return this.#written(content, node);
        // turndown ends with a trim that is quadratic in runs of blanks: take the text before that.
        this.#markdown = content;
        return '';
      },
    });
    return service;
  }

  #written(content: string, node: StatementElement): string {
    this.#budget.moved.spend(content.length);
    if (node.nodeName !== 'TABLE') return ruleFor(node)(content, node);
    return block(`${content.trim()}\n\n${tableMarkdown(node, this.#budget)}`.trim());
  }

  /** What holds no other block, and lists and tables of such, become text here; turndown has the rest. */
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
      // A row is read by its table.
      return parts.has(nodeName) ? '' : this.#written('', node);
    }
    if (childNodes.length === 0 || (childNodes.length === 1 && only?.nodeType === 3)) {
      return this.#written(only?.nodeType === 3 ? only.nodeValue : '', node);
    }
    this.#group(node);
    return undefined;
  }

  /** Puts neighbours that are text into one, and what is still many into blocks of blocks. */
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
    while (grouped.length > maxChildren) grouped = inBlocks(element, grouped);
    element.childNodes = grouped;
  }
}

const blockRules: Partial<Record<Kind, Rule>> = {
  SAMPLE: (_, { literal, label }) => block(fencedSample(literal, label)),
  DISPLAY: (_, { literal }) => block(`$$${literal}$$`),
  HEADING: (content, { number = 2 }) =>
    block(`${'#'.repeat(number)} ${oneLine(content).replace(closingHashes, '\\$&')}`),
  TERM: (content, node) => block(marked(oneLine(content), node)),
  BLOCKQUOTE: content => block(quoted(content.trim())),
  // In an item three dashes would be a rule instead of the item.
  HORIZONTAL: (_, { parentNode }) => block(parentNode.nodeName === 'LI' ? '***' : '---'),
  UL: listContent,
  OL: listContent,
  LI: kept,
  CELL: kept,
  HEADCELL: kept,
};

function ruleFor({ nodeName }: StatementElement): Rule {
  return blockRules[nodeName] ?? inlineRules[nodeName] ?? block;
}

function block(content: string): string {
  return `\n\n${content}\n\n`;
}

function quoted(content: string): string {
  return content
    .split('\n')
    .map(line => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

function oneLine(content: string): string {
  return linesOf(content).join(' ');
}

/** For the list or table around it. */
function kept(content: string, node: StatementElement): string {
  node.markdown = content.trim();
  return '';
}

function listContent(content: string, node: StatementElement): string {
  const list = `${content.trim()}\n${listMarkdown(node)}`.trim();
  if (node.parentNode.nodeName !== 'LI') return block(list);
  // What follows must not be read as a part of the last item; only a list that begins like these follows a text.
  return /^(?:[-*] |1\. )\S/.test(list) ? `\n${list}\n\n` : block(list);
}

/** As turndown joins texts: of the line breaks between two of them those of the one that has more, and no more than two. */
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

/** Items without a list are one, which stands in nothing. */
function addItem(nodes: StatementNode[], item: StatementElement): void {
  let list = nodes.at(-1);
  if (list?.nodeType !== 1 || list.nodeName !== 'UL' || list.parentNode !== list) {
    list = new StatementElement(undefined, 'UL', true);
    nodes.push(list);
  }
  list.childNodes.push(item);
}

function inBlocks(parent: StatementElement, nodes: readonly StatementNode[]): StatementNode[] {
  const blocks: StatementNode[] = [];
  for (let start = 0; start < nodes.length; start += maxChildren) {
    const node = new StatementElement(parent, 'BLOCK', true);
    node.childNodes = nodes.slice(start, start + maxChildren);
    blocks.push(node);
  }
  return blocks;
}
