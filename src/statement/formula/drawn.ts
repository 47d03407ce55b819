import { convertMathJaxHtmlCss } from './html-css.ts';
import { createMathElement, createRenderedElement, type MathElement, type RenderedElement } from './math-element.ts';

const mathjax = /^mjx-/;
/** MathJax draws these elements only for layout: struts, lines and the radical sign. */
const mathjaxAids: ReadonlySet<string> = new Set(
  'mjx-nstrut mjx-dstrut mjx-tstrut mjx-line mjx-surd mjx-spacer'.split(' '),
);
/** A column of a matrix that is too short gets at most this number of empty cells. */
const maxFilledCells = 16;
/**
 * The parser searches for a part of a formula, such as a denominator, down to this depth. Deeper parts belong to nested
 * formulas.
 */
const maxLevels = 5;
const katexStacks = ['msupsub', 'op-limits', 'mfrac'];
const mathjaxCharacter = /^mjx-c([\dA-F]{1,5})$/;
const lettersOfFormulas = /[\u{1d400}-\u{1d7ff}]/u;
const topStyle = /(?:^|;)\s*top:\s*(-?[\d.]+)em/;
const heightStyle = /(?:^|;)\s*height:\s*(-?[\d.]+)em/;

/** Converts a rendered formula to MathML. Its plain text would turn `10^5` into 105. */
export function convertRenderedFormula(drawn: RenderedElement): MathElement {
  if (mathjax.test(drawn.name)) return mathOfMathJax(drawn, drawn.name.slice('mjx-'.length).toLowerCase());
  // Some pages write superscripts and subscripts as HTML elements inside a formula.
  if (drawn.name === 'sup' || drawn.name === 'sub')
    return createMathElement(drawn.name, drawn.children.map(convertRenderedFormula));
  if (drawn.name === '' && drawn.children.length === 0) return createMathElement('drawn', [], drawn.text);
  return convertMathJaxHtmlCss(drawn, convertRenderedFormula) ?? mathOfKatex(drawn);
}

/** Converts an element of KaTeX, which writes stacked parts as lists of rows with vertical offsets. */
function mathOfKatex(drawn: RenderedElement): MathElement {
  if (drawn.classes.includes('mtable')) return mathOfColumns(drawn);
  if (drawn.classes.includes('mspace')) return createMathElement('mspace', []);
  if (drawn.classes.includes('mop') && isText(drawn)) return createMathElement('mo', [], textOf(drawn));
  if (drawn.classes.includes('sqrt')) return mathOfRoot(drawn);
  if (drawn.classes.includes('overline') || drawn.classes.includes('underline')) return mathOfLine(drawn);
  const rows = katexStacks.some(name => drawn.classes.includes(name)) ? rowsOf(drawn) : [];
  if (rows.length === 0) return group(drawn.children);
  if (drawn.classes.includes('mfrac')) {
    const [below, above, ...others] = rows.filter(row => !isLine(row));
    if (below === undefined || above === undefined || others.length > 0) return group(rows);
    return fraction(group([above]), group([below]), rows.some(isLine));
  }
  const base = group(rows.filter(row => depthOf(row) === 0));
  const below = rows.filter(row => depthOf(row) > 0);
  const above = rows.filter(row => depthOf(row) < 0);
  if (above.length === 0) return createMathElement('msub', [base, group(below)]);
  return below.length === 0
    ? createMathElement('msup', [base, group(above)])
    : createMathElement('msubsup', [base, group(below), group(above)]);
}

/** Converts a formula with a line above or below it. KaTeX draws the line as a row without text. */
function mathOfLine(drawn: RenderedElement): MathElement {
  const notation = drawn.classes.includes('overline') ? 'top' : 'bottom';
  const rows = rowsOf(drawn);
  return createMathElement('menclose', [group(rows.length === 0 ? drawn.children : rows)], '', { notation });
}

/** Returns whether the element is a function name. Its last letter may be a separate element. */
function isText({ children }: RenderedElement): boolean {
  return children.every(({ name, children: inner }) => name === '' || inner.every(child => child.name === ''));
}

function textOf({ text, children }: RenderedElement): string {
  return text + children.map(textOf).join('');
}

function fraction(above: MathElement, below: MathElement, hasLine: boolean): MathElement {
  return createMathElement('mfrac', [above, below], '', hasLine ? {} : { linethickness: '0' });
}

function mathOfRoot({ children, ...root }: RenderedElement): MathElement {
  const isDegree = ({ classes }: RenderedElement): boolean =>
    classes.some(name => name === 'root' || name === 'katex-root');
  const degree = children.filter(isDegree);
  const body = group(rowsOf({ ...root, children: children.filter(child => !isDegree(child)) }).slice(0, 1));
  return degree.length === 0 ? createMathElement('msqrt', [body]) : createMathElement('mroot', [body, group(degree)]);
}

function rowsOf(drawn: RenderedElement): readonly RenderedElement[] {
  const list = find(drawn, ({ classes }) => classes.includes('vlist'));
  return list?.children ?? [];
}

/** Returns the vertical offset from the baseline in em. It is negative above the baseline. */
function depthOf(row: RenderedElement): number {
  const strut = row.children.find(({ classes }) => classes.includes('pstrut'));
  return number(topStyle, row.style) + number(heightStyle, strut?.style ?? '');
}

function isLine(row: RenderedElement): boolean {
  return row.children.some(({ classes }) => classes.includes('frac-line'));
}

function mathOfColumns(table: RenderedElement): MathElement {
  const columns = table.children.filter(({ classes }) => classes.some(name => name.startsWith('col-align-')));
  const stacks = columns.map(rowsOf);
  const height = stacks.reduce((most, rows) => Math.max(most, rows.length), 0);
  const count = stacks.reduce((sum, rows) => sum + rows.length, 0);
  if (height * stacks.length > count + maxFilledCells) return group(table.children);
  const lines = Array.from({ length: height }, (_, line) =>
    createMathElement(
      'mtr',
      stacks.map(rows => group(rows.slice(line, line + 1))),
    ),
  );
  return createMathElement('mtable', lines);
}

/** These functions convert the elements of MathJax whose layout differs from MathML. Other elements have no entry. */
const mathjaxRules: Readonly<Record<string, (drawn: RenderedElement) => MathElement>> = {
  c: drawn => createMathElement('mi', [], characterOf(drawn)),
  mi: mathOfCharacters,
  mn: mathOfCharacters,
  mo: mathOfCharacters,
  mtext: mathOfCharacters,
  mfrac: mathOfFraction,
  msqrt: mathOfMathJaxRoot,
  mroot: mathOfMathJaxRoot,
  mtable: drawn => createMathElement('mtable', rowsOfMathJax(drawn)),
};

function mathOfMathJax(drawn: RenderedElement, name: string): MathElement {
  const rule = Object.hasOwn(mathjaxRules, name) ? mathjaxRules[name] : undefined;
  if (rule !== undefined) return rule(drawn);
  const children = withoutAids(drawn);
  const [base, scripts] = children;
  // In inline formulas the limits of a sum stand beside the sum sign.
  if (name === 'msubsup' || (name === 'munderover' && scripts?.name === 'mjx-script')) {
    const [above, below] = scripts === undefined ? [] : withoutAids(scripts);
    return createMathElement(
      'msubsup',
      [base, below, above].map(child => group(child === undefined ? [] : [child])),
    );
  }
  if (name === 'mover' || name === 'munderover') {
    const [over, rest] = splitByName(children, 'mjx-over');
    return createMathElement('mover', [group(rest), group(over)]);
  }
  return sameLayout.has(name) ? createMathElement(name, children.map(convertRenderedFormula)) : group(children);
}

const sameLayout: ReadonlySet<string> = new Set(['msup', 'msub', 'munder', 'mtr']);

function withoutAids({ children }: RenderedElement): RenderedElement[] {
  return children.filter(child => !mathjaxAids.has(child.name));
}

function mathOfCharacters(drawn: RenderedElement): MathElement {
  const { name, children } = drawn;
  if (children.some(child => child.name !== 'mjx-c')) return group(withoutAids(drawn));
  return createMathElement(name.slice('mjx-'.length).toLowerCase(), [], children.map(characterOf).join(''));
}

function mathOfFraction(drawn: RenderedElement): MathElement {
  const pieces = drawn.children.flatMap(({ children }) => children);
  const [above, below] = splitByName(pieces, 'mjx-num');
  const hasLine = find({ ...drawn, children: below }, child => child.name === 'mjx-line') !== undefined;
  return fraction(group(above), inside(below, 'mjx-den'), hasLine);
}

function mathOfMathJaxRoot({ children }: RenderedElement): MathElement {
  const [degree, root] = splitByName(children, 'mjx-root');
  const body = inside(root, 'mjx-box');
  return degree.length === 0 ? createMathElement('msqrt', [body]) : createMathElement('mroot', [body, group(degree)]);
}

function rowsOfMathJax(drawn: RenderedElement, levels = maxLevels): MathElement[] {
  if (levels === 0) return [group(drawn.children)];
  return drawn.children.flatMap(child =>
    child.name === 'mjx-mtr' ? [convertRenderedFormula(child)] : rowsOfMathJax(child, levels - 1),
  );
}

/**
 * Splits the children of an element by their names, so that a search in the denominator does not find parts of the
 * numerator.
 */
function splitByName(drawn: readonly RenderedElement[], name: string): [RenderedElement[], RenderedElement[]] {
  return [drawn.filter(child => child.name === name), drawn.filter(child => child.name !== name)];
}

function inside(drawn: RenderedElement[], name: string): MathElement {
  return group(
    find({ ...createRenderedElement('', {}), children: drawn }, child => child.name === name)?.children ?? [],
  );
}

/**
 * Returns the character of an element. MathJax draws characters by a style sheet, and the class contains the code
 * point.
 */
function characterOf({ classes }: RenderedElement): string {
  for (const name of classes) {
    const code = mathjaxCharacter.exec(name)?.[1];
    if (code === undefined) continue;
    const character = String.fromCodePoint(Number.parseInt(code, 16));
    return lettersOfFormulas.test(character) ? character.normalize('NFKC') : character;
  }
  return '';
}

function group(children: readonly RenderedElement[]): MathElement {
  return createMathElement('mrow', children.map(convertRenderedFormula));
}

function find(
  drawn: RenderedElement,
  matches: (child: RenderedElement) => boolean,
  levels = maxLevels,
): RenderedElement | undefined {
  if (levels === 0) return undefined;
  for (const child of drawn.children) {
    const found = matches(child) ? child : find(child, matches, levels - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function number(pattern: RegExp, style: string): number {
  return Number(pattern.exec(style)?.[1] ?? 0);
}
