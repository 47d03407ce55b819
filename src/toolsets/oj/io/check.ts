import { Failure } from '../../../errors/failure.ts';
import type { Finding } from '../../../toolset/toolset.ts';
import type { Settings } from '../settings.ts';
import type { Api } from './api.ts';

/** Asks the backend once, with the token: reached, which one it is, how long it took, and what it thinks of the token. */
export async function* check(
  { origin, token, isDemo }: Settings,
  api: Api,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  if (isDemo) {
    yield { isGood: true, line: 'built-in problems, because of --demo; no backend is asked' };
    return;
  }
  const started = performance.now();
  const reached = (what: string): Finding => ({
    isGood: true,
    line: `${origin} answered within ${Math.round(performance.now() - started)} ms${what}`,
  });
  try {
    const { version, platforms } = await api.status(signal);
    const names = platforms.map(({ source }) => source).join(', ');
    yield reached(`: version ${version}, ${names === '' ? 'no platforms yet' : names}`);
    yield token === undefined
      ? { isGood: true, line: 'no token is given, and this backend asks for none' }
      : { isGood: true, line: 'the token is accepted, or the backend looks at none' };
  } catch (error) {
    const status = error instanceof Failure ? error.status : undefined;
    if (!(error instanceof Failure)) throw error;
    if (status === undefined) {
      yield { isGood: false, line: error.message, hint: wayOut(error) };
      return;
    }
    yield reached('');
    if (status === 401 || status === 403) yield token === undefined ? missingToken : refusedToken;
    else {
      const hint = error.hint ?? (status >= 500 ? inTrouble : otherServer);
      yield { isGood: false, line: `/status: ${firstLine(error.message)}`, hint };
    }
  }
}

const missingToken: Finding = {
  isGood: false,
  line: 'no token is given, and the backend wants one',
  hint: 'Ask whoever runs the backend for a token and set it as OJ_MCP_TOKEN.',
};

const refusedToken: Finding = {
  isGood: false,
  line: 'the token is refused',
  hint: 'Compare OJ_MCP_TOKEN, --token or the file of --token-file with what the backend has; it may have been withdrawn.',
};

const otherServer =
  'If this is another server, --base-url has the wrong host or port: it is the address of an oj-api-rs, not of a web page.';

const inTrouble =
  'The backend, or a proxy before it, has a fault of its own: see what it logs, or tell whoever runs it.';
const closedAtOnce = 'See whether --base-url has the right one of http:// and https://, then what the backend logs.';
const renewal = 'Whoever runs the backend has to renew its certificate, unless the clock of this machine is wrong.';
const silent =
  'See whether a browser on this machine gets an answer: the backend may be stuck, or a firewall in between.';

/** By the code at the end of the sentence. */
const waysOut: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Start the backend, or correct the port in --base-url.',
  ENOTFOUND: 'Correct the host in --base-url; a name of a VPN or a container is known there only.',
  ECONNRESET: closedAtOnce,
  EPIPE: closedAtOnce,
  EPROTO: 'Write http:// in --base-url, or the port that speaks TLS.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'Write http:// in --base-url, or the port that speaks TLS.',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'Write http:// in --base-url, or the port that speaks TLS.',
  CERT_HAS_EXPIRED: renewal,
  CERT_NOT_YET_VALID: renewal,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Write the host the certificate is for in --base-url, or have one made for this host.',
};
const untrusted =
  'Let Node trust who has signed it: NODE_EXTRA_CA_CERTS=/path/to/authority.pem in the env of the host, beside the token.';

export function wayOut({ message, hint, code }: Failure): string {
  if (code === 'malformed') return otherServer;
  const known = waysOut[/\((\w+)\)\.$/.exec(message)?.[1] ?? ''];
  return known ?? (message.includes('certificate') ? untrusted : (hint ?? silent));
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
