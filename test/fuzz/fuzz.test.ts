import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import { bundle } from './bundle.mjs';
import { startingInputs, targetFiles } from './load.ts';
import { createRandom, mutate } from './mutate.ts';
import type { Target } from './target.ts';

const seed = 1;

test.each(targetFiles())(
  'the fuzz target %s holds its invariants and has the approved output for its corpus and for seeded mutations',
  async file => {
    const { target }: { target: Target } = await import(path.resolve(file));
    expect(file.endsWith(`/${target.name}.ts`)).toBe(true);
    const inputs = startingInputs(target);
    const random = createRandom(seed);
    const lines: string[] = [];
    for (let count = 0; count < inputs.length + target.mutations; count++) {
      const parent = inputs[random(inputs.length)] ?? Buffer.alloc(0);
      const input = inputs[count] ?? mutate(random, parent, inputs, target.dictionary);
      const output = await run(target, input);
      if (output !== undefined) lines.push(approvedLine(input, output));
    }
    if (lines.length === 0) return;
    const part = path.dirname(path.dirname(path.resolve(file)));
    await expect(lines.join('')).toMatchFileSnapshot(path.join(part, 'approved', `${target.name}-fuzz.txt`));
  },
);

test('npm run fuzz can bundle each target', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'oj-mcp-fuzz-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const code = targetFiles()
    .map(file => `import './${file}';`)
    .join('\n');
  await expect(bundle({ code, outfile: path.join(folder, 'all.cjs') })).resolves.toBeUndefined();
});

/** The error contains the name of the input, so that the input can be saved as a regression test. */
async function run(target: Target, input: Buffer): Promise<unknown> {
  try {
    return await target.run(input);
  } catch (error) {
    const shown = JSON.stringify(input.toString('latin1'));
    throw new Error(`${target.name} fails for the bytes ${shown} (latin1)`, { cause: error });
  }
}

/** Returns the input, the start of the output, and a hash of the complete output. */
function approvedLine(input: Buffer, output: unknown): string {
  const text = JSON.stringify(output, withoutAddresses);
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${JSON.stringify(input.toString('latin1', 0, 40))} ${hash} ${text.slice(0, 60).toWellFormed()}\n`;
}

/** Ports and temporary folders differ between two runs. */
function withoutAddresses(_: string, value: unknown): unknown {
  if (value instanceof Map) return [...value];
  if (value instanceof Failure) return [value.message, value.hint];
  if (typeof value !== 'string') return value;
  return value
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, 'PORT')
    .replaceAll(tmpdir(), 'TMP')
    .replaceAll(/(?<=oj-mcp-[a-z-]+)\w{6}\b/g, 'XXXXXX');
}
