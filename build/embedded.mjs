// @ts-check
// Embeds modules as compressed text, because no start needs them: as code they would be parsed at every start.
//
// `import source from 'worker:./file.ts'` returns the code of a thread as a string for `new Worker(source, { eval: true })`.
// `await import('packed:src/toolsets/…/file.ts')`, or `'packed:package'`, returns a module; its path is relative to the
// root of the project, so that tsconfig.json and vitest resolve it too.
//
// An embedded module shares the modules of the core and other embedded modules with the built file, so that `Failure` is
// one class. It also shares valibot, of which the built file has every function that a source file names. It contains a
// copy of all other imports; a test rejects a class among them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { bundleOptions, inputsOf } from './bundle.mjs';
import { jsoncWithoutBlanks } from './jsonc-without-blanks.mjs';
import { ofetchWithoutPlatform } from './ofetch-without-platform.mjs';

const prefix = /^(?:worker|packed):/;

/** Returns an esbuild plugin, the list of input files of the embedded modules, and the last step of the build. */
export function createEmbedding() {
  /** @type {string[]} */
  const inputs = [];
  /** @type {string[]} */
  const texts = [];
  /** @type {esbuild.Plugin} */
  const plugin = {
    name: 'embedded',
    setup(build) {
      build.onResolve({ filter: prefix }, args => {
        if (args.path.startsWith('packed:') && args.kind === 'import-statement') {
          throw new Error(`${args.path}: load it with import()`);
        }
        return { path: embeddedName(args), namespace: 'embedded' };
      });
      build.onResolve({ filter: /^shared:/ }, args => ({ path: args.path, namespace: 'shared' }));
      build.onLoad({ filter: /./, namespace: 'shared' }, args => {
        const contents = args.path === 'shared:loader' ? loader : usedPartOfValibot();
        return { contents, resolveDir: process.cwd() };
      });
      build.onLoad({ filter: /./, namespace: 'embedded' }, async ({ path: name }) => {
        if (isAlsoThread(name))
          return { contents: runCode(name, `require('${name.replace('packed:', 'worker:')}')`, '{}') };
        const { code, used, metafile } = await bundleEntry(name);
        inputs.push(...inputsOf(metafile));
        const number = texts.push(encodeBase95(brotliCompressSync(code))) - 1;
        const unpacked = `require('shared:loader').unpack(${placeholder(number)})`;
        if (name.startsWith('worker:')) return { contents: `module.exports = ${unpacked};` };
        const given = used.map(outside => `'${outside}': () => require('${pathOf(outside)}')`);
        return { contents: runCode(name, unpacked, `{ ${given.join(', ')} }`), resolveDir: process.cwd() };
      });
    },
  };
  /** @param {string} code the output of esbuild */
  const insertTexts = code =>
    code.replace(/"embedded text (\d+)"/g, (_, number) => asComment(texts[Number(number)] ?? ''));
  return { plugin, inputs, insertTexts };
}

/** Returns a module with only the functions that the sources use: the complete package would be parsed at each start. */
function usedPartOfValibot() {
  const names = new Set();
  for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const code = readFileSync(path.join('src', file), 'utf8');
    if (!code.includes("import * as v from 'valibot'")) continue;
    for (const [, name] of code.matchAll(/\bv\.([a-z]\w*)/g)) names.add(name);
  }
  return `export { ${[...names].join(', ')} } from 'valibot';`;
}

/** @param {number} number */
function placeholder(number) {
  return `"embedded text ${number}"`;
}

/**
 * Encodes 13 bytes as 16 characters, which is 8 % shorter than Base64: 26 bits as 4 digits. Zero bytes fill the last
 * group: brotli ignores them after its data.
 * @param {Uint8Array} bytes
 */
export function encodeBase95(bytes) {
  let text = '';
  for (let at = 0; at < bytes.length; at += 13) {
    const group = Buffer.alloc(13);
    group.set(bytes.subarray(at, at + 13));
    let bits = (BigInt(group.readUIntLE(8, 5)) << 64n) | group.readBigUInt64LE(0);
    for (let number = 0; number < 4; number++, bits >>= 26n) {
      let value = Number(BigInt.asUintN(26, bits));
      for (let digit = 0; digit < 4; digit++, value = Math.floor(value / 95))
        text += String.fromCharCode(0x20 + (value % 95));
    }
  }
  return text;
}

/**
 * Returns an expression whose value is the text. The text is a comment in a function, because V8 skips a comment faster
 * than it parses a string, which saves 0.7 ms of a start. esbuild removes comments, so that the build inserts them at
 * its end.
 * @param {string} text without line breaks
 */
function asComment(text) {
  return `(()=>{//${text}\n}).toString().slice(7,-2)`;
}

/**
 * A module that a thread and the server use is embedded once, as the code of the thread, which contains all its imports.
 * @param {string} name
 */
function isAlsoThread(name) {
  return name.startsWith('packed:') && name.endsWith('-thread.ts');
}

/** Unpacks and runs embedded modules. A module finds its external modules in `given`. */
const loader = `
  exports.unpack = text =>
    require('node:zlib').brotliDecompressSync(require('./src/text/base95.ts').decodeBase95(text)).toString();
  exports.run = (module, filename, code, given) => {
    const find = name => given[name] ? given[name]() : require(name);
    const names = ['module', 'exports', 'require'];
    require('node:vm').compileFunction(code, names, { filename })(module, module.exports, find);
  };`;

/**
 * @param {string} name
 * @param {string} code an expression
 * @param {string} given an object of functions that return the external modules
 */
function runCode(name, code, given) {
  return `require('shared:loader').run(module, '${name}', ${code}, ${given});`;
}

/**
 * Returns the path of an external module. A module of the core has a short name, because each use adds its length.
 * @param {string} external as `leaveOutside` names it
 */
function pathOf(external) {
  return external.replace(/^\.(\/.+)/, './src$1.ts');
}

/**
 * Returns `worker:` or `packed:` and a path relative to the root, because the bundle contains this path and must not
 * depend on the folder of the build.
 * @param {{ path: string, resolveDir: string }} args
 */
function embeddedName({ path: specifier, resolveDir }) {
  const file = specifier.replace(prefix, '');
  if (!file.startsWith('.')) return specifier;
  return `worker:${path.relative(process.cwd(), path.resolve(resolveDir, file)).replaceAll('\\', '/')}`;
}

/**
 * @param {string} name as `embeddedName` makes them
 * @param {Pick<esbuild.BuildOptions, 'minify'>} [options]
 */
export async function bundleEntry(name, options) {
  const file = name.replace(prefix, '');
  const stdin = {
    contents: `export * from '${/^(?:src|test)\//.test(file) ? `./${file}` : file}';`,
    resolveDir: process.cwd(),
  };
  /** @type {Set<string>} */
  const used = new Set();
  const { outputFiles, metafile } = await esbuild.build({
    ...bundleOptions,
    ...options,
    stdin,
    write: false,
    // Only a supported Node reads the compressed code, so that it need not be transformed for older ones.
    target: 'node20',
    charset: 'utf8',
    // The external modules come from a function instead of Node.
    supported: { 'dynamic-import': false },
    // A thread has no access to the modules of the server.
    plugins: name.startsWith('packed:') ? [leaveOutside(used, file), ofetchWithoutPlatform, jsoncWithoutBlanks] : [],
  });
  return { code: outputFiles[0]?.text ?? '', used: [...used].sort(), metafile };
}

/**
 * @param {Set<string>} used collects the external modules
 * @param {string} entry the packed file, below the root of the project
 * @returns {esbuild.Plugin}
 */
function leaveOutside(used, entry) {
  const own = `${path.posix.dirname(entry)}/`;
  // A folder inside a folder of the core is packed as a whole, because other folders import only its entry file.
  const isFolderPacked = own.split('/').length > 3;
  const source = path.resolve('src');
  return {
    name: 'left-outside',
    setup(build) {
      build.onResolve({ filter: prefix }, args => external(embeddedName(args)));
      build.onResolve({ filter: /^valibot$/ }, () => external('shared:valibot'));
      build.onResolve({ filter: /^\.+\/.*\.ts$/ }, ({ path: specifier, resolveDir, importer }) => {
        const file = path.resolve(resolveDir, specifier);
        const name = path.relative(source, file).replaceAll('\\', '/');
        // The entry itself may belong to the core.
        const isPackedToo = importer === '<stdin>' || (isFolderPacked && `src/${name}`.startsWith(own));
        // Each toolset that sends requests contains its own copy of `http/`, so that the code is not parsed at the
        // start. Only the proxy rules are shared, because the settings of a toolset use them at every start.
        const isProvided = !/^(?:\.\.|http(?!\/proxy)|toolsets|statement|documents)\//.test(name) && !isPackedToo;
        return isProvided ? external(`./${name.replace(/\.ts$/, '')}`) : undefined;
      });
    },
  };

  /** @param {string} name */
  function external(name) {
    used.add(name);
    return { path: name, external: true };
  }
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
    const { code } = await bundleEntry(id.slice(1));
    return `export default ${JSON.stringify(code)};`;
  },
};
