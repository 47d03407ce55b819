import type { Problem, Resolved, Similar, Status } from './model/problem.ts';
import { seenText } from './model/statement/invisible.ts';

/** The server cuts a longer text, so no more of a statement need be converted. */
export const maxTextBytes = 102_400;

const unknown = 'N/A';

/** Converting a statement is the heavy part of the program, and the first call is early enough to load it. */
export async function problemText(problem: Problem): Promise<string> {
  const { title, source, id, difficulty, tags, link, ac_rate: acRate } = problem;
  const labels = tags?.map(oneLine).filter(tag => tag !== '') ?? [];
  return [
    `# ${field(title)}`,
    '',
    `- Source: ${field(source ?? 'leetcode')} | ID: ${field(id)} | Difficulty: ${field(difficulty)}`,
    `- Tags: ${labels.length === 0 ? unknown : labels.join(', ')}`,
    `- Link: ${field(link)}`,
    `- AC Rate: ${typeof acRate === 'number' ? percent(acRate) : unknown}`,
    '',
    '---',
    '',
    await statement(problem),
  ].join('\n');
}

async function statement({ content, link }: Problem): Promise<string> {
  if (content === null || content === undefined || content.trim() === '') return 'No description available.';
  const { statementMarkdown } = await import('./model/statement/index.ts');
  return statementMarkdown(content, link ?? undefined, maxTextBytes) || 'No description available.';
}

export function fetchingText(domain: string, date: string, retryAfterSeconds: number | undefined): string {
  const wait = retryAfterSeconds === undefined ? 'a little' : `${retryAfterSeconds} seconds`;
  return `The daily challenge of ${date} (${domain}) is being fetched by the backend. Retry in ${wait} (retry_after: ${retryAfterSeconds ?? unknown}).`;
}

export function similarText({ rewritten_query: query, results }: Similar): string {
  const rows = results.map(
    ({ source, id, title, difficulty, similarity, link }, index) =>
      `| ${index + 1} | ${cell(source)} | ${cell(id)} | ${cell(title)} | ${cell(difficulty)} | ${percent(similarity * 100)} | ${cell(link)} |`,
  );
  return [
    '# Similar Problems',
    '',
    `Query: ${field(query)}`,
    '',
    '| # | Source | ID | Title | Difficulty | Similarity | Link |',
    '|---|--------|----|-------|------------|------------|------|',
    ...rows,
  ].join('\n');
}

export function statusText({ version, platforms }: Status): string {
  const rows = platforms.map(
    ({ source, total, missing_content: missing, not_embedded: waiting }) =>
      `| ${cell(source)} | ${grouped(total)} | ${grouped(missing)} | ${grouped(waiting)} |`,
  );
  return [
    `# OJ Platform Status (v${field(version)})`,
    '',
    '| Platform | Problems | Missing Content | Not Embedded |',
    '|----------|----------|-----------------|--------------|',
    ...rows,
  ].join('\n');
}

export function notFoundText({ source, id }: Resolved): string {
  return `problem not found: ${field(source)}/${field(id)}`;
}

function field(value: string | null | undefined): string {
  return oneLine(value ?? '') || unknown;
}

function cell(value: string | null | undefined): string {
  return field(value).replaceAll('|', '\\|');
}

function oneLine(value: string): string {
  return seenText(value).replace(/\s+/g, ' ').trim();
}

/** One decimal; a tie goes to the even digit, as in the backend's own language: 57.25 is 57.2%. */
function percent(value: number): string {
  const quarters = Math.abs(value) * 4;
  const isTieAboveEven = Number.isInteger(quarters) && quarters % 4 === 1;
  return `${isTieAboveEven ? `${Math.trunc(value)}.2` : value.toFixed(1)}%`;
}

/** Commas every three digits, whatever the locale. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
