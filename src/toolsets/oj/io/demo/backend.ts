import { lazily } from '../../../../async/memoize.ts';
import { catalogue, judges } from './catalogue/catalogue.ts';
import { dailyReply } from './daily.ts';
import { listReply, tagsReply } from './list.ts';
import { type DemoReply, frameworkReply, jsonReply, noRouteReply, problemReply, Refusal } from './reply.ts';
import { resolveProblem } from './resolve.ts';
import { indexCatalogue, similarToProblemReply, similarToTextReply } from './similar.ts';
import type { SimilarityIndex } from './similarity.ts';

export type { DemoReply };

/** Named by the backend version whose answers the demo gives. */
const version = '0.2.1-demo';

type Segments = { readonly [name: string]: string };

/** Matched on the raw path, so that an encoded slash stays inside its segment. */
type Route = { readonly path: RegExp; answer(segments: Segments, query: URLSearchParams): DemoReply };

/** A judge backend inside the process: `target` is the raw path with its query, as it would go over the wire. */
export function createDemoBackend(now: () => Date): (target: string, authorization: string | undefined) => DemoReply {
  const routes = routesOf(lazily(indexCatalogue), now);
  return (target, authorization) => {
    const [path = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(target)?.slice(1) ?? [];
    const route = routes.find(candidate => candidate.path.test(path));
    if (route === undefined) return noRouteReply;
    if (!/^Bearer \s*\S/.test(authorization ?? '')) return problemReply(401, 'missing or invalid token');
    try {
      return route.answer(decodeSegments(route.path.exec(path)?.groups ?? {}), new URLSearchParams(search));
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  };
}

function routesOf(openIndex: () => SimilarityIndex, now: () => Date): readonly Route[] {
  return [
    {
      path: /^\/api\/v1\/daily$/,
      answer: (_, query) => dailyReply(query, now()),
    },
    {
      path: /^\/api\/v1\/problems\/(?<source>[^/]+)\/(?<id>[^/]+)$/,
      answer: ({ source = '', id = '' }) => problemByIdReply(known(source), id),
    },
    {
      path: /^\/api\/v1\/problems\/(?<source>[^/]+)$/,
      answer: ({ source = '' }, query) => listReply(known(source), query),
    },
    {
      path: /^\/api\/v1\/tags\/(?<source>[^/]+)$/,
      answer: ({ source = '' }) => tagsReply(known(source)),
    },
    {
      path: /^\/api\/v1\/similar\/(?<source>[^/]+)\/(?<id>[^/]+)$/,
      answer: ({ source = '', id = '' }, query) => similarToProblemReply(openIndex(), source, id, query),
    },
    {
      path: /^\/api\/v1\/similar$/,
      answer: (_, query) => similarToTextReply(openIndex(), query),
    },
    {
      path: /^\/api\/v1\/resolve\/(?<query>.+)$/s,
      // The real handler decodes once more than the framework.
      answer: ({ query = '' }) => jsonReply(resolveProblem(decode(query) ?? query)),
    },
    {
      path: /^\/status$/,
      answer: () => jsonReply({ version, platforms: judges.map(countProblems) }),
    },
  ];
}

function known(source: string): string {
  if (judges.some(judge => judge === source)) return source;
  throw new Refusal(problemReply(400, `invalid source: ${source} (the demo has ${judges.join(', ')})`));
}

function problemByIdReply(source: string, id: string): DemoReply {
  const problem = catalogue.find(candidate => candidate.source === source && candidate.id === id);
  return problem === undefined ? problemReply(404, 'problem not found') : jsonReply(problem);
}

function countProblems(source: string) {
  const problems = catalogue.filter(problem => problem.source === source);
  const missing = problems.filter(problem => problem.content === null);
  return { source, total: problems.length, missing_content: missing.length, not_embedded: 0 };
}

function decodeSegments(raw: Segments): Segments {
  return Object.fromEntries(Object.entries(raw).map(([name, segment]) => [name, decodeSegment(name, segment)]));
}

function decodeSegment(name: string, raw: string): string {
  const text = decode(raw);
  if (text === undefined) throw new Refusal(frameworkReply(`Invalid URL: Invalid UTF-8 in \`${name}\``));
  return text;
}

/** A stray `%` is just a percent sign; undefined where the bytes are not UTF-8. */
function decode(text: string): string | undefined {
  try {
    return text.replace(/(?:%[0-9a-f]{2})+/gi, encoded => decodeURIComponent(encoded));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
