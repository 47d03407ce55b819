import { Failure } from '../../errors/failure.ts';
import { exceptionFor, proxyWarning, usedProxy } from '../../http/proxy.ts';
import { badValue } from '../../toolset/flag-value.ts';
import type { Flags, FlagValues, Mode } from '../../toolset/toolset.ts';
import { EndlessPipe, readWholeFile } from './io/token-file.ts';

/** The server cuts a longer text, so no more of a statement need be converted. */
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
    description: 'Token for the backend; better given by the environment',
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
    description: 'Two more tools for the judge: list_problems and list_tags',
  },
} as const satisfies Flags;

export interface Settings {
  /** Without a slash at the end. */
  origin: string;
  token: string | undefined;
  isDemo: boolean;
  /** What was given beside --demo. */
  unusedUrl: string | undefined;
}

/** An address that no resolver knows, should a demo request ever leave the process. */
const demoOrigin = 'https://demo.invalid';
const demoToken = 'demo';

export function settings(values: FlagValues<typeof flags>, { isDemo }: Mode): Settings {
  const url = values['base-url'];
  if (isDemo) return { origin: demoOrigin, token: demoToken, isDemo, unusedUrl: url };
  const token = readToken(values.token, values['token-file']);
  return { origin: readOrigin(url), token, isDemo, unusedUrl: undefined };
}

/** What makes this setup worse than it looks. */
export function warnings({ origin, token, isDemo, unusedUrl }: Settings): string[] {
  // The address is not repeated: it has not been looked at, and may hold a password.
  if (isDemo) return unusedUrl === undefined ? [] : ['because of --demo the backend of --base-url is not asked'];
  const proxy = proxyWarning(origin, process.env, process.versions.node);
  const inClear = token !== undefined && origin.startsWith('http:') ? clearWarning(origin) : undefined;
  return [proxy, inClear].filter(warning => warning !== undefined);
}

function clearWarning(origin: string): string | undefined {
  if (!isThisMachine(new URL(origin).hostname)) {
    return `the token goes to ${origin} unencrypted: everybody on the way can read it`;
  }
  const proxy = usedProxy(origin, process.env, process.versions.node);
  if (proxy === undefined) return undefined;
  return `the token for ${origin}, this machine, goes to ${proxy.variable}: NO_PROXY=${exceptionFor(origin)} keeps it here`;
}

function isThisMachine(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
}

function readOrigin(value: string | undefined): string {
  if (value === undefined) {
    throw new Failure('usage', '--base-url is missing: the origin of the online-judge backend.', {
      hint: 'Give it as --base-url https://judge.example or as OJ_MCP_BASE_URL, or try oj-mcp with --demo.',
    });
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) throw badOrigin('is not a URL', value);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw badOrigin('must begin with http:// or https://', value);
  if (url.username !== '' || url.password !== '') throw badOrigin('must not hold a user or a password', value);
  // An empty query or fragment is visible in href only.
  if (url.pathname !== '/' || /[?#]/.test(url.href))
    throw badOrigin('must be an origin, without path, query or fragment', value);
  return url.origin;
}

function badOrigin(problem: string, value: string): Failure {
  // What stands before an @ may be a password.
  const shown = value.includes('@') ? undefined : value;
  return badValue('base-url', problem, shown, 'It looks like https://judge.example or http://localhost:3000.');
}

function readToken(token: string | undefined, file: string | undefined): string | undefined {
  if (token !== undefined && file !== undefined) {
    throw new Failure('setting', 'Both a token and a token file are given.', {
      hint: 'Give one of --token and --token-file.',
    });
  }
  const value = file === undefined ? token?.trim() : readTokenFile(file);
  if (value === undefined || /^[\x21-\x7e]+$/.test(value)) return value;
  const place = file === undefined ? 'The token' : `The token in ${file}`;
  throw new Failure('setting', `${place} must consist of visible ASCII characters, without blanks.`, {
    hint: 'Copy it once more, without what stands around it.',
  });
}

/** A token file is a line; whatever is longer was named by mistake. */
const maxTokenFileBytes = 8192;
const tokenFileHint =
  'Name a file that holds the token and nothing else, by its full path: hosts start servers in folders of their own.';

function readTokenFile(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readWholeFile(file, maxTokenFileBytes + 1);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    const name = cause instanceof EndlessPipe ? `--token-file ${file}` : '--token-file'; // the system says it itself
    throw new Failure('setting', `${name} cannot be read: ${reason}.`, { hint: tokenFileHint, cause });
  }
  if (bytes.length > maxTokenFileBytes)
    throw new Failure('setting', `--token-file ${file} is too large to be a token.`, { hint: tokenFileHint });
  const token = bytes.toString('utf8').trim();
  if (token === '') throw new Failure('setting', `--token-file ${file} is empty.`, { hint: tokenFileHint });
  return token;
}
