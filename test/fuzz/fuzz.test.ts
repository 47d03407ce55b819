import path from 'node:path';
import { expect, test } from 'vitest';
import { startingInputs, targetFiles } from './load.ts';
import { createRandom, mutate } from './mutate.ts';
import type { Target } from './target.ts';

const seed = 1;

test.each(targetFiles())(
  'the fuzz target %s holds its invariants for its corpus and for seeded mutations',
  async file => {
    const { target }: { target: Target } = await import(path.resolve(file));
    expect(file.endsWith(`/${target.name}.ts`)).toBe(true);
    const inputs = startingInputs(target);
    const random = createRandom(seed);
    for (const input of inputs) await run(target, input);
    for (let count = 0; count < target.mutations; count++) {
      const parent = inputs[random(inputs.length)] ?? Buffer.alloc(0);
      await run(target, mutate(random, parent, inputs, target.dictionary));
    }
  },
);

/** Names the input in the error, so that it can be saved as a regression. */
async function run(target: Target, input: Buffer): Promise<void> {
  try {
    await target.run(input);
  } catch (error) {
    const shown = JSON.stringify(input.toString('latin1'));
    throw new Error(`${target.name} fails for the bytes ${shown} (latin1)`, { cause: error });
  }
}
