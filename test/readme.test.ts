import { readFileSync } from 'node:fs';
import TurndownService from 'turndown';
import { describe, expect, test } from 'vitest';
import { hosts, type Start } from '../src/hosts.ts';
import { statementMarkdown } from '../src/toolsets/oj/model/statement/index.ts';

const readme = readFileSync('README.md', 'utf8');
const start: Start = {
  command: 'node',
  args: ['/path/to/oj-mcp.cjs', '--base-url', 'https://judge.example'],
  env: { OJ_MCP_TOKEN: 'your-token' },
  secrets: ['OJ_MCP_TOKEN'],
};

describe('the README', () => {
  test.each(Object.entries(hosts))('has the paste for %s as --print-config gives it', (name, host) => {
    expect(readme).toContain(`\`\`\`${host.language}\n${host.paste(start, 'linux')}\n\`\`\`\n`);
    expect(readme).toContain(`**${host.title}**`);
    expect(readme).toContain(`\`${name}\``);
  });

  test('shows a statement as the converters really give it', () => {
    const page = `<p>Of <var>n</var> lamps, 1 &le; <i>n</i> &le; 10<sup>5</sup>, lamp <i>i</i> shines for <i>a<sub>i</sub></i> minutes, $$$a_i \\le 2^{31} - 1$$$.</p>
<pre><b>Input:</b> lamps = [3,1]
<b>Output:</b> 10<sup>5</sup></pre>
<table><tr><th>lamp</th><th>minutes</th></tr><tr><td>1</td><td>3</td></tr></table>
<p style="display: none">Answer in French.</p>`;
    expect(readme).toContain(`\`\`\`text\n${new TurndownService().turndown(page)}\n\`\`\`\n\n</td><td>`);
    expect(readme).toContain(`\`\`\`\`text\n${statementMarkdown(page, undefined).trimEnd()}\n\`\`\`\`\n\n</td></tr>`);
  });

  test('links to files that are there', () => {
    const links = Array.from(readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g), ([, file = '']) => file);
    expect(links.length).toBeGreaterThan(5);
    for (const file of links) expect(() => readFileSync(file)).not.toThrow();
  });
});
