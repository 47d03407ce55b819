import { catalogue } from './catalogue/catalogue.ts';
import type { ProblemRecord } from './catalogue/record.ts';
import { readCount, readNumber, readText } from './query-string.ts';
import { type DemoReply, jsonReply, problemReply, Refusal } from './reply.ts';

const defaultPerPage = 20;
const maxPerPage = 100;

export function tagsReply(source: string): DemoReply {
  const tags = catalogue.filter(problem => problem.source === source).flatMap(problem => problem.tags);
  return jsonReply([...new Set(tags.map(tag => tag.toLowerCase()))].sort());
}

export function listReply(source: string, query: URLSearchParams): DemoReply {
  const page = Math.max(readCount(query, 'page') ?? 1, 1);
  const perPage = Math.min(Math.max(readCount(query, 'per_page') ?? defaultPerPage, 1), maxPerPage);
  const compare = readOrder(query);
  const fits = readFilters(query);
  const problems = catalogue.filter(problem => problem.source === source && fits(problem)).sort(compare);
  return jsonReply({
    data: problems.slice((page - 1) * perPage, page * perPage).map(summary),
    meta: { total: problems.length, page, per_page: perPage, total_pages: Math.ceil(problems.length / perPage) },
  });
}

function summary(problem: ProblemRecord) {
  const { id, source, slug, title, title_cn, difficulty, ac_rate, rating, contest, problem_index, tags, link } =
    problem;
  return { id, source, slug, title, title_cn, difficulty, ac_rate, rating, contest, problem_index, tags, link };
}

function readFilters(query: URLSearchParams): (problem: ProblemRecord) => boolean {
  const difficulty = readText(query, 'difficulty')?.toLowerCase();
  const search = readText(query, 'search')?.trim().toLowerCase() ?? '';
  const wanted = readText(query, 'tags')?.split(',') ?? [];
  const tags = wanted.map(tag => tag.trim().toLowerCase()).filter(tag => tag !== '');
  const mode = readChoice(query, 'tag_mode', ['any', 'all']) ?? 'any';
  const min = readNumber(query, 'rating_min') ?? Number.NEGATIVE_INFINITY;
  const max = readNumber(query, 'rating_max') ?? Number.POSITIVE_INFINITY;
  if (min > max) throw new Refusal(problemReply(400, 'rating_min must be <= rating_max'));
  const isRatingAsked = query.has('rating_min') || query.has('rating_max');

  return problem => {
    const has = (tag: string) => problem.tags.some(own => own.toLowerCase() === tag);
    const names = [problem.id, problem.title ?? '', problem.title_cn ?? ''];
    return (
      (difficulty === undefined || problem.difficulty?.toLowerCase() === difficulty) &&
      names.some(name => name.toLowerCase().includes(search)) &&
      (tags.length === 0 || (mode === 'all' ? tags.every(has) : tags.some(has))) &&
      (!isRatingAsked || (problem.rating !== null && problem.rating >= min && problem.rating <= max))
    );
  };
}

const levels = ['easy', 'medium', 'hard'];

/** What the problems can be sorted by; as in SQLite, what is null comes before everything. */
const fields = {
  id: ({ id }: ProblemRecord) => naturalKey(id),
  difficulty: ({ difficulty }: ProblemRecord) => {
    const level = levels.indexOf(difficulty?.toLowerCase() ?? '');
    return level === -1 ? levels.length : level;
  },
  rating: ({ rating }: ProblemRecord) => rating,
  ac_rate: ({ ac_rate }: ProblemRecord) => ac_rate,
};

/** Without a field to sort by the backend does not heed the order. */
function readOrder(query: URLSearchParams): (a: ProblemRecord, b: ProblemRecord) => number {
  const field = readChoice(query, 'sort_by', ['id', 'difficulty', 'rating', 'ac_rate']);
  const order = readChoice(query, 'sort_order', ['asc', 'desc']);
  const keyOf = fields[field ?? 'id'];
  const sign = field !== undefined && order === 'desc' ? -1 : 1;
  return (a, b) => sign * (compareKeys(keyOf(a), keyOf(b)) || compareKeys(a.id, b.id));
}

type Key = string | number | null;

function compareKeys(a: Key, b: Key): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Numbers within an id count as numbers: 9A before 10A. */
function naturalKey(id: string): string {
  return id.toLowerCase().replace(/\d+/g, digits => digits.padStart(20, '0'));
}

function readChoice<const Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const text = readText(query, name);
  const choice = choices.find(candidate => candidate === text);
  if (text !== undefined && choice === undefined) throw new Refusal(problemReply(400, `invalid ${name}: ${text}`));
  return choice;
}
