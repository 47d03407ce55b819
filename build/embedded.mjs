// @ts-check
// Code that is in the one file as packed text, because no start needs it: as code it would be read through each time.
//
// `import source from 'worker:./file.ts'` gives the code of a thread as a string, ready for `new Worker(source, { eval: true })`.
// `await import('packed:src/toolsets/…/file.ts')`, or `'packed:package'`, gives a module like any other; its path begins
// at the root of the project, where tsconfig.json and vitest find it too.
//
// Each gets its own copy of all it imports, so nothing may be embedded that shares a class with the rest.
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { bundleOptions, inputsOf } from './bundle.mjs';

/** A plugin for esbuild, and the files that have bytes in what it embedded. */
export function createEmbedding() {
  /** @type {string[]} */
  const inputs = [];
  /** @type {esbuild.Plugin} */
  const plugin = {
    name: 'embedded',
    setup(build) {
      build.onResolve({ filter: /^worker:/ }, ({ path: specifier, resolveDir }) => ({
        // Relative: the path ends up in the bundle, which must be the same wherever it is built.
        path: path
          .relative(process.cwd(), path.resolve(resolveDir, specifier.slice('worker:'.length)))
          .replaceAll('\\', '/'),
        namespace: 'worker',
      }));
      build.onResolve({ filter: /^packed:/ }, ({ path: specifier, kind }) => {
        if (kind !== 'dynamic-import') throw new Error(`${specifier}: load it with import()`);
        return { path: specifier.slice('packed:'.length), namespace: 'packed' };
      });
      build.onLoad({ filter: /./, namespace: 'worker' }, async ({ path: entry }) => ({
        contents: `module.exports = ${unpacked(await bundle(entry))};`,
      }));
      build.onLoad({ filter: /./, namespace: 'packed' }, async ({ path: entry }) => ({
        contents: `
          const code = ${unpacked(await bundle(entry))};
          const names = ['module', 'exports', 'require'];
          require('node:vm').compileFunction(code, names, { filename: '${entry}' })(module, exports, require);`,
      }));
    },
  };

  /** @param {string} entry */
  async function bundle(entry) {
    const { text, metafile } = await bundleEntry(entry, [plugin]);
    inputs.push(...inputsOf(metafile));
    return text;
  }

  return { plugin, inputs };
}

/** @param {string} code */
function unpacked(code) {
  const text = brotliCompressSync(code).toString('base64');
  return `require('node:zlib').brotliDecompressSync(Buffer.from('${text}', 'base64')).toString()`;
}

/**
 * @param {string} entry a file below the root, or a package
 * @param {esbuild.Plugin[]} plugins
 */
async function bundleEntry(entry, plugins) {
  const name = entry.startsWith('src/') || entry.startsWith('test/') ? `./${entry}` : entry;
  const stdin = { contents: `export * from '${name}';`, resolveDir: process.cwd() };
  const { outputFiles, metafile } = await esbuild.build({ ...bundleOptions, stdin, plugins, write: false });
  return { text: outputFiles[0]?.text ?? '', metafile };
}

/**
 * For vitest, where the sources run unbundled.
 * @type {import('vitest/config').Plugin}
 */
export const embeddedInTests = {
  name: 'embedded',
  enforce: 'pre',
  async resolveId(specifier, importer = '') {
    if (specifier.startsWith('packed:')) {
      const entry = specifier.slice('packed:'.length);
      return entry.startsWith('src/') ? path.resolve(entry) : await this.resolve(entry, importer);
    }
    if (!specifier.startsWith('worker:')) return undefined;
    const file = path.resolve(path.dirname(importer), specifier.slice('worker:'.length));
    return `\0worker:${path.relative(process.cwd(), file).replaceAll('\\', '/')}`;
  },
  async load(id) {
    if (!id.startsWith('\0worker:')) return undefined;
    const { text } = await bundleEntry(id.slice('\0worker:'.length), []);
    return `export default ${JSON.stringify(text)};`;
  },
};
