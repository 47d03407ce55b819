import { defineConfig } from 'vitest/config';
import { embeddedInTests } from './build/embedded.mjs';

export default defineConfig({
  plugins: [embeddedInTests],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000, // a busy machine is no failure
    coverage: { include: ['src/**'], reporter: ['text', 'html'] },
  },
});
