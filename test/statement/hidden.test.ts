import { expect, test } from 'vitest';
import { statementMarkdown } from '../../src/statement/index.ts';

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
