import { statSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { Failure } from '../../../errors/failure.ts';
import { tryOrUndefined } from '../../../errors/system-error.ts';
import { createProxyAdvice, createUnusedProxyAdvice } from '../../../http/proxy-warning.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import type { Settings } from '../settings.ts';
import type { Api } from './api.ts';
import type { BackendConnection } from './backend.ts';
import type { JudgeContext } from './context.ts';

/** Yields the results of --check for the backend or the collection. */
export async function* checkProblemSource(
  { provider }: Settings,
  { api }: JudgeContext,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  if (provider.kind === 'demo') yield { isGood: true, line: 'built-in problems (--demo); no requests are sent' };
  else if (provider.kind === 'backend') {
    yield* checkTokenFile(provider.tokenFile);
    yield* checkBackend(provider, api, signal);
  } else yield* checkCollection(api, signal);
}

/** A group can share a token. Windows has no permission modes. A file in the folder of a Windows user can be read only by that user. */
function* checkTokenFile(file: string | undefined): Generator<CheckResult> {
  const stats = file === undefined || process.platform === 'win32' ? undefined : tryOrUndefined(() => statSync(file));
  if (stats?.isFile() !== true || (stats.mode & 0o004) === 0) return;
  const line = '--token-file can be read by other users of this machine';
  yield {
    isGood: true,
    isWarning: true,
    line,
    hint: `Give access only to its owner (chmod 600) or its group (chmod 640): ${file}`,
  };
}

/** Parses every record of a collection, because the start parses only source and id. */
async function* checkCollection(api: Api, signal: AbortSignal): AsyncGenerator<CheckResult> {
  const { platforms } = await api.status(signal);
  const counts = platforms.map(({ source, total }) => `${total} in "${source}"`).join(', ');
  const total = platforms.reduce((sum, platform) => sum + platform.total, 0);
  yield total === 0
    ? {
        isGood: true,
        isWarning: true,
        line: 'the collection has no problems',
        hint: 'Compare --problems with docs/problems.md.',
      }
    : { isGood: true, line: `${total === 1 ? '1 problem' : `${total} problems`} from files: ${counts}` };
  yield* api.verify?.(signal) ?? [];
}

/**
 * The problem that --check requests. By the contract of the API the response is a success even if the problem does not
 * exist.
 */
const sample = { query: '1', path: '/api/v1/resolve/1' };

/**
 * Requests /status and one problem with the token. Reports the version, the response time and whether the backend
 * accepts the token.
 */
async function* checkBackend(
  { origin, token }: BackendConnection,
  api: Api,
  signal: AbortSignal,
): AsyncGenerator<CheckResult> {
  await api.load?.();
  const started = performance.now();
  const reached = (details: string): CheckResult => ({
    isGood: true,
    line: `${origin} answered within ${Math.round(performance.now() - started)} ms${details}`,
  });
  try {
    const { version, platforms } = await api.status(signal);
    const names = platforms.map(({ source }) => source).join(', ');
    yield reached(`: version ${version}${names === '' ? '' : `, ${names}`}`);
    if (platforms.every(({ total }) => total === 0)) yield emptyBackend;
    yield* checkProblems({ origin, token }, api, signal);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.status === undefined) {
      yield { isGood: false, line: error.message, hint: hintFor(error, origin) };
      return;
    }
    yield reached('');
    if (isRefusal(error)) yield* checkProblems({ origin, token }, api, signal, error);
    else {
      yield { isGood: false, line: `/status: ${firstLine(error.message)}`, hint: hintFor(error, origin) };
    }
  }
}

function isRefusal({ status }: Failure): boolean {
  return status === 401 || status === 403;
}

function describeRefusal({ status, message, hint = '' }: Failure, hasToken: boolean): CheckResult {
  if (hint.includes('Basic')) return { isGood: false, line: 'a user name and a password are required', hint };
  if (status === 401 && !hasToken) return missingToken;
  if (status === 401)
    return hint.includes('redirect') ? { ...refusedToken, line: 'the token was not sent', hint } : refusedToken;
  return { isGood: false, line: `${sample.path}: ${firstLine(message)}`, hint };
}

/**
 * Requests a problem. `refusal` is the error response to /status, because a backend may require a token for /status
 * only.
 */
async function* checkProblems(
  { origin, token }: BackendConnection,
  api: Api,
  signal: AbortSignal,
  refusal?: Failure,
): AsyncGenerator<CheckResult> {
  try {
    await api.resolve(sample.query, signal);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (isRefusal(error)) yield describeRefusal(error, token !== undefined);
    else {
      if (refusal?.status === 401) yield describeRefusal(refusal, token !== undefined);
      const hint = hintFor(error, origin, refusal === undefined ? otherVersion : otherServer);
      yield { isGood: false, line: `${sample.path}: ${firstLine(error.message)}`, hint };
    }
    return;
  }
  const tested = `/status and ${sample.path} succeed`;
  if (refusal?.status === 401 && token !== undefined) yield describeRefusal(refusal, true);
  else if (refusal !== undefined) yield { ...refusedStatus(refusal), line: `/status: ${firstLine(refusal.message)}` };
  else if (token === undefined) yield { isGood: true, line: `no token is set, and ${tested}` };
  else yield { isGood: true, line: `the backend accepts the token, or does not check tokens: ${tested}` };
}

function refusedStatus({ status }: Failure): Pick<CheckResult, 'isGood' | 'isWarning' | 'hint'> {
  const reason = status === 401 ? 'which requires a valid token' : 'which the backend or a proxy forbids';
  const hint = `${sample.path} succeeds: the tools work except get_platform_status, ${reason}.`;
  return { isGood: true, isWarning: true, hint };
}

const emptyBackend: CheckResult = {
  isGood: true,
  isWarning: true,
  line: 'the backend has no problems',
  hint: 'Run its crawlers first; get_daily_challenge may still work.',
};

const missingToken: CheckResult = {
  isGood: false,
  line: 'no token is set, and the backend requires one',
  hint: 'Ask the operator of the backend for a token. Set OJ_MCP_TOKEN, or --token-file with a file that contains it.',
};

const refusedToken: CheckResult = {
  isGood: false,
  line: 'the backend rejects the token',
  hint: 'Compare the value of --token, or the file of --token-file, with the tokens of the backend; it may have been revoked.',
};

const otherServer =
  'This may be another server: --base-url must be the address of an oj-api-rs backend, not of a web page.';

const otherVersion =
  'The backend has /status but not this address: it may be another version of oj-api-rs, or a proxy does not pass it on.';

const serverFault = 'The backend, or a proxy in front of it, failed: read its log, or report it to its operator.';
const brokenRedirect =
  'The address behind the redirect is wrong, or cannot be reached from here: correct it in the server that redirects, or correct --base-url.';
const wrongRedirect =
  'Use the address behind the redirect as --base-url. A redirect without end is often a login page for browsers.';
const brokenOff = 'The backend, or a proxy in front of it, ended the response before its end: read its log.';
const connectionClosed = 'Check whether --base-url needs http:// or https://, then read the log of the backend.';
const invalidCertificate =
  'The operator of the backend must renew its certificate, unless the clock of this machine is wrong.';
const exampleAddress =
  'This is an address from the documentation: set --base-url to the address of a real backend, or use --demo.';
const unknownHost =
  'Check the network, or correct the host in --base-url; a host name of a VPN or a container resolves only inside it. To try oj-mcp without a backend, use --demo.';
const noResponse = 'Check whether a browser on this machine gets a response.';

/** Maps an error code of the network to a hint. The code is in parentheses at the end of the error message. */
const remediations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start the backend, or correct the port in --base-url.',
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNRESET: connectionClosed,
  EPIPE: connectionClosed,
  CERT_HAS_EXPIRED: invalidCertificate,
  CERT_NOT_YET_VALID: invalidCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Use the host name of the certificate in --base-url, or issue a certificate for this host.',
};
const untrustedIssuer =
  'Make Node trust the issuer: set NODE_EXTRA_CA_CERTS=/path/to/authority.pem in the env of the host, next to the token.';

/** The hints for these statuses are also right without a call of a tool. */
const toolHintStatuses: ReadonlySet<number> = new Set([401, 403, 407, 429, 502, 503, 504]);

/** Returns the hint for an error response, or for a request without one. */
function hintFor(error: Failure, origin: string, rejected = otherServer): string {
  const { status, hint } = error;
  const proxy = createProxyAdvice(origin);
  // The error names the proxy only if the proxy can be its cause. It cannot cause an invalid certificate of the
  // backend.
  if (status === undefined) {
    if (proxy !== undefined && hint?.includes(proxy)) return proxy;
    const [remedy, unused] = [chooseNetworkRemediation(error), createUnusedProxyAdvice(origin)];
    return hint?.includes(unused) === true && !remedy.includes(unused) ? `${remedy} ${unused}` : remedy;
  }
  // The hints for these statuses in the tools suggest other arguments. They are not used in --check, which calls no
  // tool.
  if (/HTTPS (?:port|server)/.test(error.message)) return 'Use https:// in --base-url.';
  const ownHint = toolHintStatuses.has(status) ? hint : findMediaTypeHint(error);
  return ownHint ?? proxy ?? (status >= 500 ? serverFault : rejected);
}

/** Returns the hint about a wrong media type, which is also right without a call of a tool. */
function findMediaTypeHint({ hint = '' }: Failure): string | undefined {
  return hint.includes('Content-Type') ? hint : undefined;
}

export function chooseNetworkRemediation({ message, hint, code }: Failure): string {
  if (code === 'malformed') return otherServer;
  if (/to which .* redirects|redirected to an address/.test(message)) return brokenRedirect;
  if (code === 'network' && message.includes('redirected more than')) return wrongRedirect;
  if (message.includes('ended its response early')) return brokenOff;
  if (message.includes('it does not use TLS there')) return 'Use http:// in --base-url, or the port that serves TLS.';
  if (/\.example: .*\(ENOTFOUND\)/.test(message)) return exampleAddress;
  const known = remediations[/\((\w+)\)\.$/.exec(message)?.[1] ?? ''];
  if (known !== undefined) return known;
  // A server that requires a certificate of the client is not an untrusted issuer.
  if (!message.includes('certificate') || message.includes('TLS failed')) return hint ?? noResponse;
  const { NODE_EXTRA_CA_CERTS: file } = process.env;
  return file
    ? `${untrustedIssuer} Now it is ${file}, which does not name the issuer or cannot be read.`
    : untrustedIssuer;
}

/** Returns the first line of an error. The body of the response can be empty, so that only its status is left. */
function firstLine(text: string): string {
  const status = /^\[(\d+)\] $/.exec(text)?.[1];
  return status === undefined ? (text.split('\n', 1)[0]?.slice(0, 200) ?? '') : text + (STATUS_CODES[status] ?? '');
}
