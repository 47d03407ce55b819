import { createProblemKey, type ProblemCollection, type ProblemCollectionEntry } from './collection.ts';
import type { ProblemSummary } from './list.ts';

/** Maps keys to problems. Several problems may have the same key. */
type Groups = ReadonlyMap<string, readonly ProblemCollectionEntry[]>;

export interface ProblemResolver {
  /** Returns the problems that match a text: a link, an id with prefix, a slug or an id without prefix. */
  resolve(query: string): readonly ProblemCollectionEntry[];
}

/**
 * Creates a function that finds a problem by its id and ignores upper and lower case. It returns a problem only if
 * exactly one matches.
 */
export function createIdSuggester({
  entries,
}: ProblemCollection): (source: string, id: string) => ProblemCollectionEntry | undefined {
  const groups = groupBy(entries, ({ source, id }) => [createProblemKey(source, id).toLowerCase()]);
  return (source, id) => onlyOne(groups.get(createProblemKey(source, id).toLowerCase()));
}

export function createProblemResolver(
  { entries, byKey, sources }: ProblemCollection,
  summaries: readonly ProblemSummary[],
): ProblemResolver {
  const ids = groupBy(entries, ({ id }) => [id.toLowerCase()]);
  const slugs = groupBy(entries, (_, index) => keysOf(summaries[index]?.slug?.toLowerCase()));
  const links = groupBy(entries, (_, index) => keysOf(linkKey(summaries[index]?.link ?? '')));
  const paths = groupBy(entries, (_, index) => keysOf(pathKey(summaries[index]?.link ?? '')));

  const byName = (
    name: string,
    isMatch: (entry: ProblemCollectionEntry) => boolean,
  ): readonly ProblemCollectionEntry[] => {
    const exact = (ids.get(name.toLowerCase()) ?? []).filter(entry => entry.id === name && isMatch(entry));
    if (exact.length > 0) return exact;
    const loose = (ids.get(name.toLowerCase()) ?? []).filter(isMatch);
    return loose.length > 0 ? loose : (slugs.get(name.toLowerCase()) ?? []).filter(isMatch);
  };

  return {
    resolve(query) {
      const link = linkKey(query);
      if (link !== undefined) return links.get(link) ?? paths.get(pathKey(query) ?? '') ?? [];
      const [, prefix = '', rest = ''] = /^([^:/]+)[:/](.+)$/s.exec(query) ?? [];
      const source =
        sources.find(name => name === prefix) ?? sources.find(name => name.toLowerCase() === prefix.toLowerCase());
      if (source === undefined) return byName(query, () => true);
      const exact = byKey.get(createProblemKey(source, rest));
      return exact === undefined ? byName(rest.trim(), entry => entry.source === source) : [exact];
    },
  };
}

/** Returns the host in lower case and the path without the final slash, or undefined if the text is not a link. */
function linkKey(text: string): string | undefined {
  const [, host, path = ''] = /^(?:https?:\/\/)?(?:www\.)?([\w-]+(?:\.[\w-]+)+)(\/[^?#]*)?/i.exec(text) ?? [];
  return host === undefined || path === '' ? undefined : host.toLowerCase() + path.replace(/\/+$/, '');
}

const commonSegments = /\/(?:problemset|problems?|contests?|tasks?|practice|description)(?=\/|$)/gi;

/**
 * Returns a key for the path of a link. Path segments without meaning are left out, so that contest/1900/problem/A and
 * problemset/problem/1900/A are the same problem.
 */
function pathKey(text: string): string | undefined {
  return linkKey(text)?.replace(commonSegments, '').toLowerCase();
}

function keysOf(key: string | undefined): string[] {
  return key === undefined || key === '' ? [] : [key];
}

function groupBy(
  entries: readonly ProblemCollectionEntry[],
  keysAt: (entry: ProblemCollectionEntry, index: number) => string[],
): Groups {
  const groups = new Map<string, ProblemCollectionEntry[]>();
  for (const [index, entry] of entries.entries()) {
    for (const key of keysAt(entry, index)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [entry]);
      else group.push(entry);
    }
  }
  return groups;
}

function onlyOne(entries: readonly ProblemCollectionEntry[] = []): ProblemCollectionEntry | undefined {
  return entries.length === 1 ? entries[0] : undefined;
}
