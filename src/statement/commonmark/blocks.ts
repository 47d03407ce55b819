import type { ConversionBudget } from '../budget.ts';
import { findHtmlBlockStart, type HtmlBlockStart } from './html-blocks.ts';
import { LineCursor } from './line-cursor.ts';

/** The type of a line in the block structure of CommonMark. */
export type MarkdownLineKind = 'blank' | 'text' | 'heading' | 'rule' | 'indented' | 'code' | 'fence' | 'html';

export interface MarkdownLine {
  readonly kind: MarkdownLineKind;
  /**
   * The line is stored as three offsets: its start, the start of its content after the markers of lists and quotes, and
   * its end.
   */
  readonly start: number;
  readonly content: number;
  readonly end: number;
  /** True if the line continues the block of the previous line. */
  readonly isContinued: boolean;
  readonly opensFence: boolean;
}

interface Quote {
  readonly kind: 'quote';
}

interface Item {
  readonly kind: 'item';
  /** The next lines of the list item are indented by this number of columns. */
  readonly width: number;
  isEmpty: boolean;
}

type Container = Quote | Item;

interface Fence {
  readonly kind: 'fence';
  readonly mark: string;
  readonly length: number;
}

interface HtmlBlock extends HtmlBlockStart {
  readonly kind: 'html';
}

type Leaf = Fence | HtmlBlock | { readonly kind: 'paragraph' | 'indented' };

/**
 * Lists and quotes are nested at most this deeply, as in Markdown renderers. Without a limit, each empty line would
 * cost as much as the deepest list.
 */
const maxContainers = 100;

const fenceStart = /^(`{3,}|~{3,})(.*)$/s;
const heading = /^#{1,6}(?:[ \t]|$)/;
const rule = /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/;
const setext = /^(?:=+|-+)[ \t]*$/;
const itemMarker = /^(?:[-*+]|(\d{1,9})[.)])(?=[ \t]|$)/;
/** Parses the block structure of a Markdown text by the rules of CommonMark. `hasHtml` enables HTML blocks. */
export function readMarkdownLines(text: string, hasHtml: boolean, budget: ConversionBudget): MarkdownLine[] {
  return new LineReader(text, hasHtml, budget).read();
}

class LineReader {
  readonly #text: string;
  readonly #hasHtml: boolean;
  readonly #budget: ConversionBudget;
  readonly #containers: Container[] = [];
  readonly #line: LineCursor;
  #leaf: Leaf | undefined;

  constructor(text: string, hasHtml: boolean, budget: ConversionBudget) {
    this.#text = text;
    this.#line = new LineCursor(text);
    this.#hasHtml = hasHtml;
    this.#budget = budget;
  }

  read(): MarkdownLine[] {
    const lines: MarkdownLine[] = [];
    const text = this.#text;
    const lineEnds = text.includes('\r') ? /\r\n?|\n|$/g : /\n|$/g;
    for (let start = 0; start < text.length; ) {
      lineEnds.lastIndex = start;
      const lineEnd = lineEnds.exec(text);
      const end = lineEnd?.index ?? text.length;
      this.#line.moveTo(start, end);
      const before = this.#leaf;
      const kind = this.#readLine();
      lines.push({
        kind,
        start,
        content: this.#line.at,
        end,
        isContinued: before !== undefined && before === this.#leaf,
        opensFence: kind === 'fence' && this.#leaf !== undefined,
      });
      start = end + (lineEnd?.[0].length || 1);
    }
    return lines;
  }

  #readLine(): MarkdownLineKind {
    const matched = this.#matchContainers();
    const isMatched = matched === this.#containers.length;
    if (isMatched && this.#leaf !== undefined && this.#leaf.kind !== 'paragraph') {
      const kind = this.#continueLeaf(this.#leaf);
      if (kind !== undefined) return kind;
    }
    return this.#openBlocks(matched);
  }

  /** Returns the number of open lists and quotes that the line continues. */
  #matchContainers(): number {
    let matched = 0;
    for (const container of this.#containers) {
      const { indent, isBlank, at } = this.#line.lookAhead();
      this.#budget.searched.spend(1 + at - this.#line.at);
      if (container.kind === 'quote') {
        if (indent > 3 || this.#text[at] !== '>') break;
        this.#line.enterQuote(at);
      } else if (isBlank) {
        if (container.isEmpty) break;
      } else if (indent >= container.width) {
        this.#line.skip(container.width);
      } else break;
      matched++;
    }
    return matched;
  }

  #continueLeaf(leaf: Leaf): MarkdownLineKind | undefined {
    const { indent, isBlank, at } = this.#line.lookAhead();
    if (leaf.kind === 'fence') {
      const mark = this.#text.slice(at, this.#line.end).trimEnd();
      const isEnd = indent <= 3 && mark.length >= leaf.length && mark === leaf.mark.repeat(mark.length);
      if (isEnd) this.#leaf = undefined;
      return isEnd ? 'fence' : 'code';
    }
    if (leaf.kind === 'indented' && (indent >= 4 || isBlank)) {
      if (isBlank) return 'blank';
      this.#line.skip(4);
      return 'indented';
    }
    if (leaf.kind === 'html' && !(isBlank && leaf.end === undefined)) {
      if (leaf.end?.test(this.#text.slice(this.#line.at, this.#line.end)) === true) this.#leaf = undefined;
      return 'html';
    }
    this.#leaf = undefined;
    return undefined;
  }

  /** Parses the markers of new blocks, which follow the markers of the continued lists and quotes. */
  #openBlocks(matched: number): MarkdownLineKind {
    let depth = matched;
    for (;;) {
      const { indent, isBlank, at } = this.#line.lookAhead();
      const isLazy = depth < this.#containers.length && this.#leaf?.kind === 'paragraph';
      const isInParagraph = this.#leaf?.kind === 'paragraph' && (isLazy || depth === this.#containers.length);
      if (isBlank) return this.#closeAt(depth, undefined, 'blank');
      if (indent > 3) return isInParagraph ? 'text' : this.#openIndented(depth);
      const line = this.#text.slice(at, this.#line.end);
      const leafKind = this.#openLeaf(line, depth, isInParagraph, isLazy, at);
      if (leafKind !== undefined) return leafKind;
      if (depth < maxContainers && this.#openContainer(line, depth, isInParagraph, at, indent)) {
        depth = this.#containers.length;
        continue;
      }
      if (isInParagraph) return 'text';
      return this.#closeAt(depth, { kind: 'paragraph' }, 'text');
    }
  }

  #openIndented(depth: number): MarkdownLineKind {
    const kind = this.#closeAt(depth, { kind: 'indented' }, 'indented');
    this.#line.skip(4);
    return kind;
  }

  /** Opens a heading, a fence, a rule or an HTML block, or ends a heading at its underline. */
  #openLeaf(
    line: string,
    depth: number,
    isInParagraph: boolean,
    isLazy: boolean,
    at: number,
  ): MarkdownLineKind | undefined {
    const first = line.charAt(0);
    if (first === '#' && heading.test(line)) return this.#closeAt(depth, undefined, 'heading', at);
    if (first === '`' || first === '~') return this.#openFence(line, depth, at);
    if (first === '<') return this.#hasHtml ? this.#openHtml(line, depth, isInParagraph, at) : undefined;
    if (isInParagraph && !isLazy && setext.test(line)) return this.#closeAt(depth, undefined, 'rule', at);
    return rule.test(line) ? this.#closeAt(depth, undefined, 'rule', at) : undefined;
  }

  #openFence(line: string, depth: number, at: number): MarkdownLineKind | undefined {
    const [, marks = '', info = ''] = fenceStart.exec(line) ?? [];
    const mark = marks.charAt(0);
    if (marks === '' || (mark === '`' && info.includes('`'))) return undefined;
    return this.#closeAt(depth, { kind: 'fence', mark, length: marks.length }, 'fence', at);
  }

  #openHtml(line: string, depth: number, isInParagraph: boolean, at: number): MarkdownLineKind | undefined {
    const start = findHtmlBlockStart(line, isInParagraph);
    if (start === undefined) return undefined;
    const isClosed = start.end?.test(line) === true;
    return this.#closeAt(depth, isClosed ? undefined : { kind: 'html', end: start.end }, 'html', at);
  }

  /** Opens a block quote or a list item. Returns false if the line starts neither. */
  #openContainer(line: string, depth: number, isInParagraph: boolean, at: number, indent: number): boolean {
    if (line.startsWith('>')) {
      this.#closeAt(depth, undefined, 'blank');
      this.#containers.push({ kind: 'quote' });
      this.#line.enterQuote(at);
      return true;
    }
    const [marker, number] = itemMarker.exec(line) ?? [];
    if (marker === undefined) return false;
    const isEmpty = line.slice(marker.length).trim() === '';
    if (
      isInParagraph &&
      depth === this.#containers.length &&
      (isEmpty || (number !== undefined && Number(number) !== 1))
    ) {
      return false;
    }
    this.#closeAt(depth, undefined, 'blank');
    this.#line.skip(indent + marker.length);
    const padding = this.#line.lookAhead().indent;
    const isCode = padding > 4 && !isEmpty;
    const width = indent + marker.length + (isEmpty || isCode ? 1 : padding);
    if (!isEmpty) this.#line.skip(isCode ? 1 : padding);
    this.#containers.push({ kind: 'item', width, isEmpty });
    return true;
  }

  /**
   * Closes the lists, quotes and the innermost block that the line does not continue, and opens the innermost block
   * that it starts.
   */
  #closeAt(depth: number, leaf: Leaf | undefined, kind: MarkdownLineKind, at = this.#line.at): MarkdownLineKind {
    this.#containers.length = depth;
    this.#leaf = leaf;
    this.#line.at = at;
    if (kind !== 'blank')
      for (const container of this.#containers) if (container.kind === 'item') container.isEmpty = false;
    return kind;
  }
}
