import { describe, expect, test } from 'vitest';
import { readSamples } from '../../src/statement/samples.ts';

const page = (title: string, text: string) => `<h3>${title}</h3><pre>${text}</pre>`;

describe('readSamples', () => {
  test.each([
    ['English headings', `${page('Sample Input 1', '1 2\n')}${page('Sample Output 1', '3\n')}`],
    ['Japanese headings', `${page('入力例 1', '1 2\n')}${page('出力例 1', '3\n')}`],
    [
      'Korean headings with a button',
      `${page('예제 입력 1 <button>복사</button>', '1 2\n')}${page('예제 출력 1', '3\n')}`,
    ],
    ['Russian headings', `${page('Пример входных данных', '1 2\n')}${page('Пример выходных данных', '3\n')}`],
    ['Chinese headings in Markdown', '### 样例输入 #1\n\n```\n1 2\n```\n\n### 样例输出 #1\n\n```\n3\n```'],
    ['Chinese headings with another word order', '## 输入样例\n```plain\n1 2\n```\n## 输出样例\n```plain\n3\n```'],
    ['bold labels', '**Sample Input:**\n\n~~~\n1 2\n~~~\n\n**Sample Output:**\n\n~~~\n3\n~~~'],
    ['fences named input1 and output1', '## Input\n\n```input1\n1 2\n```\n```output1\n3\n```'],
    [
      'plain titles directly above the blocks',
      '<div class="title">Input</div><pre>1 2\n</pre><div class="title">Output</div><pre>3\n</pre>',
    ],
    [
      'header cells of a table above both blocks',
      '<table><tr><th>Sample Input 1</th><th>Sample Output 1</th></tr><tr><td><pre>1 2\n</pre></td><td><pre>3\n</pre></td></tr></table>',
    ],
  ])('pairs input and output blocks by %s', (_, content) => {
    expect(readSamples(content)).toEqual([{ input: '1 2\n', output: '3\n' }]);
  });

  test.each([
    ['<pre>\n a &lt; b \n\n</pre>', ' a < b \n\n'],
    ['<pre>1<br />2<br></pre>', '1\n2\n'],
    [
      '<pre><div class="test-example-line">1</div><div class="test-example-line"></div><div class="test-example-line">2</div></pre>',
      '1\n\n2\n',
    ],
    ['<pre><code>1\n2</code></pre>', '1\n2'],
    ['<pre>\n1</pre>', '1'],
    ['<pre><tt>\n1\n</tt></pre>', '\n1\n'],
    ['<pre>1\n2\n<div style="border:blue 1px dashed"><i>Hint</i>\nUse long.</div> </pre>', '1\n2\n'],
  ])('keeps the text of the block %j unchanged', (block, input) => {
    const content = `<h3>Sample Input</h3>${block}<h3>Sample Output</h3><pre>x</pre>`;
    expect(readSamples(content)).toEqual([{ input, output: 'x' }]);
  });

  test.each([
    ['an option after its name', '```input1|\n1\n```\n```output1\n2\n```'],
    ['an open fence before it', 'Text\n\n```\n\nInput.\n\n```input1\n1\n```\n```output1\n2\n```'],
    ['a fence inside a comment before it', '<!--\n```\n-->\n\n```input1\n1\n```\n```output1\n2\n```'],
  ])('reads a named fence with %s', (_, content) => {
    expect(readSamples(content)).toEqual([{ input: '1\n', output: '2\n' }]);
  });

  test.each([
    ['<pre><b>Input:</b> 1\n<b>Output:</b> _ 2 *</pre>'],
    ['Example:\n\nInput: 1\n\nOutput: _ 2 *'],
    ['**Example:**\n\n**Input:** 1\n\n**Output:** _ 2 *'],
  ])('keeps marks at the start of the value in %j', content => {
    expect(readSamples(content)).toEqual([{ input: '1', output: '_ 2 *' }]);
  });

  test.each([
    ['a comparison such as a<b,c', 'Let (1<a,b<=10) and 1<P<=10.'],
    ['a comparison in a formula of several lines', '$$\n0 & i<j \\\\\n1 & j<i\n$$'],
    ['code of one tag', 'The name is `<title>`.'],
  ])('reads samples after %s', (_, text) => {
    const content = `${text}\n\n### Sample Input\n\n\`\`\`\n1\n\`\`\`\n\n### Sample Output\n\n\`\`\`\n2\n\`\`\``;
    expect(readSamples(content)).toEqual([{ input: '1\n', output: '2\n' }]);
  });

  test('reads a fence after a comment that has no end', () => {
    const content = 'A line with <!-- alone.\n\n```input1\n1\n```\n```output1\n2\n```';
    expect(readSamples(content)).toEqual([{ input: '1\n', output: '2\n' }]);
  });

  test('does not combine an input with an output that has a different number', () => {
    expect(readSamples('```input5\n5\n```\n```output1\n1\n```\n```output5\n0\n```')).toEqual([
      { input: '5\n', output: '0\n' },
    ]);
  });

  test('does not read the paragraph after an example as the output of the example', () => {
    const content =
      '<h3>Example</h3><b>Input:</b><pre>1\n</pre><b>Output:</b><pre>2\n</pre><p>Scoring:</p><p>Ten points.</p>';
    expect(readSamples(content)).toEqual([{ input: '1\n', output: '2\n' }]);
  });

  test('reads samples below section headings that follow the text of an example', () => {
    const sections =
      '**Example:**\n\nFor 3 dishes the answer is 1.\n\n### Input:\n\nOne number.\n\n### Output:\n\nThe answer.';
    const samples = '### Sample Input\n```\n1\n```\n### Sample Output\n```\n2\n```';
    expect(readSamples(`${sections}\n\n${samples}`)).toEqual([{ input: '1\n', output: '2\n' }]);
  });

  test('reads samples after an example in which a sentence begins with "Inputs:"', () => {
    const content = `<h3>Examples</h3><p>Inputs: A set of 100 files.</p>${page('Sample Input 1', '1 2\n')}${page('Sample Output 1', '3\n')}`;
    expect(readSamples(content)).toEqual([{ input: '1 2\n', output: '3\n' }]);
  });

  test('does not read the description of the input format below a numbered title as a sample', () => {
    const format = '### Input 1\n\nThe first input is:\n\n```\nN M\n```\n\n### Output 1\n\nPrint:\n\n```\nX\n```';
    expect(readSamples(format)).toEqual([]);
  });

  test('keeps dollar signs and tags of a sample that are on one line with its title', () => {
    const content =
      '<p>Append $ to it.</p><h4>样例输入</h4><pre><code>gc$aaac</code></pre><h4>样例输出</h4><pre>NO</pre>';
    expect(readSamples(content)).toEqual([{ input: 'gc$aaac', output: 'NO' }]);
  });

  test.each(['Explaination: It is 1.', 'Output details: It is 1.'])(
    'separates the explanation %j from the output',
    line => {
      const [explanation] = line.split(': ').slice(1);
      expect(readSamples(`<pre>\n<b>Input:</b> 1\n<b>Output:</b> 2\n${line}\n</pre>`)).toEqual([
        { input: '1', output: '2', explanation },
      ]);
    },
  );

  test('reads a value once if its label is repeated', () => {
    expect(readSamples('<pre>\n<b>Input:</b> 1\n<b>Output:</b> Output: 2\n</pre>')).toEqual([
      { input: '1', output: '2' },
    ]);
  });

  test('keeps the text of a code fence in a quote', () => {
    const content = '> Sample Input\n> ```\n>  1\n> ```\n> Sample Output\n> ```\n> 2\n> ```';
    expect(readSamples(content)).toEqual([{ input: ' 1\n', output: '2\n' }]);
  });

  test('pairs inputs and outputs by their numbers when all inputs precede the outputs', () => {
    const content =
      ['1', '2'].map(n => page(`Sample Input ${n}`, n)).join('') +
      ['2', '1'].map(n => page(`Sample Output ${n}`, `-${n}`)).join('');
    expect(readSamples(content)).toEqual([
      { input: '2', output: '-2' },
      { input: '1', output: '-1' },
    ]);
  });

  test('reads the labels "Input:" and "Output:" inside one block of LeetCode', () => {
    const content = `<p><strong>Example 1:</strong></p><pre>
<strong>Input:</strong> nums = [2,7], target = 10<sup>5</sup>
<strong>Output:</strong> [0,1]
<strong>Explanation:</strong> Because
2 + 7.
</pre>`;
    expect(readSamples(content)).toEqual([
      { input: 'nums = [2,7], target = 10^5', output: '[0,1]', explanation: 'Because\n2 + 7.' },
    ]);
  });

  test.each([
    ['as a second output', '<b>输出：</b>因为\n2 + 7。'],
    ['without a colon', '<b>解释</b>因为\n2 + 7。'],
    ['by two labels', '<b>解释：</b>因为\n<b>解释：</b>2 + 7。'],
  ])('reads an explanation that is labeled %s', (_, explanation) => {
    const content = `<pre>\n<b>输入：</b>n = 1\n<b>输出：</b>[2]\n${explanation}\n</pre>`;
    expect(readSamples(content)).toEqual([{ input: 'n = 1', output: '[2]', explanation: '因为\n2 + 7。' }]);
  });

  test('reads the labels in paragraphs of LeetCode', () => {
    const content = `<p><strong>示例 1：</strong></p><div class="example-block">
<p><strong>输入：</strong><span class="example-io">n = 1</span></p><p><strong>输出：</strong>1</p><p><strong>解释：</strong>第一</p></div>
<p><strong>示例 2：</strong></p><div class="example-block"><p><b>输入：</b>n = 2</p><p><b>输出：</b>2</p></div><p>提示：</p>`;
    expect(readSamples(content)).toEqual([
      { input: 'n = 1', output: '1', explanation: '第一' },
      { input: 'n = 2', output: '2' },
    ]);
  });

  test('reads the single code fence in which oj-api-rs stores the samples of Codeforces', () => {
    const content =
      '## Input\n\nThe first line contains n.\n\n```\nExamples\nInput\n1\n2\nOutput\n3\nInput\n4\nOutput\n5\n```\n\n## Note';
    expect(readSamples(content)).toEqual([
      { input: '1\n2', output: '3' },
      { input: '4', output: '5' },
    ]);
  });

  test('recognises the heading of a sample after a formula with an unescaped <', () => {
    const content = 'Let $a<b$ and <n> be.\n\n### Sample Input\n\n```\n1\n```\n\n### Sample Output\n\n```\n2\n```';
    expect(readSamples(content)).toEqual([{ input: '1\n', output: '2\n' }]);
  });

  test('returns only the English samples of a page in two languages', () => {
    const side = (language: string, names: readonly string[]) =>
      `<span class="lang-${language}">${names.map(name => page(name, language)).join('')}</span>`;
    const content = side('ja', ['入力例 1', '出力例 1']) + side('en', ['Sample Input 1', 'Sample Output 1']);
    expect(readSamples(content)).toEqual([{ input: 'en', output: 'en' }]);
  });

  test.each([
    ['an empty statement', ''],
    [
      'a description of the input format',
      '<h3>Input</h3><p>Read:</p><pre>N\nA</pre><h3>Output</h3><p>Print:</p><pre>B</pre>',
    ],
    ['an input without an output', page('Sample Input', '1')],
    ['an output without an input', page('Sample Output', '1')],
    ['code without a sample label', '```\nInput n\n```'],
    ['a hidden block', '<h3>Sample Input</h3><div hidden><pre>1</pre></div><h3>Sample Output</h3><pre>2</pre>'],
    [
      'sample sections that contain only text',
      '## Examples of use\n\nInput: a stream\n\n## Input\n\nn\n\n## Output\n\nm',
    ],
  ])('returns no sample for %s', (_, content) => {
    expect(readSamples(content)).toEqual([]);
  });

  test.each([
    ['a style sheet', '<style>.h{display:none}</style>', '<pre class="h">9</pre>'],
    [
      'a style sheet and an element around it',
      '<style>.h pre{visibility:hidden}</style>',
      '<p class="h"><div class="h"><pre>9</pre></div>',
    ],
    ['a style', '', '<pre style="display:none">9</pre>'],
    ['the attribute of a paragraph without an end tag', '', '<p hidden>9<pre hidden>9</pre>'],
    ['a video around it', '', '<video><pre>9</pre></video>'],
    ['its color', '', '<div style="color:white"><pre>9</pre></div>'],
  ])('does not read a block that is hidden by %s', (_, start, hidden) => {
    const content = `${start}<h3>Sample Input</h3>${hidden}<pre>1</pre><h3>Sample Output</h3>${hidden}<pre>2</pre>`;
    expect(readSamples(content)).toEqual([{ input: '1', output: '2' }]);
  });

  test('reads a visible block in a hidden element and blocks of other elements that a style sheet makes preformatted', () => {
    const styles = '<style>.h{visibility:hidden} .v{visibility:visible} .s{white-space:pre}</style>';
    const content = `${styles}<div class="h"><h3 class="v">Sample Input</h3><pre class="v">1\n</pre></div><h3>Sample Output</h3><div class="s"> 2\n</div>`;
    expect(readSamples(content)).toEqual([{ input: '1\n', output: ' 2\n' }]);
  });

  test.each([
    ['in one block', '<pre>Input:\n\n   3 4\n  5 6\n\nOutput:\n  7\n</pre>', '   3 4\n  5 6', '  7'],
    ['in a block after the value', '**Example 1:**\n\nInput: a =\n\n```\n  1\n```\n\nOutput: 2', 'a =\n  1', '2'],
    [
      'in indented code',
      'Example:\n\nInput:\n\n      3 4\n\n    5 6\n\nOutput:\n\n\t 7\n\nEnd.',
      '  3 4\n\n5 6\n',
      ' 7\n',
    ],
    [
      'in indented code with tags',
      '## Sample Input\n\n     a\n\n    #include <b>\n\n## Sample Output\n\n    7',
      ' a\n\n#include <b>\n',
      '7\n',
    ],
    ['in indented code below headings', '## Sample Input\n\n     3\n\n## Sample Output\n\n    7', ' 3\n', '7\n'],
  ])('keeps the indentation of a sample %s', (_, content, input, output) => {
    expect(readSamples(content)).toEqual([{ input, output }]);
  });

  test.each([
    ['N\nA_1 … A_N', ''],
    ['$N$ $M$\n$A_{1}$ ... $A_{N}$\n:', ''],
    ['H W', ''],
    ['N\nx_1 \\ldots x_N\n', `${page('Sample Input', '1')}${page('Sample Output', '2')}`],
    ['N Q', `<h3>Examples</h3>${page('Input', '1')}${page('Output', '2')}`],
  ])('does not read the input format %j as a sample', (format, samples) => {
    const content = `${page('Input', format)}${page('Output', 'answer')}${samples}`;
    expect(readSamples(content)).toEqual(samples === '' ? [] : [{ input: '1', output: '2' }]);
  });

  test('reads an input of letters below the title of an example', () => {
    const content = `<h3>Example</h3>${page('Input', 'A B')}${page('Output', 'C')}`;
    expect(readSamples(content)).toEqual([{ input: 'A B', output: 'C' }]);
  });

  test('does not read indented text below a section title as a sample', () => {
    expect(readSamples('### Input\n\n    One number.\n\n### Output\n\n    The answer.\n')).toEqual([]);
  });

  test.each([
    ['blocks', 'Input', 'Output', (text: string) => `<td><pre>${text}</pre></td>`],
    ['blocks without end tags', 'Input', 'Output', (text: string) => `<td><pre>${text}</pre>`],
    ['text', 'Sample Input', 'Sample Output', (text: string) => `<td>${text.trim().replace('\n', '<br>')}</td>`],
  ])('reads every row of a table with %s', (_, input, output, cell) => {
    const row = (number: number) => `<tr><td>${number}</td>${cell(`1\n${number}\n`)}${cell(`${number}\n`)}<td>note`;
    const content = `<table><tr><th>#<th>${input}</th><th>${output}</th><th>Note</th></tr>${row(1)}${row(2)}${row(3)}</table>`;
    expect(readSamples(content)).toEqual([1, 2, 3].map(number => ({ input: `1\n${number}\n`, output: `${number}\n` })));
  });

  test('reads no sample in a table that shows an interaction', () => {
    const row = (read: string, written: string) => `<tr><td>${read}</td><td>${written}</td></tr>`;
    const steps = row('<pre>3</pre>', '<pre>? 1</pre>') + row('<pre>5</pre>', '') + row('', '<pre>! 5</pre>');
    expect(readSamples(`<table>${row('Input', 'Output')}${steps}</table>`)).toEqual([]);
  });

  test.each([
    ['<pre class="h">9\n<i class="v">1</i>\n<i class="v">2</i></pre>', ' \n1\n2'],
    ['<pre class="h">9</pre><pre>1</pre>', '1'],
    ['<table class="h"><tr><td>Input<td>Output</table><pre>1</pre>', '1'],
  ])('returns the visible elements of a sample with hidden text: %s', (block, input) => {
    const styles = '<style>.h{visibility:hidden} .v{visibility:visible}</style>';
    const content = `${styles}<h3>Sample Input</h3>${block}<h3>Sample Output</h3><pre>2</pre>`;
    expect(readSamples(content)).toEqual([{ input, output: '2' }]);
  });

  test('returns undefined for a page that exceeds the budget', () => {
    const rules = Array.from({ length: 3000 }, (_, index) => `pre{top:${index}px}`).join('');
    const content = `<style>${rules}</style>${'<pre></pre>'.repeat(300)}${page('Sample Input', '1')}${page('Sample Output', '2')}`;
    expect(readSamples(content)).toBeUndefined();
  });

  test('reads 256 KiB of unclosed tags in linear time', () => {
    for (const piece of [
      '<pre>',
      '<div>',
      '```\n',
      '<b',
      '</div>',
      '$a<',
      '<div></b>',
      '<b><p></b>',
      '<h1>Sample Input</h1><pre></pre>',
      'Input\n\n    1\n\n',
      'Sample Input\n\n\n',
      '<tr><td>Input<td>',
      'Output\nx\n',
    ]) {
      for (const start of ['', '<pre>\n', 'Example:\n'])
        expect(readSamples(start + piece.repeat(262_144 / piece.length)) ?? []).toEqual([]);
    }
  });
});
