// node bench/conformance.mjs FOLDER: runs the scenarios of the official conformance suite that apply to this server. FOLDER
// contains the packages @modelcontextprotocol/conformance and supergateway, installed by npm; they need Node 22 or newer. The
// suite speaks HTTP only, so that a gateway stands between. The other scenarios call tools, prompts and resources of the
// suite's own example server, or test the HTTP transport.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const scenarios = ['server-initialize', 'ping', 'tools-list', 'tools-call-error'];
const packages = path.resolve(process.argv[2] ?? '.', 'node_modules');
const server = path.resolve(import.meta.dirname, '../dist/oj-mcp.cjs');

const port = await freePort();
const command = `"${process.execPath}" "${server}" --demo --toolsets all`;
const gatewayArgs = `--outputTransport streamableHttp --stateful --port ${port}`.split(' ');
const gateway = start('supergateway/dist/index.js', ['--stdio', command, ...gatewayArgs]);
gateway.stdout.resume();
let failed = 0;
try {
  await untilOpen(port);
  for (const scenario of scenarios) {
    const url = `http://127.0.0.1:${port}/mcp`;
    const args = ['server', '--url', url, '--scenario', scenario];
    const suite = start('@modelcontextprotocol/conformance/dist/index.js', args);
    const output = await text(suite.stdout);
    const result = /^Passed: .*$/m.exec(output)?.[0] ?? output;
    if (!/, 0 failed/.test(result)) failed++;
    console.log(`${scenario.padEnd(20)} ${result}`);
  }
} finally {
  gateway.kill();
}
process.exitCode = failed === 0 ? 0 : 1;

function start(file, args) {
  return spawn(process.execPath, [path.join(packages, file), ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port: free } = probe.address();
  probe.close();
  return free;
}

async function untilOpen(at) {
  for (let attempt = 0; attempt < 600; attempt++) {
    const isOpen = await fetch(`http://127.0.0.1:${at}/`).then(
      () => true,
      () => false,
    );
    if (isOpen) return;
    await sleep(100);
  }
  throw new Error('the gateway did not start');
}
