// Calls every tool of the toolset oj with a real MCP client and prints the results.
// The server is dist/oj-mcp.cjs with its built-in problems: no network, no account.
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const calls = [
  { question: 'Which platforms are there?', tool: 'get_platform_status', args: {} },
  { question: 'What is the problem of the day?', tool: 'get_daily_challenge', args: {} },
  { question: 'Show me orchard problem 1.', tool: 'get_problem', args: { source: 'orchard', id: '1' } },
  {
    question: 'Which problem has this link?',
    tool: 'resolve_problem',
    args: { query: 'https://quarry.example/contest/41/problem/B' },
  },
  {
    question: 'Something with shortest paths, please.',
    tool: 'find_similar_problems',
    args: { query: 'shortest path in a graph', limit: 5 },
  },
];
/** Longer results are truncated on the screen; a model gets all lines. */
const maxLines = 24;

process.stdout.on('error', () => process.exit()); // the reader closed the pipe, as `head` does

const styles = { bold: 1, dim: 2, cyan: 36 };

const client = new Client({ name: 'demo', version: '1.0.0' });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('../dist/oj-mcp.cjs', import.meta.url)), '--demo'],
    stderr: 'ignore',
  }),
);
const { name, version } = client.getServerVersion();
print(`${name} ${version} says hello.`, 'dim');
for (const { question, tool, args } of calls) {
  print(`\n> ${question}`, 'bold');
  print(`  ${tool} ${JSON.stringify(args)}\n`, 'cyan');
  const { content, isError } = await client.callTool({ name: tool, arguments: args });
  if (isError) process.exitCode = 1;
  const lines = content
    .map(block => block.text)
    .join('\n')
    .split('\n');
  for (const line of lines.slice(0, maxLines)) print(`  ${line}`);
  if (lines.length > maxLines) print(`  … ${lines.length - maxLines} more lines`, 'dim');
}
await client.close();

// `styleText` requires Node 20.12.
function print(text, style) {
  // Text of a server must not control the terminal.
  const plain = stripVTControlCharacters(text);
  console.log(style === undefined || !process.stdout.isTTY ? plain : `\x1b[${styles[style]}m${plain}\x1b[0m`);
}
