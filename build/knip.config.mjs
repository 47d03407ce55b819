// @ts-check
// npx knip@6.44.2 --config build/knip.config.mjs: unused exports, files and dependencies. It is not a devDependency,
// because npm then writes a lock file without its optional packages for other systems and rejects that file.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const sources = ['src', 'test'].flatMap(folder =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => `${folder}/${name.replaceAll('\\', '/')}`),
);

/**
 * knip does not resolve imports with the prefixes `worker:` and `packed:`, so that these files are listed as entries.
 */
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
    'test/mutants/{setup.mjs,vitest-process.mjs,vitest.config.ts}',
    'test/fuzz/run.mjs',
    'test/fuzz/targets/*.ts',
    'test/{statement,documents,toolsets/*}/fuzz/*.ts',
    'test/fuzz/pump/{run,readers/*}.ts',
    'test/{statement,documents,toolsets/*}/pump/*.ts',
  ],
  // knip takes the prefixes above for packages, such as `packed:minimatch`. The other names are programs of the system.
  ignoreDependencies: ['packed', 'worker', 'minimatch'],
  ignoreBinaries: ['apt-get', 'cobc', 'dpkg-deb', 'mkfifo', 'pdftotext', 'rg'],
  ignoreUnresolved: ['./oracle'], // built by the test that runs it
  project: ['src/**/*.ts', 'build/**/*.mjs', 'test/**/*.{ts,mjs}'],
};
