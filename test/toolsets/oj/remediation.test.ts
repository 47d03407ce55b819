import { expect, test } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import { brokenResponseFailure, networkFailure } from '../../../src/http/network-error.ts';
import { remediationFor } from '../../../src/toolsets/oj/io/check.ts';

const unreachable = 'The user can check --base-url and the network.';

test.each([
  ['no server listens', 'ECONNREFUSED', /^Start the backend/],
  ['the host name does not resolve', 'ENOTFOUND', /^Correct the host/],
  ['the backend closes the connection', 'ECONNRESET', /^Check whether --base-url needs http:\/\/ or https:\/\//],
  ['the backend does not use TLS', 'EPROTO', /^Use http:\/\//],
  ['the certificate is self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS=/],
  ['the issuer is a private authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS=/],
  // The hints for these errors differ, because trusting the issuer of the certificate does not help.
  ['the certificate is for another name', 'ERR_TLS_CERT_ALTNAME_INVALID', /^Use the host name of the certificate/],
  ['the certificate has expired', 'CERT_HAS_EXPIRED', /^The operator of the backend must renew/],
  ['the certificate is not valid yet', 'CERT_NOT_YET_VALID', /the clock of this machine/],
  ['the error code is unknown', 'EHOSTUNREACH', /^The user can check/],
])('--check suggests a remediation when %s', (_, code, expected) => {
  const message = code.startsWith('UNABLE') ? 'unable to verify the first certificate' : '';
  const error = Object.assign(new Error(message), { code });
  expect(remediationFor(networkFailure('https://judge.example', error, unreachable))).toMatch(expected);
});

test.each([
  [
    'http://a redirects to http://b, which cannot be reached: nothing listens there (ECONNREFUSED).',
    /^The address behind/,
  ],
  ['http://a redirected to an address that is not http or https.', /^The address behind/],
  ['http://a redirected more than 10 times.', /^Use the address behind/],
])('--check suggests a remediation for the error %s', (message, expected) => {
  expect(remediationFor(new Failure('network', message))).toMatch(expected);
});

test('a response that claims to be compressed and is not is malformed', () => {
  const error = Object.assign(new Error('incorrect header check'), { code: 'Z_DATA_ERROR' });
  expect(brokenResponseFailure('http://h/x', error)).toMatchObject({
    code: 'malformed',
    message: 'http://h sent a compressed response that cannot be read: incorrect header check.',
  });
});

test('--check suggests a remediation when the backend never responds', () => {
  const failure = new Failure('network', 'https://judge.example did not answer within 30 seconds.');
  expect(remediationFor(failure)).toMatch(/^Check whether a browser on this machine gets a response/);
});
