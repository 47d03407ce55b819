// @ts-check
// src/main.ts → dist/oj-mcp.cjs, one file that needs nothing but Node; and the licences of what is in it.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import * as esbuild from 'esbuild';
import { bundleOptions, inputsOf } from './build/bundle.mjs';
import { createEmbedding } from './build/embedded.mjs';
import { ofetchWithoutPlatform } from './build/ofetch-without-platform.mjs';
import { thirdParty } from './build/third-party.mjs';
import { withoutAjv } from './build/without-ajv.mjs';
import { withoutZod } from './build/without-zod.mjs';

const manifest = JSON.parse(await readFile('package.json', 'utf8'));
const minNodeMajor = Number(/\d+/.exec(manifest.engines.node)?.[0]);
const outfile = 'dist/oj-mcp.cjs';

/** Runs before anything else, so an old Node must be able to parse it; with its target the rest of the file is no obstacle. */
const versionCheck = `'use strict';
if (Number(process.versions.node.split('.')[0]) < ${minNodeMajor}) {
  console.error('oj-mcp needs Node ${minNodeMajor} or newer, but ' + process.execPath + ' is Node ' + process.versions.node + '.');
  process.exit(1);
}`;

const embedding = createEmbedding();
const { metafile } = await esbuild.build({
  ...bundleOptions,
  entryPoints: ['src/main.ts'],
  outfile,
  banner: { js: versionCheck },
  plugins: [embedding.plugin, withoutAjv, ...withoutZod, ofetchWithoutPlatform],
});

await chmod(outfile, 0o755);
await writeFile('dist/THIRD-PARTY.md', await thirdParty([...inputsOf(metafile), ...embedding.inputs]));
