import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { acceptConvertibleTypes } from '../../../toolset/argument.ts';
import { defineTool } from '../../../toolset/toolset.ts';
import type { JudgeContext } from '../io/context.ts';
import { readPathSegment } from '../model/argument.ts';
import { suggestProblemQuery, unknownSourceName } from '../model/platform.ts';
import type { ResolvedProblemResponse } from '../model/problem.ts';
import { formatProblemNotFound } from '../text.ts';
import { presentProblem } from './present-problem.ts';

export const resolveProblem = defineTool({
  name: 'resolve_problem',
  title: 'Resolve problem',
  description:
    'Finds the problem of a link, slug or id and returns it like get_problem. Accepts links of the ' +
    'platforms, LeetCode slugs ("two-sum"), prefixed ids ("atcoder:abc300_a") and bare ids ("1920A", "P1001", "1").',
  input: v.strictObject({
    query: v.pipe(
      v.string(),
      acceptConvertibleTypes(),
      v.description('A link, a slug, a prefixed id such as "codeforces:1920A", or a bare id'),
    ),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async handler({ query }, context: JudgeContext, call) {
    const text = readPathSegment('query', query);
    const resolved = await context.api.resolve(text, call.signal);
    const { problem } = resolved;
    if (problem) return await presentProblem(problem, context, call);
    throw new Failure('upstream', formatProblemNotFound(resolved), { hint: nextStep(text, resolved) });
  },
});

function nextStep(query: string, resolved: ResolvedProblemResponse): string {
  const suggestion = suggestProblemQuery(query, resolved);
  if (suggestion !== undefined) return `Did you mean ${JSON.stringify(suggestion)}?`;
  return resolved.source === unknownSourceName
    ? 'Supported links: leetcode.com, leetcode.cn, codeforces.com, atcoder.jp and luogu.com.cn. For others use platform and id, e.g. "codeforces:1920A".'
    : 'Check the link or id, or search by topic with find_similar_problems.';
}
