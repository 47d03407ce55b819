import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** The data that the store knows about its user: key, secret and region. */
export interface Customer {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  region: string;
}

export interface SignedRequest {
  method: string;
  /** The request target is stored as it was sent: percent-encoded, with the query. */
  target: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The maximum difference between the clocks of a client and the store. */
const skewMs = 15 * 60_000;

/**
 * Verifies a signature (version 4). The code is independent of the signer. Returns undefined if the signature is valid.
 */
export function signatureFault(request: SignedRequest, customer: Customer, nowMs: number): string | undefined {
  const [path, query] = splitOnce(request.target, '?');
  const parameters = query === '' ? [] : query.split('&').map(pair => splitOnce(pair, '='));
  const isPresigned = parameters.some(([name]) => name === 'X-Amz-Signature');
  const field = (name: string): string => decodeURIComponent(parameters.find(([other]) => other === name)?.[1] ?? '');
  const claim = isPresigned
    ? {
        credential: field('X-Amz-Credential'),
        names: field('X-Amz-SignedHeaders'),
        signature: field('X-Amz-Signature'),
        date: field('X-Amz-Date'),
        token: field('X-Amz-Security-Token'),
        payload: 'UNSIGNED-PAYLOAD',
      }
    : {
        ...readAuthorization(request.headers.authorization ?? ''),
        date: header(request.headers, 'x-amz-date'),
        token: header(request.headers, 'x-amz-security-token'),
        payload: header(request.headers, 'x-amz-content-sha256'),
      };
  if (claim.signature === '') return 'AccessDenied';
  const [accessKeyId, day, region, service, end] = claim.credential.split('/');
  if (accessKeyId !== customer.accessKeyId) return 'InvalidAccessKeyId';
  if (claim.token !== (customer.sessionToken ?? '')) return 'InvalidToken';
  if (region !== customer.region || service !== 's3' || end !== 'aws4_request' || day !== claim.date.slice(0, 8))
    return 'AuthorizationHeaderMalformed';
  const signedMs = readDate(claim.date);
  if (isPresigned) {
    const untilMs = signedMs + Number(field('X-Amz-Expires')) * 1000;
    if (!(nowMs < untilMs) || signedMs > nowMs + skewMs) return 'AccessDenied';
  } else if (!(Math.abs(nowMs - signedMs) <= skewMs)) return 'RequestTimeTooSkewed';

  const names = claim.names.split(';');
  const mustBeSigned = Object.keys(request.headers).filter(
    name => name === 'host' || name.startsWith('x-amz-') || (name === 'content-type' && request.body.length > 0),
  );
  if (mustBeSigned.some(name => !names.includes(name))) return 'AccessDenied';
  if (!isPresigned && claim.payload !== 'UNSIGNED-PAYLOAD' && claim.payload !== sha256(request.body))
    return 'XAmzContentSHA256Mismatch';

  const canonical = [
    request.method,
    path.split('/').map(encoded).join('/'),
    parameters
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...names.map(name => `${name}:${header(request.headers, name).trim().replace(/\s+/g, ' ')}`),
    '',
    names.join(';'),
    claim.payload,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const key = [day ?? '', region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${customer.secretAccessKey}`,
  );
  const text = ['AWS4-HMAC-SHA256', claim.date, scope, sha256(canonical)].join('\n');
  return createHmac('sha256', key).update(text).digest('hex') === claim.signature ? undefined : 'SignatureDoesNotMatch';
}

function readAuthorization(value: string): { credential: string; names: string; signature: string } {
  const part = (name: string): string => new RegExp(`${name}=([^,\\s]*)`).exec(value)?.[1] ?? '';
  return { credential: part('Credential'), names: part('SignedHeaders'), signature: part('Signature') };
}

/** Parses a time such as `20261118T201500Z`. */
function readDate(text: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text) ?? [];
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name] ?? '';
  return Array.isArray(value) ? value.join(',') : value;
}

/**
 * Returns the canonical form of a part of an address, which is signed. It does not depend on the form in the request.
 */
function encoded(piece: string): string {
  return encodeURIComponent(decodeURIComponent(piece)).replace(
    /[!'()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function splitOnce(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}
