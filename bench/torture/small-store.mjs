// Starts the store of the tests in this process.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export async function startSmallStore() {
  const folder = mkdtempSync(path.join(tmpdir(), 'oj-mcp-store-'));
  try {
    const outfile = path.join(folder, 'server.mjs');
    const entry = path.join(import.meta.dirname, '../../test/support/bucket/server.ts');
    await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' });
    const { startBucket } = await import(pathToFileURL(outfile).href);
    const { endpoint, name, customer, close } = await startBucket();
    return { endpoint, bucket: name, ...customer, stop: close };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
