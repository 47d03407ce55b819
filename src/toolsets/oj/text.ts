import { escapeMarkdownLinks, sanitizeAddressField } from '../../statement/address.ts';
import { removeInvisibleAndLoneSurrogates } from '../../statement/invisible.ts';
import { wrapInCodeFence } from './model/fence.ts';
import { chooseProblemTitle, type StatementLanguage } from './model/language.ts';
import { unknownSourceName } from './model/platform.ts';
import type {
  Problem,
  ProblemListResponse,
  ResolvedProblemResponse,
  SimilarProblemsResponse,
  StatusResponse,
  TagsResponse,
} from './model/problem.ts';
import type { ProblemSample } from './model/sample.ts';

const unknown = 'N/A';

export function formatProblem(problem: Problem, statement: string, showsExtras = false): string {
  const { title, source, id, difficulty, tags, link, ac_rate: acRate } = problem;
  return [
    `# ${field(title)}`,
    '',
    `- Source: ${field(source ?? 'leetcode')} | ID: ${field(id)} | Difficulty: ${field(difficulty)}`,
    `- Tags: ${tagList(tags)}`,
    `- Link: ${linkField(link)}`,
    `- AC Rate: ${rate(acRate)}`,
    ...(showsExtras ? extrasLine(problem) : []),
    '',
    '---',
    '',
    statement || 'No description available.',
  ].join('\n');
}

/**
 * Returns a line with rating, contest and "paid only", if the backend has sent them. The rating is 0 for unrated
 * problems of LeetCode.
 */
function extrasLine({ rating, contest, paid_only: paid }: Problem): string[] {
  const parts = [
    rating ? `Rating: ${Math.round(rating)}` : '',
    oneLine(contest ?? '') === '' ? '' : `Contest: ${field(contest)}`,
    typeof paid === 'number' || typeof paid === 'boolean' ? `Paid only: ${paid ? 'yes' : 'no'}` : '',
  ].filter(part => part !== '');
  return parts.length === 0 ? [] : [`- ${parts.join(' | ')}`];
}

export function addNote(text: string, note: string | undefined): string | { text: string; notes: string[] } {
  return note === undefined ? text : { text, notes: [note] };
}

export function formatPendingProblem(domain: string, date: string, retryAfterSeconds: number | undefined): string {
  return `The daily challenge of ${date} (${domain}) is being fetched by the backend. ${retrySentence(retryAfterSeconds)}`;
}

function retrySentence(seconds: number | undefined): string {
  if (seconds === undefined) return 'The backend gave no retry_after: retry in a minute.';
  const wait = seconds === 0 ? 'now' : `in ${counted(seconds, 'second')}`;
  return `Retry ${wait} (retry_after: ${seconds}).`;
}

export function formatSimilarProblems(
  { rewritten_query: query, results }: SimilarProblemsResponse,
  language: StatementLanguage,
  nextStep: string,
): string {
  const rows = results.map(
    ({ source, id, difficulty, similarity, link, ...titles }, index) =>
      `| ${index + 1} | ${cell(source)} | ${cell(id)} | ${cell(chooseProblemTitle(titles, language))} | ${cell(difficulty)} | ${percent(similarity * 100)} | ${inCell(linkField(link))} |`,
  );
  return [
    '# Similar Problems',
    '',
    `Query: ${field(query)}`,
    '',
    '| # | Source | ID | Title | Difficulty | Similarity | Link |',
    '|---|--------|----|-------|------------|------------|------|',
    ...(rows.length === 0 ? ['', `No hits: ${nextStep}.`] : rows),
  ].join('\n');
}

export function formatPlatformStatus({ version, platforms }: StatusResponse): string {
  const rows = platforms.map(
    ({ source, total, missing_content: missing, not_embedded: waiting }) =>
      `| ${cell(source)} | ${grouped(total)} | ${grouped(missing)} | ${grouped(waiting)} |`,
  );
  return [
    `# OJ Platform Status (v${field(version)})`,
    '',
    '| Platform | Problems | Missing Content | Not Embedded |',
    '|----------|----------|-----------------|--------------|',
    ...(rows.length === 0 ? ['', 'No platforms: the backend has no problems yet.'] : rows),
  ].join('\n');
}

/** Returns each sample as code blocks, or a note if there is no sample. `samples` is undefined if they were not read. */
export function formatSamples(
  samples: readonly ProblemSample[] | undefined,
  from: string,
): { text: string; notes?: string[] } {
  const title = `${counted(samples?.length ?? 0, 'sample')} from the ${from}`;
  if (samples === undefined || samples.length === 0) {
    const reason = samples
      ? 'has no samples in a known form'
      : 'is too long to be searched for samples, or the system is short of memory or threads';
    return { text: title, notes: [`The statement ${reason}: read it with get_problem.`] };
  }
  return { text: title + formatSampleSections(samples) };
}

export function formatSampleSections(samples: readonly ProblemSample[]): string {
  const parts = samples.flatMap(({ input, output, explanation }, index) => [
    `## Sample ${index + 1}`,
    `Input:\n\n${wrapInCodeFence(input)}`,
    `Output:\n\n${wrapInCodeFence(output)}`,
    ...(explanation === undefined ? [] : [`Explanation: ${explanation}`]),
  ]);
  return ['', ...parts].join('\n\n');
}

export function formatProblemList(
  source: string,
  { data, meta }: ProblemListResponse,
  language: StatementLanguage,
  isFiltered: boolean,
): string {
  const rows = data.map(({ id, difficulty, rating, ac_rate: acRate, tags, link, ...titles }) => {
    const rated = rating ? String(Math.round(rating)) : unknown;
    return `| ${cell(id)} | ${cell(chooseProblemTitle(titles, language))} | ${cell(difficulty)} | ${rated} | ${rate(acRate)} | ${cell(tagList(tags))} | ${inCell(linkField(link))} |`;
  });
  return [
    `# Problems of ${field(source)}`,
    '',
    pageSentence(meta, isFiltered),
    '',
    '| ID | Title | Difficulty | Rating | AC Rate | Tags | Link |',
    '|----|-------|------------|--------|---------|------|------|',
    ...rows,
  ].join('\n');
}

/** Returns a sentence with the total number of problems and the number of the next page. */
function pageSentence({ total, page, total_pages: pages }: ProblemListResponse['meta'], isFiltered: boolean): string {
  if (total === 0) {
    return isFiltered
      ? 'No problem matches: remove a filter, or list the tags with list_tags.'
      : 'The backend has no problems of this platform: get_platform_status lists its platforms.';
  }
  const all = `${counted(total, 'problem')} ${isFiltered ? (total === 1 ? 'matches' : 'match') : 'in total'}`;
  if (page > pages) return `${all} on ${counted(pages, 'page')}: page ${grouped(page)} does not exist.`;
  if (pages === 1) return `${all}.`;
  const next = page === pages ? 'This is the last page' : `For the next page call again with page ${page + 1}`;
  return `${all}, page ${grouped(page)} of ${grouped(pages)}. ${next}.`;
}

export function formatTags(source: string, tags: TagsResponse): string {
  const names = named(tags);
  const answer =
    names.length === 0
      ? 'The problems of this platform have no tags: search the titles with list_problems.'
      : `${counted(names.length, 'tag')}, valid for "tags" of list_problems:\n\n${names.join(', ')}`;
  return `# Tags of ${field(source)}\n\n${answer}`;
}

export function formatProblemNotFound({ source, id }: ResolvedProblemResponse): string {
  return `problem not found: ${source === unknownSourceName ? '' : `${field(source)}/`}${field(id)}`;
}

function tagList(tags: readonly string[] | null | undefined): string {
  return named(tags ?? []).join(', ') || unknown;
}

function named(tags: readonly string[]): string[] {
  return tags.map(tag => escapeMarkdownLinks(oneLine(tag))).filter(tag => tag !== '');
}

function rate(value: number | null | undefined): string {
  return typeof value === 'number' ? percent(value) : unknown;
}

function field(value: string | null | undefined): string {
  return escapeMarkdownLinks(oneLine(value ?? '')) || unknown;
}

/** Returns the link of a problem for a result. A link with a scheme that is not allowed is left out. */
function linkField(value: string | null | undefined): string {
  return sanitizeAddressField(oneLine(value ?? '')) || unknown;
}

function cell(value: string | null | undefined): string {
  return inCell(field(value));
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function oneLine(value: string): string {
  return removeInvisibleAndLoneSurrogates(value).replace(/\s+/g, ' ').trim();
}

/** Formats a number with one decimal and rounds ties to even, like `{:.1}` in Rust: 57.25 becomes 57.2%. */
function percent(value: number): string {
  const quarters = Math.abs(value) * 4;
  const isTieAboveEven = Number.isInteger(quarters) && quarters % 4 === 1;
  return `${isTieAboveEven ? `${Math.trunc(value)}.2` : value.toFixed(1)}%`;
}

function counted(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** Inserts commas every three digits, independent of the locale. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
