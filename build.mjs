// src/main.ts → dist/oj-mcp.cjs, one file that needs nothing but Node; and the licences of what is in it.
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as esbuild from 'esbuild';

const manifest = JSON.parse(await readFile('package.json', 'utf8'));
const minNodeMajor = Number(/\d+/.exec(manifest.engines.node)[0]);
const outfile = 'dist/oj-mcp.cjs';

/** Runs before anything else, so an old Node must be able to parse it; with its target the rest of the file is no obstacle. */
const versionCheck = `'use strict';
if (Number(process.versions.node.split('.')[0]) < ${minNodeMajor}) {
  console.error('oj-mcp needs Node ${minNodeMajor} or newer, but ' + process.execPath + ' is Node ' + process.versions.node + '.');
  process.exit(1);
}`;

/** Changes one file of a dependency; the build fails if the file is not there any more or no longer looks as expected. */
function rewrite(name, filter, change) {
  return {
    name,
    setup(build) {
      let matches = 0;
      build.onLoad({ filter }, async ({ path: file }) => {
        matches++;
        const source = await readFile(file, 'utf8');
        const contents = change(source);
        if (contents === source) throw new Error(`${name}: nothing to change in ${file}`);
        return { contents, loader: 'js' };
      });
      build.onEnd(() => {
        if (matches !== 1) throw new Error(`${name}: expected one file, found ${matches}`);
      });
    },
  };
}

// The SDK's server creates a JSON Schema validator for a feature we do not have (elicitation): 105 KB and 10 ms.
const withoutAjv = rewrite(
  'without-ajv',
  /sdk\/dist\/esm\/validation\/ajv-provider\.js$/,
  () => 'export class AjvJsonSchemaValidator {}',
);

// The SDK declares some two hundred zod schemas and we need five: mark their construction as free of effects.
const unusedSchemasDropped = rewrite('unused-schemas-dropped', /sdk\/dist\/esm\/types\.js$/, source =>
  source.replace(
    /(?<![\w.])(z\.\w+\(|\w+Schema\.(?:extend|merge|omit|pick|partial|or)\(|\w+Schema\.shape|object\(|custom\()/g,
    call => (call.endsWith('.shape') ? call : `/* @__PURE__ */ ${call}`),
  ),
);

const result = await esbuild.build({
  entryPoints: ['src/main.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // The oldest with private methods: for one before it every #private member is a look-up in a WeakMap, twice as slow.
  target: 'node14.6',
  banner: { js: versionCheck },
  // Whitespace and syntax only: names stay, for stack traces that can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // Its Node entry brings a polyfill of fetch that no Node needs any more.
  alias: { ofetch: path.resolve('node_modules/ofetch/dist/index.mjs') },
  plugins: [withoutAjv, unusedSchemasDropped],
});

await chmod(outfile, 0o755);
await writeFile('dist/THIRD-PARTY.md', await thirdParty(result.metafile));
if (process.argv.includes('--meta')) await writeFile('node_modules/.cache/meta.json', JSON.stringify(result.metafile));

/** The licence of every package that has bytes in the bundle. */
async function thirdParty(metafile) {
  const folders = new Set();
  for (const [input, { bytesInOutput }] of Object.entries(Object.values(metafile.outputs)[0].inputs)) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
  }
  const sections = [];
  for (const folder of [...folders].sort((left, right) => (left < right ? -1 : 1))) {
    const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
    const file = (await readdir(folder)).find(entry => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    const text = (await readFile(`${folder}/${file}`, 'utf8')).trim().replace(/\r\n/g, '\n');
    sections.push(`## ${name} ${version} (${license})\n\n\`\`\`\`text\n${text}\n\`\`\`\`\n`);
  }
  return `# Software in oj-mcp.cjs\n\nThe file contains parts of these packages.\n\n${sections.join('\n')}`;
}
