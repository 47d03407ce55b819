import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000, // a busy machine is no failure
    coverage: { include: ['src/**'], reporter: ['text', 'html'] },
  },
});
