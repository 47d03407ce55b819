import type { ConversionBudget } from '../budget.ts';
import { readMarkdownLines } from '../commonmark/blocks.ts';
import { elementTable } from '../elements.ts';

interface Range {
  readonly start: number;
  readonly end: number;
  /** True if the indented code begins with an HTML tag. */
  readonly isTag: boolean;
}

/**
 * Matches white space after the start of a line or after a list marker. Without a match there is no indented code, and
 * the block structure is not parsed.
 */
const indentedText = /(?:^|[\n\r>.)*+-])(?: {4}| {0,3}\t)/;
const tagStart = /^<\/?([a-z][a-z0-9-]*)(?=[\s/>])/i;

export function mayHaveIndentedCode(text: string): boolean {
  return indentedText.test(text);
}

/** Finds the indented code of a Markdown text. The requested positions must increase. */
export class IndentedCode {
  readonly #ranges: readonly Range[];
  #next = 0;

  constructor(text: string, budget: ConversionBudget) {
    this.#ranges = mayHaveIndentedCode(text) ? rangesOf(text, budget) : [];
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /**
   * Returns the end offset of the indented code around a position, or undefined outside of code. Positions must not
   * decrease. Many authors indent the HTML of a whole page, so that tags and text inside an open indented element are
   * not code.
   */
  endAt(position: number, isInHtml: boolean, isInIndentedHtml: boolean): number | undefined {
    while ((this.#ranges[this.#next]?.end ?? Infinity) <= position) this.#next++;
    const range = this.#ranges[this.#next];
    if (range === undefined || range.start > position || isInIndentedHtml || (range.isTag && isInHtml))
      return undefined;
    return range.end;
  }
}

/** Returns the ranges of indented code. Adjacent lines are one range, and its first line decides whether it is HTML. */
function rangesOf(text: string, budget: ConversionBudget): Range[] {
  const ranges: Range[] = [];
  let isTag = false;
  for (const { kind, start, content, end, isContinued } of readMarkdownLines(text, true, budget)) {
    if (kind !== 'indented') continue;
    if (!isContinued) {
      const name = tagStart.exec(text.slice(content, Math.min(end, content + 100)).trimStart())?.[1];
      isTag = name !== undefined && elementTable.has(name.toLowerCase());
    }
    ranges.push({ start, end, isTag });
  }
  return ranges;
}
