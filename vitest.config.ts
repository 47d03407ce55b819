import { defineConfig } from 'vitest/config';
import { workerSourcesInTests } from './worker-source.mjs';

export default defineConfig({
  plugins: [workerSourcesInTests],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000, // a busy machine is no failure
    coverage: { include: ['src/**'], reporter: ['text', 'html'] },
  },
});
