import type { ConversionBudget } from '../budget.ts';
import type { Attributes } from '../html/attributes.ts';
import { HtmlReader } from '../html/reader.ts';
import { convertRenderedFormula } from './drawn.ts';
import {
  createMathElement,
  createRenderedElement,
  createRenderedText,
  type MathElement,
  type RenderedElement,
} from './math-element.ts';
import { formatMathElementAsTex } from './tex-rules.ts';

/** Matches the delimiters around the source of a formula. */
const delimited = /^(?:\{\\displaystyle (.*)\}|\\\((.*)\\\)|\\\[(.*)\\\]|(\$\$?)(.*)\4)$/s;
const delimiter = /^(?:\\[([]|\$\$?)/;

/**
 * Collects one formula of KaTeX, MathJax or MathML. It returns the TeX once, even if the page contains several
 * renderings.
 */
export class FormulaCollector {
  isDisplay: boolean;
  readonly #budget: ConversionBudget;
  readonly #math: MathElement = createMathElement('mrow', []);
  readonly #drawing: RenderedElement = createRenderedElement('', {});
  readonly #stack: (MathElement | RenderedElement)[] = [];
  #annotation = '';
  #alternative = '';
  #stored = '';
  /** True if the formula contains a drawing instead of text. */
  #hasPicture = false;

  constructor(isDisplay: boolean, budget: ConversionBudget) {
    this.isDisplay = isDisplay;
    this.#budget = budget;
  }

  open(name: string, attributes: Attributes): void {
    this.#budget.elements.spend(1);
    if (name === 'svg') this.#hasPicture = true;
    // MathJax 2 stores the MathML of a formula in an attribute of its rendering.
    this.#stored ||= attributes['data-mathml'] ?? '';
    const outer = this.#stack.at(-1) ?? this.#drawing;
    if (name === 'math') {
      this.#alternative ||= attributes['alttext'] ?? '';
      if (attributes['display'] === 'block') this.isDisplay = true;
      this.#stack.push(add(this.#math, createMathElement(name, [])));
    } else if (attributes['class']?.includes('mjx-copytext') === true) {
      this.#stack.push(createMathElement('annotation', []));
    } else if ('style' in outer) {
      const drawn = createRenderedElement(name, attributes);
      outer.children.push(drawn);
      this.#stack.push(drawn);
    } else {
      const isOtherSource = name.startsWith('annotation') && !/tex\b/i.test(attributes['encoding'] ?? '');
      this.#stack.push(add(outer, createMathElement(isOtherSource ? 'ignored' : name, [], '', attributes)));
    }
  }

  text(text: string): void {
    const top = this.#stack.at(-1) ?? this.#drawing;
    if ('style' in top) top.children.push(createRenderedText(text));
    else if (top.name === 'annotation') this.#annotation += text;
    else top.text += text;
  }

  /** Closes the innermost element of the formula. Returns true if it was the outermost one. */
  close(): boolean {
    this.#stack.pop();
    return this.#stack.length === 0;
  }

  tex(): string {
    const source = this.#annotation.trim() || this.#alternative.trim();
    const bare = source.replace(delimited, '$1$2$3$5');
    // If the end delimiter is missing, the HTML parser has treated a part of the formula as a tag, as in `\(1<i\le
    // n\)`.
    const isCut = bare === source && delimiter.test(source);
    if (bare !== '' && !isCut) return bare;
    const read =
      tidy(this.#texOf(this.#math)) || this.#storedTex() || tidy(this.#texOf(convertRenderedFormula(this.#drawing)));
    return read || source.replace(delimiter, '') || (this.#hasPicture ? '\\text{(unreadable formula)}' : '');
  }

  #storedTex(): string {
    if (this.#stored === '') return '';
    const formula = new FormulaCollector(this.isDisplay, this.#budget);
    const open = (name: string, attributes: Attributes, isSelfClosing: boolean): void => {
      formula.open(name, attributes);
      if (isSelfClosing) formula.close();
    };
    new HtmlReader(this.#stored, { open, close: () => formula.close(), text: text => formula.text(text) }).read();
    return formula.tex();
  }

  #texOf(math: MathElement): string {
    const children = math.children.map(child => this.#texOf(child));
    const tex = formatMathElementAsTex(math, children);
    this.#budget.copied.spend(tex.length);
    return tex;
  }
}

/**
 * Returns TeX without white space and `\ ` at its start and end. Before a closing dollar, `\ ` would become an escaped
 * dollar.
 */
export function trimTexWhiteSpace(tex: string): string {
  const text = tex.replace(/^ *(?:\\ +)+/, ' ');
  let end = text.length;
  for (;;) {
    while (text[end - 1] === ' ') end--;
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return text.slice(0, end) + (end < text.length ? ' ' : '');
    end--;
  }
}

function add(parent: MathElement, child: MathElement): MathElement {
  parent.children.push(child);
  return child;
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
