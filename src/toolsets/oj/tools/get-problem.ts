import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import type { JudgeContext } from '../io/context.ts';
import { ProblemIdArgument, readPathSegment, SourceArgument } from '../model/argument.ts';
import { presentProblem } from './present-problem.ts';

export const getProblem = defineTool({
  name: 'get_problem',
  title: 'Get problem',
  description:
    'Returns one problem by platform and id: statement with samples and constraints, difficulty, tags, link. ' +
    'For a link or a slug such as "two-sum" use resolve_problem.',
  input: v.strictObject({ source: SourceArgument, id: ProblemIdArgument }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async handler({ source, id }, context: JudgeContext, call) {
    const problem = await context.api.problem(
      readPathSegment('source', source),
      readPathSegment('id', id),
      call.signal,
    );
    return await presentProblem(problem, context, call, context.hasExtras);
  },
});
