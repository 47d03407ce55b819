// @ts-check
import path from 'node:path';
import * as esbuild from 'esbuild';
import { bundleOptions } from '../../build/bundle.mjs';
import { bundleEntry } from '../../build/embedded.mjs';
import { jsoncWithoutBlanks } from '../../build/jsonc-without-blanks.mjs';

/**
 * Bundles TypeScript with all of its imports into one script, so that every Node version can run it and report its
 * coverage.
 * @param {{ code: string, outfile: string }} options
 */
export async function bundle({ code, outfile }) {
  await esbuild.build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: 'ts' },
    outfile,
    alias: bundleOptions.alias,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    // Template literals are not transformed, because pump/unread.ts searches for regular expressions that are built at
    // run time.
    supported: { 'regexp-unicode-property-escapes': true },
    keepNames: true,
    logLevel: 'warning',
    plugins: [unpacked, jsoncWithoutBlanks],
  });
}

/**
 * Code that the product embeds as packed text is bundled as code here.
 * @type {esbuild.Plugin}
 */
const unpacked = {
  name: 'unpacked',
  setup(build) {
    build.onResolve({ filter: /^packed:/ }, ({ path: specifier, kind }) => {
      const file = specifier.slice('packed:'.length);
      return build.resolve(file.startsWith('src/') ? `./${file}` : file, { resolveDir: process.cwd(), kind });
    });
    build.onResolve({ filter: /^worker:/ }, ({ path: specifier, resolveDir }) => {
      const file = path.resolve(resolveDir, specifier.slice('worker:'.length));
      return { path: `worker:${path.relative(process.cwd(), file)}`, namespace: 'thread' };
    });
    build.onLoad({ filter: /./, namespace: 'thread' }, async ({ path: name }) => {
      const { code } = await bundleEntry(name);
      return { contents: `module.exports = ${JSON.stringify(code)};` };
    });
  },
};
