// @ts-check
// npx knip@6.44.2 --config build/knip.config.mjs: exports, files and dependencies that nobody uses. It is no devDependency,
// because npm writes a lock file for it that it then refuses (optional packages for other systems are left out).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const sources = ['src', 'test'].flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`),
);

/** Specifiers that only our build understands: for others each such file is where something begins. */
const embedded = sources.flatMap(file =>
  Array.from(readFileSync(file, 'utf8').matchAll(/'(worker|packed):([^']+\.ts)'/g), ([, kind, target = '']) =>
    kind === 'packed' ? target : path.posix.join(path.posix.dirname(file), target),
  ),
);

export default {
  entry: [
    'src/main.ts',
    ...embedded.filter(existsSync),
    'bench/**/*.mjs',
    'examples/*.mjs',
    'test/**/*.test.ts',
    'test/mutants.mjs',
    'test/fuzz/run.mjs',
    'test/fuzz/targets/*.ts',
    'test/toolsets/*/fuzz/*.ts',
  ],
  // The prefixes above look like packages; `packed:minimatch` is one. The rest are programs of the system.
  ignoreDependencies: ['packed', 'worker', 'minimatch'],
  ignoreBinaries: ['apt-get', 'cobc', 'dpkg-deb', 'mkfifo', 'pdftotext', 'rg'],
  ignoreUnresolved: ['./oracle'], // built by the test that runs it
  project: ['src/**/*.ts', 'build/**/*.mjs', 'test/**/*.{ts,mjs}'],
};
