import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { embeddedInTests } from './build/embedded.mjs';

/** What a library has to do wherever it is kept: tried in folders, and once more in a bucket. */
const ofEveryLibrary = [
  'assets',
  'delete-content',
  'delta-build',
  'fuzz-sequences',
  'glob-search',
  'grep-search',
  'history',
  'list-books',
  'move-content',
  'races',
  'read-content',
  'validate-book',
  'write-content',
].map(name => `test/toolsets/books/${name}.test.ts`);

/** Exports all constants of a module, for `import('…/file.ts?constants=a,b')`. */
const exportedConstants: Plugin = {
  name: 'exported-constants',
  enforce: 'pre',
  transform(code, id) {
    const names = /\?constants=([\w,]+)$/.exec(id)?.[1]?.split(',') ?? [];
    const hidden = names.filter(name => !code.includes(`export const ${name}`));
    return hidden.length === 0 ? undefined : `${code}\nexport { ${hidden.join(', ')} };`;
  },
};

/** These files take longest. They start first, so that no worker is idle while the last of them runs. */
const longFiles = [
  'fuzz/pump.test.ts',
  'files/escape.test.ts',
  'files/changes.test.ts',
  'host-config/install.test.ts',
  'books/crash-extras.test.ts',
  'books/fuzz.test.ts',
  'files/stages.test.ts',
  'files/wire-busy.test.ts',
  'fuzz/fuzz.test.ts',
];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => longFiles.some(name => moduleId.endsWith(`/${name}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter(file => !isLong(file))];
  }
}

export default defineConfig({
  plugins: [embeddedInTests, exportedConstants],
  test: {
    // Only for what hangs: a busy machine is no failure, and no test is about how long something takes.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 600_000, interval: 10 } },
    sequence: { sequencer: LongFilesFirst },
    // A worker loads each module once for all its files, which saves a third of the CPU time. Tests therefore restore
    // what they change in the process, such as variables, timers and listeners.
    isolate: false,
    // Half the files wait for servers, timers and killed processes most of their time.
    maxWorkers: availableParallelism() + 1,
    // Every file's figures are in coverage/; on the screen they would bury the name of the test that failed.
    coverage: { include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
    projects: [
      { extends: true, test: { name: 'all', include: ['test/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'bucket',
          include: ofEveryLibrary,
          // A small store in the process of the tests, or a real one that is running: see test/real-store.mjs.
          env: { BOOKS_STORE: process.env['BOOKS_STORE'] ?? 'bucket' },
        },
      },
    ],
  },
});
