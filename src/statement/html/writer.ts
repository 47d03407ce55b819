import type { ConversionBudget } from '../budget.ts';
import { isBlockKind, type MarkdownRole } from '../elements.ts';
import { removeInvisibleAndLoneSurrogates } from '../invisible.ts';
import { StatementElement, type StatementNode, StatementText } from './node.ts';
import {
  findScriptBefore,
  isBelowHeading,
  isInStrikethrough,
  isInTableCell,
  isStrikethrough,
} from './tree-position.ts';

/** Matches characters that may be invisible, and white space that is not a single space. Most texts have neither. */
const untidy = / {2}|[^ -~]/;
const unevenBlanks = / {2}|[\t\n\r\f\u00a0]/;
const blankRun = /[ \t\n\r\f\u00a0]+/g;
const startsWord = /^[\p{L}\p{N}]/u;
const lineBreak = '  \n';
const paragraphBreak = '\n\n';
const maxBlanks = 100;

const keptEmpty: ReadonlySet<MarkdownRole> = new Set(['LI', 'ROW', 'CELL', 'HEADCELL', 'HORIZONTAL']);
const cells: ReadonlySet<MarkdownRole> = new Set(['CELL', 'HEADCELL']);
const rows: ReadonlySet<MarkdownRole> = new Set(['HEAD', 'ROWS', 'ROW']);
const holdsRows: ReadonlySet<MarkdownRole> = new Set(['TABLE', 'ROWS', 'HEAD']);
const lists: ReadonlySet<MarkdownRole> = new Set(['UL', 'OL']);
const titles: ReadonlySet<MarkdownRole> = new Set(['HEADING', 'TERM', 'HEADCELL']);

/**
 * Content is only appended to elements of these types: their earlier content does not change when the parser adds more.
 */
const linesUp: ReadonlySet<MarkdownRole> = new Set(['BLOCK', 'ENGLISH']);
/** Empty lines separate elements of these types in every context. */
const paragraphs: ReadonlySet<string> = new Set(['BLOCK', 'HEADING', 'TERM', 'SAMPLE', 'DISPLAY', 'UL', 'OL', 'TABLE']);
// A block with more child nodes is not replaced by them, because on a deeply nested page they would be moved again at
// each level.
const maxUnwrapped = 16;
/** The content of these elements may still be shortened or removed after it was written. */
const uncertain: ReadonlySet<MarkdownRole> = new Set([...titles, 'TABLE', 'BUTTON']);

/** Writes the tree. White space is collapsed and removed at the edges of elements, and empty elements are removed. */
export class StatementTreeWriter {
  readonly #enoughBytes: number;
  readonly #budget: ConversionBudget;
  readonly root = new StatementElement(undefined, 'BODY', true);
  #current = this.root;
  /** This white space is written before the next text of the same line. */
  #pendingSpace = '';
  #isLineStart = true;
  /** A lower bound for the number of characters in the resulting Markdown. */
  #textLength = 0;
  #uncertain: StatementElement | undefined;

  constructor(enoughBytes: number, budget: ConversionBudget) {
    this.#enoughBytes = enoughBytes;
    this.#budget = budget;
    this.root.onlyLinesUp = true;
  }

  /**
   * Returns whether the requested number of bytes is written and final: a block has ended, and no open element can
   * change it later.
   */
  get hasEnough(): boolean {
    if (this.#textLength <= this.#enoughBytes) return false;
    const last = this.#current.childNodes.at(-1);
    return this.#current.onlyLinesUp && last?.nodeType === 1 && last.isBlockElement;
  }

  get isAtLineStart(): boolean {
    return this.#isLineStart || this.#pendingSpace.includes('\n');
  }

  /** Returns whether the next text is struck through. */
  get isInStrikethrough(): boolean {
    return isInStrikethrough(this.#current);
  }

  /** Returns whether the current node is inside a table cell, which can contain only lines. */
  get isInCell(): boolean {
    return isInTableCell(this.#current);
  }

  /** Returns whether a heading directly precedes the current position. */
  get isBelowHeading(): boolean {
    return isBelowHeading(this.#current);
  }

  /**
   * Opens an element. `inside` lists the permitted parents. If the current parent is not one of them, a plain block is
   * opened instead.
   */
  open(kind: MarkdownRole, inside: readonly MarkdownRole[] | undefined): StatementElement {
    this.#openImplied(kind);
    const isBlock = isBlockKind(kind);
    if (isBlock) this.#breakInline();
    return inside === undefined || inside.includes(this.#current.nodeName)
      ? this.#append(kind, isBlock)
      : this.#append('BLOCK', true);
  }

  /**
   * Opens a mark such as bold. Inside the same mark it has no effect. If the same mark ended directly before, that mark
   * continues.
   */
  openMark(kind: 'STRONG' | 'EM' | 'DEL'): StatementElement | undefined {
    let node = this.#current;
    while (!node.isBlockElement && node.nodeName !== kind) node = node.parentNode;
    if (node.nodeName === kind || (kind === 'STRONG' && titles.has(node.nodeName))) return undefined;
    if (kind === 'DEL' && node.isStruck) return undefined;
    const last = this.#current.childNodes.at(-1);
    if (this.#pendingSpace !== '' || last?.nodeName !== kind) return this.#append(kind, false);
    last.isOpen = true;
    this.#current = last;
    return last;
  }

  /** Records that the text of a block is struck through. */
  strike(node: StatementElement): void {
    node.isStruck = true;
  }

  close(node: StatementElement): void {
    if (!node.isOpen) return;
    while (this.#current !== node) this.#closeCurrent();
    this.#closeCurrent();
  }

  leaf(kind: MarkdownRole, literal: string): StatementElement {
    const isBlock = isBlockKind(kind);
    if (isBlock) this.#breakInline();
    else this.#writePending();
    const last = this.#current.childNodes.at(-1);
    if (kind === 'CODE' && last?.nodeName === 'CODE') {
      // Two adjacent code spans are merged. Otherwise Markdown would parse them as one span with backticks inside.
      last.literal += literal;
      return last;
    }
    this.#budget.elements.spend(1);
    const node = new StatementElement(this.#current, kind, isBlock);
    node.literal = literal;
    node.isStruck = isStrikethrough(this.#current);
    this.#count(literal);
    this.#current.childNodes.push(node);
    return node;
  }

  replaceLiteral(leaf: StatementElement, literal: string): void {
    this.#textLength -= Math.max(0, leaf.literal.length - literal.length);
    leaf.literal = literal;
  }

  /**
   * Adds a node without children. White space at the start and end of its text is moved outside of the Markdown marks.
   */
  leafWithBlanks(kind: MarkdownRole, text: string): void {
    const trimmed = text.trim();
    if (text.startsWith(' ')) this.addSpace(' ');
    if (trimmed === '') return;
    const last = this.#current.childNodes.at(-1);
    if (kind === 'FORMULA' && this.#pendingSpace === '' && last?.nodeType === 1 && last.nodeName === 'FORMULA') {
      // Two adjacent formulas are merged, because Markdown renderers cannot parse `$Y$$)$`.
      last.literal += (/\\[a-zA-Z]+$/.test(last.literal.slice(-40)) ? ' ' : '') + trimmed;
    } else this.leaf(kind, trimmed);
    if (text.endsWith(' ')) this.addSpace(' ');
  }

  /** Adds a superscript or subscript. It continues one that ends directly before: `10<sup>1</sup><sup>8</sup>`. */
  script(kind: 'SUP' | 'SUB', text: string): void {
    const last = this.#pendingSpace === '' ? findScriptBefore(this.#current) : undefined;
    if (last?.nodeName !== kind || text.trim() === '') this.leafWithBlanks(kind, text.trimStart() || text);
    // A comma or full stop after a superscript is part of the sentence: `10<sup>5</sup><sup>,</sup>`. The same applies
    // to a subscript.
    else if (/^[.,;:]\s*$/.test(text)) this.write(text);
    else {
      last.literal += text.trimEnd();
      if (text.endsWith(' ')) this.addSpace(' ');
    }
  }

  paragraph(text: string): void {
    const node = this.open('BLOCK', undefined);
    this.write(text);
    this.close(node);
  }

  write(text: string): void {
    const isTidy = !untidy.test(text);
    const seen = isTidy ? text : removeInvisibleAndLoneSurrogates(text);
    const trimmed = seen.trim();
    if (trimmed === '') {
      this.addSpace(blank(seen));
      return;
    }
    const leading = seen.length - seen.trimStart().length;
    if (leading > 0) this.addSpace(blank(seen.slice(0, leading)));
    const isLineStart = this.isAtLineStart;
    this.#writePending();
    const tidy = !isTidy && unevenBlanks.test(trimmed) ? trimmed.replace(blankRun, blank) : trimmed;
    const { childNodes } = this.#current;
    const last = childNodes.at(-1);
    if (last === undefined ? !this.#current.isBlockElement : mayEndWithScript(last)) {
      const script = findScriptBefore(this.#current);
      if (script !== undefined && startsWord.test(tidy)) script.needsBraces = true;
    }
    this.#count(tidy);
    this.#text(this.#current, childNodes.length, tidy, isLineStart && this.#current.nodeName !== 'HEADING');
    if (leading + trimmed.length < seen.length) this.addSpace(' ');
  }

  addSpace(blanks: string): void {
    if (this.#isLineStart) return;
    if (this.#pendingSpace === '') this.#pendingSpace = blanks;
    else if (this.#pendingSpace.endsWith('\n') && blanks.length > 1) this.#pendingSpace += blanks;
  }

  breakLine(): void {
    if (this.#isLineStart) return;
    this.#pendingSpace = this.#pendingSpace.includes('\n') ? paragraphBreak : lineBreak;
  }

  #append(kind: MarkdownRole, isBlock: boolean): StatementElement {
    this.#budget.elements.spend(1);
    const node = new StatementElement(this.#current, kind, isBlock);
    node.onlyLinesUp = this.#current.onlyLinesUp && linesUp.has(kind);
    node.isStruck = isStrikethrough(this.#current);
    this.#current.childNodes.push(node);
    this.#current = node;
    if (this.#uncertain === undefined && uncertain.has(kind)) this.#uncertain = node;
    return node;
  }

  #closeCurrent(): void {
    const node = this.#current;
    node.isOpen = false;
    this.#current = node.parentNode;
    if (node === this.#uncertain) this.#uncertain = undefined;
    if (node.isBlockElement) this.#endLine();
    if (node.childNodes.length === 0 && !keptEmpty.has(node.nodeName)) this.#drop(node);
    else if (node.nodeName === 'BLOCK') this.#unwrap(node);
  }

  /** Removes an empty element. An empty block still separates the text before it from the text after it. */
  #drop({ isBlockElement }: StatementElement): void {
    const { childNodes } = this.#current;
    childNodes.pop();
    const last = childNodes.at(-1);
    if (!isBlockElement || last === undefined || (last.nodeType === 1 && last.isBlockElement)) return;
    this.#isLineStart = false;
    this.#pendingSpace = paragraphBreak;
  }

  /** Replaces a block that contains only blocks by its children. Otherwise turndown would copy its text once more. */
  #unwrap({ childNodes }: StatementElement): void {
    const parent = this.#current;
    if (!parent.onlyLinesUp || !isParagraph(childNodes[0]) || !isParagraph(childNodes.at(-1))) return;
    if (parent.childNodes.length === 1) parent.childNodes = childNodes;
    else if (childNodes.length <= maxUnwrapped) parent.childNodes.splice(-1, 1, ...childNodes);
  }

  /** Closes and opens the elements that HTML implies, such as a missing row of a table. */
  #openImplied(kind: MarkdownRole): void {
    if (kind === 'LI' ? this.#current.isReopened : this.#current.nodeName === 'ROW' && rows.has(kind)) {
      this.#closeCurrent();
    }
    const { nodeName, childNodes } = this.#current;
    const last = childNodes.at(-1);
    // HTML authors often put a nested list between two items. Browsers show it below the previous item, so that it
    // becomes a part of that item.
    if (last?.nodeName === 'LI' && lists.has(kind) && lists.has(nodeName)) {
      last.isOpen = true;
      last.isReopened = true;
      this.#current = last;
    }
    if (holdsRows.has(nodeName) && cells.has(kind)) this.#append('ROW', true);
  }

  #breakInline(): void {
    this.#endLine();
    markHolding(this.#current);
  }

  #endLine(): void {
    this.#pendingSpace = '';
    this.#isLineStart = true;
  }

  /**
   * Writes the pending white space before all elements that are still empty, because Markdown marks must not begin with
   * white space.
   */
  #writePending(): void {
    this.#isLineStart = false;
    if (this.#pendingSpace === '') return;
    let node = this.#current;
    let isFresh = false;
    while (!node.isBlockElement && node.childNodes.length === (isFresh ? 1 : 0)) {
      node = node.parentNode;
      isFresh = true;
    }
    if (this.#pendingSpace === paragraphBreak) markHolding(node);
    // Four spaces at the start of a paragraph would turn it into code.
    const pendingSpace = this.#pendingSpace.startsWith(paragraphBreak)
      ? this.#pendingSpace.replaceAll(' ', '\u00a0')
      : this.#pendingSpace;
    this.#text(node, isFresh ? node.childNodes.length - 1 : node.childNodes.length, pendingSpace, false);
    this.#pendingSpace = '';
  }

  #count(text: string): void {
    this.#budget.written.spend(text.length);
    if (this.#uncertain === undefined) this.#textLength += text.length;
  }

  #text(parent: StatementElement, at: number, text: string, startsLine: boolean): void {
    const before = parent.childNodes[at - 1];
    if (before?.nodeType === 3) before.nodeValue += text;
    else if (at === parent.childNodes.length) parent.childNodes.push(new StatementText(parent, text, startsLine));
    else parent.childNodes.splice(at, 0, new StatementText(parent, text, startsLine));
  }
}

function mayEndWithScript({ nodeName }: StatementNode): boolean {
  return nodeName === 'SUP' || nodeName === 'SUB' || nodeName === 'STRONG' || nodeName === 'EM';
}

function isParagraph(node: StatementNode | undefined): boolean {
  return node !== undefined && paragraphs.has(node.nodeName);
}

function markHolding(element: StatementElement): void {
  for (let node = element; !node.isBlockElement && !node.holdsBlock; node = node.parentNode) node.holdsBlock = true;
}

/** Converts a run of white space. Two or more no-break spaces are indentation, and any other run is one space. */
function blank(run: string): string {
  if (!run.includes('\u00a0')) return ' ';
  let width = 0;
  for (const character of run) if (character === '\u00a0') width++;
  return ' '.repeat(Math.min(width, maxBlanks));
}
