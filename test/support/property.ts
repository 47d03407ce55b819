import * as fc from 'fast-check';

// The random cases are the same in every run, so that a failure is always caused by a change of the code.
// PROPERTY_SEED=random npx vitest run searches new cases. Without `defaultSizeToMaxWhenMaxSpecified`, fast-check ignores
// `maxLength` and generates at most ten items.
const { PROPERTY_SEED: seed = '1' } = process.env;
fc.configureGlobal({
  defaultSizeToMaxWhenMaxSpecified: true,
  ...(seed !== 'random' && { seed: Number(seed) }),
});

export * from 'fast-check';
