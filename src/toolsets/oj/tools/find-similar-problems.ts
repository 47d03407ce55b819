import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { acceptConvertibleTypes, treatEmptyStringAsAbsent } from '../../../toolset/argument.ts';
import { defineTool } from '../../../toolset/toolset.ts';
import type { SimilarProblemsOptions } from '../io/api.ts';
import type { JudgeContext } from '../io/context.ts';
import {
  createInvalidArgumentFailure,
  ProblemIdArgument,
  readOptionalText,
  readPathSegment,
  SourceArgument,
  trimWhiteSpace,
} from '../model/argument.ts';
import { addNote, formatSimilarProblems } from '../text.ts';

const minQueryLength = 3;
const maxQueryLength = 2000;
const maxLimit = 50;

// The arguments are validated in this order: the error for the first invalid one is reported.
const input = v.strictObject({
  limit: v.optional(
    v.pipe(
      v.number(),
      acceptConvertibleTypes(),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be 1 or more'),
      v.maxValue(maxLimit, `must be ${maxLimit} or less`),
      v.description(`How many to return, 1 to ${maxLimit}; default 10`),
    ),
  ),
  threshold: v.optional(
    v.pipe(
      v.number(),
      acceptConvertibleTypes(),
      v.minValue(0, 'must be 0 or more'),
      v.maxValue(1, 'must be 1 or less'),
      v.description('Minimum similarity, 0 to 1; default 0'),
    ),
  ),
  query: v.optional(
    v.pipe(v.string(), treatEmptyStringAsAbsent(), v.description('Topic of the problems, 3 to 2000 characters')),
  ),
  source: v.optional(v.pipe(SourceArgument, treatEmptyStringAsAbsent())),
  id: v.optional(v.pipe(ProblemIdArgument, treatEmptyStringAsAbsent())),
  source_filter: v.optional(
    v.pipe(
      v.string(),
      treatEmptyStringAsAbsent(),
      v.description('Comma-separated platforms; filters the nearest problems, e.g. "leetcode,atcoder"'),
    ),
  ),
});

export const findSimilarProblems = defineTool({
  name: 'find_similar_problems',
  title: 'Find similar problems',
  description:
    'Returns a table of similar problems, most similar first: similar to a text (query) or to a known problem ' +
    '(source and id). If query is set, source and id are ignored.',
  input,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async handler(
    { limit = 10, threshold = 0, query, source, id, source_filter },
    { api, language }: JudgeContext,
    { signal },
  ) {
    const isFiltered = readOptionalText('source_filter', source_filter) !== undefined;
    const options = { limit, threshold, sourceFilter: isFiltered ? source_filter : undefined };
    const suggest = (fallback: string): string => nextStep(options, fallback, api.sources !== undefined);
    const text = trimWhiteSpace(query);
    if (text !== '') {
      const found = await api.similarToText(checkedQuery(text), options, signal);
      return addNote(formatSimilarProblems(found, language, suggest(rephrase)), api.note?.(options.sourceFilter));
    }
    if (trimWhiteSpace(source) === '' && trimWhiteSpace(id) === '') throw new Failure('argument', hint);
    const problem = [readPathSegment('source', source, hint), readPathSegment('id', id, hint)] as const;
    const found = await api.similarToProblem(...problem, options, signal);
    return addNote(formatSimilarProblems(found, language, suggest(useQuery)), api.note?.(options.sourceFilter));
  },
});

const hint = 'Set either "query", or both "source" and "id".';
const rephrase = 'rephrase the topic in "query"';
const useQuery = 'describe the topic in "query"';

/** Returns the suggestion of a next step for an empty result. */
function nextStep(
  { limit, threshold, sourceFilter }: SimilarProblemsOptions,
  fallback: string,
  isCollection: boolean,
): string {
  // The backend selects the nearest min(4 * limit, 200) problems before it applies the filter. A collection applies the
  // filter first.
  if (sourceFilter !== undefined && !isCollection && limit < maxLimit) {
    return `"source_filter" applies to the nearest problems only: increase "limit" to include more`;
  }
  return threshold > 0 ? 'lower the "threshold"' : fallback;
}

function checkedQuery(text: string): string {
  let length = 0;
  for (const _ of text) length++;
  if (length < minQueryLength)
    throw createInvalidArgumentFailure(`"query" must have ${minQueryLength} characters or more, it has ${length}`);
  if (length > maxQueryLength)
    throw createInvalidArgumentFailure(`"query" must have ${maxQueryLength} characters or fewer, it has ${length}`);
  return text;
}
