// @ts-check
// Builds src/main.ts into dist/oj-mcp.cjs, one file that needs only Node, and writes its licenses and bill of materials.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import * as esbuild from 'esbuild';
import { bundleOptions, inputsOf } from './build/bundle.mjs';
import { createEmbedding } from './build/embedded.mjs';
import { readData, readPackages } from './build/packages.mjs';
import { sbom } from './build/sbom.mjs';
import { thirdParty } from './build/third-party.mjs';
import { withoutAjv } from './build/without-ajv.mjs';
import { withoutTasks } from './build/without-tasks.mjs';
import { withoutZod } from './build/without-zod.mjs';

const manifest = JSON.parse(await readFile('package.json', 'utf8'));
const minNodeMajor = Number(/\d+/.exec(manifest.engines.node)?.[0]);
const outfile = 'dist/oj-mcp.cjs';

/**
 * This code runs first, so that old Node versions must be able to parse it. The build target lets them parse the rest
 * of the file.
 */
const versionCheck = `'use strict';
if (Number(process.versions.node.split('.')[0]) < ${minNodeMajor}) {
  console.error('oj-mcp needs Node ${minNodeMajor} or newer, but ' + process.execPath + ' is Node ' + process.versions.node + '. Install a newer one from https://nodejs.org.');
  process.exit(1);
}`;

const embedding = createEmbedding();
const { metafile, outputFiles } = await esbuild.build({
  ...bundleOptions,
  entryPoints: ['src/main.ts'],
  outfile,
  write: false,
  banner: { js: versionCheck },
  plugins: [embedding.plugin, withoutAjv, withoutTasks, ...withoutZod],
});

await writeFile(outfile, embedding.insertTexts(outputFiles[0]?.text ?? ''));
await chmod(outfile, 0o755);
const inputs = [...inputsOf(metafile), ...embedding.inputs];
const packages = await readPackages(inputs);
const { packages: locked } = JSON.parse(await readFile('package-lock.json', 'utf8'));
await writeFile('dist/THIRD-PARTY.md', thirdParty(packages, await readData(inputs)));
await writeFile('dist/oj-mcp.cdx.json', sbom({ manifest, program: await readFile(outfile), packages, locked }));
