import type { ProblemListResponse, ProblemRecord } from '../../model/problem.ts';
import type { ProblemListOptions } from '../api.ts';

/** The form of a record in a list of problems. It contains no statement. */
export type ProblemSummary = Omit<
  ProblemRecord,
  'content' | 'content_cn' | 'samples' | 'contest' | 'paid_only' | 'date' | 'domain'
>;

export function problemSummaryOf(problem: ProblemRecord): ProblemSummary {
  const { id, source, slug, title, title_cn, difficulty, ac_rate, rating, tags, link } = problem;
  return { id, source, slug, title, title_cn, difficulty, ac_rate, rating, tags, link };
}

/** Filters, sorts and paginates the problems of one source like the backend. */
export function listProblemPage(
  summaries: readonly ProblemSummary[],
  options: ProblemListOptions,
): ProblemListResponse {
  const { page, perPage } = options;
  const matches = summaries.filter(matcher(options)).sort(comparator(options));
  return {
    data: matches.slice((page - 1) * perPage, page * perPage),
    meta: { total: matches.length, page, per_page: perPage, total_pages: Math.ceil(matches.length / perPage) },
  };
}

function matcher(options: ProblemListOptions): (summary: ProblemSummary) => boolean {
  const difficulty = options.difficulty?.toLowerCase();
  const search = options.search?.toLowerCase() ?? '';
  const wanted = options.tags?.toLowerCase().split(',') ?? [];
  const { ratingMin, ratingMax } = options;
  const hasTags = (tags: readonly string[]): boolean => {
    const own = new Set(tags.map(tag => tag.toLowerCase()));
    const has = (tag: string): boolean => own.has(tag);
    return wanted.length === 0 || (options.tagMode === 'all' ? wanted.every(has) : wanted.some(has));
  };
  return ({ id, title, title_cn, difficulty: own, tags, rating }) => {
    const isRated =
      typeof rating === 'number' && rating >= (ratingMin ?? -Infinity) && rating <= (ratingMax ?? Infinity);
    return (
      (difficulty === undefined || own?.toLowerCase() === difficulty) &&
      [id, title, title_cn].some(name => name?.toLowerCase().includes(search)) &&
      hasTags(tags ?? []) &&
      ((ratingMin === undefined && ratingMax === undefined) || isRated)
    );
  };
}

const levels = ['easy', 'medium', 'hard'];

type Key = string | number | null | undefined;

const sortKeys: Readonly<Record<string, (summary: ProblemSummary) => Key>> = {
  difficulty: ({ difficulty }) => {
    const level = levels.indexOf(difficulty?.toLowerCase() ?? '');
    return level === -1 ? levels.length : level;
  },
  rating: ({ rating }) => rating,
  ac_rate: ({ ac_rate }) => ac_rate,
};

function comparator({
  sortBy = 'id',
  sortOrder,
}: ProblemListOptions): (a: ProblemSummary, b: ProblemSummary) => number {
  const keyOf = sortKeys[sortBy] ?? (({ id }: ProblemSummary) => naturalKey(id));
  const sign = sortOrder === 'desc' ? -1 : 1;
  return (a, b) => sign * (compareKeys(keyOf(a), keyOf(b)) || compareKeys(a.id, b.id));
}

/** Compares two sort keys. Missing values come first, as in SQLite. */
function compareKeys(a: Key, b: Key): number {
  const [left, right] = [a ?? null, b ?? null];
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  return left < right ? -1 : 1;
}

/** Returns a sort key with padded numbers, so that 9A comes before 10A. */
function naturalKey(id: string): string {
  return id.toLowerCase().replace(/\d+/g, digits => digits.padStart(20, '0'));
}
