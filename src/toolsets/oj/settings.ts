import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { Failure } from '../../errors/failure.ts';
import { reasonOf } from '../../errors/reason.ts';
import { systemErrorCodeOf } from '../../errors/system-error.ts';
import { networkEnvironmentVariables } from '../../http/network-variables.ts';
import { createProxyWarning, findEffectiveProxy, formatNoProxyEntry } from '../../http/proxy-warning.ts';
import { parseUrl } from '../../text/url.ts';
import {
  badValue,
  describeBadPort,
  describeSecretFault,
  mayBeSecret,
  readChoiceFlag,
  requireAbsolutePath,
} from '../../toolset/flag-value.ts';
import { suggestPath } from '../../toolset/similar-path.ts';
import type { ExternalVariable, Flags, FlagValues, ProgramMode } from '../../toolset/toolset.ts';
import { readSmallFile } from './io/token-file.ts';
import { type StatementLanguage, statementLanguages } from './model/language.ts';

/**
 * The maximum size of a result. The server truncates longer results, so that the conversion of a statement stops at
 * this size.
 */
export const maxTextBytes = 102_400;

export const flags = {
  'base-url': {
    type: 'string',
    valueHint: 'url',
    description: 'Origin of the backend, e.g. https://judge.example; required without --problems and --demo',
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
  problems: {
    type: 'string',
    isList: true,
    valueHint: 'file-or-folder',
    description:
      'Serve your own problems instead of a backend: JSON Lines, JSON, SQLite or problem packages; repeatable',
    insteadOf: 'base-url',
  },
  'oj-language': {
    type: 'string',
    valueHint: 'en|cn',
    description: 'Language of titles and statements, if a problem has both; default en',
  },
  'oj-extras': {
    type: 'boolean',
    description: 'Add the tools list_problems, list_tags and get_samples, and more fields to get_problem',
  },
} as const satisfies Flags;

/** The source of the problems: a backend, a collection or the demo. */
export type ProblemSource =
  | { kind: 'backend'; origin: string; token: string | undefined; tokenFile?: string | undefined }
  | { kind: 'collection'; paths: readonly string[] }
  | { kind: 'demo' };

export interface Settings {
  provider: ProblemSource;
  language: StatementLanguage;
  hasExtras: boolean;
  /** Sentences about flags that have no effect, because another flag selects the source of the problems. */
  ignored: readonly string[];
}

export function parseSettings(values: FlagValues<typeof flags>, mode: ProgramMode): Settings {
  const provider = readProvider(values, mode);
  return {
    provider,
    language: readLanguage(values['oj-language']),
    hasExtras: values['oj-extras'] === true,
    ignored: findIgnoredFlags(provider, values),
  };
}

function readProvider(values: FlagValues<typeof flags>, { isDemo }: ProgramMode): ProblemSource {
  const { problems, 'base-url': url } = values;
  if (problems !== undefined) {
    if (isDemo) {
      throw new Failure('usage', '--problems and --demo are both set.', { hint: 'Use only one of them.' });
    }
    return { kind: 'collection', paths: [...new Set(problems.map(value => requireAbsolutePath('problems', value)))] };
  }
  if (isDemo) return { kind: 'demo' };
  const file = values['token-file'];
  const tokenFile = file === undefined || values.token !== undefined ? file : requireTokenPath(file);
  return { kind: 'backend', token: readToken(values.token, tokenFile), tokenFile, origin: readOrigin(url) };
}

/**
 * Finds flags of a backend that have no effect. The returned sentences contain no values, because a value can be a
 * secret.
 */
function findIgnoredFlags({ kind }: ProblemSource, values: FlagValues<typeof flags>): string[] {
  if (kind === 'backend') return [];
  const names = (['base-url', 'token', 'token-file'] as const).filter(name => values[name] !== undefined);
  return names.map(name => `--${name} is ignored because of ${kind === 'demo' ? '--demo' : '--problems'}`);
}

function readLanguage(value = 'en'): StatementLanguage {
  return readChoiceFlag('oj-language', value, statementLanguages);
}

/** Returns the environment variables of other programs that the toolset uses. */
export function listExternalVariables({ provider }: Settings): readonly ExternalVariable[] {
  return provider.kind === 'backend' ? networkEnvironmentVariables : [];
}

/** Returns warnings about settings that are valid but insecure or without effect. */
export function createSettingsWarnings({ provider, ignored }: Settings): string[] {
  if (provider.kind !== 'backend') return [...ignored];
  const { origin, token } = provider;
  const proxy = createProxyWarning(origin, process.env, process.versions.node);
  const unencrypted = token !== undefined && origin.startsWith('http:') ? unencryptedTokenWarning(origin) : undefined;
  return [proxy, unencrypted].filter(warning => warning !== undefined);
}

function unencryptedTokenWarning(origin: string): string | undefined {
  if (!isLoopbackHost(new URL(origin).hostname)) {
    return `the token goes to ${origin} unencrypted: others on the network can read it`;
  }
  const proxy = findEffectiveProxy(origin, process.env, process.versions.node);
  if (proxy === undefined) return undefined;
  return `the token for ${origin} on this machine is sent to the proxy of ${proxy.variable}; set NO_PROXY=${formatNoProxyEntry(origin)} to connect directly`;
}

function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function readOrigin(value: string | undefined): string {
  if (value === undefined) {
    throw new Failure('usage', '--base-url is missing: it is the origin of the online-judge backend.', {
      hint: 'Set --base-url https://judge.example or OJ_MCP_BASE_URL, serve your own problems with --problems, or try --demo.',
    });
  }
  const url = parseUrl(value);
  if (/^[\w.-]+(?::\d+)?$/.test(value)) throw badOrigin('must start with http:// or https://', value);
  if (url === undefined) throw badOrigin(describeBadPort(value) ?? 'is not a URL', value);
  // The class URL also accepts the misspelled addresses https:/host and https:///host.
  if (!/^https?:\/\/[^/\\]/i.test(value)) throw badOrigin('must start with http:// or https:// and a host name', value);
  if (!/^(?:\[.+\]|[\w.-]+)$/.test(url.hostname))
    throw badOrigin('has a host name with characters that no host name has', value);
  if (url.username !== '' || url.password !== '') throw badOrigin('must not contain a user name or a password', value);
  // If a URL ends with ? or #, its `search` and `hash` are empty. Only `href` contains these characters.
  if (url.pathname !== '/' || /[?#]/.test(url.href))
    throw badOrigin('must be an origin without path, query or fragment', value);
  return url.origin;
}

function badOrigin(problem: string, value: string): Failure {
  // The message does not contain a value with an @, because the text before it may be a password.
  const shown = value.includes('@') ? undefined : value;
  const hint = 'Examples: https://judge.example, http://localhost:3000, http://[::1]:3000.';
  return badValue(`--base-url ${problem}`, shown, hint);
}

function readToken(token: string | undefined, file: string | undefined): string | undefined {
  if (token !== undefined && file !== undefined) {
    throw new Failure('usage', '--token and --token-file are both set.', {
      hint: 'Use only one of --token and --token-file.',
    });
  }
  const value = file === undefined ? token?.trim() : readTokenFile(file);
  const fault =
    file === undefined && isPathOfFile(value ?? '')
      ? 'is the path of a file: use --token-file'
      : describeSecretFault(value ?? '');
  if (fault === undefined) return value;
  const tokenSource = file === undefined ? '--token' : `The token in --token-file ${file}`;
  const hint = 'Give the token alone, without a name, "Bearer", quotation marks or other text.';
  throw new Failure('setting', `${tokenSource} ${fault}.`, { hint });
}

function isPathOfFile(text: string): boolean {
  return /^(?:~?\/|[a-z]:[\\/])/i.test(text) && existsSync(text.replace(/^~/, homedir()));
}

/** Rejects a token that was given in place of a path. The error message does not repeat the token. */
function requireTokenPath(file: string): string {
  if (mayBeSecret(file)) throw badValue('--token-file must be the absolute path of a file', undefined, tokenFileHint);
  return requireAbsolutePath('token-file', file);
}

/** Limits the size of a token file. The file contains one line, and a larger file was given by mistake. */
const maxTokenFileBytes = 8192;
const tokenFileHint = 'Use a file that contains only the token and that the user who runs the host can read.';

const hiddenPathHint = `Its value is not shown, because it may be a token. ${tokenFileHint}`;

/**
 * Returns whether an absolute path can be a token: its first folder does not exist, it has no file extension, and it
 * contains a capital letter, a digit, `+` or `=`.
 */
function looksLikeToken(file: string): boolean {
  const [, first = ''] = file.split(/[\\/]/);
  return /^\/(?=.*[A-Z\d+=])[\w+/=-]{12,}$/.test(file) && !existsSync(`/${first}`);
}

function readTokenFile(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readSmallFile(file, maxTokenFileBytes + 1);
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    const reason = reasonOf(systemErrorCodeOf(cause) ?? '', text);
    // A token in base64 can begin with a slash, like a path. Therefore neither the message nor the cause of the error
    // contains it.
    if (looksLikeToken(file)) throw badValue(`--token-file cannot be read: ${reason}`, undefined, hiddenPathHint);
    const hint = tokenFileHint + (systemErrorCodeOf(cause) === 'ENOENT' ? suggestPath(file) : '');
    throw new Failure('setting', `--token-file ${file} cannot be read: ${reason}.`, { hint, cause });
  }
  if (bytes.length > maxTokenFileBytes)
    throw new Failure('setting', `--token-file ${file} is too large to be a token.`, { hint: tokenFileHint });
  // In Windows PowerShell 5 the operator > writes UTF-16 with a byte order mark.
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const token = bytes.toString(isWide ? 'utf16le' : 'utf8').trim();
  if (token === '') throw new Failure('setting', `--token-file ${file} is empty.`, { hint: tokenFileHint });
  return token;
}
