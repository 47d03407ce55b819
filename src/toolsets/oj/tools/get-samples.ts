import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import type { JudgeContext } from '../io/context.ts';
import { extractStatementSamples } from '../io/converter.ts';
import { ProblemIdArgument, readPathSegment, SourceArgument } from '../model/argument.ts';
import { localizeProblem } from '../model/language.ts';
import { ProblemSample } from '../model/sample.ts';
import { formatSamples } from '../text.ts';

export const getSamples = defineTool({
  name: 'get_samples',
  title: 'Get samples',
  description:
    'Returns the sample inputs and outputs of a problem, unchanged, for example to run a solution on them. ' +
    'An empty list means that the statement is too long or has no samples in a known form: read it with get_problem.',
  input: v.strictObject({ source: SourceArgument, id: ProblemIdArgument }),
  output: v.object({
    samples: v.array(ProblemSample),
    from: v.pipe(
      v.picklist(['statement', 'files']),
      v.description('files: sample files of a problem package, or the field samples of a record'),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  onlyWith: 'oj-extras',
  async handler({ source, id }, { api, language }: JudgeContext, { signal }) {
    const problem = await api.problem(readPathSegment('source', source), readPathSegment('id', id), signal);
    // An empty array in a record says nothing about the samples in its statement.
    const files = problem.samples?.length ? problem.samples : undefined;
    const samples = files ?? (await extractStatementSamples(localizeProblem(problem, language).content ?? '', signal));
    const from: 'files' | 'statement' = files ? 'files' : 'statement';
    return { ...formatSamples(samples, from), structured: { samples: samples ?? [], from } };
  },
});
