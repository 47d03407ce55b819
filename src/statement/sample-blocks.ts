import { visibilityOfElement } from './css/visibility.ts';
import { elementTable } from './elements.ts';
import { type Attributes, hasBorder } from './html/attributes.ts';
import { HtmlReader, type HtmlTokenHandler } from './html/reader.ts';

/** A line of text, or the preformatted text of a <pre> element or a fence. */
export interface SampleBlock {
  kind: 'line' | 'code';
  text: string;
  /** The info string follows the opening fence and usually names a language. */
  info: string;
  /** The language of the page text around the block, because a page of AtCoder contains two languages. */
  language: 'ja' | 'en' | undefined;
}

const fencePattern = /^([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,})([^`\n]*)$/;

/**
 * Matches the info string of a code fence with the input or the output of a sample. Some statements append an option of
 * Hydro after "|".
 */
export const sampleInfoStringPattern = /^(input|output)(\d+)(?:\||$)/;

/** Splits a statement into lines of text and preformatted blocks. White space in blocks is unchanged. */
export function* splitIntoSampleBlocks(content: string): Generator<SampleBlock> {
  const lines = content.replace(/\r\n?/g, '\n').split('\n');
  let prose: string[] = [];
  const lastCommentEnd = lines.findLastIndex(line => line.includes('-->'));
  let region: LiteralRegion;
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence = '', info = ''] = fencePattern.exec(lines[at] ?? '') ?? [];
    if (fence === '' || region !== undefined) {
      prose.push(lines[at] ?? '');
      region = regionAfter(lines[at] ?? '', region, at < lastCommentEnd);
      continue;
    }
    yield* proseBlocks(prose.join('\n'));
    prose = [];
    const end = endOfFence(lines, at + 1, fence);
    const code = lines.slice(at + 1, end).map(line => withoutIndent(line, indent));
    yield { kind: 'code', text: code.map(line => `${line}\n`).join(''), info: info.trim(), language: undefined };
    // A fence without an end ends at the next input or output of a sample.
    at = isNamedFence(lines[end]) ? end - 1 : end;
  }
  yield* proseBlocks(prose.join('\n'));
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

function proseBlocks(text: string): SampleBlock[] {
  const collector = new BlockCollector();
  new HtmlReader(withoutFalseTags(text), collector).read();
  return collector.finish();
}

/**
 * If the text between two dollar signs contains an end tag or an attribute, the dollars are prices or characters of a
 * sample, not a formula.
 */
const formulaEnd = /<(?:\/[a-z]|[a-z][\w-]*\s+[a-z-]+=)/i;

const formula = /\$\$[^$]+\$\$|\$[^$\n]*\$/g;
const tagInCode = /`<\/?[a-z][^`<>\n]{0,100}>`/gi;
const tagStart = /<(?=\/?([a-z][\w:-]*)([\s/>]?))/gi;

/**
 * Escapes `<` in formulas, in code of one tag, and before names that are not HTML elements, such as `a<b,c`. Otherwise
 * the text up to the next `>` would be parsed as a tag and hidden.
 */
function withoutFalseTags(text: string): string {
  return text
    .replace(formula, tex => (formulaEnd.test(tex) ? tex : tex.replaceAll('<', '&lt;')))
    .replace(tagInCode, code => code.replace('<', '&lt;'))
    .replace(tagStart, (mark, name: string, next: string) =>
      next !== '' && elementTable.has(name.toLowerCase()) ? mark : '&lt;',
    );
}

interface OpenElement {
  name: string;
  isHidden: boolean;
  isLine: boolean;
  isFramed: boolean;
  language: SampleBlock['language'];
}

class BlockCollector implements HtmlTokenHandler {
  readonly #blocks: SampleBlock[] = [];
  readonly #open: OpenElement[] = [];
  /** Counts the open elements by name, so that an end tag without a start tag causes no search. */
  readonly #counts = new Map<string, number>();
  #line = '';
  #code: string | undefined;
  /** True directly after <pre>, where HTML ignores a line break. */
  #isAfterPre = false;

  text(text: string): void {
    if (this.#open.at(-1)?.isHidden === true) return;
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

  open(name: string, attributes: Attributes): void {
    const { isVoid = false, isBlock = false } = elementTable.get(name) ?? {};
    if (name === 'br') this.#breakLine();
    if (this.#code !== undefined && hasBorder(attributes)) this.#splitCode();
    if (isBlock) this.#startBlock();
    if (isVoid) return;
    const element = openElement(name, attributes, this.#open.at(-1));
    this.#open.push(element);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#isAfterPre = this.#code === undefined && name === 'pre' && !element.isHidden;
    if (this.#isAfterPre) this.#code = '';
    else if (this.#code !== undefined && name === 'sup') this.#code += '^';
  }

  close(name: string): void {
    if ((this.#counts.get(name) ?? 0) === 0) return;
    const closed = this.#open.splice(this.#open.findLastIndex(element => element.name === name));
    for (const element of closed) this.#counts.set(element.name, (this.#counts.get(element.name) ?? 1) - 1);
    const hasPre = closed.some(element => element.name === 'pre');
    if (this.#code !== undefined && closed[0]?.isFramed === true) this.#splitCode();
    else if (this.#code !== undefined && closed[0]?.isLine === true) this.#code += '\n';
    else if (elementTable.get(name)?.isBlock === true && !hasPre) this.#startBlock();
    if (hasPre) this.#endCode(closed[0]?.language);
  }

  finish(): SampleBlock[] {
    if (this.#code !== undefined) this.#endCode();
    this.#endLine();
    return this.#blocks;
  }

  get #language(): SampleBlock['language'] {
    return this.#open.at(-1)?.language;
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

  #endCode(language = this.#language): void {
    if (this.#code !== undefined) this.#push('code', this.#code, language);
    this.#code = undefined;
  }

  #push(kind: SampleBlock['kind'], text: string, language = this.#language): void {
    this.#blocks.push({ kind, text, info: '', language });
  }
}

function openElement(name: string, attributes: Attributes, parent: OpenElement | undefined): OpenElement {
  const { treatment } = elementTable.get(name) ?? {};
  const isInvisible = treatment === 'hidden' || treatment === 'style-sheet' || name === 'button';
  const isHidden = parent?.isHidden === true || isInvisible || visibilityOfElement(name, attributes) !== 'visible';
  const className = attributes['class'] ?? '';
  const own = className === 'lang-ja' ? 'ja' : className === 'lang-en' ? 'en' : undefined;
  const isLine = className.includes('test-example-line');
  return { name, isHidden, isLine, isFramed: hasBorder(attributes), language: own ?? parent?.language };
}
