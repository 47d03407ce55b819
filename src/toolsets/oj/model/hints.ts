import { knownPlatforms, normalizeProblemId } from './platform.ts';

/** Maps the status of an error response to a hint with the next step for the model. */
export type HintsByStatus = Readonly<Record<number, string>>;

export function createPlatformErrorHints(source: string): HintsByStatus {
  const name = source.toLowerCase();
  const isKnown = knownPlatforms.includes(name);
  if (isKnown && source === name) return {};
  return { 400: isKnown ? `Did you mean "${name}"?` : 'get_platform_status lists the platforms.' };
}

export function createProblemErrorHints(source: string, id: string): HintsByStatus {
  return { ...createPlatformErrorHints(source), 404: idHint(source, id) };
}

function idHint(source: string, id: string): string {
  const normalized = normalizeProblemId(source, id) ?? id;
  if (source === 'leetcode' && !/^\d+$/.test(id))
    return `For a slug call resolve_problem with "leetcode:${normalized}".`;
  return normalized === id
    ? 'Ids are matched exactly: for a link or a slug use resolve_problem.'
    : `Did you mean ${JSON.stringify(normalized)}?`;
}

export const similarProblemsErrorHints: HintsByStatus = {
  404: 'The problem does not exist or has no embedding yet: describe it in "query" instead.',
};

const maxQueryBytes = 2000;

/**
 * Returns the hints for errors of a text search. The query can exceed the limit of the backend, which counts bytes
 * while the tool counts characters. The external service that computes embeddings can fail as well.
 */
export function createTextSearchErrorHints(text: string): HintsByStatus {
  const bytes = Buffer.byteLength(text);
  const isDown = 'Text search is unavailable or slow: retry later, or search by a problem with "source" and "id".';
  const tooLong = `The backend limits "query" to ${maxQueryBytes} bytes, and this one has ${bytes}: shorten it.`;
  return { 502: isDown, 504: isDown, ...(bytes > maxQueryBytes && { 400: tooLong }) };
}
