import { type Generator, pieces } from '../../support/generator.ts';

/**
 * Returns a page with formulas that exist only as drawings: the HTML of MathJax 2 and 3 without a source, and the KaTeX
 * drawings that a browser never shows, such as fractions with one row.
 */
export function drawnFormulaPage(random: Generator): string {
  const formulas = [
    () => `<mjx-container jax="CHTML"><mjx-math class="MJX-TEX">${newMathJax(random, 3)}</mjx-math></mjx-container>`,
    () => `<span class="MathJax"><nobr><span class="math">${oldMathJax(random, 2)}</span></nobr></span>`,
    () => `<span class="katex"><span class="katex-html">${damagedKatex(random, 3)}</span></span>`,
  ] as const;
  return `<p>${random.repeat(1, 3, () => `${random.pick(['a ', '', '1'])}${random.pick(formulas)()}`)}</p>`;
}

const words = pieces('a¦10¦≤¦∑¦max¦\u{1d45b}¦(¦b c¦−');

/** Returns HTML of MathJax 3, which has an element for each character. */
function newMathJax(random: Generator, depth: number): string {
  const token = () => {
    const name = random.pick(['mi', 'mn', 'mo', 'mtext', 'TeXAtom', 'mspace']);
    const characters = Array.from(random.pick(words), letter => {
      const code = letter.codePointAt(0)?.toString(16).toUpperCase();
      return `<mjx-c class="${random.pick(['', 'other '])}mjx-c${code} TEX-I"></mjx-c>`;
    });
    const extra = random.below(8) === 0 ? '<mjx-c class="none"></mjx-c><mjx-mi>t</mjx-mi>' : '';
    return `<mjx-${name}>${characters.join('')}${extra}</mjx-${name}>`;
  };
  if (depth === 0) return token();
  const part = () => (random.below(2) === 0 ? token() : newMathJax(random, depth - 1));
  const aid = () => random.pick(['', '<mjx-spacer></mjx-spacer>', '<mjx-nstrut></mjx-nstrut>']);
  const script = () => `<mjx-script>${part()}${aid()}${random.below(3) === 0 ? '' : part()}</mjx-script>`;
  const line = () => random.pick(['<mjx-line></mjx-line>', '']);
  const nested = (content: string): string => {
    const levels = random.below(8);
    return '<mjx-row>'.repeat(levels) + content + '</mjx-row>'.repeat(levels);
  };
  const shapes = [
    () => `<mjx-msup>${part()}<mjx-script>${part()}</mjx-script></mjx-msup>`,
    () => `<mjx-msub>${part()}<mjx-script>${aid()}${part()}</mjx-script></mjx-msub>`,
    () => `<mjx-msubsup>${part()}${random.below(6) === 0 ? '' : script()}</mjx-msubsup>`,
    () => `<mjx-munderover>${part()}${script()}</mjx-munderover>`,
    () =>
      `<mjx-munderover><mjx-over>${part()}</mjx-over><mjx-box><mjx-munder><mjx-row><mjx-base>${part()}</mjx-base></mjx-row><mjx-row><mjx-under>${part()}</mjx-under></mjx-row></mjx-munder></mjx-box></mjx-munderover>`,
    () => `<mjx-mover>${random.pick(['', `<mjx-over>${part()}</mjx-over>`])}<mjx-base>${part()}</mjx-base></mjx-mover>`,
    () => `<mjx-munder><mjx-base>${part()}</mjx-base><mjx-under>${part()}</mjx-under></mjx-munder>`,
    () =>
      `<mjx-mfrac><mjx-frac><mjx-num>${aid()}${part()}</mjx-num><mjx-dbox>${line()}${nested(`<mjx-den><mjx-dstrut></mjx-dstrut>${part()}</mjx-den>`)}</mjx-dbox></mjx-frac></mjx-mfrac>`,
    () => `<mjx-msqrt><mjx-sqrt><mjx-surd>√</mjx-surd>${nested(`<mjx-box>${part()}</mjx-box>`)}</mjx-sqrt></mjx-msqrt>`,
    () =>
      `<mjx-mroot><mjx-root>${part()}</mjx-root><mjx-sqrt><mjx-surd>√</mjx-surd><mjx-box>${part()}</mjx-box></mjx-sqrt></mjx-mroot>`,
    () =>
      `<mjx-mtable><mjx-table>${nested(random.repeat(1, 2, () => `<mjx-mtr>${random.repeat(1, 2, () => `<mjx-mtd>${part()}</mjx-mtd>`)}</mjx-mtr>`))}</mjx-table></mjx-mtable>`,
    () => `<mjx-mrow>${part()}${part()}</mjx-mrow>`,
  ] as const;
  return random.pick(shapes)();
}

/** Returns HTML of MathJax 2, which positions each part of a formula relative to the baseline. */
function oldMathJax(random: Generator, depth: number): string {
  const token = () => `<span class="${random.pick(['mi', 'mn', 'mo', 'mtext'])}">${random.pick(words)}</span>`;
  if (depth === 0) return token();
  const content = () => (random.below(2) === 0 ? token() : oldMathJax(random, depth - 1));
  const part = () => {
    const top = random.pick(['-4', '-4', '-3.96', '-4.05', '-3.95', '-4.04', '-4.4', '-3.6', '-5.2', '-2.8']);
    const strut = random.below(12) === 0 ? '' : `<span style="display: inline-block; height: 4em;"></span>`;
    const position = random.below(12) === 0 ? 'static' : 'absolute';
    const place = random.below(12) === 0 ? '' : `top: ${top}em; `;
    return `<span style="position: ${position}; ${place}left: 0em;">${content()}${strut}</span>`;
  };
  const name = random.pick(
    pieces(
      'msub¦msup¦msubsup¦msubsup¦munder¦mover¦munderover¦mfrac¦mfrac¦msqrt¦mroot¦mroot¦mtable¦mphantom¦menclose¦other',
    ),
  );
  const position = random.below(12) === 0 ? 'static' : 'relative';
  return `<span class="${name}"><span style="display: inline-block; position: ${position};">${random.repeat(name === 'mroot' ? 3 : 0, 4, part)}</span></span>`;
}

/** Returns HTML with the classes of KaTeX, whose rows are missing, too many, or too deep. */
function damagedKatex(random: Generator, depth: number): string {
  const letter = () => `<span class="mord">${random.pick(words)}</span>`;
  if (depth === 0) return letter();
  const content = () => (random.below(2) === 0 ? letter() : damagedKatex(random, depth - 1));
  const row = () => {
    const strut = random.below(6) === 0 ? '' : `<span class="pstrut" style="height:3em;"></span>`;
    const style = random.below(6) === 0 ? '' : ` style="top:${random.pick(['-3', '-3', '-2.4', '-3.5', '0', '1'])}em;"`;
    return `<span${style}>${strut}${random.below(5) === 0 ? '<span class="frac-line"></span>' : content()}</span>`;
  };
  const stack = (min: number, max: number): string => {
    const levels = random.below(7);
    return `${'<span>'.repeat(levels)}<span class="vlist">${random.repeat(min, max, row)}</span>${'</span>'.repeat(levels)}`;
  };
  const shapes = [
    () => `<span class="mfrac">${stack(0, 4)}</span>`,
    () => `<span class="msupsub">${stack(0, 3)}</span>`,
    () => `<span class="mop op-limits">${stack(0, 4)}</span>`,
    () => `<span class="mop"><span>${random.pick(words)}</span>${random.pick(['', '<span><b>x</b></span>'])}</span>`,
    () =>
      `<span class="mord sqrt"><span class="${random.pick(['root', 'katex-root', ''])}">${stack(0, 2)}</span>${stack(0, 2)}</span>`,
    () =>
      `<span class="mord ${random.pick(['overline', 'underline'])}">${random.pick([content(), stack(0, 2)])}</span>`,
    () =>
      `<span class="mtable">${random.repeat(1, 3, () => `<span class="${random.pick(['col-align-c', 'col-align-l', 'arraycolsep'])}">${stack(0, random.pick([2, 2, 3, 20]))}</span>`)}</span>`,
    () => `<${random.pick(['sup', 'sub', 'i'])}>${content()}</${random.pick(['sup', 'sub', 'i'])}>`,
    () => `${content()}<span class="mspace"></span>${content()}`,
  ] as const;
  return random.pick(shapes)();
}
