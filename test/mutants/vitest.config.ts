import path from 'node:path';
import { mergeConfig } from 'vitest/config';
import base from '../../vitest.config.ts';

export default mergeConfig(base, { test: { setupFiles: [path.join(import.meta.dirname, 'setup.mjs')] } });
