import * as v from 'valibot';
import { acceptConvertibleTypes, treatEmptyStringAsAbsent } from '../../../toolset/argument.ts';
import { defineTool } from '../../../toolset/toolset.ts';
import type { JudgeContext } from '../io/context.ts';
import {
  createInvalidArgumentFailure,
  readOptionalText,
  readPathSegment,
  SourceArgument,
  trimWhiteSpace,
} from '../model/argument.ts';
import { addNote, formatProblemList } from '../text.ts';

const maxPage = 1_000_000;
const maxPerPage = 100;
const maxRating = 10_000;

const Rating = v.optional(
  v.pipe(
    v.number(),
    acceptConvertibleTypes(),
    v.minValue(0, 'must be 0 or more'),
    v.maxValue(maxRating, `must be ${maxRating} or less`),
  ),
);

const input = v.strictObject({
  source: SourceArgument,
  search: v.optional(
    v.pipe(
      v.string(),
      acceptConvertibleTypes(),
      treatEmptyStringAsAbsent(),
      v.description('Part of the id or the title'),
    ),
  ),
  difficulty: v.optional(
    v.pipe(
      v.string(),
      treatEmptyStringAsAbsent(),
      v.description('LeetCode: Easy, Medium or Hard; Luogu: its own level names; other platforms have none'),
    ),
  ),
  tags: v.optional(
    v.pipe(v.string(), treatEmptyStringAsAbsent(), v.description('Comma-separated tags from list_tags')),
  ),
  tag_mode: v.optional(
    v.pipe(
      v.picklist(['any', 'all']),
      treatEmptyStringAsAbsent(),
      v.description('Match any of the tags (default), or all'),
    ),
  ),
  rating_min: v.pipe(Rating, v.description('Minimum rating, e.g. 1200; excludes unrated problems')),
  rating_max: v.pipe(Rating, v.description('Maximum rating; excludes unrated problems')),
  sort_by: v.optional(
    v.pipe(
      v.picklist(['id', 'difficulty', 'rating', 'ac_rate']),
      treatEmptyStringAsAbsent(),
      v.description('Default: id'),
    ),
  ),
  sort_order: v.optional(
    v.pipe(
      v.picklist(['asc', 'desc']),
      treatEmptyStringAsAbsent(),
      v.description('Default: asc; problems without the value come first'),
    ),
  ),
  page: v.optional(
    v.pipe(
      v.number(),
      acceptConvertibleTypes(),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be 1 or more'),
      v.maxValue(maxPage, `must be ${maxPage} or less`),
      v.description('Default 1'),
    ),
  ),
  per_page: v.optional(
    v.pipe(
      v.number(),
      acceptConvertibleTypes(),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be 1 or more'),
      v.maxValue(maxPerPage, `must be ${maxPerPage} or less`),
      v.description(`Page size, 1 to ${maxPerPage}; default 20`),
    ),
  ),
});

export const listProblems = defineTool({
  name: 'list_problems',
  title: 'List problems',
  description:
    'Returns a page of the problems of one platform as a table, filtered by difficulty, tags, rating or words in the ' +
    'title. For requests such as "five medium graph problems". To search by topic across platforms use ' +
    'find_similar_problems.',
  input,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  onlyWith: 'oj-extras',
  async handler(args, { api, language }: JudgeContext, { signal }) {
    const source = readPathSegment('source', args.source);
    const { rating_min: ratingMin, rating_max: ratingMax, page = 1, per_page: perPage = 20 } = args;
    if (ratingMin !== undefined && ratingMax !== undefined && ratingMin > ratingMax) {
      throw createInvalidArgumentFailure(
        `"rating_min" must not be greater than "rating_max", got ${ratingMin} and ${ratingMax}`,
      );
    }
    const filters = {
      search: readOptionalText('search', args.search),
      difficulty: readOptionalText('difficulty', args.difficulty),
      tags: readOptionalText('tags', args.tags?.split(',').map(trimWhiteSpace).filter(Boolean).join(',')),
      ratingMin,
      ratingMax,
    };
    const order = { tagMode: args.tag_mode ?? 'any', sortBy: args.sort_by, sortOrder: args.sort_order } as const;
    const listing = await api.list(source, { ...filters, ...order, page, perPage }, signal);
    return addNote(
      formatProblemList(
        source,
        listing,
        language,
        Object.values(filters).some(filter => filter !== undefined),
      ),
      api.note?.(),
    );
  },
});
