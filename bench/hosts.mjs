// Lets real MCP clients make the same calls, and prints the results that each one shows to its model: node
// bench/hosts.mjs NODE_PACKAGES PYTHON… [--only NAMES] [--blocks]. NODE_PACKAGES is a folder with the agents, installed
// by npm. The Python libraries need several interpreters, because they require different versions of the SDK.
// docs/hosts.md lists all packages. Each client gets a private home folder, and the model is on loopback.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startModel } from './hosts/model.mjs';
import { table } from './table.mjs';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, blocks: { type: 'boolean', default: false } },
});
const [packages = '', ...interpreters] = positionals.map(name => path.resolve(name));
const server = [path.resolve(import.meta.dirname, '../dist/oj-mcp.cjs'), '--demo', '--toolsets', 'oj,clerk'];
const limitMs = 120_000;

/** The patterns `text` and `structured` show which part of the result the model received. */
const calls = [
  { tool: 'get_problem', args: { source: 'orchard', id: '1' }, text: /# Petal Garland/ },
  { tool: 'add', args: { a: 0.1, b: 0.2 }, text: /0\.3 \(exact/, structured: /\\?"sum\\?": ?\\?"0\.3/ },
  { tool: 'get_problem', args: { source: 'orchard', id: '404' }, text: /\[404\]/, hint: /use resolve_problem/ },
  { tool: 'add', args: { a: 'x', b: 1 }, text: /must be a number/, hint: /Write plain digits/ },
];

const json = value => JSON.stringify(value);
const entry = { command: process.execPath, args: server };
const bin = name => path.join(packages, 'node_modules/.bin', name);

/** Each agent writes its configuration into `home` and returns its command and environment variables. */
const agents = {
  'Claude Code': ({ origin, file }) => ({
    command: [
      bin('claude'),
      '-p',
      'Go.',
      '--mcp-config',
      file('mcp.json', json({ mcpServers: { oj: entry } })),
      '--strict-mcp-config',
      '--allowedTools',
      'mcp__oj__get_problem,mcp__oj__add',
    ],
    env: {
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: 'key',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ENABLE_TOOL_SEARCH: 'false',
    },
  }),
  Codex: ({ origin, home, file }) => {
    file(
      'config.toml',
      [
        'model = "scripted"',
        'model_provider = "local"',
        `[model_providers.local]\nname = "local"\nbase_url = "${origin}/v1"\nwire_api = "responses"`,
        `[mcp_servers.oj]\ncommand = ${json(entry.command)}\nargs = ${json(entry.args)}`,
      ].join('\n'),
    );
    return {
      command: [bin('codex'), 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', 'Go.'],
      env: { CODEX_HOME: home, OPENAI_API_KEY: 'key' },
    };
  },
  'Gemini CLI': ({ origin, file }) => {
    file(
      '.gemini/settings.json',
      json({
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        mcpServers: { oj: { ...entry, trust: true } },
        privacy: { usageStatisticsEnabled: false },
      }),
    );
    return {
      command: [bin('gemini'), '-m', 'gemini-2.5-pro', '--yolo', '-p', 'Go.'],
      env: { GEMINI_API_KEY: 'key', GOOGLE_GEMINI_BASE_URL: origin, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    };
  },
  'Qwen Code': ({ origin, file }) => {
    file(
      '.qwen/settings.json',
      json({
        security: { auth: { selectedType: 'openai' } },
        mcpServers: { oj: { ...entry, trust: true } },
        privacy: { usageStatisticsEnabled: false },
      }),
    );
    return {
      command: [bin('qwen'), '--yolo', '-p', 'Go.'],
      env: { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `${origin}/v1`, OPENAI_MODEL: 'scripted' },
    };
  },
  OpenCode: ({ origin, file }) => {
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${origin}/v1`, apiKey: 'key' },
      models: { scripted: {} },
    };
    const mcp = { oj: { type: 'local', command: [entry.command, ...entry.args], enabled: true } };
    file(
      '.config/opencode/opencode.json',
      json({ provider: { local: provider }, model: 'local/scripted', mcp, autoupdate: false, share: 'disabled' }),
    );
    return {
      command: [bin('opencode'), 'run', '--model', 'local/scripted', 'Go.'],
      env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' },
    };
  },
};

const libraries = [
  'python-sdk',
  'fastmcp',
  'pydantic-ai',
  'openai-agents',
  'langchain',
  'llama-index',
  'strands',
  'smolagents',
  'mcp-use',
];

async function runAgent(configure) {
  const home = mkdtempSync(path.join(tmpdir(), 'oj-mcp-hosts-'));
  const model = await startModel(calls);
  const file = (name, content) => {
    const target = path.join(home, name);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
    return target;
  };
  try {
    const { command, env } = configure({ origin: model.origin, home, file });
    const output = await run(command, { ...env, HOME: home }, home);
    return { shown: model.shown, output };
  } finally {
    model.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/**
 * Runs a Python library. Some libraries call the scripted model; for the others the driver prints the results that they
 * would pass to a model.
 */
async function runLibrary(name) {
  let result = { shown: [], output: 'no interpreter' };
  for (const python of interpreters) {
    const model = await startModel(calls);
    const home = mkdtempSync(path.join(tmpdir(), 'oj-mcp-hosts-'));
    try {
      const script = path.join(import.meta.dirname, 'hosts/clients.py');
      const input = json({ command: entry.command, args: entry.args, origin: model.origin, calls });
      const output = await run([python, script, name, input], { HOME: home }, home);
      result = { shown: model.shown.length > 0 ? model.shown : readLines(output), output };
    } finally {
      model.close();
      rmSync(home, { recursive: true, force: true });
    }
    if (result.shown.length > 0) break;
  }
  return result;
}

async function runTypeScriptSdk() {
  const client = new Client({ name: 'hosts', version: '1' });
  await client.connect(new StdioClientTransport({ ...entry, stderr: 'ignore' }));
  const shown = [];
  for (const { tool, args } of calls) {
    const { content } = await client.callTool({ name: tool, arguments: args });
    shown.push(content.map(({ text }) => text).join('\n'));
  }
  await client.close();
  return { shown, output: '' };
}

function readLines(output) {
  return output.split('\n').flatMap(line => (line.startsWith('SHOWN ') ? [JSON.parse(line.slice(6))] : []));
}

async function run([program, ...args], env, cwd) {
  const child = spawn(program, args, {
    cwd,
    env: { PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => chunks.push(chunk));
  // The process group includes the server that the client started.
  const kill = () => child.pid !== undefined && process.kill(0 - child.pid, 'SIGKILL');
  const timer = setTimeout(kill, limitMs);
  await once(child, 'close');
  clearTimeout(timer);
  return Buffer.concat(chunks).toString();
}

function describe(name, { shown }) {
  const text = index => shown[index] ?? '';
  const answered = calls.filter((call, index) => call.text.test(text(index)) || call.structured?.test(text(index)));
  const withHints = calls.flatMap(({ hint }, index) => (hint === undefined ? [] : [hint.test(text(index))]));
  const isStructured = calls.some(({ structured }, index) => structured?.test(text(index)));
  return [
    name,
    `${answered.length} of ${calls.length}`,
    shown.length === 0 ? '' : isStructured ? 'structured' : 'text',
    `${withHints.filter(Boolean).length} of ${withHints.length}`,
    shown.reduce((sum, result) => sum + result.length, 0),
  ];
}

const clients = [
  ...Object.entries(agents).map(([name, configure]) => ({ name, start: () => runAgent(configure) })),
  { name: 'TypeScript SDK', start: runTypeScriptSdk },
  ...libraries.map(name => ({ name, start: () => runLibrary(name) })),
];
const wanted = values.only?.split(',');
const rows = [];
for (const { name, start } of clients) {
  if (wanted !== undefined && !wanted.includes(name)) continue;
  const result = await start();
  rows.push(describe(name, result));
  if (values.blocks || result.shown.length < calls.length) {
    console.log(`## ${name}\n${result.shown.map(text => `--- ${text}`).join('\n')}`);
    if (result.shown.length < calls.length) console.log(result.output.slice(-2000));
  }
}
console.log(table(['client', 'calls', 'shown of both halves', 'hints', 'characters'], rows));
