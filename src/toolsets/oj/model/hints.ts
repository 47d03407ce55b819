import { platforms, spelledId } from './platform.ts';

/** What to do when the backend answers with that status. */
export type Hints = Readonly<Record<number, string>>;

export function platformHints(source: string): Hints {
  const name = source.toLowerCase();
  const isKnown = platforms.includes(name);
  if (isKnown && source === name) return {};
  return { 400: isKnown ? `Did you mean "${name}"?` : 'get_platform_status names the platforms.' };
}

export function problemHints(source: string, id: string): Hints {
  return { ...platformHints(source), 404: idHint(source, id) };
}

function idHint(source: string, id: string): string {
  const spelled = spelledId(source, id) ?? id;
  if (source === 'leetcode' && !/^\d+$/.test(id)) return `For a slug call resolve_problem with "leetcode:${spelled}".`;
  return spelled === id
    ? 'Ids are compared exactly: for a link or a slug use resolve_problem.'
    : `Did you mean ${JSON.stringify(spelled)}?`;
}

export const similarHints: Hints = {
  404: 'No such problem, or it cannot be compared yet: describe it in "query" instead.',
};

const maxQueryBytes = 2000;

/** The backend hands a text to a model of another service, and measures it in bytes where our own tool counts characters. */
export function textSearchHints(text: string): Hints {
  const bytes = Buffer.byteLength(text);
  const isDown = 'The search by text is down or slow: try again later, or start from a problem with "source" and "id".';
  const tooLong = `The backend counts bytes, and these are ${bytes}: shorten "query" to ${maxQueryBytes}.`;
  return { 502: isDown, 504: isDown, ...(bytes > maxQueryBytes && { 400: tooLong }) };
}
