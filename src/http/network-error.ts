import { Failure } from '../errors/failure.ts';
import { reasonOf } from '../errors/reason.ts';
import { createProxyAdvice, withProxyAdvice } from './proxy-warning.ts';
import { UnreadableResponseError } from './transport.ts';

/** These error codes mean that the certificate has no trusted authority. */
const untrusted: ReadonlySet<string> = new Set([
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const untrustedAdvice =
  "If the certificate is to be trusted, the user can name the file of its authority in NODE_EXTRA_CA_CERTS, in the host's configuration.";

/** OpenSSL reports these reasons if the first bytes that the server sends are not TLS. */
const notTls = /:(?:wrong version number|packet length too long|http request|unknown protocol):/;
const notTlsAdvice = 'The user can check whether the address must start with http:// in place of https://.';
const tlsAdvice = 'The operator of that server can say which TLS version, cipher or client certificate it requires.';

/** These error codes mean that this machine has reached a limit, and not that the host or the network failed. */
const exhausted: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL']);
const exhaustedAdvice = 'Make fewer calls at once, or try again in a moment.';

/** Returns the error for a request that got no readable response. `first` is the address before all redirects. */
export function createNetworkFailure(url: string, error: unknown, unreachable: string, first = url): Failure {
  const host = new URL(url).origin;
  const { code, message } = rootCause(error);
  // Error codes that start with HPE_ come from the HTTP parser of Node.
  if (rootError(error) instanceof UnreadableResponseError || code.startsWith('HPE_')) {
    const reason = message.replace(/^Parse Error: (.*)/, 'it is not valid HTTP ($1)');
    return new Failure('malformed', `${host} sent a response that cannot be read: ${reason}.`, {
      hint: unreachable,
      cause: error,
    });
  }
  const from = new URL(first).origin;
  const redirect = from === host ? '' : `, to which ${from} redirects`;
  const hint = adviceFor(code, message, url) ?? withProxyAdvice(unreachable, url);
  return new Failure('network', `Cannot reach ${host}${redirect}: ${reasonFor(code, message)}.`, {
    hint,
    cause: error,
  });
}

function adviceFor(code: string, message: string, url: string): string | undefined {
  if (refusedTunnel.test(message)) return createProxyAdvice(url);
  if (untrusted.has(code)) return untrustedAdvice;
  if (exhausted.has(code)) return exhaustedAdvice;
  if (!isTlsError(message)) return undefined;
  return notTls.test(message) ? notTlsAdvice : tlsAdvice;
}

/** Node reports in this form that a proxy has refused a tunnel to an https address. */
const refusedTunnel = /^Failed to establish tunnel .*: HTTP\/[\d.]+ (\d{3}.*)$/;

function reasonFor(code: string, message: string): string {
  const [, status] = refusedTunnel.exec(message) ?? [];
  if (status?.startsWith('407'))
    return `the proxy requires a name and a password in its address, http://name:password@… (${status})`;
  if (status !== undefined) return `the proxy refuses the connection (${status})`;
  if (!isTlsError(message)) return reasonOf(code, message);
  if (notTls.test(message)) return `it does not use TLS there (${code})`;
  return `TLS failed: ${/:SSL routines:[^:]*:([^:]+):/.exec(message)?.[1] ?? message} (${code})`;
}

function isTlsError(message: string): boolean {
  return message.includes(':SSL routines:');
}

/** Returns the error for a response body that ended too early. */
export function createBrokenResponseFailure(url: string, error: unknown): Failure {
  const { code, message } = rootCause(error);
  if (code === 'Z_DATA_ERROR') {
    const sentence = `${new URL(url).origin} sent a compressed response that cannot be read: ${message}.`;
    return new Failure('malformed', sentence, { cause: error });
  }
  const reason = reasonFor(code, message);
  return new Failure('network', `${new URL(url).origin} ended its response early: ${reason}.`, { cause: error });
}

function rootCause(error: unknown): { code: string; message: string } {
  const root = rootError(error);
  if (!(root instanceof Error)) return { code: '', message: 'for an unknown reason' };
  const code = 'code' in root ? String(root.code) : '';
  // Node appends the local address to the message, even if the address is unknown: "- Local (undefined:undefined)".
  const message = root.message
    .replace(/ - Local \(.*\)$/, '')
    .replace(/\s+/g, ' ')
    .replace(/[.\s]+$/, '');
  return { code, message: message || code };
}

/** Returns the innermost cause of an error. A host with two addresses produces an AggregateError. */
function rootError(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (current instanceof AggregateError && current.errors.length > 0) current = current.errors[0];
    else if (current.cause instanceof Error) current = current.cause;
    else break;
  }
  return current;
}
