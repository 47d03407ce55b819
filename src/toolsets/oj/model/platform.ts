/** Maps a platform to the function that converts an id to the notation of the platform. */
const normalizers = new Map<string, (id: string) => string>([
  ['leetcode', id => id.toLowerCase().replace(/\s+/g, '-')], // slug
  ['codeforces', id => id.toUpperCase()],
  ['atcoder', id => id.toLowerCase()],
  ['luogu', id => id.toUpperCase()],
  ['spoj', id => id.toUpperCase()],
]);

/** The backend returns this source if it does not recognize the platform of a query. */
export const unknownSourceName = 'unknown';

export const knownPlatforms: readonly string[] = [...normalizers.keys()];

/** Returns the normalized id, or undefined for an unknown platform. */
export function normalizeProblemId(source: string, id: string): string | undefined {
  return normalizers.get(source)?.(id);
}

/**
 * Suggests a query after a failed search, because the backend cannot parse "leetcode/two-sum" and does not find
 * "codeforces:1920a".
 */
export function suggestProblemQuery(query: string, resolved: { source: string; id: string }): string | undefined {
  const [, platform = resolved.source, id = resolved.id] = /^(\w+)\/([^/]+)$/.exec(query) ?? [];
  const source = platform.toLowerCase();
  const normalized = normalizeProblemId(source, id);
  const isNew = normalized !== undefined && (source !== resolved.source || normalized !== resolved.id);
  return isNew ? `${source}:${normalized}` : undefined;
}
