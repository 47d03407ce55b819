// Writes the packages of a release into a folder: node packaging/pack.mjs [folder], by default packaging/out. It packs
// dist/ unchanged. The owner comes from the variable GITHUB_REPOSITORY, which a workflow sets. Without it the names are
// placeholders for tests.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import {
  claudeMarketplace,
  claudePlugin,
  geminiExtension,
  mcpbManifest,
  npmManifest,
  serverJson,
} from './manifests.mjs';
import { releaseReadme } from './readme.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = path.resolve(process.argv[2] ?? path.join(root, 'packaging/out'));
const repository = process.env.GITHUB_REPOSITORY ?? 'OWNER/oj-mcp';
const release = { repository, owner: repository.split('/')[0] };
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const program = readFileSync(path.join(root, 'dist/oj-mcp.cjs'));
const licences = {
  LICENSE: readFileSync(path.join(root, 'LICENSE')),
  'dist/THIRD-PARTY.md': readFileSync(path.join(root, 'dist/THIRD-PARTY.md')),
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const mcpb = writeArchive(`oj-mcp-${manifest.version}.mcpb`, {
  'manifest.json': json(mcpbManifest(manifest, release, listTools())),
  'server/oj-mcp.cjs': program,
  'server/THIRD-PARTY.md': licences['dist/THIRD-PARTY.md'],
  LICENSE: licences.LICENSE,
});
write('server.json', json(serverJson(manifest, release, createHash('sha256').update(mcpb).digest('hex'))));
writeArchive('oj-mcp-claude-plugin.zip', {
  '.claude-plugin/plugin.json': json(claudePlugin(manifest, release)),
  '.claude-plugin/marketplace.json': json(claudeMarketplace(manifest, release)),
  'dist/oj-mcp.cjs': program,
  ...licences,
});
writeArchive('oj-mcp-gemini-extension.zip', {
  'gemini-extension.json': json(geminiExtension(manifest)),
  'dist/oj-mcp.cjs': program,
  ...licences,
});
await packNpm();

async function packNpm() {
  const folder = path.join(out, 'npm');
  mkdirSync(folder);
  for (const name of ['dist', 'docs', 'LICENSE', 'CHANGELOG.md']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  writeFileSync(path.join(folder, 'package.json'), json(npmManifest(manifest, release)));
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  writeFileSync(
    path.join(folder, 'README.md'),
    await releaseReadme(readme, { repository, version: manifest.version }, root),
  );
  const isWindows = process.platform === 'win32';
  execFileSync(isWindows ? 'npm.cmd' : 'npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', out], {
    cwd: folder,
    shell: isWindows,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  report(`oj-mcp-${manifest.version}.tgz`, readFileSync(path.join(out, `oj-mcp-${manifest.version}.tgz`)));
}

/** Returns the tools that the built file lists. */
function listTools() {
  const lines = [
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'pack', version: '1' } }],
    ['tools/list', {}],
  ].map(([method, params], id) => JSON.stringify({ jsonrpc: '2.0', id, method, params }));
  const { stdout } = spawnSync(process.execPath, [path.join(root, 'dist/oj-mcp.cjs'), '--demo'], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
  });
  return JSON.parse(stdout.trim().split('\n').at(-1)).result.tools;
}

/** Writes a zip file with fixed times, so that the same files give the same bytes. */
function writeArchive(name, files) {
  const entries = Object.entries(files).map(([file, content]) => [file, new Uint8Array(Buffer.from(content))]);
  const bytes = zipSync(Object.fromEntries(entries), { level: 9, mtime: new Date(2020, 0, 1) });
  write(name, bytes);
  return bytes;
}

function write(name, content) {
  writeFileSync(path.join(out, name), content);
  report(name, content);
}

function report(name, content) {
  console.log(`${name}  ${(content.length / 1000).toFixed(1)} KB`);
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
