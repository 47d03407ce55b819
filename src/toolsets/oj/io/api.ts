import { Readable } from 'node:stream';
import * as v from 'valibot';
import { lazily } from '../../../async/memoize.ts';
import { namedProxy } from '../../../http/proxy.ts';
import type { Advice, CallOptions, Request } from '../../../http/request.ts';
import type { Reply } from '../../../http/response.ts';
import type { Transport } from '../../../http/transport.ts';
import { parse } from '../../../toolset/parse.ts';
import { platformHints, problemHints, similarHints, textSearchHints } from '../model/hints.ts';
import { type Daily, Fetching, Listing, Problem, Resolved, Similar, Status, Tags } from '../model/problem.ts';
import type { Settings } from '../settings.ts';

export interface SimilarOptions {
  limit: number;
  threshold: number;
  /** Comma-separated platforms. Undefined omits the parameter: the backend returns no hits for an empty value. */
  sourceFilter: string | undefined;
}

/** Filters, order and page of a list; an undefined filter is not applied. */
interface ListOptions {
  search: string | undefined;
  difficulty: string | undefined;
  /** Comma-separated tags. */
  tags: string | undefined;
  tagMode: 'any' | 'all';
  ratingMin: number | undefined;
  ratingMax: number | undefined;
  sortBy: string | undefined;
  sortOrder: string | undefined;
  page: number;
  perPage: number;
}

/** The endpoints of the backend; each method returns the parsed response. */
export interface Api {
  hasToken: boolean;
  daily(domain: string, date: string, signal: AbortSignal): Promise<Daily>;
  problem(source: string, id: string, signal: AbortSignal): Promise<Problem>;
  similarToProblem(source: string, id: string, options: SimilarOptions, signal: AbortSignal): Promise<Similar>;
  similarToText(text: string, options: SimilarOptions, signal: AbortSignal): Promise<Similar>;
  resolve(text: string, signal: AbortSignal): Promise<Resolved>;
  status(signal: AbortSignal): Promise<Status>;
  list(source: string, options: ListOptions, signal: AbortSignal): Promise<Listing>;
  tags(source: string, signal: AbortSignal): Promise<Tags>;
}

/** Calls `onSent` after each request is written, while the response is pending. */
export function openApi({ origin, token, isDemo }: Settings, onSent: () => void): Api {
  // The first call loads the HTTP modules, so that they do not delay the handshake.
  const request = lazily(async (): Promise<Request> => {
    const { createRequest } = await import('../../../http/request.ts');
    const transport = isDemo ? await openDemo(origin) : await openNetwork();
    return createRequest({ token, advice: adviceFor(origin), transport });
  });

  const get = async (path: string, signal: AbortSignal, options?: CallOptions): Promise<Reply> => {
    const send = await request();
    return await send(origin + path, signal, { ...options, onSent });
  };

  return {
    hasToken: token !== undefined,

    async daily(domain, date, signal) {
      const path = `/api/v1/daily?${query({ domain, date })}`;
      const { status, data } = await get(path, signal);
      if (status !== 202) return { problem: read(Problem, data, path) };
      return {
        problem: undefined,
        retryAfterSeconds: v.is(Fetching, data) ? v.parse(Fetching, data).retry_after : undefined,
      };
    },

    async problem(source, id, signal) {
      const path = `/api/v1/problems/${encode(source)}/${encode(id)}`;
      return read(Problem, (await get(path, signal, { hints: problemHints(source, id) })).data, path);
    },

    async similarToProblem(source, id, options, signal) {
      const path = `/api/v1/similar/${encode(source)}/${encode(id)}?${query(similarFields(options))}`;
      return read(Similar, (await get(path, signal, { hints: similarHints })).data, path);
    },

    async similarToText(text, options, signal) {
      const path = `/api/v1/similar?${query({ q: text, ...similarFields(options) })}`;
      // Never retried: each search costs the operator of the backend money.
      const call = { mayRepeat: false, hints: textSearchHints(text) };
      return read(Similar, (await get(path, signal, call)).data, path);
    },

    async resolve(text, signal) {
      const path = `/api/v1/resolve/${encode(text)}`;
      return read(Resolved, (await get(path, signal)).data, path);
    },

    async status(signal) {
      return read(Status, (await get('/status', signal)).data, '/status');
    },

    async list(source, options, signal) {
      const path = `/api/v1/problems/${encode(source)}?${query(listFields(options))}`;
      return read(Listing, (await get(path, signal, { hints: platformHints(source) })).data, path);
    },

    async tags(source, signal) {
      const path = `/api/v1/tags/${encode(source)}`;
      return read(Tags, (await get(path, signal, { hints: platformHints(source) })).data, path);
    },
  };
}

/** Limits the route in an error message: an encoded id may be long, and the reason follows it. */
const maxRouteLength = 120;

function adviceFor(origin: string): Advice {
  const proxy = namedProxy(new URL(origin).protocol, process.env);
  const suspects = ['--base-url', ...(proxy === undefined ? [] : [proxy.variable, 'NO_PROXY'])].join(', ');
  return {
    unauthorized: "The backend requires a valid token: the user can set OJ_MCP_TOKEN in the host's configuration.",
    unreachable: `The user can check ${suspects} and the network.`,
    moved: to => `The user can set --base-url (OJ_MCP_BASE_URL) to ${to}.`,
  };
}

async function openNetwork(): Promise<Transport> {
  const { createTransport } = await import('../../../http/transport.ts');
  return createTransport(process.env);
}

async function openDemo(origin: string): Promise<Transport> {
  const { createDemoBackend } = await import('packed:src/toolsets/oj/io/demo/backend.ts');
  const backend = createDemoBackend(() => new Date());
  return async ({ url, headers }) => {
    const { status, contentType, body } = backend(url.slice(origin.length), headers?.['authorization']);
    return {
      status,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
      body: Readable.from([Buffer.from(body)]),
    };
  };
}

function read<Schema extends v.GenericSchema>(schema: Schema, data: unknown, path: string): v.InferOutput<Schema> {
  const [route = ''] = path.split('?', 1);
  const shown = route.length > maxRouteLength ? `${route.slice(0, maxRouteLength)}…` : route;
  return parse(schema, data, 'malformed', `The backend's answer to ${shown}`);
}

type Fields = Readonly<Record<string, string | number | undefined>>;

function similarFields({ limit, threshold, sourceFilter }: SimilarOptions): Fields {
  return { limit, threshold, source: sourceFilter };
}

function listFields({ search, difficulty, tags, tagMode, page, ...options }: ListOptions): Fields {
  return {
    search,
    difficulty,
    tags,
    tag_mode: tags === undefined ? undefined : tagMode,
    rating_min: options.ratingMin,
    rating_max: options.ratingMax,
    // The backend ignores sort_order without sort_by.
    sort_by: options.sortBy ?? (options.sortOrder === undefined ? undefined : 'id'),
    sort_order: options.sortOrder,
    page,
    per_page: options.perPage,
  };
}

function query(fields: Fields): string {
  return Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encode(String(value))}`]))
    .join('&');
}

/** Percent-encodes all but unreserved characters (RFC 3986 2.3), so that an id remains one path segment. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
