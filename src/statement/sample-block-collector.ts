import type { ConversionBudget } from './budget.ts';
import { isBlockDisplay } from './css/effects.ts';
import type { StyleSheet } from './css/sheet.ts';
import { blanksOf, VisibilityTracker } from './css/visibility.ts';
import { elementTable, findElementProperties } from './elements.ts';
import { type Attributes, hasBorder } from './html/attributes.ts';
import { OpenElements } from './html/open-elements.ts';
import type { HtmlTokenHandler } from './html/reader.ts';
import { findSampleLabel } from './sample-labels.ts';
import { chooseElementForStyle } from './styled-element.ts';

/** A line of text, or the preformatted text of a <pre> element or a fence. */
export interface SampleBlock {
  kind: 'line' | 'code';
  text: string;
  /** The info string follows the opening fence and usually names a language. */
  info: string;
  /** The language of the page text around the block, because a page of AtCoder contains two languages. */
  language: 'ja' | 'en' | undefined;
  /** True for indented code of Markdown, which may also be ordinary text. */
  isIndented?: boolean;
}

/** A table whose column titles may be labels such as "Input" and "Output". */
interface SampleTable {
  /** The labels of the columns, or an empty array before the row of titles. */
  labels: readonly (string | undefined)[];
  /** The number of blocks before the rows below the titles. */
  start: number;
  /** The texts of the cells in the current row. */
  cells: string[];
}

/** Collects the blocks of a page. Elements are closed and hidden as in the conversion to Markdown. */
export class SampleBlockCollector implements HtmlTokenHandler {
  readonly #blocks: SampleBlock[] = [];
  readonly #open: OpenElements;
  readonly #visibility: VisibilityTracker;
  readonly #tables: SampleTable[] = [];
  #line = '';
  #code: string | undefined;
  /** True directly after <pre>, where HTML ignores a line break. */
  #isAfterPre = false;
  #isSuspicious = false;
  #language: SampleBlock['language'];

  constructor(sheet: StyleSheet, budget: ConversionBudget) {
    this.#visibility = new VisibilityTracker(sheet);
    this.#open = new OpenElements(budget);
  }

  isInForeignContent(): boolean {
    return this.#open.isInForeignContent;
  }

  text(text: string): void {
    if (this.#visibility.isHidingAll || this.#isSuspicious) return;
    if (this.#visibility.isHiding) this.#addText(blanksOf(text));
    else this.#addText(text);
  }

  #addText(text: string): void {
    if (this.#code !== undefined) {
      this.#code += this.#isAfterPre && text.startsWith('\n') ? text.slice(1) : text;
      this.#isAfterPre = false;
      return;
    }
    const [first = '', ...lines] = text.split('\n');
    this.#line += first;
    for (const line of lines) {
      this.#endLine();
      this.#line = line;
    }
  }

  open(name: string, attributes: Attributes, isSelfClosing: boolean): void {
    const known = elementTable.get(name);
    if (known !== undefined) this.#popTo(this.#open.depthBefore(known));
    this.#isAfterPre = false;
    this.#open.push(name, known, this.#visibility.isHidingAll ? undefined : this.#enter(name, attributes));
    if (known?.isVoid === true || (isSelfClosing && this.#open.isInForeignContent)) this.#pop();
  }

  close(name: string): void {
    const depth = this.#open.depthAfter(name, this.#visibility.isHiding);
    if (depth !== undefined) this.#popTo(depth);
  }

  finish(): SampleBlock[] {
    this.#popTo(0);
    this.#endLine();
    return this.#blocks;
  }

  #popTo(depth: number): void {
    while (this.#open.depth > depth || this.#open.hasEndTag) this.#pop();
  }

  #pop(): void {
    const ended = this.#open.pop();
    this.#visibility.leave(this.#open.depth);
    if (typeof ended?.end === 'function') ended.end();
  }

  /** Starts an element that may be visible. The returned function ends it. */
  #enter(name: string, attributes: Attributes): (() => void) | undefined {
    const known = findElementProperties(name, attributes);
    const isNeverSeen = name === 'button' || /^(?:hidden|style-sheet|embedded)$/.test(known.treatment);
    const appearance = this.#visibility.enter(name, attributes, this.#open.depth, isNeverSeen);
    if (appearance === 'hidden' || this.#isSuspicious) return undefined;
    if (appearance === 'suspicious') return this.#skip();
    const isTextHidden = appearance === 'text-hidden';
    const { style } = this.#visibility;
    const element = chooseElementForStyle(known, name, style);
    const isBlock = element.isBlock || isBlockDisplay(style);
    if (element.treatment === 'break') this.#breakLine();
    if (this.#code !== undefined) return this.#openInCode(isTextHidden ? '' : name, attributes, isBlock);
    if (element.literal === 'sample') return this.#openSample(attributes, isTextHidden);
    if (isTextHidden) return isBlock ? this.#openBlock(attributes) : undefined;
    if (name === 'table') return this.#openTable();
    if (name === 'tr') return this.#openRow();
    if (name === 'td' || name === 'th') return this.#openCell();
    return isBlock ? this.#openBlock(attributes) : undefined;
  }

  #skip(): () => void {
    this.#isSuspicious = true;
    return () => (this.#isSuspicious = false);
  }

  #openBlock({ class: className }: Attributes): () => void {
    const language = this.#language;
    if (className === 'lang-ja' || className === 'lang-en') this.#language = className === 'lang-ja' ? 'ja' : 'en';
    this.#endLine();
    return () => {
      this.#startBlock();
      this.#language = language;
    };
  }

  #openSample(attributes: Attributes, isHidden: boolean): () => void {
    const end = this.#openBlock(attributes);
    this.#code = '';
    this.#isAfterPre = true;
    return () => {
      if (isHidden && this.#code?.trim() === '') this.#code = undefined;
      this.#endCode();
      end();
    };
  }

  #openInCode(name: string, attributes: Attributes, isBlock: boolean): (() => void) | undefined {
    if (hasBorder(attributes)) {
      this.#splitCode();
      return () => this.#splitCode();
    }
    if (isBlock) this.#startBlock();
    else if (name === 'sup') this.#code += '^';
    if (attributes['class']?.includes('test-example-line') === true) return () => (this.#code += '\n');
    return isBlock ? () => this.#startBlock() : undefined;
  }

  #openTable(): () => void {
    this.#endLine();
    this.#tables.push({ labels: [], start: 0, cells: [] });
    return () => {
      this.#startBlock();
      this.#tables.pop();
    };
  }

  /** Starts a row. If its cells are the titles of inputs and outputs, they are repeated before each cell below them. */
  #openRow(): (() => void) | undefined {
    this.#endLine();
    const table = this.#tables.at(-1);
    if (table === undefined) return undefined;
    const start = this.#blocks.length;
    table.cells = [];
    return () => {
      this.#startBlock();
      const { cells, labels } = table;
      // A row with an empty cell is a step of an interaction, and the table contains no samples.
      if (labels.some((label, index) => label !== undefined && cells[index] === '')) {
        this.#blocks.splice(table.start);
        table.labels = [];
      }
      const roles = cells.map(text => findSampleLabel(text)?.role);
      if (!roles.includes('input') || !roles.includes('output')) return;
      table.labels = cells.map((text, index) => (roles[index] === undefined ? undefined : text));
      table.start = start;
      this.#blocks.splice(start);
    };
  }

  #openCell(): () => void {
    this.#endLine();
    const table = this.#tables.at(-1);
    const label = table?.labels[table.cells.length];
    if (label !== undefined) this.#push('line', label);
    const start = this.#blocks.length;
    return () => {
      this.#startBlock();
      const text = this.#blocks.slice(start).map(block => block.text);
      table?.cells.push(text.join(' '));
      const isText = this.#blocks.slice(start).every(({ kind }) => kind === 'line');
      if (!isText || label === undefined || findSampleLabel(label)?.isSample !== true) return;
      this.#blocks.splice(start);
      this.#push('code', text.map(line => `${line}\n`).join(''));
    };
  }

  #breakLine(): void {
    if (this.#code === undefined) this.#endLine();
    else this.#code += '\n';
  }

  /** Starts a block on a new line, also in a <pre> element. */
  #startBlock(): void {
    if (this.#code === undefined) this.#endLine();
    else if (this.#code !== '' && !this.#code.endsWith('\n')) this.#code += '\n';
  }

  #endLine(): void {
    if (this.#line.trim() !== '') this.#push('line', this.#line.trim());
    this.#line = '';
  }

  /**
   * Starts a new block at the start and end of a box with a border, because the box is not a part of the sample around
   * it.
   */
  #splitCode(): void {
    this.#endCode();
    this.#code = '';
  }

  #endCode(): void {
    if (this.#code !== undefined) this.#push('code', this.#code);
    this.#code = undefined;
  }

  #push(kind: SampleBlock['kind'], text: string): void {
    this.#blocks.push({ kind, text, info: '', language: this.#language });
  }
}
