import * as v from 'valibot';
import { ProblemSample } from './sample.ts';

/** The schemas of the responses that the backend sends. A field that can be null or absent is optional here. */

const text = v.nullish(v.string());
const number = v.nullish(v.pipe(v.number(), v.finite('must be finite')));

/**
 * Declares a field that most tool results do not contain. An invalid value counts as absent, because it must not make
 * the whole problem unreadable.
 */
function extra<Schema extends v.GenericSchema>(schema: Schema) {
  return v.fallback(v.nullish(schema), undefined);
}

export const Problem = v.object({
  id: v.string(),
  /** A daily challenge has no such field. */
  source: text,
  title: text,
  difficulty: text,
  ac_rate: number,
  tags: v.nullish(v.array(v.string())),
  link: text,
  content: text,
  title_cn: extra(v.string()),
  content_cn: extra(v.string()),
  /** The rating is 0 for unrated problems of LeetCode. */
  rating: extra(v.pipe(v.number(), v.finite())),
  contest: extra(v.string()),
  paid_only: extra(v.union([v.number(), v.boolean()])),
  /** Only collections in files have this field. The backend does not send it. */
  samples: extra(v.array(ProblemSample)),
});
export type Problem = v.InferOutput<typeof Problem>;

/**
 * A record of a collection in a file. Every field except `source` and `id` is optional. An invalid field is an error,
 * because the user can correct it.
 */
export const ProblemRecord = v.object({
  ...Problem.entries,
  source: v.string(),
  slug: text,
  title_cn: text,
  content_cn: text,
  rating: number,
  samples: v.nullish(v.array(ProblemSample)),
  /** The date of a daily challenge as YYYY-MM-DD. */
  date: v.nullish(v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\d$/, 'must be YYYY-MM-DD'))),
  domain: text,
});
export type ProblemRecord = v.InferOutput<typeof ProblemRecord>;

/** The daily problem, or no problem while the backend is still fetching it (status 202). */
export type DailyResponse =
  | { problem: Problem; note?: string }
  | { problem: undefined; retryAfterSeconds: number | undefined };

export const PendingDailyResponse = v.object({
  retry_after: v.fallback(v.optional(v.pipe(v.number(), v.finite(), v.minValue(0))), undefined),
});

export const SimilarProblemsResponse = v.object({
  rewritten_query: text,
  results: v.array(
    v.object({
      source: v.string(),
      id: v.string(),
      title: text,
      /** The Chinese title. Only problems of --problems can have it, because the backend does not send it. */
      title_cn: extra(v.string()),
      difficulty: text,
      link: text,
      similarity: v.pipe(v.number(), v.finite('must be finite')),
    }),
  ),
});
export type SimilarProblemsResponse = v.InferOutput<typeof SimilarProblemsResponse>;

export const ResolvedProblemResponse = v.object({
  source: v.string(),
  id: v.string(),
  problem: v.nullish(Problem),
});
export type ResolvedProblemResponse = v.InferOutput<typeof ResolvedProblemResponse>;

/** A count above 2^53 is rejected, because JSON.parse would lose its last digits. */
const count = v.pipe(
  v.number(),
  v.safeInteger('must be a whole number below 2^53'),
  v.minValue(0, 'must not be negative'),
);

export const StatusResponse = v.object({
  version: v.string(),
  platforms: v.array(v.object({ source: v.string(), total: count, missing_content: count, not_embedded: count })),
});
export type StatusResponse = v.InferOutput<typeof StatusResponse>;

/** One page of a list of problems, without statements. */
export const ProblemListResponse = v.object({
  data: v.array(
    v.object({
      id: v.string(),
      title: text,
      title_cn: text,
      difficulty: text,
      ac_rate: number,
      /** The rating is 0 for unrated problems of LeetCode. */
      rating: number,
      tags: v.nullish(v.array(v.string())),
      link: text,
    }),
  ),
  meta: v.object({ total: count, page: count, per_page: count, total_pages: count }),
});
export type ProblemListResponse = v.InferOutput<typeof ProblemListResponse>;

export const TagsResponse = v.array(v.string());
export type TagsResponse = v.InferOutput<typeof TagsResponse>;
