import type { Budget } from '../budget.ts';
import type { Attributes } from '../html/attributes.ts';
import { type Drawn, drawnElement, drawnText, mathOfDrawing, type Part, part } from './drawn.ts';

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
  // KaTeX's own sign: a stroke through the next one.
  ['\ue020', '\\not '],
  ['′', '\\prime '],
  ['\u2061', ''],
  ['\u2062', ''],
  ['\u2063', ''],
]);

/** What the source of a formula may stand between. */
const delimited = /^(?:\{\\displaystyle (.*)\}|\\\((.*)\\\)|\\\[(.*)\\\]|(\$\$?)(.*)\4)$/s;
const delimiter = /^(?:\\[([]|\$\$?)/;

/** One formula as KaTeX, MathJax or plain MathML put it on a page: its TeX once, however often it is drawn. */
export class Formula {
  isDisplay: boolean;
  readonly #budget: Budget;
  readonly #math: Part = part('mrow', []);
  readonly #drawing: Drawn = drawnElement('', {});
  readonly #stack: (Part | Drawn)[] = [];
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
      this.#stack.push(add(this.#math, part(name, [])));
    } else if (attributes['class']?.includes('mjx-copytext') === true) {
      this.#stack.push(part('annotation', []));
    } else if ('style' in outer) {
      const drawn = drawnElement(name, attributes);
      outer.children.push(drawn);
      this.#stack.push(drawn);
    } else {
      const isOtherSource = name.startsWith('annotation') && !/tex/i.test(attributes['encoding'] ?? '');
      this.#stack.push(add(outer, part(isOtherSource ? 'ignored' : name, [], '', attributes)));
    }
  }

  text(text: string): void {
    const top = this.#stack.at(-1) ?? this.#drawing;
    if ('style' in top) top.children.push(drawnText(text));
    else if (top.name === 'annotation') this.#annotation += text;
    else top.text += text;
  }

  /** Closes the innermost element; true when it was the outermost one, too. */
  close(): boolean {
    this.#stack.pop();
    return this.#stack.length === 0;
  }

  tex(): string {
    const source = this.#annotation.trim() || this.#alternative.trim();
    const bare = source.replace(delimited, '$1$2$3$5');
    // One without its end has lost a part of it to the page: in `\(1<i\le n\)` a tag begins.
    const isCut = bare === source && delimiter.test(source);
    if (bare !== '' && !isCut) return bare;
    const read = tidy(this.#texOf(this.#math)) || tidy(this.#texOf(mathOfDrawing(this.#drawing)));
    return read || source.replace(delimiter, '');
  }

  #texOf(math: Part): string {
    const children = math.children.map(child => this.#texOf(child));
    const tex = written(math, children);
    this.#budget.moved.spend(tex.length);
    return tex;
  }
}

/** TeX without the blanks around it, its own `\ ` included: before a dollar it would take that for a letter. */
export function bareTex(tex: string): string {
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

function add(parent: Part, child: Part): Part {
  parent.children.push(child);
  return child;
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function written({ name, text, attributes }: Part, children: readonly string[]): string {
  const [first = '', second = '', third = ''] = children;
  switch (name) {
    case 'msup':
    case 'mover':
      return first.trim() + script('^', second);
    case 'msub':
    case 'munder':
      return first.trim() + script('_', second);
    case 'msubsup':
    case 'munderover':
      return first.trim() + script('_', second) + script('^', third);
    case 'mfrac':
      if (attributes['linethickness'] !== '0') return `\\frac{${first.trim()}}{${second.trim()}}`;
      return `{${first.trim()} \\atop ${second.trim()}}`;
    case 'msqrt':
      return `\\sqrt{${children.join('').trim()}}`;
    case 'mroot':
      return `\\sqrt[${second.trim()}]{${first.trim()}}`;
    case 'mtr':
      return `${children.join(' & ')} \\\\ `;
    case 'mtable':
      return `\\begin{matrix} ${children.join('')}\\end{matrix}`;
    case 'mtext':
      return text === '' ? '' : `\\text{${symbol(text)}}`;
    case 'mfenced': {
      const { open = '(', close = ')', separators = ',' } = attributes;
      const separator = separators.trim().charAt(0);
      return open + children.join(separator === '' ? '' : `${separator} `) + close;
    }
    case 'drawn':
      return symbol(text);
    case 'mo':
      return children.length === 0 ? operator(text.trim()) : children.join('');
    case 'mspace':
      return ' ';
    case 'annotation':
    case 'ignored':
      return '';
    default:
      return children.length === 0 ? symbol(text.trim()) : children.join('');
  }
}

function symbol(text: string): string {
  return texNames.get(text) ?? text.replace(/[%#&$]/g, '\\$&');
}

/** What is a word stands apart: `x mod 2`, not `xmod2`. */
function operator(text: string): string {
  return /^\p{L}{2,}$/u.test(text) ? ` ${text} ` : symbol(text);
}

/** Nothing for an index of nothing: a stroke or brace that a style sheet draws. */
function script(mark: '^' | '_', tex: string): string {
  const index = tex.trim();
  if (index === '') return '';
  return mark + (/^[\p{L}\p{N}]$/u.test(index) ? index : `{${index}}`);
}
