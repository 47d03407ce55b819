/** The platforms of the backend, and how each of them writes the ids of its problems. */
const spellings = new Map<string, (id: string) => string>([
  ['leetcode', id => id.toLowerCase().replace(/\s+/g, '-')], // a slug
  ['codeforces', id => id.toUpperCase()],
  ['atcoder', id => id.toLowerCase()],
  ['luogu', id => id.toUpperCase()],
  ['spoj', id => id.toUpperCase()],
]);

export const platforms: readonly string[] = [...spellings.keys()];

/** What a query that led nowhere may have meant: "leetcode/two-sum" is not understood, "codeforces:1920a" not found. */
export function likelyQuery(query: string, understood: { source: string; id: string }): string | undefined {
  const [, platform = understood.source, id = understood.id] = /^(\w+)\/([^/]+)$/.exec(query) ?? [];
  const source = platform.toLowerCase();
  const spelled = spellings.get(source)?.(id);
  const isNew = spelled !== undefined && (source !== understood.source || spelled !== understood.id);
  return isNew ? `${source}:${spelled}` : undefined;
}

/** What to do when the backend does not know the platform (400), or has no such problem (404). */
export function problemHints(source: string, id: string): Readonly<Record<number, string>> {
  return { ...platformHints(source), 404: idHint(source, id) };
}

export function platformHints(source: string): Readonly<Record<number, string>> {
  const name = source.toLowerCase();
  if (source === name && spellings.has(name)) return {};
  return { 400: spellings.has(name) ? `Did you mean "${name}"?` : 'get_platform_status names the platforms.' };
}

function idHint(source: string, id: string): string {
  const spelled = spellings.get(source)?.(id) ?? id;
  if (source === 'leetcode' && !/^\d+$/.test(id)) return `For a slug call resolve_problem with "leetcode:${spelled}".`;
  return spelled === id
    ? 'Ids are compared exactly: for a link or a slug use resolve_problem.'
    : `Did you mean ${JSON.stringify(spelled)}?`;
}
