import type { Budget } from '../budget.ts';
import { readLines } from '../commonmark/blocks.ts';
import { elements } from '../elements.ts';

interface Range {
  readonly start: number;
  readonly end: number;
  /** Whether the code begins with a tag. */
  readonly isTag: boolean;
}

/** Blanks behind a line start or a marker: without them there is no indented code, and the block structure need not be read. */
const indentedText = /(?:^|[\n\r>.)*+-])(?: {4}| {0,3}\t)/;
const tagStart = /^<\/?([a-z][a-z0-9-]*)(?=[\s/>])/i;

export function mayHaveIndentedCode(text: string): boolean {
  return indentedText.test(text);
}

/** The indented code of a Markdown text, for a search that moves forward through it. */
export class IndentedCode {
  readonly #ranges: readonly Range[];
  #next = 0;

  constructor(text: string, budget: Budget) {
    this.#ranges = mayHaveIndentedCode(text) ? rangesOf(text, budget) : [];
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /**
   * The end of the code around a position; undefined outside of code. Positions must not decrease. People indent the HTML
   * of whole pages: a tag inside an open element is no code, nor is text inside an element that is indented itself.
   */
  endAt(position: number, isInHtml: boolean, isInIndentedHtml: boolean): number | undefined {
    while ((this.#ranges[this.#next]?.end ?? Infinity) <= position) this.#next++;
    const range = this.#ranges[this.#next];
    if (range === undefined || range.start > position || isInIndentedHtml || (range.isTag && isInHtml))
      return undefined;
    return range.end;
  }
}

/** Adjacent lines of code are one range; whether it is HTML depends on its first line. */
function rangesOf(text: string, budget: Budget): Range[] {
  const ranges: Range[] = [];
  let isTag = false;
  for (const { kind, start, content, end, isContinued } of readLines(text, true, budget)) {
    if (kind !== 'indented') continue;
    if (!isContinued) {
      const name = tagStart.exec(text.slice(content, Math.min(end, content + 100)).trimStart())?.[1];
      isTag = name !== undefined && elements.has(name.toLowerCase());
    }
    ranges.push({ start, end, isTag });
  }
  return ranges;
}
