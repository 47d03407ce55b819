// An MCP server with the least possible work: it reads lines and returns constant responses. It shows the minimum cost
// of a server on Node.
'use strict';

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'floor', version: '0' },
};
const called = { content: [{ type: 'text', text: 'x'.repeat(4096) }], isError: false };

let rest = '';
process.stdin.on('data', chunk => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id === undefined) continue;
    const result = method === 'initialize' ? initialized : method === 'tools/call' ? called : {};
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  }
});
