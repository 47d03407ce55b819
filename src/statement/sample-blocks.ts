import type { ConversionBudget } from './budget.ts';
import { isBlockDisplay } from './css/effects.ts';
import { StyleSheet } from './css/sheet.ts';
import { blanksOf, VisibilityTracker } from './css/visibility.ts';
import { elementTable, findElementProperties } from './elements.ts';
import { type Attributes, hasBorder } from './html/attributes.ts';
import { OpenElements } from './html/open-elements.ts';
import { HtmlReader, type HtmlTokenHandler } from './html/reader.ts';
import { readStyleSheets } from './html/style-sheets.ts';
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

const indentPattern = /^(?: {4}| {0,3}\t)/;
/** Matches the start of a line with a tag or a fence. */
const startsMarkup = /^\s*(?:<\/?[a-z]|`{3}|~{3})/i;
const fencePattern = /^([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,})([^`\n]*)$/;

/**
 * Matches the info string of a code fence with the input or the output of a sample. Some statements append an option of
 * Hydro after "|".
 */
export const sampleInfoStringPattern = /^(input|output)(\d+)(?:\||$)/;

/** Splits a statement into lines of text and preformatted blocks. White space in blocks is unchanged. */
export function* splitIntoSampleBlocks(content: string, budget: ConversionBudget): Generator<SampleBlock> {
  const sheet = new StyleSheet(budget);
  if (/<style\b/i.test(content)) readStyleSheets(content, sheet);
  const proseBlocks = (prose: readonly string[]): SampleBlock[] => {
    const collector = new BlockCollector(sheet, budget);
    new HtmlReader(withoutFalseTags(prose.join('\n')), collector).read();
    return collector.finish();
  };
  const lines = content.replace(/\r\n?/g, '\n').split('\n');
  let prose: string[] = [];
  const lastCommentEnd = lines.findLastIndex(line => line.includes('-->'));
  let region: LiteralRegion;
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence = '', info = ''] = fencePattern.exec(lines[at] ?? '') ?? [];
    if (fence === '' || region !== undefined) {
      prose.push(lines[at] ?? '');
      region = regionAfter(lines[at] ?? '', region, at < lastCommentEnd);
      const codeEnd = region === undefined ? endOfIndentedSample(lines, at) : at;
      if (codeEnd === at) continue;
      yield* proseBlocks(prose);
      prose = [];
      const code = lines.slice(at + 1, codeEnd).map(line => line.replace(indentPattern, ''));
      yield { ...codeBlock(code.slice(code.findIndex(line => line.trim() !== '')), ''), isIndented: true };
      at = codeEnd - 1;
      continue;
    }
    yield* proseBlocks(prose);
    prose = [];
    const end = endOfFence(lines, at + 1, fence);
    const code = lines.slice(at + 1, end).map(line => withoutIndent(line, indent));
    yield codeBlock(code, info.trim());
    // A fence without an end ends at the next input or output of a sample.
    at = isNamedFence(lines[end]) ? end - 1 : end;
  }
  yield* proseBlocks(prose);
}

function codeBlock(lines: readonly string[], info: string): SampleBlock {
  return { kind: 'code', text: lines.map(line => `${line}\n`).join(''), info, language: undefined };
}

/**
 * Returns the line after the indented code of Markdown that follows a label of a sample and an empty line. Elsewhere
 * lines with indentation are ordinary text, because many authors indent the source of a page.
 */
function endOfIndentedSample(lines: readonly string[], at: number): number {
  const label = lines[at] ?? '';
  if (label.includes('<') || !isBlank(lines[at + 1]) || findSampleLabel(label) === undefined) return at;
  let end = at;
  for (let next = at + 1; isBlank(lines[next]) || indentPattern.test(lines[next] ?? ''); next++) {
    if (isBlank(lines[next])) continue;
    if (end === at && startsMarkup.test(lines[next] ?? '')) return at;
    end = next + 1;
  }
  return end;
}

function isBlank(line: string | undefined): boolean {
  return line?.trim() === '';
}

/** The type of an HTML region in which a code fence is ordinary text. */
type LiteralRegion = 'pre' | 'comment' | undefined;

/** Returns the HTML region that is open after the line. An unclosed comment counts as text. */
function regionAfter(line: string, before: LiteralRegion, canOpenComment: boolean): LiteralRegion {
  let region = before;
  for (const [mark] of line.matchAll(/<\/?pre(?![\w-])|<!--|-->/gi)) {
    if (region === 'comment') region = mark === '-->' ? undefined : 'comment';
    else if (mark === '<!--') region = canOpenComment ? 'comment' : region;
    else if (mark !== '-->') region = mark.startsWith('</') ? undefined : 'pre';
  }
  return region;
}

function endOfFence(lines: readonly string[], start: number, fence: string): number {
  const closing = new RegExp(`^[ \\t>]*${fence.charAt(0)}{${fence.length},}[ \\t]*$`);
  let end = start;
  while (end < lines.length && !closing.test(lines[end] ?? '') && !isNamedFence(lines[end])) end++;
  return end;
}

function isNamedFence(line = ''): boolean {
  return sampleInfoStringPattern.test(fencePattern.exec(line)?.[3]?.trim() ?? '');
}

/**
 * Removes the indentation and the quote markers of a line inside a fence, up to the indentation and markers of the
 * fence itself.
 */
function withoutIndent(line: string, indent: string): string {
  if (line.startsWith(indent)) return line.slice(indent.length);
  return indent.includes('>') ? line.replace(/^[ \t]*(?:>[ \t]?)*/, '') : line.slice(/^[ \t]*/.exec(line)?.[0].length);
}

/**
 * If the text between two dollar signs contains an end tag or an attribute, the dollars are prices or characters of a
 * sample, not a formula.
 */
const formulaEnd = /<(?:\/[a-z]|[a-z][\w-]*\s+[a-z-]+=)/i;

const formula = /\$\$[^$]+\$\$|\$[^$\n]*\$/g;
const tagInCode = /`<\/?[a-z][^`<>\n]{0,100}>`/gi;

/** Escapes `<` in formulas and in code of one tag. Otherwise the text up to the next `>` would be parsed as a tag. */
function withoutFalseTags(text: string): string {
  return text
    .replace(formula, tex => (formulaEnd.test(tex) ? tex : tex.replaceAll('<', '&lt;')))
    .replace(tagInCode, code => code.replace('<', '&lt;'));
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
class BlockCollector implements HtmlTokenHandler {
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
