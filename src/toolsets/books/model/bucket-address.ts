import { parseUrl } from '../../../text/url.ts';

/** The address of a library in a bucket. Missing values for region and endpoint come from the AWS profile. */
export interface BucketAddress {
  bucket: string;
  /** The prefix of all keys. It is empty or ends with a slash. */
  prefix: string;
  endpoint: string | undefined;
  region: string | undefined;
}

/**
 * Limits the length of the prefix in bytes, because a key has at most 1,024 bytes and the longest file name takes 255
 * of them.
 */
const maxPrefixBytes = 512;

export function isBucketRoot(root: string): boolean {
  return root.startsWith('s3://');
}

/** Parses an address such as `s3://bucket/some/prefix`. Returns an error sentence if it is invalid. */
export function parseBucketRoot(root: string): { bucket: string; prefix: string } | string {
  const [bucket = '', ...rest] = root.slice('s3://'.length).split('/');
  if (!/^(?!xn--)[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(bucket))
    return 'must look like s3://bucket or s3://bucket/prefix; the name of a bucket has 3 to 63 letters, digits, dots and hyphens';
  const names = rest.join('/').replace(/\/+$/, '');
  if (names === '') return { bucket, prefix: '' };
  const isFit = names.split('/').every(name => name !== '' && name !== '.' && name !== '..');
  if (!isFit || /[\p{Cc}\\?#]/u.test(names)) return 'has a prefix that is not a valid path';
  if (Buffer.byteLength(names) > maxPrefixBytes) return `has a prefix of more than ${maxPrefixBytes} bytes`;
  return { bucket, prefix: `${names}/` };
}

/**
 * Parses the URL of an object store. Returns an error sentence if it is invalid. Unencrypted HTTP is allowed only to
 * this machine, or if a flag allows it.
 */
export function parseEndpoint(value: string, isInsecureAllowed: boolean): { endpoint: string } | string {
  const url = parseUrl(value);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'must be an address that starts with https:// or http://';
  if (url.username + url.password !== '' || url.pathname !== '/' || /[?#]/.test(url.href)) {
    return 'must be an origin without user, path, query and fragment';
  }
  if (url.protocol === 'http:' && !isInsecureAllowed && !isOwnMachine(url.hostname)) {
    return 'must start with https://: the library would be sent unencrypted (--books-s3-insecure allows it)';
  }
  return { endpoint: url.origin };
}

function isOwnMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Returns whether requests name the bucket in the path of the URL, and not in its host name. */
export function isPathStyle(bucket: string, endpoint: string | undefined): boolean {
  // The certificate of AWS does not cover names with a dot, and a store other than AWS may have no host name for each
  // bucket.
  return endpoint !== undefined || bucket.includes('.');
}

/** Returns the origin of all requests. Without a region, the region of the AWS profile is not known yet. */
export function requestOriginOf({ bucket, endpoint, region = standardRegion }: BucketAddress): string {
  // A value that is no region is rejected when the bucket is opened.
  const known = isRegion(region) ? region : standardRegion;
  const { protocol, host } = new URL(endpoint ?? awsEndpointOf(known));
  return `${protocol}//${isPathStyle(bucket, endpoint) ? '' : `${bucket}.`}${host}`;
}

export const standardRegion = 'us-east-1';

/** The name of a region is part of a host name to which the credentials are sent. */
export function isRegion(name: string): boolean {
  return /^\w[\w.-]{0,62}$/.test(name);
}

export function awsEndpointOf(region: string): string {
  return `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

export function formatBucketAddress({ bucket, prefix, endpoint }: BucketAddress): string {
  return `s3://${bucket}/${prefix}${endpoint === undefined ? '' : ` at ${endpoint}`}`;
}
