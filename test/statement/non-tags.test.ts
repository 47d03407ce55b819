import { describe, expect, test } from 'vitest';
import { statementMarkdown, statementPlainText } from '../../src/statement/index.ts';

describe('a `<` that a browser would parse as a tag', () => {
  test.each([
    ['m (1<n<10 and m>3) and <b>x</b>', 'm (1<n<10 and m>3) and **x**'],
    ['if a<b and c>d, <i>y</i>', 'if a\\<b and c>d, *y*'],
    ['1<p<q, <i>y</i>', '1<p<q, *y*'],
    ['x<y && z==3 or y>1', 'x\\<y && z==3 or y>1'],
    ['#include <iostream> and vector<int> v;', '#include \\<iostream> and vector\\<int> v;'],
    ['T<INT >x', 'T\\<INT >x'],
    ['<a,b>', '<a,b>'],
    ['i<n', 'i\\<n'],
    ['n<title, m>3', 'n<title, m>3'],
    ['<!-- <script> <title> -->1<n<10 and m>3', '1<n<10 and m>3'],
    ['if a<b: c=d and e>f', 'if a<b: c=d and e>f'],
    ['if a<b c = d and e>f', 'if a\\<b c = d and e>f'],
    ['while lo<hi mid=(lo+hi)/2 and x>y', 'while lo\\<hi mid=(lo+hi)/2 and x>y'],
    ['<!--> 1<n<10 and m>3', '1<n<10 and m>3'],
    ['<svg></svg><text> and <mi>', '\\<text> and \\<mi>'],
    ["<b class='y'><svg></svg></b><text> and <mi>", '\\<text> and \\<mi>'],
    ['if a<n m"> x', 'if a\\<n m"> x'],
    ['if a<b or "yes" and c>d', 'if a\\<b or "yes" and c>d'],
    ["if a<data or 'yes' and c>d", "if a\\<data or 'yes' and c>d"],
    ['<svg></p><p>vector<int> v', 'vector\\<int> v'],
    ["<b class='y'></b><svg></p><p>vector<int> v", 'vector\\<int> v'],
    ["<b class='y'></b><svg><br>vector<int> v", 'vector\\<int> v'],
  ])('is text if it has no attributes of a tag: %s', (text, expected) => {
    expect(statementMarkdown(`<p>${text}</p><p>end</p>`, undefined)).toBe(`${expected}\n\nend`);
  });

  test('is text in a sample', () => {
    const page = '<PRE>for (i = 0; i<n && j>m; i++)\n  x<<=1;</PRE>';
    expect(statementMarkdown(page, undefined)).toBe('```\nfor (i = 0; i<n && j>m; i++)\n  x<<=1;\n```');
  });

  test('is text in a page with a script and a style sheet', () => {
    const page = '<style>a<b{}</style><p>1<n<10</p><script>if (a<b) "</p>"</script><p>end</p>';
    expect(statementMarkdown(page, undefined)).toBe('1<n<10\n\nend');
  });

  test.each([
    ['<custom-tag>a</custom-tag>', 'a'],
    ['<Custom-Tag>a</custom-tag>', 'a'],
    ['<n class="x">a', 'a'],
    ['<n x=1>a</n>', 'a'],
    ['<n x="1">a', 'a'],
    ['<i id=x>a</i>', '*a*'],
    ['<p><svg><rect x=1 y=1 /><text>a</text></svg>', 'a'],
    ['<font color=red>a</font>', 'a'],
    ['<n/>a', 'a'],
    ['a<br \\>b', 'a  \nb'],
    ['<b data-v-1f>a</b>', '**a**'],
    ['<b hidden>a</b>c', 'c'],
    ['<b hidden class=x>a</b>c', 'c'],
    ['<b\n>a</b>', '**a**'],
    ['<B>a</B>', '**a**'],
    ['<textarea>1<n<10</textarea>', '```\n1<n<10\n```'],
    ['<b title="1<n<10">a</b>', '**a**'],
    ['<math><mfrac><mi>x</mi><mn>2</mn></mfra}frac></math>', '$\\frac{x}{2}$'],
    ["<p class='y'><math><mfrac><mi>x</mi><mn>2</mn></mfra}frac></math> T", '$\\frac{x}{2}$ T'],
    ['<svg><text>a</svg>', 'a'],
    ["<i class='y'><svg><text>a</svg></i>", '*a*'],
    ['<style>.x{display:none}</style><p class=x>hidden<p style4">shown', 'shown'],
    ['<style>.x{display:none}</style><p class=x>hidden<p style "a">shown', 'shown'],
    ['<a href"b">c</a>', 'c'],
    ['<a <a href="https://judge.example/b">c</a>', '[c](https://judge.example/b)'],
  ])('is a tag in %s', (html, expected) => {
    expect(statementMarkdown(`<p>x</p>${html}`, undefined).replace(/^x\s*/, '')).toBe(expected);
  });

  test.each(['<style>', '<script>', '<title>', '<!--'])('does not hide the rest of a page with %s behind it', tag => {
    expect(statementMarkdown(`<p>if a<b c${tag}x<b>y</b></p><p>end</p>`, undefined)).toMatch(/x\*\*y\*\*\n\nend$/);
    expect(statementMarkdown(`<p>if a<b c>${tag}x</p><p>end</p>`, undefined)).toBe('if a\\<b c>');
  });

  test('begins CDATA up to the next `>`, and in SVG up to its end', () => {
    expect(statementMarkdown('<p>a<![CDATA[x>b</p>c<![CDATA[d', undefined)).toBe('ab\n\nc');
    expect(statementMarkdown('<p>a<svg><![CDATA[x>y]]></svg>b</p>', undefined)).toBe('ab');
  });

  test('is a tag in SVG and MathML of a page that becomes plain text', () => {
    expect(statementPlainText('<p><svg><text>a<g x=1></svg> and <n></p>')).toMatch(/\n\na and &lt;n>$/);
    expect(statementPlainText("<p class='y'><svg><text>a<g x=1></svg> and <n></p>")).toMatch(/\n\na and &lt;n>$/);
  });

  test('is a tag in the MathML that an attribute contains', () => {
    const math = '<math><mfrac><mi>x</mi><mn>2</mn></mfra}frac></math>'.replaceAll('<', '&lt;');
    expect(statementMarkdown(`<p><span class="MathJax" data-mathml="${math}">?</span></p>`, undefined)).toBe(
      '$\\frac{x}{2}$',
    );
  });

  test('is a tag only before the last end tag with its name', () => {
    expect(statementMarkdown('<p><n>a</n> b<n>c</p>', undefined)).toBe('a b\\<n>c');
    expect(statementMarkdown("<p class='x'><n>a</n> b<n>c</p>", undefined)).toBe('a b\\<n>c');
  });
});
