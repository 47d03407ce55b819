import * as v from 'valibot';
import { parse } from '../../../parse.ts';
import type { Fetch, Reply, Request } from '../../../request.ts';
import { type Daily, Fetching, Problem, Resolved, Similar, Status } from '../model/problem.ts';
import type { Settings } from '../settings.ts';

export interface SimilarOptions {
  limit: number;
  threshold: number;
  /** Platforms separated by commas; the backend finds nothing for an empty list, so none is left out. */
  sourceFilter: string | undefined;
}

/** The backend's endpoints, answers parsed. */
export interface Api {
  hasToken: boolean;
  daily(domain: string, date: string, signal: AbortSignal): Promise<Daily>;
  problem(source: string, id: string, signal: AbortSignal): Promise<Problem>;
  similarToProblem(source: string, id: string, options: SimilarOptions, signal: AbortSignal): Promise<Similar>;
  similarToText(query: string, options: SimilarOptions, signal: AbortSignal): Promise<Similar>;
  resolve(query: string, signal: AbortSignal): Promise<Resolved>;
  status(signal: AbortSignal): Promise<Status>;
}

export function openApi({ origin, token, isDemo }: Settings): Api {
  let request: Promise<Request> | undefined;

  // Loaded with the first call: when this is opened the client is waiting for its handshake.
  const connect = async (): Promise<Request> => {
    const { createRequest } = await import('../../../request.ts');
    return createRequest({ token, advice, fetch: isDemo ? await openDemo(origin) : await openNetwork() });
  };

  const get = async (path: string, signal: AbortSignal): Promise<Reply> => {
    request ??= connect();
    return await (await request)(origin + path, signal);
  };

  return {
    hasToken: token !== undefined,

    async daily(domain, date, signal) {
      const path = `/api/v1/daily?domain=${encode(domain)}&date=${encode(date)}`;
      const { status, data } = await get(path, signal);
      if (status !== 202) return { problem: read(Problem, data, path) };
      return {
        problem: undefined,
        retryAfterSeconds: v.is(Fetching, data) ? v.parse(Fetching, data).retry_after : undefined,
      };
    },

    async problem(source, id, signal) {
      const path = `/api/v1/problems/${encode(source)}/${encode(id)}`;
      return read(Problem, (await get(path, signal)).data, path);
    },

    async similarToProblem(source, id, options, signal) {
      const path = `/api/v1/similar/${encode(source)}/${encode(id)}?${similarQuery(options)}`;
      return read(Similar, (await get(path, signal)).data, path);
    },

    async similarToText(query, options, signal) {
      const path = `/api/v1/similar?q=${encode(query)}&${similarQuery(options)}`;
      return read(Similar, (await get(path, signal)).data, path);
    },

    async resolve(query, signal) {
      const path = `/api/v1/resolve/${encode(query)}`;
      return read(Resolved, (await get(path, signal)).data, path);
    },

    async status(signal) {
      return read(Status, (await get('/status', signal)).data, '/status');
    },
  };
}

const advice = {
  unauthorized: "The backend wants a valid token: the user can set it as OJ_MCP_TOKEN in the host's configuration.",
  unreachable: 'The user can check --base-url and the network.',
};

async function openNetwork(): Promise<Fetch> {
  const { createHttpFetch } = await import('../../../http-fetch.ts');
  return createHttpFetch();
}

async function openDemo(origin: string): Promise<Fetch> {
  const { createDemoBackend } = await import('./demo/backend.ts');
  const backend = createDemoBackend(() => new Date());
  return async (url, init) => {
    const authorization = new Headers(init?.headers).get('authorization') ?? undefined;
    const { status, contentType, body } = backend(url.slice(origin.length), authorization);
    return new Response(body || null, {
      status,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
    });
  };
}

function read<Schema extends v.GenericSchema>(schema: Schema, data: unknown, path: string): v.InferOutput<Schema> {
  return parse(schema, data, 'malformed', `The backend's answer to ${path.split('?', 1)[0]}`);
}

function similarQuery({ limit, threshold, sourceFilter }: SimilarOptions): string {
  const filter = sourceFilter === undefined ? '' : `&source=${encode(sourceFilter)}`;
  return `limit=${limit}&threshold=${threshold}${filter}`;
}

/** Everything but letters, digits and `-_.~`, so that an id stays one segment of a path. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
