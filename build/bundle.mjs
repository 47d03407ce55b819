// @ts-check
import path from 'node:path';

/** These options are common to the built file and the modules embedded in it. */
export const bundleOptions = /** @type {const} */ ({
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // This is the oldest target with private methods. Older targets turn each #private member into a WeakMap access,
  // which is twice as slow.
  target: 'node14.6',
  // esbuild would replace optional chains, because versions before 16.9 evaluate some of them incorrectly. These versions
  // only parse the file, and the check of the version ends them.
  supported: { 'optional-chain': true },
  // Names are minified too, because every start parses all toolsets, and short names save a quarter of this time.
  minify: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  alias: {
    // The CommonJS entry of this package calls `require` in a way that cannot be bundled.
    'jsonc-parser': path.resolve('build/jsonc-parser.mjs'),
    // The Node entry of this package contains a polyfill of fetch that no supported Node needs.
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
