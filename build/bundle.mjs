// @ts-check
import path from 'node:path';

/** The options of the built file and of the modules embedded in it. */
export const bundleOptions = /** @type {const} */ ({
  bundle: true,
  platform: 'node',
  format: 'cjs',
  // The oldest compilation target with private methods. For older targets each #private member becomes a WeakMap
  // access, which is twice as slow.
  target: 'node14.6',
  // esbuild would replace optional chains, because Node versions before 16.9 evaluate some of them incorrectly. These
  // versions only need to parse the file, because the program then reports that they are too old.
  supported: { 'optional-chain': true },
  // Names are minified too. Every start parses all toolsets, and short names save a quarter of this time.
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
