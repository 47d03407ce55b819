// src/main.ts → dist/oj-mcp.cjs, one file that needs nothing but Node; and the licences of what is in it.
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { pathFilter } from './path-filter.mjs';
import { packagesInWorkers, workerSources } from './worker-source.mjs';

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
  pathFilter('sdk/dist/esm/validation/ajv-provider.js'),
  () => 'export class AjvJsonSchemaValidator {}',
);

// zod can also write JSON Schema, which nobody asks of it here (ours comes from valibot): 27 KB that every start reads.
const withoutZodJsonSchema = ['json-schema-processors', 'to-json-schema'].map(file =>
  rewrite(`without-zod-${file}`, pathFilter(`zod/v4/core/${file}.js`), source => {
    const names = Array.from(source.matchAll(/^export (?:const|function) (\w+)/gm), ([, name]) => name);
    const alias = names.includes('processSchema') ? ['export { processSchema as process };'] : [];
    return [...names.map(name => `export function ${name}() {}`), ...alias].join('\n');
  }),
);

// The SDK declares some two hundred zod schemas and we need five: mark their construction as free of effects.
const unusedSchemasDropped = rewrite('unused-schemas-dropped', pathFilter('sdk/dist/esm/types.js'), source =>
  source.replace(
    /(?<![\w.])(z\.\w+\(|\w+Schema\.(?:extend|merge|omit|pick|partial|or)\(|\w+Schema\.shape|object\(|custom\()/g,
    call => (call.endsWith('.shape') ? call : `/* @__PURE__ */ ${call}`),
  ),
);

/** What is the same for the file itself and for what is packed into it. */
const common = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // The oldest with private methods: for one before it every #private member is a look-up in a WeakMap, twice as slow.
  target: 'node14.6',
  // Names too: all toolsets are read through at every start, and short names are a quarter of it.
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

// What is big and not needed at the start: as code it would be read through each time, as packed text it is not. Each gets
// its own copy of all it imports, so nothing may be packed that shares a class with the rest.
const packedModules = ['minimatch', './demo/backend.ts', './model/statement/index.ts'];
const packedInputs = [];
const packedOnDemand = {
  name: 'packed-on-demand',
  setup(build) {
    const filter = new RegExp(`^(?:${packedModules.join('|').replaceAll('.', String.raw`\.`)})$`);
    build.onResolve({ filter }, ({ path: name, kind, resolveDir }) => {
      if (kind !== 'dynamic-import') throw new Error(`${name} is packed: load it with import()`);
      return { path: name, namespace: 'packed', pluginData: resolveDir };
    });
    build.onLoad({ filter: /./, namespace: 'packed' }, async ({ path: name, pluginData: resolveDir }) => {
      const stdin = { contents: `export * from '${name}';`, resolveDir };
      const { outputFiles, metafile } = await esbuild.build({ ...common, stdin, write: false });
      packedInputs.push(...inputsOf(metafile));
      const text = brotliCompressSync(outputFiles[0].contents).toString('base64');
      const contents = `
        const code = require('node:zlib').brotliDecompressSync(Buffer.from('${text}', 'base64')).toString();
        require('node:vm').compileFunction(code, ['module', 'exports', 'require'], { filename: '${name}' })(module, exports, require);`;
      return { contents, loader: 'js' };
    });
  },
};

const result = await esbuild.build({
  ...common,
  entryPoints: ['src/main.ts'],
  outfile,
  banner: { js: versionCheck },
  // Its Node entry brings a polyfill of fetch that no Node needs any more.
  alias: { ofetch: path.resolve('node_modules/ofetch/dist/index.mjs') },
  plugins: [workerSources, withoutAjv, ...withoutZodJsonSchema, unusedSchemasDropped, packedOnDemand],
});

await chmod(outfile, 0o755);
await writeFile(
  'dist/THIRD-PARTY.md',
  await thirdParty([...inputsOf(result.metafile), ...packedInputs, ...packagesInWorkers]),
);

/** The files that have bytes in what was built. */
function inputsOf(metafile) {
  const [output] = Object.values(metafile.outputs);
  return Object.keys(output.inputs).filter(input => output.inputs[input].bytesInOutput > 0);
}

/** The licence of every package that has bytes in the bundle. */
async function thirdParty(inputs) {
  const folders = new Set(inputs.flatMap(input => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []));
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
