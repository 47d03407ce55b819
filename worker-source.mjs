// `import source from 'worker:./file.ts'` gives the code of a worker thread as a string, ready for `new Worker(source,
// { eval: true })`: the server stays one file, and what only its threads need is neither parsed nor run at its start.
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const prefix = 'worker:';

/** The files of packages that are in the threads' code: their licences belong in dist/THIRD-PARTY.md. */
export const packagesInWorkers = new Set();

async function bundle(entry) {
  const { outputFiles, metafile } = await esbuild.build({
    entryPoints: [entry],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  for (const input of Object.keys(metafile.inputs)) if (input.includes('node_modules')) packagesInWorkers.add(input);
  return { source: outputFiles[0].text, inputs: Object.keys(metafile.inputs).map(input => path.resolve(input)) };
}

/** For build.mjs. */
export const workerSources = {
  name: 'worker-sources',
  setup(build) {
    build.onResolve({ filter: /^worker:/ }, ({ path: specifier, resolveDir }) => ({
      // Relative: the path ends up in the bundle, which must be the same wherever it is built.
      path: path
        .relative(process.cwd(), path.resolve(resolveDir, specifier.slice(prefix.length)))
        .replaceAll('\\', '/'),
      namespace: 'worker',
    }));
    build.onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path: entry }) => {
      const { source, inputs } = await bundle(entry);
      // Packed: only a call that needs the thread reads its code.
      const text = brotliCompressSync(source).toString('base64');
      const contents = `import { brotliDecompressSync } from 'node:zlib';
        export default brotliDecompressSync(Buffer.from('${text}', 'base64')).toString();`;
      return { contents, loader: 'js', watchFiles: inputs };
    });
  },
};

/** For vitest, where the sources run unbundled. */
export const workerSourcesInTests = {
  name: 'worker-sources',
  enforce: 'pre',
  resolveId(specifier, importer) {
    if (!specifier.startsWith(prefix)) return undefined;
    return `\0${prefix}${path.resolve(path.dirname(importer), specifier.slice(prefix.length))}`;
  },
  async load(id) {
    if (!id.startsWith(`\0${prefix}`)) return undefined;
    const { source } = await bundle(id.slice(prefix.length + 1));
    return `export default ${JSON.stringify(source)};`;
  },
};
