import { beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../src/errors/failure.ts';
import { createBrokenResponseFailure, createNetworkFailure } from '../../src/http/network-error.ts';
import { canUseProxies } from '../../src/http/proxy.ts';
import { createProxyAdvice, createProxyWarning, findEffectiveProxy } from '../../src/http/proxy-warning.ts';
import { parseResponse } from '../../src/http/response.ts';
import { type Generator, listGenerated, pieces } from '../support/generator.ts';

const types = [
  undefined,
  'application/json',
  'application/problem+json; charset=utf-8',
  'text/html',
  ' Application/JSON ;x',
  '',
] as const;
const bodies = pieces(
  '{"title": "T"}¦{"title": "T", "detail": "D \u202e"}¦{"title": "T", "detail": 1}¦{"title": "T", "detail": null, "status": 418}¦{"title": "T", "status": "x"}¦{"title": 1}¦[1]¦{¦¦plain \u200btext with secret-value¦null¦"text"',
);
const statuses = [200, 201, 202, 204, 299, 300, 400, 401, 403, 404, 407, 418, 429, 500, 502, 503, 504] as const;

interface GeneratedResponse {
  status: number;
  contentType: string | undefined;
  text: string;
  isUtf8: boolean;
  hints: Record<number, string>;
}

function response(random: Generator): GeneratedResponse {
  const long = random.below(8) === 0 ? 'é'.repeat(random.pick([497, 500, 501])) : '';
  return {
    status: random.pick(statuses),
    contentType: random.pick(types),
    text: random.pick(bodies) + long,
    isUtf8: random.below(6) > 0,
    hints: random.below(3) === 0 ? { 404: 'Own hint.', 403: 'Own hint.' } : {},
  };
}

function outcomeOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (error instanceof Failure) return [error.code, error.message, error.hint, error.status];
    throw error;
  }
}

function listResponse({ text, isUtf8, ...facts }: GeneratedResponse): unknown {
  const body = isUtf8 ? Buffer.from(text) : Buffer.from([...Buffer.from(text), 0xff]);
  const redact = (long: string): string => long.replaceAll('secret-value', '[redacted]');
  return outcomeOf(() => parseResponse({ ...facts, url: 'https://judge.example/a', body, redact }));
}

const codes = pieces(
  'ECONNREFUSED¦ENOTFOUND¦EAI_AGAIN¦ETIMEDOUT¦ECONNRESET¦EPIPE¦EMFILE¦CERT_HAS_EXPIRED¦DEPTH_ZERO_SELF_SIGNED_CERT¦UNABLE_TO_VERIFY_LEAF_SIGNATURE¦HPE_INVALID_CONSTANT¦EPROTO¦UND_ERR_SOCKET¦Z_DATA_ERROR¦ERR_TLS_CERT_ALTNAME_INVALID¦EADDRNOTAVAIL¦EHOSTUNREACH¦¦EOTHER',
);
const messages = pieces(
  'connect failed 127.0.0.1:1 - Local (undefined:undefined)¦Parse Error: Expected HTTP/¦a\n  b. ¦¦write EPROTO 1:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:x¦error:1:SSL routines:f:some alert:y¦Failed to establish tunnel to a:443 via http://p: HTTP/1.1 407 Proxy Authentication Required¦Failed to establish tunnel to a:443 via http://p: HTTP/1.1 403 Forbidden',
);

function networkError(random: Generator): { code: string; message: string; depth: number; isAggregate: boolean } {
  return {
    code: random.pick(codes),
    message: random.pick(messages),
    depth: random.below(10),
    isAggregate: random.below(4) === 0,
  };
}

function listNetworkError({ code, message, depth, isAggregate }: ReturnType<typeof networkError>): unknown {
  let error: Error = Object.assign(new Error(message), code !== '' && { code });
  if (isAggregate) error = new AggregateError([error, new Error('second')], 'both');
  for (let level = 0; level < depth; level++) error = new Error(`outer ${level}`, { cause: error });
  const url = depth % 2 === 0 ? 'https://judge.example/a' : 'http://127.0.0.1:8080/b';
  const failures = [createNetworkFailure(url, error, 'Unreachable.'), createBrokenResponseFailure(url, error)];
  return failures.map(failure => [failure.code, failure.message, failure.hint]);
}

const variables = pieces('http_proxy¦HTTP_PROXY¦https_proxy¦HTTPS_PROXY¦all_proxy¦ALL_PROXY¦no_proxy¦NO_PROXY');
const addresses = pieces(
  'http://user:pass@proxy.example:3128¦https://proxy.example¦proxy.example:80¦¦socks5://p¦http://[bad',
);
const exceptions = pieces(
  'judge.example¦JUDGE.example ¦*¦.example¦*.example¦x, judge.example:8443¦judge¦example¦::1¦¦udge.example',
);
const origins = pieces(
  'https://judge.example¦https://judge.example:8443¦http://judge.example¦http://[::1]:80¦http://example',
);
const versions = pieces('20.20.2¦22.20.9¦22.21.0¦23.9.0¦24.4.9¦24.5.0¦25.0.0');

function proxySettings(random: Generator): { env: Record<string, string>; origin: string; version: string } {
  const env: Record<string, string> = {};
  for (let count = random.below(4); count > 0; count--) {
    const variable = random.pick(variables);
    env[variable] = random.pick(/^no_proxy$/i.test(variable) ? exceptions : addresses);
  }
  return { env, origin: random.pick(origins), version: random.pick(versions) };
}

function listProxy({ env, origin, version }: ReturnType<typeof proxySettings>): unknown {
  return [
    createProxyWarning(origin, env, version),
    findEffectiveProxy(origin, env, version),
    createProxyAdvice(`${origin}/a`, env, version),
    canUseProxies(version),
  ];
}

beforeEach(() => {
  for (const variable of variables) vi.stubEnv(variable, '');
  return () => void vi.unstubAllEnvs();
});

test.each<[inputs: string, list: () => string]>([
  ['responses', () => listGenerated(response, listResponse)],
  ['proxies', () => listGenerated(proxySettings, listProxy, { blocks: 20 })],
  ['network-errors', () => listGenerated(networkError, listNetworkError, { shown: 40 })],
])('the approved file lists the %s of generated inputs', async (name, list) => {
  await expect(list()).toMatchFileSnapshot(`approved/generated-${name}.txt`);
});
