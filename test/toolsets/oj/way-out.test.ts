import { expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import { networkFailure } from '../../../src/http/network-error.ts';
import { wayOut } from '../../../src/toolsets/oj/io/check.ts';

const unreachable = 'The user can check --base-url and the network.';

test.each([
  ['nothing listens', 'ECONNREFUSED', /^Start the backend/],
  ['the name is unknown', 'ENOTFOUND', /^Correct the host/],
  ['it hangs up', 'ECONNRESET', /^See whether --base-url has the right one of http:\/\/ and https:\/\//],
  ['it speaks no TLS', 'EPROTO', /^Write http:\/\//],
  ['nobody here trusts the certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS=/],
  ['its authority is private', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS=/],
  // No authority makes these right.
  ['the certificate is for another name', 'ERR_TLS_CERT_ALTNAME_INVALID', /^Write the host the certificate is for/],
  ['the certificate has expired', 'CERT_HAS_EXPIRED', /^Whoever runs the backend has to renew/],
  ['the certificate is of the future', 'CERT_NOT_YET_VALID', /the clock of this machine/],
  ['of another cause', 'EHOSTUNREACH', /^The user can check/],
])('--check has a way out when %s', (_, code, expected) => {
  const message = code.startsWith('UNABLE') ? 'unable to verify the first certificate' : '';
  const error = Object.assign(new Error(message), { code });
  expect(wayOut(networkFailure('https://judge.example', error, unreachable))).toMatch(expected);
});

test('--check has a way out when a backend never answers', () => {
  const failure = new Failure('network', 'https://judge.example did not answer within 30 seconds.');
  expect(wayOut(failure)).toMatch(/^See whether a browser on this machine gets an answer/);
});
