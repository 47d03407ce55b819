import type { Budget } from '../budget.ts';
import { isBlockKind, type Kind } from '../elements.ts';
import { seenText } from '../invisible.ts';
import { StatementElement, type StatementNode, StatementText } from './node.ts';

const unevenBlanks = /[ \t\n\r\f\u00a0]{2}|[\t\n\r\f\u00a0]/;
const blankRun = /[ \t\n\r\f\u00a0]+/g;
const startsWord = /^[\p{L}\p{N}]/u;
const lineBreak = '  \n';
const paragraphBreak = '\n\n';
const maxBlanks = 100;

const keptEmpty: ReadonlySet<Kind> = new Set(['LI', 'CELL', 'HEADCELL', 'HORIZONTAL']);
const titles: ReadonlySet<Kind> = new Set(['HEADING', 'TERM', 'HEADCELL']);

/** Of what is in these nothing changes when more is added, and empty lines around it are all the same. */
const linesUp: ReadonlySet<Kind> = new Set(['BLOCK', 'ENGLISH']);
/** What stands between empty lines, wherever it is. */
const paragraphs: ReadonlySet<string> = new Set(['BLOCK', 'HEADING', 'TERM', 'SAMPLE', 'DISPLAY', 'UL', 'OL', 'TABLE']);
// More would be moved again at each level of a deep page.
const maxUnwrapped = 16;
/** What is in these may be shortened or dropped. */
const uncertain: ReadonlySet<Kind> = new Set([...titles, 'TABLE', 'BUTTON']);

/** Writes the tree as the page is painted: white space collapsed, none at the edges, no empty elements. */
export class TreeWriter {
  readonly #enoughBytes: number;
  readonly #budget: Budget;
  readonly root = new StatementElement(undefined, 'BODY', true);
  #current = this.root;
  /** White space owed before the next ink on this line. */
  #gap = '';
  #isLineStart = true;
  /** How many characters the Markdown will have at least. */
  #inkLength = 0;
  #uncertain: StatementElement | undefined;

  constructor(enoughBytes: number, budget: Budget) {
    this.#enoughBytes = enoughBytes;
    this.#budget = budget;
    this.root.onlyLinesUp = true;
  }

  /** Whether that many bytes are written for good: a block has just ended, and all that is open only lines up blocks. */
  get hasEnough(): boolean {
    if (this.#inkLength <= this.#enoughBytes) return false;
    const last = this.#current.childNodes.at(-1);
    return this.#current.onlyLinesUp && last?.nodeType === 1 && last.isBlockElement;
  }

  /** Whether a cell of a table is being written, which has room for lines only. */
  get isInCell(): boolean {
    let node = this.#current;
    while (node !== this.root && node.nodeName !== 'CELL' && node.nodeName !== 'HEADCELL') node = node.parentNode;
    return node !== this.root;
  }

  /** Opens an element; outside of what it must stand in, it is only a block. */
  open(kind: Kind, inside: readonly Kind[] | undefined): StatementElement {
    this.#openImplied(kind);
    if (isBlockKind(kind)) this.#breakInline();
    return this.#append(inside === undefined || inside.includes(this.#current.nodeName) ? kind : 'BLOCK');
  }

  /** Opens bold and the like, or nothing where it says nothing new; two in a row become one. */
  openMark(kind: 'STRONG' | 'EM' | 'DEL'): StatementElement | undefined {
    let node = this.#current;
    while (!node.isBlockElement && node.nodeName !== kind) node = node.parentNode;
    if (node.nodeName === kind || (kind === 'STRONG' && titles.has(node.nodeName))) return undefined;
    const last = this.#current.childNodes.at(-1);
    if (this.#gap !== '' || last?.nodeName !== kind) return this.#append(kind);
    last.isOpen = true;
    this.#current = last;
    return last;
  }

  close(node: StatementElement): void {
    if (!node.isOpen) return;
    while (this.#current !== node) this.#closeCurrent();
    this.#closeCurrent();
  }

  leaf(kind: Kind, literal: string): StatementElement {
    const isBlock = isBlockKind(kind);
    if (isBlock) this.#breakInline();
    else this.#ink();
    const last = this.#current.childNodes.at(-1);
    if (kind === 'CODE' && last?.nodeName === 'CODE') {
      // Two code spans side by side would read as one with backticks inside.
      last.literal += literal;
      return last;
    }
    this.#budget.elements.spend(1);
    const node = new StatementElement(this.#current, kind, isBlock);
    node.isOpen = false;
    node.literal = literal;
    this.#count(literal);
    this.#current.childNodes.push(node);
    return node;
  }

  replaceLiteral(leaf: StatementElement, literal: string): void {
    this.#inkLength -= Math.max(0, leaf.literal.length - literal.length);
    leaf.literal = literal;
  }

  /** A leaf whose outer blanks, like those of text, belong outside its marks. */
  leafWithBlanks(kind: Kind, text: string): void {
    const trimmed = text.trim();
    if (text.startsWith(' ')) this.owe(' ');
    if (trimmed === '') return;
    const last = this.#current.childNodes.at(-1);
    if (kind === 'FORMULA' && this.#gap === '' && last?.nodeType === 1 && last.nodeName === 'FORMULA') {
      // Two formulas side by side are one: `$Y$$)$` could not be read.
      last.literal += (/\\[a-zA-Z]+$/.test(last.literal.slice(-40)) ? ' ' : '') + trimmed;
    } else this.leaf(kind, trimmed);
    if (text.endsWith(' ')) this.owe(' ');
  }

  paragraph(text: string): void {
    const node = this.open('BLOCK', undefined);
    this.write(text);
    this.close(node);
  }

  write(text: string): void {
    const seen = seenText(text);
    const trimmed = seen.trim();
    if (trimmed === '') {
      this.owe(blank(seen));
      return;
    }
    const leading = seen.length === trimmed.length ? 0 : seen.length - seen.trimStart().length;
    if (leading > 0) this.owe(blank(seen.slice(0, leading)));
    const isLineStart = this.#isLineStart || this.#gap.includes('\n');
    this.#ink();
    const tidy = unevenBlanks.test(trimmed) ? trimmed.replace(blankRun, blank) : trimmed;
    const { childNodes } = this.#current;
    const last = childNodes.at(-1);
    if ((last?.nodeName === 'SUP' || last?.nodeName === 'SUB') && startsWord.test(tidy)) last.needsBraces = true;
    this.#count(tidy);
    this.#text(this.#current, childNodes.length, tidy, isLineStart && this.#current.nodeName !== 'HEADING');
    if (leading + trimmed.length < seen.length) this.owe(' ');
  }

  owe(blanks: string): void {
    if (this.#isLineStart) return;
    if (this.#gap === '') this.#gap = blanks;
    else if (this.#gap.endsWith('\n') && blanks.length > 1) this.#gap += blanks;
  }

  breakLine(): void {
    if (this.#isLineStart) return;
    this.#gap = this.#gap.includes('\n') ? paragraphBreak : lineBreak;
  }

  #append(kind: Kind): StatementElement {
    this.#budget.elements.spend(1);
    const node = new StatementElement(this.#current, kind, isBlockKind(kind));
    node.onlyLinesUp = this.#current.onlyLinesUp && linesUp.has(kind);
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

  /** Of an empty block there remains that it parts what is before it from what is behind. */
  #drop({ isBlockElement }: StatementElement): void {
    const { childNodes } = this.#current;
    childNodes.pop();
    const last = childNodes.at(-1);
    if (!isBlockElement || last === undefined || (last.nodeType === 1 && last.isBlockElement)) return;
    this.#isLineStart = false;
    this.#gap = paragraphBreak;
  }

  /** A block of blocks adds nothing to the ones around it, and turndown would copy all that is in it. */
  #unwrap({ childNodes }: StatementElement): void {
    const parent = this.#current;
    if (!parent.onlyLinesUp || !isParagraph(childNodes[0]) || !isParagraph(childNodes.at(-1))) return;
    if (parent.childNodes.length === 1) parent.childNodes = childNodes;
    else if (childNodes.length <= maxUnwrapped) parent.childNodes.splice(-1, 1, ...childNodes);
  }

  /** Closes and opens what stands in the tree but not on the page. */
  #openImplied(kind: Kind): void {
    const isCell = kind === 'CELL' || kind === 'HEADCELL';
    const isRow = kind === 'HEAD' || kind === 'ROWS' || kind === 'ROW';
    if (kind === 'LI' ? this.#current.isReopened : isRow && this.#current.nodeName === 'ROW') this.#closeCurrent();
    const { nodeName, childNodes } = this.#current;
    const last = childNodes.at(-1);
    // A list written between the items of another belongs to the item before it.
    if ((kind === 'UL' || kind === 'OL') && (nodeName === 'UL' || nodeName === 'OL') && last?.nodeName === 'LI') {
      last.isOpen = true;
      last.isReopened = true;
      this.#current = last;
    }
    if (isCell && (nodeName === 'TABLE' || nodeName === 'ROWS' || nodeName === 'HEAD')) this.#append('ROW');
  }

  #breakInline(): void {
    this.#endLine();
    markHolding(this.#current);
  }

  #endLine(): void {
    this.#gap = '';
    this.#isLineStart = true;
  }

  /** Pays the white space owed, before all elements that are still empty: Markdown wants no blank inside its marks. */
  #ink(): void {
    this.#isLineStart = false;
    if (this.#gap === '') return;
    let node = this.#current;
    let isFresh = false;
    while (!node.isBlockElement && node.childNodes.length === (isFresh ? 1 : 0)) {
      node = node.parentNode;
      isFresh = true;
    }
    if (this.#gap === paragraphBreak) markHolding(node);
    // Four blanks at the start of a paragraph would make a sample of it.
    const gap =
      this.#gap.length > 2 && this.#gap.startsWith(paragraphBreak) ? this.#gap.replaceAll(' ', '\u00a0') : this.#gap;
    this.#text(node, isFresh ? node.childNodes.length - 1 : node.childNodes.length, gap, false);
    this.#gap = '';
  }

  #count(text: string): void {
    this.#budget.written.spend(text.length);
    if (this.#uncertain === undefined) this.#inkLength += text.length;
  }

  #text(parent: StatementElement, at: number, text: string, startsLine: boolean): void {
    const before = parent.childNodes[at - 1];
    if (before?.nodeType === 3) before.nodeValue += text;
    else if (at === parent.childNodes.length) parent.childNodes.push(new StatementText(parent, text, startsLine));
    else parent.childNodes.splice(at, 0, new StatementText(parent, text, startsLine));
  }
}

function isParagraph(node: StatementNode | undefined): boolean {
  return node !== undefined && paragraphs.has(node.nodeName);
}

function markHolding(element: StatementElement): void {
  for (let node = element; !node.isBlockElement && !node.holdsBlock; node = node.parentNode) node.holdsBlock = true;
}

/** Two or more no-break spaces are an indentation somebody typed; any other run of blanks is one space. */
function blank(run: string): string {
  if (run === ' ' || !run.includes('\u00a0')) return ' ';
  let width = 0;
  for (const character of run) if (character === '\u00a0') width++;
  return width < 2 ? ' ' : ' '.repeat(Math.min(width, maxBlanks));
}
