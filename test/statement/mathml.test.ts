import { expect, test } from 'vitest';
import { trimTexWhiteSpace } from '../../src/statement/formula/mathml.ts';
import { statementMarkdown } from '../../src/statement/index.ts';

function formula(mathml: string): string {
  return statementMarkdown(`<p>x <math>${mathml}</math></p>`, undefined).slice(2);
}

test.each([
  [
    'scripts on both sides',
    '<mmultiscripts><mi>C</mi><mi>k</mi><none/><mprescripts/><mi>n</mi><none/></mmultiscripts>',
    '${}_nC_k$',
  ],
  ['scripts on one side', '<mmultiscripts><mi>X</mi><mi>a</mi><mi>b</mi></mmultiscripts>', '$X_a^b$'],
  ['an invisible part', '<mi>a</mi><mphantom><mi>b</mi></mphantom><mi>c</mi>', '$a c$'],
  ['a function', '<mi>sin</mi><mo>&#x2061;</mo><mi>x</mi>', '$\\sin x$'],
  ['a function between factors', '<mi>n</mi><mi>log</mi><mi>n</mi>', '$n\\log n$'],
  ['a function written as an operator', '<mo>max</mo><mo>(</mo><mi>a</mi><mo>)</mo>', '$\\max (a)$'],
  ['a function with one letter', '<mi>f</mi><mo>&#x2061;</mo><mi>x</mi>', '$f x$'],
  ['a name of several letters', '<mi>dist</mi><mi>x</mi>', '$\\mathrm{dist}x$'],
  [
    'a bar',
    '<mover><mi>x</mi><mo>¯</mo></mover><mover><mrow><mi>a</mi><mi>b</mi></mrow><mo>¯</mo></mover>',
    '$\\bar{x}\\overline{ab}$',
  ],
  ['accents', '<mover><mi>x</mi><mo>^</mo></mover><mover><mi>v</mi><mo>→</mo></mover>', '$\\hat{x}\\vec{v}$'],
  ['a line below', '<munder><mi>x</mi><mo>_</mo></munder>', '$\\underline{x}$'],
  ['a limit', '<munder><mo>lim</mo><mi>n</mi></munder>', '$\\lim_n$'],
  ['a canceled symbol', '<menclose notation="updiagonalstrike"><mi>x</mi></menclose>', '$\\cancel{x}$'],
  ['a box', '<menclose notation="box"><mi>x</mi></menclose>', '$\\boxed{x}$'],
  ['an unknown enclosure', '<menclose notation="madruwb"><mi>x</mi></menclose>', '$\\enclose{madruwb}{x}$'],
  ['one of several alternatives', '<maction selection="2"><mi>a</mi><mi>b</mi></maction>', '$b$'],
  ['a power of a power', '<msup><msup><mi>a</mi><mn>2</mn></msup><mn>3</mn></msup>', '${a^2}^3$'],
  [
    'a number of an equation',
    '<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>a</mi></mtd></mlabeledtr></mtable>',
    '$\\begin{matrix} a \\tag{\\text{(1)}} \\\\ \\end{matrix}$',
  ],
])('statementMarkdown converts %s of MathML', (_, mathml, expected) => {
  expect(formula(mathml)).toBe(expected);
});

const strut = '<span style="display: inline-block; width: 0px; height: 4em;"></span>';

/**
 * Returns a part of a formula in the HTML-CSS output of MathJax 2. It is moved down from the baseline by this number of
 * em.
 */
function part(content: string, em = 0): string {
  return `<span style="position: absolute; top: ${em - 4}em; left: 0em;">${content}${strut}</span>`;
}

function structure(name: string, ...parts: string[]): string {
  return `<span class="${name}"><span style="display: inline-block; position: relative; width: 1em;">${parts.join('')}</span></span>`;
}

const token = (name: string, text: string): string => `<span class="${name}">${text}</span>`;
const [a, b] = [token('mi', 'a'), token('mi', 'b')];
const line = part('<span style="border-top: 1px solid"></span>', -1.3);

test.each([
  ['a subscript', structure('msubsup', part(a), part(b, 0.18)), '$a_b$'],
  ['a superscript', structure('msubsup', part(token('mn', '10')), part(token('mn', '5'), -0.4)), '$10^5$'],
  ['both scripts', structure('msubsup', part(a), part('2', -0.3), part('i', 0.3)), '$a_i^2$'],
  ['a fraction', structure('mfrac', part(a, -0.4), part(b, 0.4), line), '$\\frac{a}{b}$'],
  ['a binomial coefficient', structure('mfrac', part(a, -0.4), part(b, 0.4)), '${a \\atop b}$'],
  ['a square root', structure('msqrt', part(a), line, part('√')), '$\\sqrt{a}$'],
  ['a cube root', structure('mroot', part(a), line, part('√'), part('3', -0.6)), '$\\sqrt[3]{a}$'],
  ['limits', structure('munderover', part(token('mo', '∑')), part('n', -1.2), part('i', 1.2)), '$\\sum_i^n$'],
  ['a function', `${token('mi', 'n')}${token('mi', 'log')}${token('mi', 'n')}`, '$n\\log n$'],
  ['a matrix', structure('mtable', part('12'), part('34')), '$\\text{(unreadable: 1234)}$'],
  ['two subscripts', structure('msubsup', part(a), part('i', 0.3), part('j', 0.4)), '$\\text{(unreadable: aij)}$'],
  ['a script on the baseline', structure('msubsup', part(a), part(b)), '$\\text{(unreadable: ab)}$'],
])('statementMarkdown converts %s that MathJax 2 rendered without a source, or marks it', (_, html, expected) => {
  const rendering = `<span class="MathJax"><nobr><span class="math">${html}</span></nobr></span>`;
  expect(statementMarkdown(`<p>x ${rendering}</p>`, undefined)).toBe(`x ${expected}`);
  const source = '<script type="math/tex">x</script>';
  expect(statementMarkdown(`<p>x ${rendering}${source}</p>`, undefined)).toBe('x $x$');
});

test('statementMarkdown reads the MathML that MathJax 2 stores in an attribute of the rendered formula', () => {
  const mathml =
    '&lt;math&gt;&lt;msup&gt;&lt;mi&gt;a&lt;/mi&gt;&lt;mspace/&gt;&lt;/msup&gt;&lt;mfrac&gt;&lt;mn&gt;1&lt;/mn&gt;&lt;mn&gt;2&lt;/mn&gt;&lt;/mfrac&gt;&lt;/math&gt;';
  const html = `<p>x <span class="MathJax_SVG" data-mathml="${mathml}"><svg><path d="M0"/></svg></span></p>`;
  expect(statementMarkdown(html, undefined)).toBe('x $a\\frac{1}{2}$');
});

test('statementMarkdown writes a note in place of a formula that is only a drawing', () => {
  const html = '<p>x <span class="MathJax_SVG"><svg><path d="M0"/></svg></span> a</p>';
  expect(statementMarkdown(html, undefined)).toBe('x $\\text{(unreadable formula)}$ a');
});

test.each([
  ['x\\ ', 'x '],
  ['x\\\\', 'x\\\\'],
  ['x\\\\\\ ', 'x\\\\ '],
  ['x\\\\\\\\', 'x\\\\\\\\'],
  [' \\ \\ x', ' x'],
])('trimTexWhiteSpace removes white space at the ends of %j, but no line break', (tex, expected) => {
  expect(trimTexWhiteSpace(tex)).toBe(expected);
});
