import type { Attributes } from '../html/attributes.ts';
import type { MathElement } from './math-element.ts';

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
  // KaTeX represents a stroke through the next symbol by this private-use character.
  ['\ue020', '\\not '],
  ['′', '\\prime '],
  ['\u2061', ' '],
  ['\u2062', ''],
  ['\u2063', ''],
]);

type TexRule = (parts: readonly [string, string, string], children: readonly string[], element: MathElement) => string;

/** TeX needs a backslash before these function names: `\\sin x`. Without it, `sinx` is a product of four variables. */
const functions: ReadonlySet<string> = new Set(
  'arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh'.split(
    ' ',
  ),
);

/** Maps each accent to two TeX commands: one for an accent above one symbol, and one for several symbols. */
const accentsAbove: ReadonlyMap<string, readonly [one: string, several: string]> = new Map([
  ['¯', ['bar', 'overline']],
  ['ˉ', ['bar', 'overline']],
  ['‾', ['overline', 'overline']],
  ['―', ['overline', 'overline']],
  ['_', ['overline', 'overline']],
  ['^', ['hat', 'widehat']],
  ['ˆ', ['hat', 'widehat']],
  ['~', ['tilde', 'widetilde']],
  ['˜', ['tilde', 'widetilde']],
  ['→', ['vec', 'overrightarrow']],
  ['⃗', ['vec', 'overrightarrow']],
  ['˙', ['dot', 'dot']],
  ['¨', ['ddot', 'ddot']],
  ['ˇ', ['check', 'check']],
  ['⏞', ['overbrace', 'overbrace']],
]);
const accentsBelow: ReadonlyMap<string, string> = new Map([
  ['_', 'underline'],
  ['̲', 'underline'],
  ['¯', 'underline'],
  ['‾', 'underline'],
  ['―', 'underline'],
  ['⏟', 'underbrace'],
]);

const underScript: TexRule = ([base, index]) => baseOf(base, '_') + script('_', index);
const overScript: TexRule = ([base, power]) => baseOf(base, '^') + script('^', power);
const bothScripts: TexRule = ([base, index, power]) => base.trim() + script('_', index) + script('^', power);
const nothing: TexRule = () => '';

const overAccent: TexRule = (parts, children, element) => {
  const base = parts[0].trim();
  const [one, several] = accentsAbove.get(signOf(element.children[1])) ?? [];
  if (one === undefined || base === '') return overScript(parts, children, element);
  return `\\${Array.from(base).length === 1 ? one : several}{${base}}`;
};

const underAccent: TexRule = (parts, children, element) => {
  const command = accentsBelow.get(signOf(element.children[1]));
  return command === undefined || parts[0].trim() === ''
    ? underScript(parts, children, element)
    : `\\${command}{${parts[0].trim()}}`;
};

/**
 * Writes the superscripts and subscripts on both sides of a base. MathML lists them in pairs of a subscript and a
 * superscript, first the pairs on the right side.
 */
const scriptsOnBothSides: TexRule = ([base], children, element) => {
  const middle = element.children.findIndex(({ name }) => name === 'mprescripts');
  const end = middle === -1 ? children.length : middle;
  const pairs = (scripts: readonly string[]): string =>
    scripts.map((tex, index) => script(index % 2 === 0 ? '_' : '^', tex)).join('');
  const before = pairs(children.slice(end + 1));
  return (before === '' ? '' : `{}${before}`) + base.trim() + pairs(children.slice(1, end));
};

const enclosed: TexRule = (_, children, { attributes }) => {
  const { notation = 'longdiv' } = attributes;
  const body = children.join('').trim();
  if (/strike/.test(notation)) return `\\cancel{${body}}`;
  if (/box|circle/.test(notation)) return `\\boxed{${body}}`;
  const command = { top: 'overline', bottom: 'underline', radical: 'sqrt' }[notation.trim()];
  return command === undefined ? `\\enclose{${notation.trim()}}{${body}}` : `\\${command}{${body}}`;
};

/** The MathML element `maction` displays only the child that its attribute `selection` selects. */
const selected: TexRule = (_, children, { attributes }) => children[Number(attributes['selection'] ?? 1) - 1] ?? '';

const labeledRow: TexRule = (_, [label = '', ...cells]) =>
  `${cells.join(' & ')} \\tag{${label.trim().replace(/^\((.*)\)$/s, '$1')}} \\\\ `;

/**
 * Each function returns the TeX of an element. Its first three parameters are the TeX of the first three child
 * elements.
 */
const texRules: ReadonlyMap<string, TexRule> = new Map<string, TexRule>([
  ['msup', overScript],
  ['mover', overAccent],
  ['msub', underScript],
  ['munder', underAccent],
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
  ['mi', (_, children, { text }) => (children.length === 0 ? identifier(text.trim()) : children.join(''))],
  ['ms', (_, __, { text }) => `\\text{"${symbol(text)}"}`],
  ['mmultiscripts', scriptsOnBothSides],
  ['menclose', enclosed],
  ['maction', selected],
  ['mlabeledtr', labeledRow],
  // The element `mphantom` is invisible but takes up space.
  ['mphantom', () => ' '],
  ['none', nothing],
  ['mprescripts', nothing],
  ['unreadable', (_, __, { text }) => `\\text{(unreadable: ${symbol(text.trim())})}`],
  ['annotation', nothing],
  ['ignored', nothing],
]);

/** Returns the TeX of an element, which is built from the TeX of its children. */
export function formatMathElementAsTex(element: MathElement, children: readonly string[]): string {
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

/** Returns the name of a function as a command and any other word in upright letters, as MathML shows it. */
function identifier(text: string): string {
  if (functions.has(text)) return `\\${text} `;
  return /^\p{L}{2,}$/u.test(text) ? `\\mathrm{${text}}` : symbol(text);
}

/** Returns the character of an accent. HTML repeats this character to draw a wide accent. */
function signOf(element: MathElement | undefined): string {
  if (element === undefined) return '';
  return [...new Set(element.text.trim() + element.children.map(signOf).join(''))].join('');
}

/**
 * Encloses the base of a superscript in braces if the base already ends with a superscript, because `x^a^b` is an error
 * or a tower of powers. The same applies to subscripts.
 */
function baseOf(tex: string, mark: '^' | '_'): string {
  const base = tex.trim();
  const last = mark === '^' ? /\^(?:[^\s{}]|\{.*\})$/s : /_(?:[^\s{}]|\{.*\})$/s;
  return last.test(base) && !/^\\(?:over|under)brace/.test(base) ? `{${base}}` : base;
}

/** Puts spaces around an operator that is a word: `x mod 2`, not `xmod2`. */
function operator(text: string): string {
  if (functions.has(text)) return `\\${text} `;
  return /^\p{L}{2,}$/u.test(text) ? ` ${text} ` : symbol(text);
}

/**
 * Returns a superscript or subscript as TeX. An element without text becomes an empty string, because KaTeX draws a
 * stroke or a brace in it with CSS.
 */
function script(mark: '^' | '_', tex: string): string {
  const index = tex.trim();
  if (index === '') return '';
  return mark + (/^[\p{L}\p{N}]$/u.test(index) ? index : `{${index}}`);
}
