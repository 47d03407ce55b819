import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { Coverage } from './coverage.ts';
import { startingInputs } from './load.ts';
import { createRandom, mutate, type Random } from './mutate.ts';
import type { Target } from './target.ts';

/** This memory is shared, so that the main thread can read it when this thread hangs. */
const Shared = v.object({
  /** The input of the current execution. */
  input: v.instance(Uint8Array),
  /** The number of executions, the length of the input, and the number of covered blocks. */
  counts: v.instance(Int32Array),
});
const Options = v.object({ ...Shared.entries, bundle: v.string(), corpusFolder: v.string() });
const { input: current, counts, bundle, corpusFolder } = v.parse(Options, workerData);

const Command = v.variant('kind', [
  v.object({ kind: v.literal('fuzz'), seconds: v.number(), seed: v.number(), known: v.array(v.string()) }),
  v.object({ kind: v.literal('run'), input: v.instance(Uint8Array) }),
]);
type FuzzCommand = Extract<v.InferOutput<typeof Command>, { kind: 'fuzz' }>;

/** The coverage is read once for a batch, because reading it costs as much as many executions. */
const batchSize = 24;

/**
 * Runs an input and returns the kind of its error. The kind is equal for inputs that fail at the same place with a
 * similar message.
 */
async function run(target: Target, input: Buffer): Promise<string | undefined> {
  current.set(input);
  Atomics.store(counts, 1, input.length);
  Atomics.add(counts, 0, 1);
  try {
    await target.run(input);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [message = ''] = error.message.split('\n', 1);
    const place = error.stack?.split('\n').find(line => /^ {4}at (?!assert)/.test(line)) ?? '';
    return `${error.name}: ${message.replaceAll(/"[^"]*"|\d+/g, '…').slice(0, 60)}${place.replace(/\(.*\//, '(')}`;
  }
}

/** Mutates inputs until the time is over or an unknown kind of error occurs, which is returned. */
async function fuzz(
  target: Target,
  { seconds, seed, known }: FuzzCommand,
): Promise<{ error?: string; input?: Buffer }> {
  const end = performance.now() + seconds * 1000;
  const coverage = new Coverage(bundle);
  const random = createRandom(seed);
  const inputs: Buffer[] = [];
  const isUnknown = (error: string | undefined): error is string => error !== undefined && !known.includes(error);
  /** Runs an input once more, and keeps it if this run alone executes new blocks. */
  const keepIfNew = async (input: Buffer): Promise<boolean> => {
    await run(target, input);
    const blocks = coverage.takeNew();
    coverage.remember(blocks);
    Atomics.store(counts, 2, coverage.size);
    if (blocks.length > 0) inputs.push(input);
    return blocks.length > 0;
  };
  for (const input of [...startingInputs(target), ...savedInputs()]) {
    const error = await run(target, input);
    if (isUnknown(error)) return { error, input };
    await keepIfNew(input);
  }
  while (performance.now() < end) {
    const batch = Array.from({ length: batchSize }, () => mutant(target, random, inputs));
    for (const input of batch) {
      const error = await run(target, input);
      if (isUnknown(error)) return { error, input };
    }
    const blocks = coverage.takeNew();
    if (blocks.length === 0) continue;
    for (const input of batch) if (await keepIfNew(input)) save(input, inputs.length);
    coverage.remember(blocks); // some depend on state, such as a cache, and are not reached again
  }
  return {};
}

/**
 * Returns a mutation of an earlier input. Half of these inputs are recent ones, because they execute code that few
 * mutations have reached.
 */
function mutant(target: Target, random: Random, inputs: readonly Buffer[]): Buffer {
  const oldest = random(2) === 0 ? 0 : Math.floor(inputs.length * 0.75);
  const parent = inputs[oldest + random(inputs.length - oldest)] ?? Buffer.alloc(0);
  return mutate(random, parent, inputs, target.dictionary);
}

function savedInputs(): Buffer[] {
  return readdirSync(corpusFolder).map(name => readFileSync(path.join(corpusFolder, name)));
}

function save(input: Buffer, number: number): void {
  writeFileSync(path.join(corpusFolder, `${process.pid}-${number}`), input);
}

/** Executes the commands that run.mjs sends to this thread. */
export function serveTarget(target: Target): void {
  parentPort?.on('message', (message: unknown) => {
    const command = v.parse(Command, message);
    const result =
      command.kind === 'fuzz'
        ? fuzz(target, command)
        : run(target, Buffer.from(command.input)).then(error => ({ error }));
    void result.then(value => parentPort?.postMessage(value));
  });
}
