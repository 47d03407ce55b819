// Writes the test file of this process, for the switches that record which test files reach them.
import { existsSync, writeFileSync } from 'node:fs';

const folder = 'node_modules/.mutants';
if (existsSync(`${folder}/log`)) writeFileSync(`${folder}/pid-${process.pid}`, globalThis.__vitest_worker__.filepath);
