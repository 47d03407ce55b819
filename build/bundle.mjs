// @ts-check
import path from 'node:path';

/** The options that the built file and the modules embedded in it share. */
export const bundleOptions = /** @type {const} */ ({
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // The oldest target with private methods: older ones turn each #private member into a WeakMap access, twice as slow.
  target: 'node14.6',
  // Names too: every start parses all toolsets, and short names save a quarter of that.
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
 * Returns the input files that have bytes in the output.
 * @param {import('esbuild').Metafile} metafile
 */
export function inputsOf(metafile) {
  const [output] = Object.values(metafile.outputs);
  return Object.entries(output?.inputs ?? {}).flatMap(([input, { bytesInOutput }]) =>
    bytesInOutput > 0 ? [input] : [],
  );
}
