/** The reasons of failed system calls and connections, by error code. Every message takes its reason from this table. */
export const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is exceeded',
  EFBIG: 'the file is too large for this disk or this user',
  EIO: 'the disk reports an error',
  EBUSY: 'another program uses it',
  ENOENT: 'it does not exist',
  EEXIST: 'a file or a link has its name',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is a file, or a folder of its path is one',
  ENOTEMPTY: 'it is not empty',
  ELOOP: 'a symbolic link in its path leads back to itself',
  ENAMETOOLONG: 'a name in its path is too long',
  EXDEV: 'it is on another file system',
  EMFILE: 'this process has too many files and connections open',
  ENFILE: 'this machine has too many files open',
  ENOMEM: 'this machine has no free memory',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'the name is not known',
  EAI_AGAIN: 'the name could not be looked up',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'there is no network',
  ETIMEDOUT: 'connecting took too long',
  EADDRNOTAVAIL: 'this machine has no address or port left for it',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is self-signed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock here is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/**
 * Returns the reason for an error code, with the code in parentheses, because users can search for it. `special`
 * contains more exact reasons for the caller. For an unknown code, `fallback` is returned.
 */
export function reasonOf(code: string, fallback = code, special: Readonly<Record<string, string>> = {}): string {
  const reason = special[code] ?? reasons[code];
  return reason === undefined ? fallback : `${reason} (${code})`;
}
