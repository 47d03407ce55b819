// This script tests the built file with a few calls on systems on which the complete tests do not run.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

// The folder is below the home folder, because Spotlight does not index temporary folders.
const root = realpathSync(mkdtempSync(path.join(homedir(), 'oj-mcp-smoke-')));
const client = new Client({ name: 'smoke', version: '1.0.0' });
try {
  mkdirSync(path.join(root, 'sub'));
  writeFileSync(path.join(root, 'sub', 'note.md'), 'The résumé of a lazy\nPropagation');
  writeFileSync(path.join(root, 'code.py'), 'print(1)');
  const args = ['dist/oj-mcp.cjs', '--toolsets', 'files', '--files-root', root];
  await client.connect(new StdioClientTransport({ command: process.execPath, args }));
  const call = async (name, given) => await client.callTool({ name, arguments: given });
  const found = await call('search', { query: 'RESUME of a lazy propagation', scope: root });
  assert.deepEqual(
    found.structuredContent.results.map(row => row._path),
    [path.join(root, 'sub', 'note.md')],
  );
  const code = await call('search_by_kind', { kind: 'code', scope: root });
  assert.deepEqual(
    code.structuredContent.results.map(row => row._path),
    [path.join(root, 'code.py')],
  );
  const recent = await call('recent_files', { scope: root });
  assert.equal(recent.structuredContent.results.length, 2);
  const facts = await call('get_metadata', { path: path.join(root, 'code.py') });
  assert.equal(facts.structuredContent.kMDItemFSSize, 8);
  const refused = [homedir(), path.join(root, '..'), `${root}evil`, 'relative'];
  if (process.platform === 'win32')
    refused.push(`\\\\?\\${root}`, `${root}\\NUL`, `${root}\\code.py:stream`, '\\\\.\\PhysicalDrive0');
  for (const scope of refused) assert.equal((await call('search', { query: 'x', scope })).isError, true, scope);
  console.error(`all is well on ${process.platform}: engine ${found.structuredContent.engine}`);
} finally {
  await client.close();
  rmSync(root, { recursive: true, force: true });
}
