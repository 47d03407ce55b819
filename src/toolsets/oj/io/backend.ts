import * as v from 'valibot';
import { Failure } from '../../../errors/failure.ts';
import { type BackendErrorHints, createRequestFunction, type HttpCallOptions } from '../../../http/request.ts';
import type { ParsedResponse } from '../../../http/response.ts';
import { createTransport } from '../../../http/transport.ts';
import { validateValue } from '../../../toolset/parse.ts';
import {
  createPlatformErrorHints,
  createProblemErrorHints,
  createTextSearchErrorHints,
  similarProblemsErrorHints,
} from '../model/hints.ts';
import {
  PendingDailyResponse,
  Problem,
  ProblemListResponse,
  ResolvedProblemResponse,
  SimilarProblemsResponse,
  StatusResponse,
  TagsResponse,
} from '../model/problem.ts';
import type { Api, ProblemListOptions, SimilarProblemsOptions } from './api.ts';

/** The address of the backend and its token. */
export interface BackendConnection {
  /** The origin of the backend: scheme, host and port, without a trailing slash. */
  origin: string;
  token: string | undefined;
}

/**
 * Creates the API that sends HTTP requests to the backend. `onStatementRequested` is called while the response with a
 * statement is pending.
 */
export function openBackend({ origin, token }: BackendConnection, onStatementRequested: () => void): Api {
  const request = createRequestFunction({ token, advice: errorHints, transport: createTransport(process.env) });
  const get: Get = async (path, signal, options) => await request(origin + path, signal, options).catch(nameRemedy);
  const onSent = onStatementRequested;
  return {
    ...statementMethods(get, onSent),
    ...searchMethods(get),

    async status(signal) {
      return read(StatusResponse, (await get('/status', signal)).data, '/status');
    },

    async tags(source, signal) {
      const path = `/api/v1/tags/${encode(source)}`;
      return read(TagsResponse, (await get(path, signal, { hints: createPlatformErrorHints(source) })).data, path);
    },
  };
}

type Get = (path: string, signal: AbortSignal, options?: HttpCallOptions) => Promise<ParsedResponse>;

function statementMethods(get: Get, onSent: () => void): Pick<Api, 'daily' | 'problem' | 'resolve'> {
  return {
    async daily(domain, date, signal) {
      const path = `/api/v1/daily?${query({ domain, date })}`;
      const { status, data } = await get(path, signal, { onSent });
      if (status !== 202) return { problem: read(Problem, data, path) };
      return {
        problem: undefined,
        retryAfterSeconds: v.is(PendingDailyResponse, data)
          ? v.parse(PendingDailyResponse, data).retry_after
          : undefined,
      };
    },

    async problem(source, id, signal) {
      const path = `/api/v1/problems/${encode(source)}/${encode(id)}`;
      return read(
        Problem,
        (await get(path, signal, { hints: createProblemErrorHints(source, id), onSent })).data,
        path,
      );
    },

    async resolve(text, signal) {
      const path = `/api/v1/resolve/${encode(text)}`;
      return read(ResolvedProblemResponse, (await get(path, signal, { onSent })).data, path);
    },
  };
}

function searchMethods(get: Get): Pick<Api, 'similarToProblem' | 'similarToText' | 'list'> {
  return {
    async similarToProblem(source, id, options, signal) {
      const path = `/api/v1/similar/${encode(source)}/${encode(id)}?${query(similarFields(options))}`;
      return read(SimilarProblemsResponse, (await get(path, signal, { hints: similarProblemsErrorHints })).data, path);
    },

    async similarToText(text, options, signal) {
      const path = `/api/v1/similar?${query({ q: text, ...similarFields(options) })}`;
      // A search is never retried, because each search costs the operator of the backend money.
      const call = { retryable: false, hints: createTextSearchErrorHints(text) };
      return read(SimilarProblemsResponse, (await get(path, signal, call)).data, path);
    },

    async list(source, options, signal) {
      const path = `/api/v1/problems/${encode(source)}?${query(listFields(options))}`;
      return read(
        ProblemListResponse,
        (await get(path, signal, { hints: createPlatformErrorHints(source) })).data,
        path,
      );
    },
  };
}

/** Limits the part of the path in an error message, because an encoded id may be long and the reason follows it. */
const maxRouteLength = 120;

/** Hints for a response that rejects the request, with and without a token. */
const rejectionHints = {
  401: {
    withToken: 'The backend rejects the token: the user can compare OJ_MCP_TOKEN or --token-file with its tokens.',
    withoutToken:
      "The backend requires a token: the user can add --token-file, or set OJ_MCP_TOKEN in the host's configuration.",
  },
  403: {
    withToken:
      'The token was sent, but the backend, or a proxy in front of it, forbids the request: its operator can say why.',
    withoutToken:
      'The backend, or a proxy in front of it, forbids the request: its operator can say whether it needs a token (--token-file) or blocks this machine.',
  },
} as const;

const unreachable = 'The user can check --base-url and the network.';
const unknownHost = 'The user can check the network, or correct the host in --base-url.';
const remedies: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The user can start the backend, or correct the port in --base-url.',
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
};

/** Replaces the general hint by that for the error code, unless the error is about a proxy or another host. */
function nameRemedy(error: unknown): never {
  if (!(error instanceof Failure) || error.hint !== unreachable || error.message.includes('redirects')) throw error;
  const hint = remedies[/\((\w+)\)\.$/.exec(error.message)?.[1] ?? ''] ?? unreachable;
  throw new Failure(error.code, error.message, { hint, cause: error.cause });
}

const errorHints: BackendErrorHints = {
  rejected: (status, hasToken) => rejectionHints[status][hasToken ? 'withToken' : 'withoutToken'],
  unreachable,
  moved: to => `The user can set --base-url (OJ_MCP_BASE_URL) to ${to}.`,
};

const otherVersion = 'It may be another version of oj-api-rs, or another server: the user can run --check.';

function read<Schema extends v.GenericSchema>(schema: Schema, data: unknown, path: string): v.InferOutput<Schema> {
  const [route = ''] = path.split('?');
  const shown = route.length > maxRouteLength ? `${route.slice(0, maxRouteLength)}…` : route;
  return validateValue(schema, data, 'malformed', `The response of the backend to ${shown}`, undefined, otherVersion);
}

type Fields = Readonly<Record<string, string | number | undefined>>;

function similarFields({ limit, threshold, sourceFilter }: SimilarProblemsOptions): Fields {
  return { limit, threshold, source: sourceFilter };
}

function listFields({ search, difficulty, tags, tagMode, page, ...options }: ProblemListOptions): Fields {
  return {
    search,
    difficulty,
    tags,
    tag_mode: tags === undefined ? undefined : tagMode,
    rating_min: options.ratingMin,
    rating_max: options.ratingMax,
    // The backend ignores sort_order without sort_by, so that sort_by is set to the default column.
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

/** Percent-encodes all characters except unreserved ones (RFC 3986 2.3), so that an id remains one path segment. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
