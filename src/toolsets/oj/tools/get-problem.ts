import * as v from 'valibot';
import { defineTool } from '../../../toolset/toolset.ts';
import type { Api } from '../io/api.ts';
import { convertStatement } from '../io/converter.ts';
import { ProblemId, pathSegment, Source } from '../model/argument.ts';
import { problemText } from '../text.ts';

export const getProblem = defineTool({
  name: 'get_problem',
  title: 'Get problem',
  description:
    'Returns one problem by platform and id: statement with samples and constraints, difficulty, tags, link. ' +
    'For a link or a slug such as "two-sum" use resolve_problem.',
  input: v.strictObject({ source: Source, id: ProblemId }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async handler({ source, id }, api: Api, call) {
    const problem = await api.problem(pathSegment('source', source), pathSegment('id', id), call.signal);
    return problemText(problem, await convertStatement(problem, call));
  },
});
