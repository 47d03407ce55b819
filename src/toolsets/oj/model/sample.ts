import * as v from 'valibot';

/** A sample of a problem: an input and the output for it. */
export const ProblemSample = v.object({
  input: v.string(),
  output: v.string(),
  explanation: v.optional(v.string()),
});
export type ProblemSample = v.InferOutput<typeof ProblemSample>;
