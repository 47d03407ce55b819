/** The platforms of the backend, and how each of them writes the ids of its problems. */
const spellings = new Map<string, (id: string) => string>([
  ['leetcode', id => id.toLowerCase().replace(/\s+/g, '-')], // a slug
  ['codeforces', id => id.toUpperCase()],
  ['atcoder', id => id.toLowerCase()],
  ['luogu', id => id.toUpperCase()],
  ['spoj', id => id.toUpperCase()],
]);

export const platforms: readonly string[] = [...spellings.keys()];

/** The id as that platform would write it; undefined for platforms we do not know. */
export function spelledId(source: string, id: string): string | undefined {
  return spellings.get(source)?.(id);
}

/** What a query that led nowhere may have meant: "leetcode/two-sum" is not understood, "codeforces:1920a" not found. */
export function likelyQuery(query: string, understood: { source: string; id: string }): string | undefined {
  const [, platform = understood.source, id = understood.id] = /^(\w+)\/([^/]+)$/.exec(query) ?? [];
  const source = platform.toLowerCase();
  const spelled = spelledId(source, id);
  const isNew = spelled !== undefined && (source !== understood.source || spelled !== understood.id);
  return isNew ? `${source}:${spelled}` : undefined;
}
