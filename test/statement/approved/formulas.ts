import { type Generator, pieces } from '../../support/generator.ts';

/** Returns a page with formulas in MathML, and with the HTML in which KaTeX and MathJax draw formulas. */
export function formulaPage(random: Generator): string {
  const token = () =>
    random.pick([
      '<mi>x</mi>',
      '<mn>2</mn>',
      '<mo>+</mo>',
      '<mo>∑</mo>',
      '<mtext>if </mtext>',
      '<mi>&alpha;</mi>',
      '<mo stretchy="false">(</mo>',
      '<mi mathvariant="normal">d</mi>',
      '<mspace width="1em"/>',
      '<mo>≤</mo>',
      '<mn>10</mn>',
      '<mi>max</mi>',
      '<mo>−</mo>',
      '<mi>i</mi>',
    ]);
  const mathml = (depth: number): string => {
    if (depth === 0) return token();
    const tag = random.pick([
      'mrow',
      'msup',
      'msub',
      'msubsup',
      'mfrac',
      'msqrt',
      'mroot',
      'mover',
      'munder',
      'munderover',
      'mfenced',
      'mtable',
      'mstyle',
      'mpadded',
      'menclose',
      'semantics',
      'mphantom',
    ]);
    const sizes: Readonly<Record<string, number>> = {
      msup: 2,
      msub: 2,
      msubsup: 3,
      mfrac: 2,
      mroot: 2,
      mover: 2,
      munder: 2,
      munderover: 3,
    };
    const size = sizes[tag] ?? 1 + random.below(3);
    const part = () => (random.below(2) === 0 ? token() : mathml(depth - 1));
    const cell = () => `<mtd>${part()}</mtd>`;
    const content =
      tag === 'mtable'
        ? random.repeat(1, 2, () => `<mtr>${random.repeat(1, 2, cell)}</mtr>`)
        : random.repeat(size, size, part);
    return `<${tag}>${content}</${tag}>`;
  };
  const row = (em: string, content: string) =>
    `<span style="top:${em}em;"><span class="pstrut" style="height:3em;"></span>${content}</span>`;
  const offsets = pieces('-2.4¦-3¦-3.4¦-3.063¦-2.55¦-3.7¦-1.9¦-2.8¦-4.1');
  const stack = (rows: string) =>
    `<span class="vlist-t vlist-t2"><span class="vlist-r"><span class="vlist" style="height:1em;">${rows}</span><span class="vlist-s">\u200b</span></span></span>`;
  const drawn = (depth: number): string => {
    const letter = random.pick([
      '<span class="mord mathnormal">x</span>',
      '<span class="mord">2</span>',
      '<span class="mbin">−</span>',
      '<span class="mrel">≤</span>',
      '<span class="mord text"><span class="mord">if </span></span>',
      '<span class="mspace" style="margin-right:1em;"></span>',
      '<span class="mopen">(</span>',
      '<span class="mop">max</span>',
    ]);
    if (depth === 0) return letter;
    const rows = () => stack(random.repeat(1, 3, () => row(random.pick(offsets), drawn(depth - 1))));
    const shape = random.pick([
      () => `${letter}<span class="msupsub">${rows()}</span>`,
      () =>
        `<span class="mfrac">${stack(row('-2.3', drawn(depth - 1)) + row('-3.2', '<span class="frac-line"></span>') + row('-3.7', drawn(depth - 1)))}</span>`,
      () =>
        `<span class="mord sqrt">${random.pick(['', `<span class="root">${stack(row('-2.5', letter))}</span>`])}${stack(row('-3', drawn(depth - 1)) + row('-2.9', '<span class="hide-tail"><svg><path d="M0"/></svg></span>'))}</span>`,
      () => `<span class="mop op-limits">${rows()}</span>`,
      () =>
        `<span class="mord accent">${stack(row('-3', drawn(depth - 1)) + row('-3.2', '<span class="accent-body">^</span>'))}</span>`,
      () =>
        `<span class="mord overline">${stack(row('-3', drawn(depth - 1)) + row('-3.6', '<span class="overline-line"></span>'))}</span>`,
      () =>
        `<span class="mtable"><span class="col-align-c">${rows()}</span><span class="col-align-l">${rows()}</span></span>`,
      () => letter + drawn(depth - 1),
      () =>
        `<span class="minner"><span class="mopen delimcenter">{</span>${drawn(depth - 1)}<span class="mclose nulldelimiter"></span></span>`,
    ]);
    return shape();
  };
  const tex = pieces('a_i¦x^{2}¦\\frac{a}{b}¦10^5¦a &lt; b¦\\text{if }¦|x|¦n¦¦ k ¦a$b¦x\ny¦\\le_`');
  const formula = random.pick([
    () =>
      `<math${random.pick(['', ' display="block"', ' alttext="y"'])}>${random.repeat(1, 3, () => mathml(2))}</math>`,
    () =>
      `<math><semantics>${mathml(1)}<annotation encoding="application/x-tex">${random.pick(tex)}</annotation></semantics></math>`,
    () =>
      `<span class="${random.pick(['katex', 'katex-display'])}"><span class="katex-html" aria-hidden="true"><span class="base"><span class="strut" style="height:1em;"></span>${random.repeat(1, 3, () => drawn(2))}</span></span></span>`,
    () =>
      `<span class="katex"><span class="katex-mathml"><math>${mathml(1)}</math></span><span class="katex-html" aria-hidden="true">${drawn(1)}</span></span>`,
    () =>
      `<mjx-container${random.pick(['', ' display="true"'])}><mjx-assistive-mml><math>${mathml(1)}</math></mjx-assistive-mml></mjx-container>`,
    () =>
      `<span class="MathJax_Preview">p</span><span class="MathJax" data-mathml="&lt;math&gt;&lt;mi&gt;x&lt;/mi&gt;&lt;/math&gt;">x</span><script type="math/tex${random.pick(['', '; mode=display'])}">${random.pick(tex)}</script>`,
    () => `<var>${random.pick(tex)}</var>${random.pick(['', '<var>y</var>', ','])}`,
    () =>
      `${random.pick(['$', '$$', '$$$', '\\(', '\\['])}${random.pick(tex)}${random.pick(['$', '$$', '$$$', '\\)', '\\]'])}`,
    () => `<img src="/latex.png" class="tex-formula" alt="$${random.pick(tex)}$">`,
  ]);
  const around = pieces('a ¦5¦本¦(¦.¦ = ¦<b>b</b>¦<sub>i</sub>¦<sup>2</sup>¦$¦<br>');
  return `<p>${random.repeat(1, 4, () => `${random.pick(around)}${formula()}${random.pick(around)}`)}</p>`;
}
