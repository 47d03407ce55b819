import type { Budget } from '../budget.ts';
import type { Attributes } from '../html/attributes.ts';
import {
  createMathElement,
  createRenderedElement,
  createRenderedText,
  type MathElement,
  type RenderedElement,
  toMathElement,
} from './drawn.ts';

const texNames: ReadonlyMap<string, string> = new Map([
  ['≤', '\\le '],
  ['≥', '\\ge '],
  ['≠', '\\ne '],
  ['×', '\\times '],
  ['⋅', '\\cdot '],
  ['·', '\\cdot '],
  ['∑', '\\sum '],
  ['∏', '\\prod '],
  ['∞', '\\infty '],
  ['∈', '\\in '],
  ['…', '\\ldots '],
  ['⋯', '\\cdots '],
  ['→', '\\to '],
  ['⌊', '\\lfloor '],
  ['⌋', '\\rfloor '],
  ['⌈', '\\lceil '],
  ['⌉', '\\rceil '],
  ['−', '-'],
  ['∣', '|'],
  ['{', '\\{ '],
  ['}', '\\} '],
  // KaTeX uses this private character for a stroke through the next symbol.
  ['\ue020', '\\not '],
  ['′', '\\prime '],
  ['\u2061', ''],
  ['\u2062', ''],
  ['\u2063', ''],
]);

/** Matches the delimiters around the source of a formula. */
const delimited = /^(?:\{\\displaystyle (.*)\}|\\\((.*)\\\)|\\\[(.*)\\\]|(\$\$?)(.*)\4)$/s;
const delimiter = /^(?:\\[([]|\$\$?)/;

/**
 * Collects one formula of KaTeX, MathJax or MathML. It returns the TeX once, even if the page contains several
 * renderings.
 */
export class FormulaCollector {
  isDisplay: boolean;
  readonly #budget: Budget;
  readonly #math: MathElement = createMathElement('mrow', []);
  readonly #drawing: RenderedElement = createRenderedElement('', {});
  readonly #stack: (MathElement | RenderedElement)[] = [];
  #annotation = '';
  #alternative = '';

  constructor(isDisplay: boolean, budget: Budget) {
    this.isDisplay = isDisplay;
    this.#budget = budget;
  }

  open(name: string, attributes: Attributes): void {
    this.#budget.elements.spend(1);
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
      const isOtherSource = name.startsWith('annotation') && !/tex/i.test(attributes['encoding'] ?? '');
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
    // If the end delimiter is missing, the HTML parser consumed a part of the formula: in `\(1<i\le n\)` it finds a
    // tag.
    const isCut = bare === source && delimiter.test(source);
    if (bare !== '' && !isCut) return bare;
    const read = tidy(this.#texOf(this.#math)) || tidy(this.#texOf(toMathElement(this.#drawing)));
    return read || source.replace(delimiter, '');
  }

  #texOf(math: MathElement): string {
    const children = math.children.map(child => this.#texOf(child));
    const tex = written(math, children);
    this.#budget.copied.spend(tex.length);
    return tex;
  }
}

/**
 * Returns TeX without white space and `\ ` at its start and end. Before a closing dollar, `\ ` would become an escaped
 * dollar.
 */
export function trimTex(tex: string): string {
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

type TexRule = (parts: readonly [string, string, string], children: readonly string[], element: MathElement) => string;

const underScript: TexRule = ([base, index]) => base.trim() + script('_', index);
const overScript: TexRule = ([base, power]) => base.trim() + script('^', power);
const bothScripts: TexRule = ([base, index, power]) => base.trim() + script('_', index) + script('^', power);
const nothing: TexRule = () => '';

/** Each function returns the TeX of an element. Its first three arguments are the TeX of the first three children. */
const texRules: ReadonlyMap<string, TexRule> = new Map<string, TexRule>([
  ['msup', overScript],
  ['mover', overScript],
  ['msub', underScript],
  ['munder', underScript],
  ['msubsup', bothScripts],
  ['munderover', bothScripts],
  ['sup', (_, children) => script('^', children.join(''))],
  ['sub', (_, children) => script('_', children.join(''))],
  [
    'mfrac',
    ([above, below], _, { attributes }) =>
      attributes['linethickness'] === '0'
        ? `{${above.trim()} \\atop ${below.trim()}}`
        : `\\frac{${above.trim()}}{${below.trim()}}`,
  ],
  ['msqrt', (_, children) => `\\sqrt{${children.join('').trim()}}`],
  ['mroot', ([root, degree]) => `\\sqrt[${degree.trim()}]{${root.trim()}}`],
  ['mtr', (_, children) => `${children.join(' & ')} \\\\ `],
  ['mtable', (_, children) => `\\begin{matrix} ${children.join('')}\\end{matrix}`],
  ['mtext', (_, __, { text }) => (text === '' ? '' : `\\text{${symbol(text)}}`)],
  ['mfenced', (_, children, { attributes }) => fenced(children, attributes)],
  ['drawn', (_, __, { text }) => symbol(text)],
  ['mo', (_, children, { text }) => (children.length === 0 ? operator(text.trim()) : children.join(''))],
  ['mspace', () => ' '],
  ['annotation', nothing],
  ['ignored', nothing],
]);

function written(element: MathElement, children: readonly string[]): string {
  const [first = '', second = '', third = ''] = children;
  const rule = texRules.get(element.name);
  if (rule !== undefined) return rule([first, second, third], children, element);
  return children.length === 0 ? symbol(element.text.trim()) : children.join('');
}

function fenced(children: readonly string[], { open = '(', close = ')', separators = ',' }: Attributes): string {
  const separator = separators.trim().charAt(0);
  return open + children.join(separator === '' ? '' : `${separator} `) + close;
}

function symbol(text: string): string {
  return texNames.get(text) ?? text.replace(/[%#&$]/g, '\\$&');
}

/** Puts spaces around an operator that is a word: `x mod 2`, not `xmod2`. */
function operator(text: string): string {
  return /^\p{L}{2,}$/u.test(text) ? ` ${text} ` : symbol(text);
}

/**
 * Returns a superscript or subscript as TeX. An empty one stands for a stroke or a brace that a style sheet draws, and
 * becomes an empty string.
 */
function script(mark: '^' | '_', tex: string): string {
  const index = tex.trim();
  if (index === '') return '';
  return mark + (/^[\p{L}\p{N}]$/u.test(index) ? index : `{${index}}`);
}
