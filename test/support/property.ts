import * as fc from 'fast-check';

// The same cases every time: a change is refused for what it breaks, never for a case that is found by chance on that day.
// Those are looked for on purpose: PROPERTY_SEED=random npx vitest run
const { PROPERTY_SEED: seed = '1' } = process.env;
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

export * from 'fast-check';
