import assert from 'node:assert/strict';
import { statementMarkdown } from '../../../src/statement/index.ts';
import { removeInvisibleCharacters } from '../../../src/text/invisible.ts';
import { defineTarget, textOf } from '../../fuzz/target.ts';

const link = 'https://judge.example/problems/4/a';

/** The maximum number of characters that the escape of one character takes. A short page may also get a note. */
const maxGrowth = 64;
const maxNoteLength = 4096;

export const target = defineTarget({
  name: 'statement',
  corpus: [
    '<p>Given <i>n</i> &le; 10<sup>5</sup>, print a<sub>i</sub>.</p><pre>3\n1 2 3</pre>',
    '<h2>Input</h2><ul><li>one<ol start=3><li>two</ol></ul><table><tr><th>a<td colspan=2>b</table>',
    '# Title\n\nSum of $a_i &lt; b$ and `x<y`.\n\n| a | b |\n|---|---|\n| <b>1</b> | 2 |\n\n```\n<p>\n```\n',
    '<style>.x{display:none}</style><p class=x>hidden<p style="font-weight:bold">shown <a href=/u>link</a>',
    '<span class="katex"><math><mfrac><mi>x</mi><mn>2</mn></mfrac></math></span><img src=p.png alt=picture>',
    '<svg><text>label</text></svg><select><option>a</select><details><summary>more</summary>rest</details>',
    'Text with <sub>[Day 1](u)</sub> and 2<sup>**n**</sup>.\n\n> quoted <br>\n    indented <p>code</p>\n',
  ],
  dictionary: [
    ...'<p>|</p>|<b>|</b>|<i>|<sub>|<sup>|</sup>|<pre>|</pre>|<code>|</code>|<ul>|<li>|</ul>|<ol>|<table>'.split('|'),
    ...'<tr>|<td>|</td>|</table>|<div>|</div>|<span|<br>|<hr>|<h3>|<blockquote>|<dl>|<dt>|<dd>|<math>|<mi>'.split('|'),
    ...'<msup>|<svg>|<template>|<select>|<plaintext>|<xmp>|<!--|-->|<![CDATA[|]]>|<style>|</style>|hidden'.split('|'),
    ...' style="display:none"| class="katex"| href="|&lt;|&amp;|&#x|&nbsp;|$$|\\(|\\)|```|~~~|**|__|`|\n\n'.split('|'),
    ...'    |- |1. |&#8203;|> |# |[a](b)|![a](b)|<https://a.example>|\\|\r\n'.split('|'),
  ],
  mutations: 500,
  run(bytes) {
    const source = textOf(bytes);
    const report = (bug: unknown): never => {
      throw new Error('the converter reports a bug', { cause: bug });
    };
    const markdown = statementMarkdown(source, link, Infinity, report);
    assert.equal(statementMarkdown(source, link, Infinity, report), markdown, 'two conversions differ');
    assert.equal(removeInvisibleCharacters(markdown), markdown, 'the Markdown contains invisible characters');
    assert.ok(markdown.length <= maxGrowth * source.length + maxNoteLength, 'the Markdown is too long for its source');
    return markdown;
  },
});
