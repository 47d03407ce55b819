import { expect, test, vi } from 'vitest';
import { Failure } from '../../../src/errors/failure.ts';
import { createBrokenResponseFailure, createNetworkFailure } from '../../../src/http/network-error.ts';
import { oj } from '../../../src/toolsets/oj/index.ts';
import { chooseNetworkRemediation } from '../../../src/toolsets/oj/io/check.ts';
import { connect } from '../../support/client.ts';

const unreachable = 'The user can check --base-url and the network.';

test.each<[string, string, RegExp, string?]>([
  ['no server listens', 'ECONNREFUSED', /^Start the backend/],
  ['the host name does not resolve', 'ENOTFOUND', /^Check the network, .* --demo\.$/, 'https://judge.invalid'],
  ['no name server answers', 'EAI_AGAIN', /^Check the network, .* --demo\.$/],
  ['the address is an example of the documentation', 'ENOTFOUND', /^This is an address from the documentation/],
  ['the backend closes the connection', 'ECONNRESET', /^Check whether --base-url needs http:\/\/ or https:\/\//],
  ['the certificate is self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS=/],
  ['the issuer is a private authority', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS=/],
  // The hints for these errors differ, because trusting the issuer of the certificate does not help.
  ['the certificate is for another name', 'ERR_TLS_CERT_ALTNAME_INVALID', /^Use the host name of the certificate/],
  ['the certificate has expired', 'CERT_HAS_EXPIRED', /^The operator of the backend must renew/],
  ['the certificate is not valid yet', 'CERT_NOT_YET_VALID', /the clock of this machine/],
  ['the error code is unknown', 'EHOSTUNREACH', /^The user can check/],
])('--check suggests a remediation when %s', (_, code, expected, origin = 'https://judge.example') => {
  const message = code.startsWith('UNABLE') ? 'unable to verify the first certificate' : '';
  const error = Object.assign(new Error(message), { code });
  expect(chooseNetworkRemediation(createNetworkFailure(origin, error, unreachable))).toMatch(expected);
});

/** Returns an error of OpenSSL as Node creates it. */
function tlsError(reason: string): Error {
  const text = `write EPROTO 80:error:0A00010B:SSL routines:ssl3_read_bytes:${reason}:../ssl/record.c:1601:\n`;
  return Object.assign(new Error(text), { code: 'EPROTO' });
}

test.each([
  ['wrong version number', 'it does not use TLS there (EPROTO)', /^Use http:\/\//],
  ['packet length too long', 'it does not use TLS there (EPROTO)', /^Use http:\/\//],
  ['tlsv1 alert protocol version', 'TLS failed: tlsv1 alert protocol version (EPROTO)', /^The operator of that server/],
  ['sslv3 alert handshake failure', 'TLS failed: sslv3 alert handshake failure (EPROTO)', /client certificate/],
  ['tlsv13 alert certificate required', 'TLS failed: tlsv13 alert certificate required (EPROTO)', /^The operator of/],
])('the TLS error "%s" is described as "%s"', (reason, description, expected) => {
  const failure = createNetworkFailure('https://judge.example', tlsError(reason), unreachable);
  expect(failure.message).toBe(`Cannot reach https://judge.example: ${description}.`);
  expect(chooseNetworkRemediation(failure)).toMatch(expected);
});

test.each([
  ['Cannot reach http://b, to which http://a redirects: nothing listens there (ECONNREFUSED).', /^The address behind/],
  ['http://a redirected to an address that is not http or https.', /^The address behind/],
  ['http://a redirected more than 10 times.', /^Use the address behind/],
])('--check suggests a remediation for the error %s', (message, expected) => {
  expect(chooseNetworkRemediation(new Failure('network', message))).toMatch(expected);
});

test('--check names the file of NODE_EXTRA_CA_CERTS if the issuer is untrusted in spite of it', () => {
  vi.stubEnv('NODE_EXTRA_CA_CERTS', '/old/authority.pem');
  const error = Object.assign(new Error('self-signed certificate'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
  const failure = createNetworkFailure('https://judge.example', error, unreachable);
  expect(chooseNetworkRemediation(failure)).toContain('Now it is /old/authority.pem, which does not name the issuer');
  vi.unstubAllEnvs();
});

test('a response is malformed if its body does not have the compression that its Content-Encoding header names', () => {
  const error = Object.assign(new Error('incorrect header check'), { code: 'Z_DATA_ERROR' });
  expect(createBrokenResponseFailure('http://h/x', error)).toMatchObject({
    code: 'malformed',
    message: 'http://h sent a compressed response that cannot be read: incorrect header check.',
  });
});

test('--check suggests a remediation when the backend never responds', () => {
  const failure = new Failure('network', 'https://judge.example did not answer within 30 seconds.');
  expect(chooseNetworkRemediation(failure)).toMatch(/^Check whether a browser on this machine gets a response/);
});

test.each([
  ['no server listens', 'http://127.0.0.1:1', 'The user can start the backend, or correct the port in --base-url.'],
  [
    'the host name does not resolve',
    'http://judge.invalid',
    'The user can check the network, or correct the host in --base-url.',
  ],
])('a tool call states the next step for the user when %s', async (_, origin, hint) => {
  const { call } = await connect({ toolsets: [oj], values: { 'base-url': origin } });
  await expect(call('get_problem', { source: 'leetcode', id: '1' })).rejects.toThrow(hint);
});
