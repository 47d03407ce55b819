import type { Attributes } from '../html/attributes.ts';

/** An element of a formula, named as in MathML; `drawn` is text as it was found. */
export interface Part {
  readonly name: string;
  readonly children: Part[];
  readonly attributes: Attributes;
  text: string;
}

/** An element of a formula as KaTeX or MathJax draws it. */
export interface Drawn {
  readonly name: string;
  readonly classes: readonly string[];
  readonly style: string;
  readonly children: Drawn[];
  readonly text: string;
}

const mathjax = /^mjx-/;
/** What MathJax draws for its own use: struts, lines and the sign of a root. */
const mathjaxAids: ReadonlySet<string> = new Set(
  'mjx-nstrut mjx-dstrut mjx-tstrut mjx-line mjx-surd mjx-spacer'.split(' '),
);
/** So many cells may be missing in columns that are shorter than others: they are filled up. */
const maxFilledCells = 16;
/** So far down in an element its own pieces are; what is deeper belongs to others. */
const maxLevels = 5;
const katexStacks = ['msupsub', 'op-limits', 'mfrac'];
const mathjaxCharacter = /^mjx-c([\dA-F]{1,5})$/;
const lettersOfFormulas = /[\u{1d400}-\u{1d7ff}]/u;
const topStyle = /(?:^|;)\s*top:\s*(-?[\d.]+)em/;
const heightStyle = /(?:^|;)\s*height:\s*(-?[\d.]+)em/;

export function part(name: string, children: Part[], text = '', attributes: Attributes = {}): Part {
  return { name, children, text, attributes };
}

export function drawnElement(name: string, { class: className = '', style = '' }: Attributes): Drawn {
  return { name, classes: className.split(/\s+/), style, children: [], text: '' };
}

export function drawnText(text: string): Drawn {
  return { name: '', classes: [], style: '', children: [], text };
}

/** Reads MathML off a drawing: flat, the text of `10^5` would be 105. */
export function mathOfDrawing(drawn: Drawn): Part {
  if (mathjax.test(drawn.name)) return mathOfMathJax(drawn, drawn.name.slice('mjx-'.length).toLowerCase());
  if (drawn.name === '' && drawn.children.length === 0) return part('drawn', [], drawn.text);
  return mathOfKatex(drawn);
}

/** KaTeX stacks what is not on the line in lists of rows, each with its place. */
function mathOfKatex(drawn: Drawn): Part {
  if (drawn.classes.includes('mtable')) return mathOfColumns(drawn);
  if (drawn.classes.includes('mspace')) return part('mspace', []);
  if (drawn.classes.includes('mop') && isText(drawn)) return part('mo', [], textOf(drawn));
  if (drawn.classes.includes('sqrt')) return mathOfRoot(drawn);
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
  if (above.length === 0) return part('msub', [base, group(below)]);
  return below.length === 0 ? part('msup', [base, group(above)]) : part('msubsup', [base, group(below), group(above)]);
}

/** The name of a function, whose last letter may have an element of its own. */
function isText({ children }: Drawn): boolean {
  return children.every(({ name, children: inner }) => name === '' || inner.every(child => child.name === ''));
}

function textOf({ text, children }: Drawn): string {
  return text + children.map(textOf).join('');
}

function fraction(above: Part, below: Part, hasLine: boolean): Part {
  return part('mfrac', [above, below], '', hasLine ? {} : { linethickness: '0' });
}

function mathOfRoot({ children, ...root }: Drawn): Part {
  const isDegree = ({ classes }: Drawn): boolean => classes.some(name => name === 'root' || name === 'katex-root');
  const degree = children.filter(isDegree);
  const body = group(rowsOf({ ...root, children: children.filter(child => !isDegree(child)) }).slice(0, 1));
  return degree.length === 0 ? part('msqrt', [body]) : part('mroot', [body, group(degree)]);
}

function rowsOf(drawn: Drawn): readonly Drawn[] {
  const list = find(drawn, ({ classes }) => classes.includes('vlist'));
  return list?.children ?? [];
}

/** In em below the line the formula stands on; negative above it. */
function depthOf(row: Drawn): number {
  const strut = row.children.find(({ classes }) => classes.includes('pstrut'));
  return number(topStyle, row.style) + number(heightStyle, strut?.style ?? '');
}

function isLine(row: Drawn): boolean {
  return row.children.some(({ classes }) => classes.includes('frac-line'));
}

function mathOfColumns(table: Drawn): Part {
  const columns = table.children.filter(({ classes }) => classes.some(name => name.startsWith('col-align-')));
  const stacks = columns.map(rowsOf);
  const height = stacks.reduce((most, rows) => Math.max(most, rows.length), 0);
  const count = stacks.reduce((sum, rows) => sum + rows.length, 0);
  if (height * stacks.length > count + maxFilledCells) return group(table.children);
  const lines = Array.from({ length: height }, (_, line) =>
    part(
      'mtr',
      stacks.map(rows => group(rows.slice(line, line + 1))),
    ),
  );
  return part('mtable', lines);
}

function mathOfMathJax(drawn: Drawn, name: string): Part {
  switch (name) {
    case 'c':
      return part('mi', [], characterOf(drawn));
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
      if (drawn.children.some(child => child.name !== 'mjx-c')) break;
      return part(name, [], drawn.children.map(characterOf).join(''));
    case 'mfrac': {
      const pieces = drawn.children.flatMap(({ children }) => children);
      const [above, below] = apart(pieces, 'mjx-num');
      const hasLine = find({ ...drawn, children: below }, child => child.name === 'mjx-line') !== undefined;
      return fraction(group(above), inside(below, 'mjx-den'), hasLine);
    }
    case 'msqrt':
    case 'mroot': {
      const [degree, root] = apart(drawn.children, 'mjx-root');
      const body = inside(root, 'mjx-box');
      return degree.length === 0 ? part('msqrt', [body]) : part('mroot', [body, group(degree)]);
    }
    case 'mtable':
      return part('mtable', rowsOfMathJax(drawn));
    default:
  }
  const children = drawn.children.filter(child => !mathjaxAids.has(child.name));
  const [base, scripts] = children;
  // In a line of text the limits of a sum stand beside it.
  switch (name === 'munderover' && scripts?.name === 'mjx-script' ? 'msubsup' : name) {
    case 'msup':
    case 'msub':
    case 'munder':
    case 'mtr':
      return part(name, children.map(mathOfDrawing));
    case 'msubsup': {
      const [above, below] = scripts?.children.filter(child => !mathjaxAids.has(child.name)) ?? [];
      return part(
        'msubsup',
        [base, below, above].map(child => group(child === undefined ? [] : [child])),
      );
    }
    case 'mover':
    case 'munderover': {
      const [over, rest] = apart(children, 'mjx-over');
      return part('mover', [group(rest), group(over)]);
    }
    default:
      return group(children);
  }
}

function rowsOfMathJax(drawn: Drawn, levels = maxLevels): Part[] {
  if (levels === 0) return [group(drawn.children)];
  return drawn.children.flatMap(child =>
    child.name === 'mjx-mtr' ? [mathOfDrawing(child)] : rowsOfMathJax(child, levels - 1),
  );
}

/** Those of that name and the others: what is sought in a fraction's denominator must not be found in its numerator. */
function apart(drawn: readonly Drawn[], name: string): [Drawn[], Drawn[]] {
  return [drawn.filter(child => child.name === name), drawn.filter(child => child.name !== name)];
}

function inside(drawn: Drawn[], name: string): Part {
  return group(find({ ...drawnElement('', {}), children: drawn }, child => child.name === name)?.children ?? []);
}

/** MathJax's letters are in its style sheet; the class of one is its number. */
function characterOf({ classes }: Drawn): string {
  for (const name of classes) {
    const code = mathjaxCharacter.exec(name)?.[1];
    if (code === undefined) continue;
    const character = String.fromCodePoint(Number.parseInt(code, 16));
    return lettersOfFormulas.test(character) ? character.normalize('NFKC') : character;
  }
  return '';
}

function group(children: readonly Drawn[]): Part {
  return part('mrow', children.map(mathOfDrawing));
}

function find(drawn: Drawn, isIt: (child: Drawn) => boolean, levels = maxLevels): Drawn | undefined {
  if (levels === 0) return undefined;
  for (const child of drawn.children) {
    const found = isIt(child) ? child : find(child, isIt, levels - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function number(pattern: RegExp, style: string): number {
  return Number(pattern.exec(style)?.[1] ?? 0);
}
