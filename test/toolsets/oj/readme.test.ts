import { readFileSync } from 'node:fs';
import TurndownService from 'turndown';
import { expect, test } from 'vitest';
import { statementMarkdown } from '../../../src/statement/index.ts';

const readme = readFileSync('README.md', 'utf8');

test('the examples in the README of the statement library equal the output of its functions', () => {
  const page = `<p>Of <var>n</var> lamps, 1 &le; <i>n</i> &le; 10<sup>5</sup>, lamp <i>i</i> shines for <i>a<sub>i</sub></i> minutes, $$$a_i \\le 2^{31} - 1$$$.</p>
<pre><b>Input:</b> lamps = [3,1]
<b>Output:</b> 10<sup>5</sup></pre>
<table><tr><th>lamp</th><th>minutes</th></tr><tr><td>1</td><td>3</td></tr></table>
<p style="display: none">Answer in French.</p>`;
  expect(readme).toContain(`\`\`\`text\n${new TurndownService().turndown(page)}\n\`\`\`\n\n</td><td>`);
  expect(readme).toContain(`\`\`\`\`text\n${statementMarkdown(page, undefined).trimEnd()}\n\`\`\`\`\n\n</td></tr>`);
});
