import source from 'worker:./echo-worker.ts';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
import { bundleOptions } from '../../build/bundle.mjs';
import { bundleEntry } from '../../build/embedded.mjs';

test('an import with the prefix "worker:" is a string with the code of a script that runs in a thread', async () => {
  const worker = new Worker(source, { eval: true, workerData: 'thread' });
  expect(await once(worker, 'message')).toEqual([{ greeting: 'hello thread' }]);
  await worker.terminate();
});

test('the code of a "worker:" import contains no import of another file', () => {
  expect(source).not.toMatch(/from ['"]\.|require\(['"]\./);
});

test('the bundle of a "packed:" import contains the code of the imported module', async () => {
  const packed = (await modules()).filter(([name]) => name.startsWith('packed:src/'));
  const stubs = packed.filter(([name, code]) => !code.includes(`// ${name.slice('packed:'.length)}\n`));
  expect(packed.length).toBeGreaterThan(0);
  expect(stubs.map(([name]) => name)).toEqual([]);
});

test('the built file does not contain the path of the build folder', () => {
  expect(readFileSync('dist/oj-mcp.cjs', 'utf8').includes(process.cwd())).toBe(false);
});

test('no class outside of http/ is bundled into two packed modules, and the class Failure is only in the main module', async () => {
  const places = new Map<string, string[]>();
  for (const [name, code] of await modules()) {
    for (const file of filesWithClasses(code)) places.set(file, [...(places.get(file) ?? []), name]);
  }
  // Each toolset that sends requests has its own copy of the classes in http/. All objects of these classes stay in the
  // toolset, so that `instanceof` works.
  const shared = [...places].filter(([file]) => !file.startsWith('src/http/'));
  expect(shared.filter(([, names]) => names.length > 1)).toEqual([]);
  expect(places.get('src/errors/failure.ts')).toEqual(['src/main.ts']);
});

test('a packed module uses the functions of valibot in the built file, and contains none of them', async () => {
  const copies = (await modules()).filter(([, code]) => code.includes('// node_modules/valibot/'));
  expect(copies.map(([name]) => name)).toEqual(['src/main.ts']);
});

/** Returns the unminified code of the server's main thread: the entry and each packed module. */
async function modules(): Promise<[name: string, code: string][]> {
  const { outputFiles } = await esbuild.build({
    ...bundleOptions,
    minify: false,
    write: false,
    entryPoints: ['src/main.ts'],
    external: ['packed:*', 'worker:*'],
  });
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.ts'));
  const packed = sources.flatMap(
    name => readFileSync(`src/${name}`, 'utf8').match(/(?<=import\(')packed:[^']+/g) ?? [],
  );
  const built = packed.map(async (name): Promise<[string, string]> => {
    const { code } = await bundleEntry(name, { minify: false });
    return [name, code];
  });
  return [['src/main.ts', outputFiles[0]?.text ?? ''], ...(await Promise.all(built))];
}

/**
 * Returns the source files that define a class in this code. esbuild writes the name of each source file before its
 * code.
 */
function filesWithClasses(code: string): string[] {
  const parts = code.split(/^ *\/\/ (\S+)$/m).slice(1);
  return parts.filter((file, index) => {
    const isOurs = index % 2 === 0 && file.startsWith('src/');
    return isOurs && /^ *(?:(?:var )?\w+ = class\b|class \w)/m.test(parts[index + 1] ?? '');
  });
}
