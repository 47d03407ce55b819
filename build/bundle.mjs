// @ts-check
import path from 'node:path';

/** What is the same for the file itself and for what is embedded in it. */
export const bundleOptions = /** @type {const} */ ({
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
  alias: {
    // Its CommonJS entry calls `require` in a way that cannot be bundled.
    'jsonc-parser': path.resolve('node_modules/jsonc-parser/lib/esm/main.js'),
    // Its Node entry brings a polyfill of fetch that no supported Node needs.
    ofetch: path.resolve('node_modules/ofetch/dist/index.mjs'),
  },
});

/**
 * The files that have bytes in what was built.
 * @param {import('esbuild').Metafile} metafile
 */
export function inputsOf(metafile) {
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [input] : [],
  );
}
