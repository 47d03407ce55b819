import * as fc from 'fast-check';

// The random cases are the same in every run, so that a change fails only for a defect that it causes. New cases are
// searched with PROPERTY_SEED=random npx vitest run.
const { PROPERTY_SEED: seed = '1' } = process.env;
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

export * from 'fast-check';
