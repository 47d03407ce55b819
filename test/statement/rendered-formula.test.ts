import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

function markdown(formula: string): string {
  return statementMarkdown(`<p>${formula}</p>`, undefined);
}

/** Returns a row with the given vertical offset in the markup of KaTeX. */
function row(em: number, content: string): string {
  return `<span style="top:${em - 3}em;"><span class="pstrut" style="height:3em;"></span>${content}</span>`;
}

function stackOf(rows: readonly string[]): string {
  return `<span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist" style="height:1em;">${rows.join('')}</span><span class="vlist-s">\u200b</span></span><span class="vlist-r"><span class="vlist" style="height:0.2em;"><span></span></span></span></span>`;
}

function stack(...rows: [em: number, content: string][]): string {
  return stackOf(rows.map(([em, content]) => row(em, `<span class="mtight">${content}</span>`)));
}

function katex(content: string): string {
  return `<span class="katex"><span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:1em;"></span>${content}</span></span></span>`;
}

function fraction(above: string, below: string): string {
  return `<span class="mfrac">${stackOf([row(0.3, below), row(-0.2, '<span class="frac-line"></span>'), row(-0.4, above)])}</span>`;
}

const power = (base: string, index: string): string =>
  `<span class="mord">${base}<span class="msupsub">${stack([-0.4, index])}</span></span>`;

test('statementMarkdown converts superscripts and subscripts written as HTML inside a KaTeX rendering', () => {
  const html = '<p>modulo <span class="katex">10<sup>9</sup>+7, a<sub>i</sub></span>.</p>';
  expect(statementMarkdown(html, undefined)).toBe('modulo $10^9+7, a_i$.');
});

test.each([
  ['a superscript', `1${power('0', '5')}`, '$10^5$'],
  ['nested superscripts', power('2', power('2', 'n')), '$2^{2^n}$'],
  ['a subscript', `a<span class="msupsub">${stack([0.2, 'n<span class="mbin">−</span>1'])}</span>`, '$a_{n-1}$'],
  ['a subscript and a superscript', `a<span class="msupsub">${stack([0.2, 'i'], [-0.4, '2'])}</span>`, '$a_i^2$'],
  [
    'limits of an operator',
    `<span class="mop op-limits">${stack([1, 'i=1'], [0, '∑'], [-1, 'n'])}</span>i`,
    '$\\sum_{i=1}^ni$',
  ],
  ['a fraction', fraction('a', 'b+1'), '$\\frac{a}{b+1}$'],
  ['nested fractions', fraction(fraction('a', 'b'), 'c'), '$\\frac{\\frac{a}{b}}{c}$'],
  ['a binomial coefficient', `(<span class="mfrac">${stack([0.3, 'k'], [-0.4, 'n'])}</span>)`, '$({n \\atop k})$'],
  [
    'a square root',
    `<span class="mord sqrt">${stack([0, 'n'], [-0.2, '<svg><path d="M0"/></svg>'])}</span>`,
    '$\\sqrt{n}$',
  ],
  [
    'a cube root',
    `<span class="mord sqrt"><span class="root">${stack([-0.5, '3'])}</span>${stack([0, 'n'])}</span>`,
    '$\\sqrt[3]{n}$',
  ],
  [
    'a matrix',
    `<span class="mtable"><span class="col-align-c">${stack([-1, 'a'], [1, 'c'])}</span><span class="arraycolsep"></span><span class="col-align-c">${stack([-1, 'b'], [1, 'd'])}</span></span>`,
    '$\\begin{matrix} a & b \\\\ c & d \\\\ \\end{matrix}$',
  ],
  ['a word', 'x<span class="mspace"></span><span class="mbin">mod</span><span class="mspace"></span>2', '$x mod 2$'],
  [
    'the name of a function',
    '<span class="mop">lo<span style="margin-right:0.0139em;">g</span></span><span class="mspace"></span>n',
    '$\\log n$',
  ],
  [
    'letters below an overline',
    '<span class="mord overline"><span>ab</span><span>c</span></span>',
    '$\\overline{abc}$',
  ],
  ['a negated relation sign', 'a<span class="mrel"><span class="mord">\ue020</span>=</span>b', '$a\\not =b$'],
  ['braces', '<span class="mopen">{</span>1<span class="mclose">}</span>', '$\\{ 1\\}$'],
  ['a vertical stack of an unknown kind', `a<span class="msupsub"><span>i</span></span>`, '$ai$'],
])('statementMarkdown recovers TeX from a KaTeX rendering: %s', (_, drawn, expected) => {
  expect(markdown(katex(drawn))).toBe(expected);
});

function mathjax(content: string): string {
  return `<mjx-container class="MathJax" jax="CHTML"><mjx-math class="MJX-TEX">${content}</mjx-math></mjx-container>`;
}

/**
 * Returns the HTML in which MathJax identifies characters by code points. The letters of formulas have code points of
 * their own.
 */
function letters(text: string, element = 'mn'): string {
  const drawn = Array.from(
    text,
    letter => `<mjx-c class="mjx-c${letter.codePointAt(0)?.toString(16).toUpperCase()} TEX-I"></mjx-c>`,
  );
  return `<mjx-${element} class="mjx-n">${drawn.join('')}</mjx-${element}>`;
}

const ratio = (above: string, below: string): string =>
  `<mjx-mfrac><mjx-frac><mjx-num><mjx-nstrut></mjx-nstrut>${above}</mjx-num><mjx-dbox><mjx-dtable><mjx-line></mjx-line><mjx-row><mjx-den><mjx-dstrut></mjx-dstrut>${below}</mjx-den></mjx-row></mjx-dtable></mjx-dbox></mjx-frac></mjx-mfrac>`;

test.each([
  ['a superscript', `<mjx-msup>${letters('10')}<mjx-script>${letters('5')}</mjx-script></mjx-msup>`, '$10^5$'],
  ['letters', letters('\u{1d45b}', 'mi') + letters('≤', 'mo') + letters('9'), '$n\\le 9$'],
  [
    'a superscript before a subscript',
    `<mjx-msubsup>${letters('a')}<mjx-script>${letters('2')}<mjx-spacer></mjx-spacer>${letters('i')}</mjx-script></mjx-msubsup>`,
    '$a_i^2$',
  ],
  [
    'limits above and below',
    `<mjx-munderover><mjx-over>${letters('n')}</mjx-over><mjx-box><mjx-munder><mjx-row><mjx-base>${letters('∑')}</mjx-base></mjx-row><mjx-row><mjx-under>${letters('1')}</mjx-under></mjx-row></mjx-munder></mjx-box></mjx-munderover>`,
    '$\\sum_1^n$',
  ],
  [
    'limits next to a sum',
    `<mjx-munderover limits="false">${letters('∑')}<mjx-script>${letters('n')}<mjx-spacer></mjx-spacer>${letters('1')}</mjx-script></mjx-munderover>`,
    '$\\sum_1^n$',
  ],
  ['nested fractions', ratio(ratio(letters('a'), letters('b')), letters('c')), '$\\frac{\\frac{a}{b}}{c}$'],
  [
    'a binomial coefficient',
    `<mjx-mfrac><mjx-frac atop="true"><mjx-num>${letters('n')}</mjx-num><mjx-den>${letters('k')}</mjx-den></mjx-frac></mjx-mfrac>`,
    '${n \\atop k}$',
  ],
  [
    'a cube root',
    `<mjx-mroot><mjx-root>${letters('3')}</mjx-root><mjx-sqrt><mjx-surd>${letters('√')}</mjx-surd><mjx-box>${letters('x')}</mjx-box></mjx-sqrt></mjx-mroot>`,
    '$\\sqrt[3]{x}$',
  ],
  [
    'a matrix',
    `<mjx-mtable><mjx-table><mjx-itable><mjx-mtr><mjx-mtd>${letters('a')}<mjx-tstrut></mjx-tstrut></mjx-mtd><mjx-mtd>${letters('b')}</mjx-mtd></mjx-mtr></mjx-itable></mjx-table></mjx-mtable>`,
    '$\\begin{matrix} a & b \\\\ \\end{matrix}$',
  ],
  ['a line above letters', `<mjx-mover><mjx-over></mjx-over><mjx-base>${letters('ab')}</mjx-base></mjx-mover>`, '$ab$'],
  ['text in an SVG image', '<svg><text>\u0435\u0441\u043b\u0438</text></svg>', '$\u0435\u0441\u043b\u0438$'],
  ['plain text', letters('max ', 'mtext') + letters('a'), '$\\text{max }a$'],
])('statementMarkdown recovers TeX from a MathJax rendering: %s', (_, drawn, expected) => {
  expect(markdown(mathjax(drawn))).toBe(expected);
});

test.each([
  ['a half-open interval', '<mfenced open="[" close=")"><mi>a</mi><mi>b</mi></mfenced>', '$[a, b)$'],
  ['parentheses', '<mi>f</mi><mfenced><mi>x</mi></mfenced>', '$f(x)$'],
  ['a binomial coefficient', '<mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac>', '${n \\atop k}$'],
  ['an operator word', '<mi>x</mi><mo>mod</mo><mn>2</mn>', '$x mod 2$'],
  ['a function name', '<mi>max</mi><mo>(</mo><mi>ab</mi><mo>)</mo>', '$\\max (\\mathrm{ab})$'],
  ['parentheses without separators', '<mfenced separators=""><mi>a</mi><mi>b</mi></mfenced>', '$(ab)$'],
  [
    'names of object properties',
    '<mi>constructor</mi><mo>=</mo><mi>__proto__</mi>',
    '$\\mathrm{constructor}=__proto__$',
  ],
])('statementMarkdown converts MathML with %s', (_, math, expected) => {
  expect(markdown(`<math>${math}</math>`)).toBe(expected);
});

test.each([
  ['stacks', '<span class="mfrac"><span class="vlist">'],
  ['fractions', '<mjx-mfrac><mjx-frac><mjx-num>'],
  ['roots', '<span class="sqrt"><span class="vlist"><span>'],
])('statementMarkdown converts a rendered formula with a hundred nested %s', (_, tags) => {
  const depth = 250 / tags.split('><').length;
  expect(markdown(katex(`${tags.repeat(depth)}x`))).toContain('x');
});

test('statementMarkdown converts a rendered matrix with more than 16 missing cells to text', () => {
  const column = (count: number): string =>
    `<span class="col-align-c"><span class="vlist">${'<span>a</span>'.repeat(count)}</span></span>`;
  const isMatrix = (...counts: readonly number[]): boolean =>
    markdown(katex(`<span class="mtable">${counts.map(column).join('')}</span>`)).includes('matrix');
  expect([
    isMatrix(17, 1),
    isMatrix(18, 1),
    isMatrix(9, 1, 1),
    isMatrix(10, 1, 1),
    isMatrix(40),
    isMatrix(0, 0),
  ]).toEqual([true, false, true, false, true, true]);
});

test('statementMarkdown converts a rendered matrix with one very long column to text', () => {
  const column = (content: string): string => `<span class="col-align-c"><span class="vlist">${content}</span></span>`;
  const rows = '<span>a</span>'.repeat(3000);
  const drawn = `<span class="mtable">${column(rows)}${column('').repeat(3000)}</span>`;
  expect(markdown(katex(drawn))).toBe(`$${'a'.repeat(3000)}$`);
});
