import { appearanceOf } from './css/visibility.ts';
import { elements } from './elements.ts';
import type { Attributes } from './html/attributes.ts';
import { HtmlReader, type HtmlSink } from './html/reader.ts';

/** A line of text, or preformatted text of <pre> or a fence. */
export interface Block {
  kind: 'line' | 'code';
  text: string;
  /** The info string of a fence. */
  info: string;
  /** AtCoder has both languages on one page. */
  language: 'ja' | 'en' | undefined;
}

const fencePattern = /^([ \t]*(?:>[ \t]?)*)(`{3,}|~{3,})([^`\n]*)$/;

/** Splits a statement into lines of text and preformatted blocks; white space in blocks stays as it is. */
export function* blocksOf(content: string): Generator<Block> {
  const lines = content.replace(/\r\n?/g, '\n').split('\n');
  let prose: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence = '', info = ''] = fencePattern.exec(lines[at] ?? '') ?? [];
    if (fence === '' || isInPre(prose)) {
      prose.push(lines[at] ?? '');
      continue;
    }
    yield* proseBlocks(prose.join('\n'));
    prose = [];
    const end = endOfFence(lines, at + 1, fence);
    const code = lines.slice(at + 1, end).map(line => withoutIndent(line, indent));
    yield { kind: 'code', text: code.map(line => `${line}\n`).join(''), info: info.trim(), language: undefined };
    at = end;
  }
  yield* proseBlocks(prose.join('\n'));
}

/** Whether the last <pre> of the lines is still open. */
function isInPre(lines: readonly string[]): boolean {
  const line = lines.findLast(text => /<\/?pre[\s>]/i.test(text));
  return line !== undefined && /.*<(\/?)pre[\s>]/is.exec(line)?.[1] === '';
}

function endOfFence(lines: readonly string[], start: number, fence: string): number {
  const closing = new RegExp(`^[ \\t>]*${fence.charAt(0)}{${fence.length},}[ \\t]*$`);
  let end = start;
  while (end < lines.length && !closing.test(lines[end] ?? '')) end++;
  return end;
}

/** Removes at most the indentation and quote marks of the fence. */
function withoutIndent(line: string, indent: string): string {
  if (line.startsWith(indent)) return line.slice(indent.length);
  return indent.includes('>') ? line.replace(/^[ \t]*(?:>[ \t]?)*/, '') : line.slice(/^[ \t]*/.exec(line)?.[0].length);
}

function proseBlocks(text: string): Block[] {
  const collector = new BlockCollector();
  new HtmlReader(withoutFalseTags(text), collector).read();
  return collector.finish();
}

/** Escapes `<` in formulas and before names that are not elements: a false tag would hide the text up to the next `>`. */
function withoutFalseTags(text: string): string {
  return text
    .replace(/\$[^$\n]*\$/g, formula => formula.replaceAll('<', '&lt;'))
    .replace(/<(?=\/?([a-z][\w:-]*))/gi, (mark, name: string) => (elements.has(name.toLowerCase()) ? mark : '&lt;'));
}

class BlockCollector implements HtmlSink {
  readonly #blocks: Block[] = [];
  readonly #open: { name: string; isHidden: boolean; isLine: boolean; language: Block['language'] }[] = [];
  #line = '';
  #code: string | undefined;

  text(text: string): void {
    if (this.#open.at(-1)?.isHidden === true) return;
    if (this.#code !== undefined) {
      // HTML ignores a line break directly after <pre>; text between two lines of Codeforces is white space of the page.
      const isFirst = this.#code === '' && text.startsWith('\n');
      this.#code += isFirst ? text.slice(1) : text;
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
    const { isVoid = false, isBlock = false, treatment } = elements.get(name) ?? {};
    if (name === 'br') this.#breakLine();
    if (isBlock) this.#startBlock();
    if (isVoid) return;
    const parent = this.#open.at(-1);
    const className = attributes['class'] ?? '';
    const language = className === 'lang-ja' ? 'ja' : className === 'lang-en' ? 'en' : parent?.language;
    const hides =
      parent?.isHidden === true ||
      treatment === 'hidden' ||
      treatment === 'style-sheet' ||
      name === 'button' ||
      appearanceOf(name, attributes) !== 'visible';
    this.#open.push({ name, isHidden: hides, isLine: className.includes('test-example-line'), language });
    if (name === 'pre' && this.#code === undefined && !hides) this.#code = '';
    if (name === 'sup' && this.#code !== undefined) this.#code += '^';
  }

  close(name: string): void {
    const at = this.#open.findLastIndex(element => element.name === name);
    if (at === -1) return;
    const closed = this.#open[at];
    const hasPre = this.#open.slice(at).some(element => element.name === 'pre');
    if (this.#code !== undefined && closed?.isLine === true) this.#code += '\n';
    else if (elements.get(name)?.isBlock === true && !hasPre) this.#startBlock();
    if (hasPre) this.#endCode();
    this.#open.length = at;
  }

  finish(): Block[] {
    if (this.#code !== undefined) this.#endCode();
    this.#endLine();
    return this.#blocks;
  }

  #breakLine(): void {
    if (this.#code === undefined) this.#endLine();
    else this.#code += '\n';
  }

  /** A block starts on a new line, also in <pre>. */
  #startBlock(): void {
    if (this.#code === undefined) this.#endLine();
    else if (this.#code !== '' && !this.#code.endsWith('\n')) this.#code += '\n';
  }

  #endLine(): void {
    if (this.#line.trim() !== '') this.#push('line', this.#line.trim());
    this.#line = '';
  }

  #endCode(): void {
    if (this.#code !== undefined) this.#push('code', this.#code);
    this.#code = undefined;
  }

  #push(kind: Block['kind'], text: string): void {
    this.#blocks.push({ kind, text, info: '', language: this.#open.at(-1)?.language });
  }
}
