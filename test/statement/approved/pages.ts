import { type Generator, pieces } from '../../support/generator.ts';

const words = pieces(
  'n¦the sum¦x_i¦2*3¦a < b¦[0, 9]¦本题¦（注）¦それ¦e.g.¦1. first¦- dash¦#1¦`¦$5¦\\¦\\(n\\)¦$a_i$¦$$$k$$$¦&lt;¦&amp;lt;',
  '&nbsp;¦&nbsp;&nbsp;¦&#8203;¦&copy;¦_x_¦**¦|¦!¦~¦~~¦> q¦+ 1¦= 2¦---¦====¦ ¦  ¦\n¦\t¦\n    ¦:¦)',
  'https://a.example/x¦a@b.example¦www.a.example¦10^5¦"q"¦it\'s¦ﬁ¦−¦…¦×¦\u00ad',
);
const inlineTags = pieces(
  'b¦strong¦i¦em¦u¦del¦s¦code¦tt¦kbd¦var¦sup¦sub¦sup¦sub¦q¦span¦font¦small¦big¦abbr¦label¦cite¦a¦ruby¦rt¦rp',
  'button¦select¦option¦bdo¦wbr',
);
const blockTags = pieces(
  'p¦p¦div¦div¦section¦blockquote¦center¦h1¦h2¦h3¦h4¦h5¦h6¦pre¦pre¦dl¦dt¦dd¦ul¦ol¦li¦li¦table¦details¦summary',
  'fieldset¦legend¦figure¦figcaption¦form¦address¦menu¦xmp¦textarea¦article¦nav¦main¦header¦listing',
);
const attributes = pieces(
  '¦¦¦¦¦¦ class="x"¦ id=y¦ title="t"¦ lang=ja¦ dir=rtl¦ align=right¦ class="tex-font-style-tt"',
  ' class=tex-font-style-bf¦ class="tex-font-style-it"¦ class="tex-font-style-striked"¦ class="section-title"',
  ' class="property-title"¦ class="title"¦ class="lang-ja"¦ class="lang-en"¦ style="font-weight:bold"',
  ' style="font-weight: 500"¦ style="font-style:italic"¦ style="vertical-align:super"',
  ' style="vertical-align:sub;color:red"¦ style="text-decoration:line-through"¦ style="white-space:pre"',
  ' style="position:relative;top:-0.5em"¦ style="position:relative;bottom:-.25em"¦ style="white-space:pre-line"',
  ' start=3¦ start="-2"¦ value=7¦ colspan=2¦ rowspan=2¦ face="Courier New"¦ href="/u?a=1&amp;b=2"',
  ' href="//c.example/p(1)"¦ href="javascript:x"¦ href="#top"¦ href="mailto:a@b.example"¦ href="a b"',
);
const leaves = pieces(
  '<br>¦<br/>¦<hr>¦<img src=p.png alt="a [b]">¦<img src="data:image/png;base64,AA==" alt=x>',
  '<img src="/i_1.svg" width=3>¦<input type=checkbox checked>¦<input type=text value=v>¦<!-- c -->¦<?x?>',
  '<math><msup><mi>x</mi><mn>2</mn></msup></math>¦<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>',
  '<script type="math/tex">a_i \\le 3</script>¦<script type="math/tex; mode=display">\\sum x</script>',
  '<script>alert(1)</script>¦<style>.x{display:none}</style>¦<iframe src="/v">i</iframe>¦<video src=v.mp4>',
  '<audio><source src=a.mp3></audio>¦<svg><title>t</title><text>s</text></svg>¦<template>t</template>',
  '<noscript>n</noscript>¦<object data=o>x</object>¦<ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp></ruby>',
  '<span class="katex"><annotation encoding="application/x-tex">b^2</annotation></span>¦<![CDATA[c]]>¦</p>',
  '<table><tr><th>a<th>b<tr><td>1<td><ul><li>2</ul></table>¦<pre>1 2\n\n 3 &lt; 4\n</pre>',
  '<pre>a<br>b<b>c</b></pre>¦<ol><li>a<li value=5>b<ol type=a><li>c</ol></ol>¦<p><tt>x y</tt>, <tt>`</tt></p>',
  '<code>a<sub>i</sub> `</code>',
);

function inline(random: Generator, depth: number): string {
  const chance = random.below(10);
  if (depth === 0 || chance < 5) return random.pick(words);
  if (chance < 6) return random.pick(leaves);
  const tag = random.pick(inlineTags);
  const content = random.repeat(0, 3, () => inline(random, depth - 1));
  return `<${tag}${random.pick(attributes)}>${content}${random.below(12) === 0 ? '' : `</${tag}>`}`;
}

function table(random: Generator): string {
  const cell = () =>
    `<${random.pick(['td', 'td', 'th'])}${random.pick(attributes)}>${random.repeat(0, 3, () => inline(random, 2))}`;
  const row = () => `<tr>${random.repeat(0, 4, cell)}${random.below(2) === 0 ? '</tr>' : ''}`;
  const rows = random.repeat(0, 3, row);
  const part = random.pick(['', 'tbody', 'tfoot']);
  const head = random.below(3) === 0 ? `<thead>${row()}</thead>` : '';
  const caption = random.below(4) === 0 ? `<caption>${inline(random, 1)}</caption>` : '';
  return `<table>${caption}${head}${part === '' ? rows : `<${part}>${rows}</${part}>`}</table>`;
}

function block(random: Generator, depth: number): string {
  const chance = random.below(12);
  if (chance === 0) return random.pick(leaves);
  if (chance === 1) return table(random);
  if (chance === 2) return random.repeat(1, 3, () => inline(random, 2));
  const tag = random.pick(blockTags);
  const isNested = depth > 0 && random.below(2) === 0;
  const content = isNested
    ? random.repeat(1, 3, () => block(random, depth - 1), random.pick(['', '\n', ' ']))
    : random.repeat(1, 6, () => inline(random, 3), random.pick(['', ' ', '\n']));
  return `<${tag}${random.pick(attributes)}>${content}${random.below(10) === 0 ? '' : `</${tag}>`}`;
}

export function page(random: Generator): string {
  return random.repeat(1, 4, () => block(random, 3), '\n');
}

/** Returns a page with style sheets, and with elements that the style sheets may hide. */
export function styledPage(random: Generator): string {
  const names = pieces('p¦.a¦.b¦#c¦*¦div¦span¦[title]¦[data-x="1"]¦[class~=a]¦[id^=c]¦p.a¦span.b#c');
  const pseudo = pieces('¦¦¦¦:first-child¦:last-child¦:nth-child(2n+1)¦:not(.b)¦:is(p, .a)¦:empty¦:hover¦::before');
  const compound = () => `${random.pick(names)}${random.pick(pseudo)}`;
  const selector = () => random.repeat(1, 3, compound, random.pick([' ', ' > ', ' + ', ' ~ ', '>', ', ']));
  const styles = pieces(
    'display:none¦display: none !important¦visibility:hidden¦visibility:visible¦opacity:0¦opacity:.01',
    'font-size:0¦font-size:1px¦color:#fff¦color:white;background:#fff¦color:rgba(0,0,0,0)¦color: transparent',
    'position:absolute;left:-9999px¦text-indent:-999em¦height:0;overflow:hidden¦width:0¦clip:rect(0,0,0,0)',
    'clip-path:inset(100%)¦transform:scale(0)¦max-height:0;overflow:hidden¦display:block¦font-weight:bold',
    'background:rgb(255 255 255);color:hsl(0 0% 100%)¦color:#0008¦color:red¦filter:opacity(0)¦zoom:0',
    'position:absolute;top:-500px¦margin-left:-9999px¦text-indent:-5px¦line-height:0¦content-visibility:hidden',
  );
  const rule = () => `${selector()}{${random.pick(styles)}}`;
  const medium = pieces('¦¦¦@media screen{¦@media print{¦@supports (display:grid){¦@media (min-width:1px){');
  const group = () => {
    const start = random.pick(medium);
    return `${start}${random.repeat(1, 2, rule, '\n')}${start === '' ? '' : '}'}`;
  };
  const own = pieces('¦ class=a¦ class="a b"¦ id=c¦ title=t¦ data-x=1¦ hidden¦ hidden=until-found¦ aria-hidden=true');
  const element = (depth: number): string => {
    const tag = random.pick(['p', 'div', 'span', 'b', 'div', 'span', 'i', 'li', 'td', 'a', 'font']);
    const style = random.below(5) === 0 ? ` style="${random.pick(styles)}"` : '';
    const content = random.repeat(1, 3, () =>
      depth === 0 || random.below(3) === 0 ? `t${random.below(100)} ` : element(depth - 1),
    );
    return `<${tag}${random.pick(own)}${style}>${content}</${tag}>`;
  };
  return `<style>${random.repeat(1, 4, group, '\n')}</style>${random.repeat(2, 5, () => element(3), '\n')}`;
}

/** Returns a Markdown text that contains pieces of HTML pages. */
export function markdownStatement(random: Generator): string {
  const text = () =>
    random.repeat(
      1,
      6,
      () => (random.below(5) === 0 ? inline(random, 2) : random.pick(plainPieces)),
      random.pick([' ', '']),
    );
  const plainPieces = pieces(
    'a¦b c¦`c`¦``d ` e``¦*e*¦**f**¦_g_¦[h](/u)¦[h](<u v> "t")¦![i](p.png)¦<https://a.example>¦$a_i < b$¦$$x$$',
    '\\(y\\)¦\\*¦&lt;¦&nbsp;¦[r]¦[r][s]¦[^1]¦~~k~~¦\\¦a<b¦x > y¦<T>¦javascript:x¦[j](javascript:x)',
    '<a@b.example>¦中文¦$1$ and $2$¦5$¦a\\\nb¦c  \nd¦https://b.example/_x_',
  );
  const line = (): string => {
    const indent = random.pick(['', '', '', ' ', '  ', '   ', '    ', '\t', '     ']);
    const mark = random.pick([
      '',
      '',
      '- ',
      '* ',
      '1. ',
      '10) ',
      '> ',
      '> - ',
      '# ',
      '## ',
      '#',
      '+   ',
      '-\t',
      '>',
      '12. > ',
    ]);
    return `${indent}${mark}${text()}`;
  };
  const chunks: readonly [() => string, ...(() => string)[]] = [
    () => random.repeat(1, 4, line, '\n'),
    () =>
      `${random.pick(['', '  ', '- ', '> '])}${random.pick(['```', '~~~', '````'])}${random.pick(['', 'cpp', ' input'])}\n<p>x\n${text()}\n${random.pick(['```', '~~~', '````', ''])}`,
    () => `| a | ${text().replaceAll('\n', ' ')} |\n|---|:-:|\n| ${random.pick(plainPieces)} | <br>x |`,
    () => `<div${random.pick(attributes)}>\n${line()}\n${random.pick(['', '\n'])}${line()}\n</div>`,
    () => block(random, 1),
    () => `${text()}\n${random.pick(['===', '---', '- -', '***'])}`,
    () => `    ${text()}\n\n     code <b>\n\ttab`,
    () => `[r]: ${random.pick(['/u', 'javascript:x', '<u v> "t"', "u 't'", 'https://a.example/\n  (title)'])}`,
    () => `- a\n\n  ${block(random, 0)}\n- b\n  ${line()}`,
  ];
  return `# T\n\n${random.repeat(2, 6, () => random.pick(chunks)(), random.pick(['\n\n', '\n']))}`;
}
