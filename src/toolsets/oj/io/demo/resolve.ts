import { catalogue } from './catalogue/catalogue.ts';
import type { ProblemRecord } from './catalogue/record.ts';

export type Resolution = { readonly source: string; readonly id: string; readonly problem: ProblemRecord | null };

type Pattern = { readonly source: string; readonly pattern: RegExp; readonly toId: (parts: string[]) => string };

/** Where a link carries the id, or Orchard's slug; what follows the problem in the path does not matter. */
const linkPatterns: readonly Pattern[] = [
  {
    source: 'lantern',
    pattern: /^lantern\.example\/contests\/[^/]+\/tasks\/([^/]+)/i,
    toId: ([task = '']) => task.toLowerCase(),
  },
  {
    source: 'quarry',
    pattern: /^quarry\.example\/(?:contest\/(\d+)\/problem|problemset\/problem\/(\d+))\/([^/]+)/i,
    toId: ([contest = '', problemset = '', index = '']) => `${contest}${problemset}${index.toUpperCase()}`,
  },
  {
    source: 'orchard',
    pattern: /^orchard\.example\/problems\/([^/]+)/i,
    toId: ([slug = '']) => slug.toLowerCase(),
  },
];

/** How the ids of each judge look, as people type them. */
const idPatterns: readonly Pattern[] = [
  { source: 'orchard', pattern: /^(\d+)$/, toId: ([id = '']) => id },
  { source: 'lantern', pattern: /^(lan\d{3}_[a-z])$/i, toId: ([id = '']) => id.toLowerCase() },
  { source: 'quarry', pattern: /^(\d+[a-z]\d?)$/i, toId: ([id = '']) => id.toUpperCase() },
];

/** Finds the problem meant by a link, `source:id`, an id or a slug; never fails, as in the real backend. */
export function resolveProblem(query: string): Resolution {
  const text = query.trim();
  return (
    resolveLink(text) ??
    resolvePrefixed(text) ??
    resolveByPattern(idPatterns, text) ??
    (text === '' ? unknown(text) : resolveSlug(text))
  );
}

function resolveLink(text: string): Resolution | undefined {
  const [, scheme, rest = ''] = /^(https?:\/\/)?(?:www\.)?([^?#]*)/i.exec(text) ?? [];
  const known = resolveByPattern(linkPatterns, rest);
  return known ?? (scheme === undefined ? undefined : unknown(text));
}

function resolvePrefixed(text: string): Resolution | undefined {
  const [source = '', id = '', ...more] = text.split(':').map(part => part.trim());
  const pattern = idPatterns.find(known => known.source === source.toLowerCase());
  if (pattern === undefined || id === '' || more.length > 0) return undefined;
  return resolveByPattern([pattern], id) ?? lookUp(pattern.source, id.toLowerCase());
}

function resolveByPattern(patterns: readonly Pattern[], text: string): Resolution | undefined {
  for (const { source, pattern, toId } of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return lookUp(source, toId(match.slice(1)));
  }
  return undefined;
}

/** What nothing else fits is taken for one of Orchard's slugs, as the real backend takes it for one of LeetCode's. */
function resolveSlug(text: string): Resolution {
  const slug = text.toLowerCase();
  const problem = catalogue.find(candidate => candidate.slug === slug);
  return problem === undefined ? lookUp('orchard', slug) : { source: problem.source, id: problem.id, problem };
}

function unknown(text: string): Resolution {
  return { source: 'unknown', id: text, problem: null };
}

/** An unknown problem of a known judge still names the judge, as in the real backend. */
function lookUp(source: string, idOrSlug: string): Resolution {
  const problem = catalogue.find(p => p.source === source && (p.id === idOrSlug || p.slug === idOrSlug)) ?? null;
  return { source, id: problem?.id ?? idOrSlug, problem };
}
