import type { Attributes } from './visibility.ts';

interface Part {
  readonly name: string;
  readonly children: Part[];
  text: string;
}

const TEX_NAMES: Readonly<Record<string, string>> = {
  '≤': '\\le ',
  '≥': '\\ge ',
  '≠': '\\ne ',
  '×': '\\times ',
  '⋅': '\\cdot ',
  '·': '\\cdot ',
  '∑': '\\sum ',
  '∏': '\\prod ',
  '∞': '\\infty ',
  '∈': '\\in ',
  '…': '\\ldots ',
  '⋯': '\\cdots ',
  '→': '\\to ',
  '⌊': '\\lfloor ',
  '⌋': '\\rfloor ',
  '⌈': '\\lceil ',
  '⌉': '\\rceil ',
  '−': '-',
  '\u2061': '',
  '\u2062': '',
  '\u2063': '',
};

/** One formula as KaTeX, MathJax or plain MathML put it on a page: its TeX once, however often it is drawn. */
export class Formula {
  isDisplay: boolean;
  readonly #root: Part = { name: '', children: [], text: '' };
  readonly #stack: Part[] = [this.#root];
  #annotation = '';
  #alternative = '';
  #drawn = '';

  constructor(isDisplay: boolean) {
    this.isDisplay = isDisplay;
  }

  open(name: string, attributes: Attributes): void {
    const isMath = name === 'math' || this.#top().name !== '';
    const isOtherSource = name.startsWith('annotation') && !/tex/i.test(attributes['encoding'] ?? '');
    const part: Part = { name: isOtherSource ? 'ignored' : isMath ? name : '', children: [], text: '' };
    if (name === 'math') {
      this.#alternative ||= attributes['alttext'] ?? '';
      if (attributes['display'] === 'block') this.isDisplay = true;
      this.#root.children.push(part);
    } else if (isMath) this.#top().children.push(part);
    this.#stack.push(part);
  }

  text(text: string): void {
    const top = this.#top();
    if (top.name === 'annotation') this.#annotation += text;
    else if (top.name !== '') top.text += text;
    else this.#drawn += text;
  }

  /** Closes the innermost element; true when it was the outermost one, too. */
  close(): boolean {
    this.#stack.pop();
    return this.#stack.length <= 1;
  }

  tex(): string {
    const source = this.#annotation.trim() || this.#alternative.trim();
    if (source !== '') return source.replace(/^\{\\displaystyle (.*)\}$/s, '$1');
    const rebuilt = tidy(this.#root.children.map(texOf).join(''));
    return rebuilt === '' ? tidy(this.#drawn) : rebuilt;
  }

  #top(): Part {
    return this.#stack.at(-1) ?? this.#root;
  }
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function texOf(part: Part): string {
  const children = part.children.map(texOf);
  const [first = '', second = '', third = ''] = children;
  switch (part.name) {
    case 'msup':
    case 'mover':
      return `${base(first)}^${argument(second)}`;
    case 'msub':
    case 'munder':
      return `${base(first)}_${argument(second)}`;
    case 'msubsup':
    case 'munderover':
      return `${base(first)}_${argument(second)}^${argument(third)}`;
    case 'mfrac':
      return `\\frac{${first.trim()}}{${second.trim()}}`;
    case 'msqrt':
      return `\\sqrt{${children.join('').trim()}}`;
    case 'mroot':
      return `\\sqrt[${second.trim()}]{${first.trim()}}`;
    case 'mtr':
      return `${children.join(' & ')} \\\\ `;
    case 'mtable':
      return `\\begin{matrix} ${children.join('')}\\end{matrix}`;
    case 'mtext':
      return `\\text{${part.text}}`;
    case 'mspace':
      return ' ';
    case 'annotation':
    case 'ignored':
      return '';
    default:
      return children.length === 0 ? symbol(part.text.trim()) : children.join('');
  }
}

function symbol(text: string): string {
  return TEX_NAMES[text] ?? text;
}

function base(tex: string): string {
  return tex.trim();
}

function argument(tex: string): string {
  const trimmed = tex.trim();
  return /^[\p{L}\p{N}]$/u.test(trimmed) ? trimmed : `{${trimmed}}`;
}
