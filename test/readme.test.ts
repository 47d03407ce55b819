import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { hosts, type Start } from '../src/cli/host-config/hosts.ts';

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

  test('links to files that are there', () => {
    const links = Array.from(readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g), ([, file = '']) => file);
    expect(links.length).toBeGreaterThan(5);
    for (const file of links) expect(() => readFileSync(file)).not.toThrow();
  });
});
