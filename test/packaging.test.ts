import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { unzipSync } from 'fflate';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import { callTool, openClient } from './support/client.ts';
import { has } from './support/toolsets.ts';

const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const out = mkdtempSync(path.join(tmpdir(), 'oj-mcp-pack-'));
afterAll(() => rmSync(out, { recursive: true }));
execFileSync(process.execPath, ['packaging/pack.mjs', path.join(out, 'all')], {
  env: { ...process.env, GITHUB_REPOSITORY: 'orchard/oj-mcp' },
});
const at = (name: string): string => path.join(out, 'all', name);

function unzipped(name: string): string {
  const folder = path.join(out, `${name}.d`);
  for (const [file, bytes] of Object.entries(unzipSync(readFileSync(at(name))))) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), bytes);
  }
  return folder;
}

function readJson(...names: string[]): unknown {
  return JSON.parse(readFileSync(path.join(...names), 'utf8'));
}

const Server = v.object({
  command: v.literal('node'),
  args: v.tuple([v.string()]),
  env: v.record(v.string(), v.string()),
});

/** Starts the server of a manifest as a host does, with the demo, and calls a tool. */
async function callThrough(server: v.InferOutput<typeof Server>, folder: string): Promise<string> {
  const env = { ...server.env, OJ_MCP_DEMO: '1' };
  const args = server.args.map(word =>
    word.replace(/\$\{(?:__dirname|CLAUDE_PLUGIN_ROOT|extensionPath)\}/, folder).replaceAll('${/}', path.sep),
  );
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' });
  const client = await openClient(transport);
  try {
    return (await callTool(client, 'resolve_problem', { query: 'petal-garland' })).text;
  } finally {
    await client.close();
  }
}

test.runIf(has('oj'))(
  'the .mcpb file starts the demo if no other option is set, and declares the token as sensitive',
  async () => {
    const name = `oj-mcp-${version}.mcpb`;
    const folder = unzipped(name);
    const Manifest = v.looseObject({
      manifest_version: v.literal('0.4'),
      tools: v.array(v.object({ name: v.string(), description: v.string() })),
      server: v.looseObject({ entry_point: v.string(), mcp_config: Server }),
      user_config: v.record(v.string(), v.looseObject({ required: v.literal(false) })),
    });
    const { server, tools, user_config } = v.parse(Manifest, readJson(folder, 'manifest.json'));
    expect(tools.map(tool => tool.name)).toContain('get_daily_challenge');
    expect(user_config['token']).toMatchObject({ sensitive: true });
    for (const value of Object.values(server.mcp_config.env)) {
      expect(Object.keys(user_config).map(key => `\${user_config.${key}}`)).toContain(value);
    }
    expect(server.mcp_config.args[0]).toBe(`\${__dirname}/${server.entry_point}`);
    expect(await callThrough(server.mcp_config, folder)).toMatch(/^# Petal Garland\n/);
  },
);

test.runIf(has('oj')).each([
  ['the Claude Code plugin', 'oj-mcp-claude-plugin.zip', '.claude-plugin/plugin.json'],
  ['the Gemini extension', 'oj-mcp-gemini-extension.zip', 'gemini-extension.json'],
])('a plugin package starts the server when its optional variables are unset: %s', async (_, archive, manifest) => {
  const folder = unzipped(archive);
  const { mcpServers } = v.parse(
    v.looseObject({ version: v.literal(version), mcpServers: v.object({ oj: Server }) }),
    readJson(folder, manifest),
  );
  expect(await callThrough(mcpServers.oj, folder)).toMatch(/^# Petal Garland\n/);
});

describe('the npm package', () => {
  const folder = path.join(out, 'tarball');
  mkdirSync(folder);
  execFileSync('tar', ['-xzf', at(`oj-mcp-${version}.tgz`), '-C', folder]);

  test('has no dependencies and declares its name in the MCP registry', () => {
    const manifest = readJson(folder, 'package/package.json');
    expect(manifest).toMatchObject({ name: 'oj-mcp', version, license, mcpName: 'io.github.orchard/oj-mcp' });
    for (const field of ['dependencies', 'devDependencies', 'scripts', 'private'])
      expect(manifest).not.toHaveProperty(field);
  });

  test.runIf(has('oj'))('starts the server from the file of its bin entry', async () => {
    const manifest = v.parse(
      v.looseObject({ bin: v.object({ 'oj-mcp': v.string() }) }),
      readJson(folder, 'package/package.json'),
    );
    const file = path.join(folder, 'package', manifest.bin['oj-mcp']);
    expect(await callThrough({ command: 'node', args: [file], env: {} }, folder)).toMatch(/^# Petal Garland\n/);
  });

  test('has a README with commands for npx and a download instead of a clone', () => {
    const readme = readFileSync(path.join(folder, 'package/README.md'), 'utf8');
    const address = `https://github.com/orchard/oj-mcp/releases/download/v${version}/oj-mcp.cjs`;
    const commands = [
      'npx -y oj-mcp --demo',
      `curl -fLO ${address}`,
      `Invoke-WebRequest ${address} -OutFile oj-mcp.cjs`,
    ];
    const repositoryReadme = readFileSync('README.md', 'utf8');
    for (const command of commands) expect(readme).toContain(command);
    expect(repositoryReadme).not.toMatch(/npx -y|curl|Invoke-WebRequest/);
    expect(readme).not.toContain('<!--');
  });

  test('has links in its README that install the published package', () => {
    const readme = readFileSync(path.join(folder, 'package/README.md'), 'utf8');
    const link = (host: string): URL =>
      new URL(/\)\]\((https:[^)]+)\)/.exec(readme.slice(readme.indexOf(`[Add to ${host}]`)))?.[1] ?? '');
    const started = { command: 'npx', args: ['-y', 'oj-mcp', '--base-url', 'https://judge.example'] };
    for (const host of ['Cursor', 'LM Studio']) {
      const config = link(host).searchParams.get('config') ?? '';
      expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({
        ...started,
        env: { OJ_MCP_TOKEN: 'your-token' },
      });
    }
    const { searchParams } = link('VS Code');
    expect(JSON.parse(searchParams.get('config') ?? '')).toMatchObject({ type: 'stdio', ...started });
    expect(JSON.parse(searchParams.get('inputs') ?? '')).toMatchObject([{ id: 'oj-mcp-token', password: true }]);
  });
});

test('server.json has the fields of the MCP registry and the hash of the .mcpb file', () => {
  const Package = v.looseObject({ registryType: v.string(), identifier: v.string() });
  const server = v.parse(
    v.looseObject({
      $schema: v.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
      name: v.literal('io.github.orchard/oj-mcp'),
      description: v.pipe(v.string(), v.maxLength(100)),
      packages: v.array(Package),
    }),
    readJson(at('server.json')),
  );
  const [npm, mcpb] = server.packages;
  expect(npm).toMatchObject({ registryType: 'npm', identifier: 'oj-mcp', version, runtimeHint: 'npx' });
  const fileSha256 = createHash('sha256')
    .update(readFileSync(at(`oj-mcp-${version}.mcpb`)))
    .digest('hex');
  expect(mcpb).toMatchObject({ registryType: 'mcpb', fileSha256 });
  expect(mcpb?.identifier).toBe(
    `https://github.com/orchard/oj-mcp/releases/download/v${version}/oj-mcp-${version}.mcpb`,
  );
});
