import { expect, test } from 'vitest';
import { statementMarkdown, statementPlainText } from '../../src/statement/index.ts';

test.each([
  ['<script>SECRET</script>'],
  ['<style>SECRET</style>'],
  ['<!-- SECRET -->'],
  ['<template><b>SECRET</b></template>'],
  ['<noscript>SECRET</noscript>'],
  ['<title>SECRET</title>'],
  ['<iframe>SECRET</iframe>'],
  ['<input type="hidden" value="SECRET">'],
  ['<dialog>SECRET</dialog>'],
  ['<span hidden>SECRET</span>'],
  ['<span style="display: none">SECRET</span>'],
  ['<span style="visibility:hidden !important">SECRET</span>'],
  ['<span style="opacity:0">SECRET</span>'],
  ['<span style="font-size: 0px">SECRET</span>'],
  ['<span style="color:transparent">SECRET</span>'],
  ['<span class="x sr-only">SECRET</span>'],
  ['<style>.x, #y { display:none }</style><b class="x">SECRET</b><b id="y">SECRET</b>'],
  ['<span class="katex"><script>SECRET</script><style>SECRET</style><math><mi>x</mi></math></span>'],
  ['<svg><title>SECRET</title></svg>'],
  ['<style media="screen">B.x{display:none}</style><b class="x">SECRET</b>'],
  ['<code>a<span style="display:none">SECRET</span></code>'],
  [`<span style="${' '.repeat(2100)}display:none">SECRET</span>`],
  [`<style>/*${'x'.repeat(21_000)}*/.x{display:none}</style><b class="x">SECRET</b>`],
  ...['rgb(0 0 0 / 0)', '#ffffff00'].map(color => [`<span style="color:${color}">SECRET</span>`]),
  ...['bogus', '#12345', 'tea', 'shade(1)'].map(color => [
    `<span style="color:transparent;color:${color}">SECRET</span>`,
  ]),
  ...[
    'scale:0',
    'transform:rotateY(90deg)',
    'zoom:0',
    'd\\69splay:none',
    'displa\\y:none',
    'rotate:x 90deg',
    'filter:opacity(0)',
    'font:0 serif',
    'display:none!important;display:inline',
  ].map(style => [`<span style="${style}">SECRET</span>`]),
  ['<svg><text display="none">SECRET</text><g visibility="hidden"><text>SECRET</text></g></svg>'],
  ['<style>b{color:red} .x{display:none</style><b class="x">SECRET</b>'],
  ['<style>.x{display:none !important}</style><b class="x" style="display:inline">SECRET</b>'],
  ['<span title="SECRET" data-x="SECRET"></span>'],
])('statementMarkdown removes text that is certainly hidden: %s', html => {
  expect(statementMarkdown(`<p>before ${html} after</p>`, undefined)).not.toContain('SECRET');
});

test.each([
  'visibility:hidden;visibility:bogus',
  'visibility:hidden;visibility:0',
  'visibility:hidden;visibility:visible !bogus',
  'display:none;display:bogus',
  'display:none;display:block-bogus',
  'display:none;display:-ms-flexbox',
  'opacity:0;opacity:bogus',
  'font-size:0;font-size:bogus',
  'font-size:0;font-size:16 px',
  'transform:scale(0);transform:bogus',
  'scale:0;scale:bogus',
  'zoom:0;zoom:bogus',
  'filter:opacity(0);filter:bogus',
  'content-visibility:hidden;content-visibility:shown',
])('statementMarkdown ignores the unknown value that follows a hiding one: %s', style => {
  const sheet = `<style>.x{${style}}</style><p>before <b class="x">SECRET</b></p>`;
  for (const html of [`<p>before <b style="${style}">SECRET</b></p>`, sheet])
    expect(statementMarkdown(html, undefined)).toBe('before');
});

test.each([
  'visibility:hidden;visibility:initial',
  'visibility:hidden;visibility:var(--v, visible)',
  'display:none;display:-webkit-inline-box',
  'display:none;display:inline flow-root',
  'display:none;display:table-row-group',
  'opacity:0;opacity:.5',
  'opacity:0;opacity:1e0',
  'opacity:0;opacity:calc(1)',
  'font-size:0;font-size:xx-large',
  'font-size:0;font-size:clamp(1rem, 2vw, 3rem)',
  'left:-9999px;left:auto',
  'left:-9999px;left:3px',
  'transform:scale(0);transform:none',
])('statementMarkdown shows text with a known value after a hiding one: %s', style => {
  expect(statementMarkdown(`<p>before <b style="${style}">SEEN</b></p>`, undefined)).toMatch(/^before\s+\*\*SEEN\*\*$/);
});

test.each([
  ['left:-9999px;left:bogus', '(possibly hidden: SEEN)'],
  ['overflow:hidden;overflow:bogus;height:0', '(possibly hidden: SEEN)'],
  ['vertical-align:super;vertical-align:bogus', '^SEEN'],
])('statementMarkdown ignores the unknown value after another one: %s', (style, expected) => {
  expect(statementMarkdown(`<p>10<span style="${style}">SEEN</span></p>`, undefined)).toBe(`10${expected}`);
});

test.each([
  ['/* note */.x{display:none}', false],
  ['/**/.x{display:none}', false],
  ['/* a *//* b */.x{display:none}/* c */', false],
  ['/* * / ** */.x{display:none}', false],
  ['.x{/* color: red; */display:none}', false],
  ['.x{display/**/:/**/none}', false],
  ['.x{display:none} /* unclosed', false],
  ['/* unclosed .x{display:none}', true],
  ['.y{color:red} /* unclosed .x{display:none}', true],
  ['/* note */ /*/ .x{display:none}', true],
  ['.x{dis/**/play:none}', true],
  ['.x{/* display:none */}', true],
])('statementMarkdown ignores the comments of a style sheet: %s', (sheet, isShown) => {
  const html = `<style>${sheet}</style><p>before <b class="x">SECRET</b> after</p>`;
  expect(statementMarkdown(html, undefined).includes('SECRET')).toBe(isShown);
});

test.each([
  ['/* note */display:none', false],
  ['display:none/* unclosed', false],
  ['/* unclosed display:none', true],
])('statementMarkdown ignores the comments of a style attribute: %s', (style, isShown) => {
  expect(statementMarkdown(`<p>before <b style="${style}">SECRET</b></p>`, undefined).includes('SECRET')).toBe(isShown);
});

test.each([
  ['<span style="font-size:1px">SECRET</span>'],
  ['<span style="position:absolute; left:-9999px">SECRET</span>'],
  ['<span style="text-indent:-1000em">SECRET</span>'],
  ['<span style="height:0;overflow:hidden">SECRET</span>'],
  ['<span style="color:#FFF">SECRET</span>'],
  ['<span style="color:red;background:red">SECRET</span>'],
  ['<span style="color:rgb(100%,0%,0%);background:#f00">SECRET</span>'],
  ['<span style="color:rgb(0%,100%,0%);background:#0f0">SECRET</span>'],
  ['<span style="color:rgb(0%,0%,100%);background:#00f">SECRET</span>'],
  ['<font color="white">SECRET</font>'],
  ['<font color="snow">SECRET</font>'],
  ['<table><tr><td bgcolor="#fff"><font color="white">SECRET</font></table>'],
  ...['rgb(255 255 255)', 'hsl(0 0% 100%)', '#fff;background-color:#ffffff', '#fff;background:transparent'].map(
    color => [`<span style="color:${color}">SECRET</span>`],
  ),
  ...[
    'translate:-9999px',
    'left:-99vw',
    'transform:translateX(-9999px)',
    'margin-left:-9999px',
    'clip-path:inset(50%)',
    'clip:rect(0,0,0,0)',
    'opacity:5%',
    'font-size:20%',
  ].map(style => [`<span style="${style}">SECRET</span>`]),
  ['<style>i.x{left:-9999px}</style><i class="x">SECRET</i>'],
  ['<div style="left:-9999px"><ul><li>SECRET</li></ul></div>'],
  ['<b style="left:-9999px">SE<i>CRE</i>T</b>'],
])('statementMarkdown marks text that is probably hidden: %s', html => {
  expect(statementMarkdown(`<p>before ${html} after</p>`, undefined)).toContain('(possibly hidden: SECRET)');
});

test.each([
  ['no element without text', '<p>a<span style="left:-9999px"> <br> </span>b</p>', 'ab'],
  [
    'hidden text, but removes certainly hidden text inside it',
    '<p>a <span style="left:-9999px">x<i hidden>SECRET</i></span></p>',
    'a (possibly hidden: x)',
  ],
  ['a list item', '<ul><li>a</li><li style="left:-9999px">b <i>c</i></li></ul>', '- a\n- (possibly hidden: b c)'],
  [
    'a table cell',
    '<table><tr><td>a<td style="font-size:1px">b</table>',
    '|  |  |\n| --- | --- |\n| a | (possibly hidden: b) |',
  ],
  ['a part of a sample', '<pre>1 <span style="color:#fff">2</span></pre>', '```\n1 (possibly hidden: 2)\n```'],
  ['Markdown', '# T\n\n<span style="left:-9999px">x</span> y', '# T\n\n(possibly hidden: x) y'],
])('statementMarkdown adds the mark "possibly hidden" to %s', (_, html, expected) => {
  expect(statementMarkdown(html, undefined)).toBe(expected);
});

test.each([
  ['<span style="font-size:0.9em">SEEN</span>'],
  ['<span style="opacity:0.5">SEEN</span>'],
  ['<span style="color:white;background:#000">SEEN</span>'],
  ['<b style="background:#000"><font color="white">SEEN</font></b>'],
  ['<table><tr><td bgcolor="navy"><font color="white">SEEN</font></table>'],
  ['<table><tr><td bgcolor="of-no-color"><font color="white">SEEN</font></table>'],
  ['<table background="/night.png"><tr><td><font color="white">SEEN</font></table>'],
  ['<span style="line-height:0.5;left:-5px">SEEN</span>'],
  ['<span aria-hidden="true">SEEN</span>'],
  ['<svg><text>SEEN</text></svg>'],
  // The names of inherited properties of objects, such as `constructor`, are neither colors nor units.
  ...['color:constructor', 'background:__proto__', 'text-indent:9constructor'].map(style => [
    `<span style="${style}">SEEN</span>`,
  ]),
  ['<textarea>SEEN</textarea>'],
  ['<xmp>SEEN</xmp>'],
  ['<p hidden>x<p>SEEN'],
  ['<style>@media print{.a{color:red}.x{display:none}}</style><b class="x">SEEN</b>'],
  ['<style media="print">.x{display:none}</style><b class="x">SEEN</b>'],
  ['<style>p.x{display:none}</style><b class="x">SEEN</b>'],
  ['<style>.x{display:none}.x{display:block}</style><b class="x">SEEN</b>'],
  ['<style>.x{display:none}</style><b class="x" style="display:inline">SEEN</b>'],
  ['<style>.h{background:#333}</style><b class="h"><i style="color:#fff">SEEN</i></b>'],
  ['<table bgcolor="#333"><tr><td><font color="white">SEEN</font></table>'],
  ['<table background="sky.png"><tr><td><font color="white">SEEN</font></table>'],
  ['<b style="background-image:url(sky.png)"><i style="color:white">SEEN</i></b>'],
  ['<span style="color:white;background:teal">SEEN</span>'],
  ...['teal', '#1234', 'lab(50% 0 0)', 'CanvasText', 'currentColor', 'inherit', 'var(--ink)'].map(color => [
    `<span style="color:transparent;color:${color}">SEEN</span>`,
  ]),
  ['<b class="dark-panel"><span style="color:white">SEEN</span></b>'],
  ['<span style="margin-left:-100px;padding-left:120px">SEEN</span>'],
])('statementMarkdown keeps visible text without a mark: %s', html => {
  expect(statementMarkdown(`<p>before ${html} after</p>`, undefined)).toContain('SEEN');
});

test.each([
  ['zero-width', 'a\u200bb&#8203;c\ufeffd', 'abcd'],
  ['bidirectional controls', 'a\u202eb\u2066c', 'abc'],
  ['tag characters', 'a\u{e0041}\u{e0042}b', 'ab'],
  ['runs of variation selectors', 'a😀\ufe01\ufe02\ufe03b', 'a😀b'],
  ['a joiner between letters that do not join', 'a\u200db', 'ab'],
  ['control characters', 'a\u0007b\u001bc', 'abc'],
  ['joiners in an emoji are kept', '👨\u200d👩\u200d👧 👍🏽\u200d♂️', '👨\u200d👩\u200d👧 👍🏽\u200d♂️'],
  ['a variation selector after a character above U+FFFF', '🌍\ufe0f 𠮷\u{e0100}', '🌍\ufe0f 𠮷'],
  ['joiners and selectors with a visible effect are kept', '👩‍💻 ❤️ می‌خواهم', '👩‍💻 ❤️ می‌خواهم'],
])('statementMarkdown removes invisible characters without a visible effect: %s', (_, text, expected) => {
  expect(statementMarkdown(`<p>${text}</p>`, undefined)).toBe(expected);
});

test.each(['title', 'noembed', 'noframes', 'style', 'script', 'iframe'])(
  'statementMarkdown parses the content of <%s> as raw text',
  name => {
    const pages = [`<${name}><!-- </${name}>SEEN -->`, `<${name}><b title="</${name}>SEEN">x</b>`];
    for (const page of pages) expect(statementMarkdown(page, undefined)).toContain('SEEN');
  },
);

test.each([
  ['<textarea>a &lt; b</textarea>', 'a < b'],
  ['<xmp>a &lt; b</xmp>', 'a &lt; b'],
])('statementMarkdown decodes entities in an element only where browsers do: %s', (html, text) => {
  expect(statementMarkdown(html, undefined)).toContain(text);
});

/**
 * Each of these selectors matches the secret in `<div id="d" class="o"><p class="a b" data-k="v w">SECRET</p></div>`.
 */
test.each(
  [
    [
      '.a.b',
      'p.a',
      '#d p',
      '#d > p',
      'div p.b',
      '.o>.a',
      '[data-k]',
      '[data-k="v w"]',
      '[data-k~=w]',
      '[data-k^="v"]',
      '[data-k$=w]',
    ],
    [
      '[data-k*=" "]',
      '[data-K="V W" i]',
      ':is(.x, .a)',
      ':where(#d) .b',
      'p:not(.x)',
      'body p',
      'html > body > div > p',
      ':root p',
    ],
    [
      '.x, .a',
      '*',
      'P.a',
      '.\\61',
      'div *',
      ':is(div, section) > :is(p, b):not(.c, .d)',
      '[class~="a"][data-k|="v w"]',
    ],
  ].flat(),
)('a style sheet hides the elements that match the selector %s', selector => {
  const sheet = `<style>${selector}{display:none}</style>`;
  const page = '<div id="d" class="o"><p class="a b" data-k="v w">SECRET</p></div>';
  expect(statementMarkdown(`${sheet}${page}`, undefined)).not.toContain('SECRET');
  expect(statementMarkdown(`${page}${sheet}`, undefined)).not.toContain('SECRET');
});

test.each(
  [
    ['.a.c', 'b.a', '#d > .o', 'p p', 'p > div', '[data-k=v]', '[data-k|=v]', '[data-x]', 'p:hover', 'p::before'],
    [
      '.A',
      'section p',
      ':is(.x, .y)',
      'p:not(.a, .x)',
      'p:unknown(.a)',
      'p:not(:unknown)',
      ':root > p',
      '.a + .a',
      '.o ~ .a',
    ],
  ].flat(),
)('a style sheet does not hide elements that do not match the selector %s', selector => {
  const page = '<div id="d" class="o"><p class="a b" data-k="v w">SEEN</p></div>';
  expect(statementMarkdown(`<style>${selector}{display:none}</style>${page}`, undefined)).toContain('SEEN');
});

test.each([
  ['the more specific rule wins', '#d p{display:none} p.a.b{display:block}', false],
  ['the more specific rule wins also if it is last', 'p.a{display:block} #d p{display:none}', false],
  ['the later of two equally specific rules wins', '.a{display:none} .b{display:block}', true],
  ['an important declaration wins', '.a{display:none!important} #d .b{display:block}', false],
  ['a media rule for screens applies', '@media only screen{.a{display:none}}', false],
  ['a media list with "all" applies', '@media print, all{.a{display:none}}', false],
  ['a rule after a media rule for print applies', '@media print{.a{color:red}} .a{display:none}', false],
  ['a media rule for print does not apply', '@media print{.a{display:none}}', true],
  ['a media rule for small screens does not apply', '@media (max-width: 600px){.a{display:none}}', true],
  ['a rule in a positive @supports query applies', '@supports (display:grid){.a{display:none}}', false],
  ['a rule in a negated @supports query does not apply', '@supports not (display:grid){.a{display:none}}', true],
  ['a nested rule applies', '#d{ .a{display:none} }', false],
  ['a nested rule with the parent selector & applies', '.b{ &.a{display:none} }', false],
  ['a declaration in a nested media rule applies', '.a{ @media screen{display:none} }', false],
  [':where() adds no specificity', ':where(#d .a){display:none} p{display:block}', true],
])('statementMarkdown applies the CSS cascade to hidden elements: %s', (_, sheet, isSeen) => {
  const page = '<div id="d"><p class="a b">TEXT</p></div>';
  expect(statementMarkdown(`<style>${sheet}</style>${page}`, undefined).includes('TEXT')).toBe(isSeen);
});

test.each([
  ['.x + p', true],
  ['.x+p', true],
  ['.x ~ p', true],
  ['h3 ~ p', true],
  ['h3 + p', false],
  ['p + .x', false],
  ['div > h3 + b + p', true],
  ['p:nth-child(3)', true],
  ['p:nth-child(odd)', true],
  ['p:nth-child(2n + 1)', true],
  ['p:nth-child(-n+2)', false],
  ['p:nth-child(even)', false],
  ['p:nth-of-type(1)', true],
  ['p:first-of-type', true],
  ['p:first-child', false],
  ['p:not(:first-child):not(.x)', true],
])('statementMarkdown applies style sheet selectors that depend on earlier siblings: %s', (selector, isHidden) => {
  const page = '<div><h3>a</h3> <b class="x">b</b> <p>SECRET</p><i>c</i></div>';
  const markdown = statementMarkdown(`<style>${selector}{display:none}</style>${page}`, undefined);
  expect(!markdown.includes('SECRET')).toBe(isHidden);
});

test.each([
  'div :last-child',
  'p:nth-last-child(1)',
  'div:has(b) p',
  'p:only-of-type',
  'p:not(:last-child)',
  ':is(p:last-child)',
])(
  'statementMarkdown marks text that the selector %s may hide, because the selector depends on later elements',
  selector => {
    const page = '<div>a <p>TEXT</p></div>';
    expect(statementMarkdown(`<style>${selector}{display:none}</style>${page}`, undefined)).toContain(
      '(possibly hidden: TEXT)',
    );
    expect(statementMarkdown(`<style>${selector}{color:red}</style>${page}`, undefined)).not.toContain('hidden');
  },
);

test.each([
  ['cells with a white background', '<td style="background:#fff;color:black">a<td style="color:red">b', 'a | b'],
  ['a cell without a background', '<td>a<td style="color:red">b', '(possibly hidden: a) | b'],
])(
  'statementMarkdown marks black text on a black table only where no other background is set: %s',
  (_, cells, expected) => {
    const html = `<table style="background-color: black; color: black"><tr>${cells}</table>`;
    expect(statementMarkdown(html, undefined)).toContain(`| ${expected} |`);
  },
);

test('statementMarkdown removes elements that a style sheet inside a Markdown text hides', () => {
  const text = '# T\n\n<style>.x{display:none}</style>\n\na <span class="x">SECRET</span> b\n\n- c';
  expect(statementMarkdown(text, undefined)).not.toContain('SECRET');
});

test.each([
  ['<p>x <b class="h">SECRET <i class="v">y</i> SECRET</b> z</p>', 'x y z'],
  ['<p>10<sup class="h">9<b class="v">5</b></sup></p>', '10^{ 5}'],
  ['<p class="h">SECRET<p>x</p>', 'x'],
  ['<div class="h"><div class="v">x<div class="h">SECRET</div>y</div>SECRET</div>z', 'x\n\ny\n\nz'],
  ['<div style="display:none">SECRET<b class="v">SECRET</b></div>x', 'x'],
  ['<pre class="h"><b class="v">1</b>\n<b class="v">2</b></pre>', '1\n2'],
])('statementPlainText shows visible elements in text with `visibility: hidden`: %s', (content, expected) => {
  const html = content
    .replaceAll('class="h"', 'style="visibility:hidden"')
    .replaceAll('class="v"', 'style="visibility:visible"');
  const [, ...text] = statementPlainText(html).split(/(?<=\.\))\n\n/);
  expect(
    text
      .join('')
      .replace(/ +/g, ' ')
      .replace(/ ?\n ?/g, '\n'),
  ).toBe(expected);
});

test('statementMarkdown returns plain text when the style sheet of a page exceeds the step budget', () => {
  const sheet = `<style>${'.q div div div div p,'.repeat(9)}b{color:red}</style>`;
  const page = `${sheet}${'<div>'.repeat(100)}<p>x</p>`.repeat(2);
  expect(statementMarkdown(page, undefined)).toMatch(/^\(Plain text:/);
});

test.each([
  ['a visible element', '<p>x <span class="h">SECRET <b class="v">y</b> SECRET</span> z</p>', 'x **y** z'],
  ['a block in hidden text', '<div class="h">SECRET<p class="v">x</p>SECRET</div><p>y</p>', 'x\n\ny'],
  ['hidden text in visible text', '<p class="h">SECRET<i class="v">x<b class="h">SECRET</b> y</i></p>', '*x y*'],
  ['a list item', '<ul class="h"><li>SECRET<li class="v">x</ul>', '- x'],
  ['classes of frameworks', '<p class="invisible">SECRET<b class="visible">x</b></p>', '**x**'],
  ['a drawing', '<p>x<svg><g visibility="hidden">SECRET<text visibility="visible">y</text></g></svg></p>', 'x y'],
  ['a superscript', '<p>10<sup class="h">9<b class="v">5</b></sup> <sub class="h">9</sub></p>', '10^5'],
  ['the lines of a sample', '<pre class="h">9\n<i class="v">1</i>\n<i class="v">2</i></pre>', '```\n\n1\n2\n```'],
  ['paragraphs', '<p class="h">9<i class="v">1</i></p><p class="h">9<i class="v">2</i></p>', '*1*\n\n*2*'],
  ['cells', '<table class="h"><tr><td class="v">1<td class="v">2</table>', '|  |  |\n| --- | --- |\n| 1 | 2 |'],
  ['a gap in place of a digit', '<p>1<span class="h">0</span>5</p>', '1 5'],
  ['no sample that is hidden', '<h3>Output</h3><pre class="h">9</pre><p>x</p>', '### Output\n\nx'],
  [
    'no hidden list, table, title and picture',
    '<div class="h"><ul><li>9</ul><table><tr><td>9</table><h2>9</h2><hr><img src="a.png"></div>',
    '',
  ],
  ['no element inside `display:none`', '<p>x<b style="display:none">SECRET<i class="v">SECRET</i></b></p>', 'x'],
  ['no removed element', '<p class="h"><b class="v" style="display:none">SECRET</b></p>', ''],
  [
    'an element in Markdown',
    '## T\n\n- a <span class="h">SECRET <b class="v">x</b></span>\n- b',
    '## T\n\n- a **x**\n- b',
  ],
  ['no element in Markdown', '## T\n\n- a <span class="h">SECRET</span>\n- b', '## T\n\n- a\n- b'],
])('text with `visibility: hidden` shows %s', (_, content, expected) => {
  const styles = '.h{visibility:hidden} .v{visibility:visible}';
  expect(statementMarkdown(`<style>${styles}</style>\n\n${content}`, undefined).replace(/ +\n/g, '\n').trim()).toBe(
    expected,
  );
});
