import { Failure } from '../../errors/failure.ts';
import { exceptionFor, proxyWarning, usedProxy } from '../../http/proxy.ts';
import { badValue } from '../../toolset/flag-value.ts';
import type { Flags, FlagValues, Mode } from '../../toolset/toolset.ts';
import { PipeTimeoutError, readSmallFile } from './io/token-file.ts';

/** The server truncates longer text, so the converter stops at this size. */
export const maxTextBytes = 102_400;

export const flags = {
  'base-url': {
    type: 'string',
    valueHint: 'url',
    description: 'Origin of the backend, e.g. https://judge.example; required unless --demo',
  },
  token: {
    type: 'string',
    valueHint: 'token',
    description: 'Access token of the backend; the environment variable is safer',
    isSecret: true,
  },
  'token-file': {
    type: 'string',
    valueHint: 'file',
    description: 'File that holds the token',
    insteadOf: 'token',
  },
  'oj-extras': {
    type: 'boolean',
    description: 'Add the tools list_problems and list_tags',
  },
} as const satisfies Flags;

export interface Settings {
  /** Scheme, host and port of the backend, without a trailing slash. */
  origin: string;
  token: string | undefined;
  isDemo: boolean;
  /** The value of --base-url that --demo overrides. */
  ignoredBaseUrl: string | undefined;
}

/** RFC 2606 reserves this host: a demo request that left the process by mistake could not reach a server. */
const demoOrigin = 'https://demo.invalid';
const demoToken = 'demo';

export function settings(values: FlagValues<typeof flags>, { isDemo }: Mode): Settings {
  const url = values['base-url'];
  if (isDemo) return { origin: demoOrigin, token: demoToken, isDemo, ignoredBaseUrl: url };
  const token = readToken(values.token, values['token-file']);
  return { origin: readOrigin(url), token, isDemo, ignoredBaseUrl: undefined };
}

/** Returns warnings about settings that are valid but insecure or without effect. */
export function warnings({ origin, token, isDemo, ignoredBaseUrl }: Settings): string[] {
  // The message does not contain the URL: it was not parsed and may contain a password.
  if (isDemo) return ignoredBaseUrl === undefined ? [] : ['--base-url is ignored because of --demo'];
  const proxy = proxyWarning(origin, process.env, process.versions.node);
  const unencrypted = token !== undefined && origin.startsWith('http:') ? unencryptedTokenWarning(origin) : undefined;
  return [proxy, unencrypted].filter(warning => warning !== undefined);
}

function unencryptedTokenWarning(origin: string): string | undefined {
  if (!isLoopbackHost(new URL(origin).hostname)) {
    return `the token goes to ${origin} unencrypted: others on the network can read it`;
  }
  const proxy = usedProxy(origin, process.env, process.versions.node);
  if (proxy === undefined) return undefined;
  return `the token for ${origin} on this machine is sent to the proxy of ${proxy.variable}; set NO_PROXY=${exceptionFor(origin)} to connect directly`;
}

function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function readOrigin(value: string | undefined): string {
  if (value === undefined) {
    throw new Failure('usage', '--base-url is missing: it is the origin of the online-judge backend.', {
      hint: 'Set --base-url https://judge.example or OJ_MCP_BASE_URL, or try oj-mcp with --demo.',
    });
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) throw badOrigin('is not a URL', value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badOrigin('must start with http:// or https://', value);
  if (url.username !== '' || url.password !== '') throw badOrigin('must not contain a user name or a password', value);
  // `search` and `hash` are empty strings for a trailing ? or #; only href shows them.
  if (url.pathname !== '/' || /[?#]/.test(url.href))
    throw badOrigin('must be an origin without path, query or fragment', value);
  return url.origin;
}

function badOrigin(problem: string, value: string): Failure {
  // The text before an @ may be a password.
  const shown = value.includes('@') ? undefined : value;
  return badValue('base-url', problem, shown, 'Examples: https://judge.example, http://localhost:3000.');
}

function readToken(token: string | undefined, file: string | undefined): string | undefined {
  if (token !== undefined && file !== undefined) {
    throw new Failure('setting', '--token and --token-file are both set.', {
      hint: 'Use only one of --token and --token-file.',
    });
  }
  const value = file === undefined ? token?.trim() : readTokenFile(file);
  if (value === undefined || /^[\x21-\x7e]+$/.test(value)) return value;
  const place = file === undefined ? 'The token' : `The token in ${file}`;
  throw new Failure('setting', `${place} must contain only visible ASCII characters, without white space.`, {
    hint: 'Copy the token again, without surrounding characters.',
  });
}

/** A token file contains one line; a larger file was given by mistake. */
const maxTokenFileBytes = 8192;
const tokenFileHint =
  'Use the absolute path of a file that contains only the token: a host may start the server in any working directory.';

function readTokenFile(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readSmallFile(file, maxTokenFileBytes + 1);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    // A system error message contains the path already.
    const name = cause instanceof PipeTimeoutError ? `--token-file ${file}` : '--token-file';
    throw new Failure('setting', `${name} cannot be read: ${reason}.`, { hint: tokenFileHint, cause });
  }
  if (bytes.length > maxTokenFileBytes)
    throw new Failure('setting', `--token-file ${file} is too large to be a token.`, { hint: tokenFileHint });
  const token = bytes.toString('utf8').trim();
  if (token === '') throw new Failure('setting', `--token-file ${file} is empty.`, { hint: tokenFileHint });
  return token;
}
