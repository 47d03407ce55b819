import { expect, test } from 'vitest';
import { createRequestFunction } from '../../src/http/request.ts';
import { failure, network, never } from '../support/requests.ts';

/** Returns the error of a request whose transport has rejected with this error. */
const saidOf = async (error: Error) =>
  await failure(
    createRequestFunction({
      ...network,
      transport: async () => {
        throw error;
      },
    })('https://judge.example/a', never),
  );

const systemError = (code: string, message: string) => Object.assign(new Error(message), { code });

test('createNetworkFailure names the limit of open files when the process has too many open files', async () => {
  const error = systemError('EMFILE', 'connect EMFILE 10.0.0.1:443 - Local (undefined:undefined)');
  expect(await saidOf(error)).toMatchObject({
    message: 'Cannot reach https://judge.example: this process has too many files and connections open (EMFILE).',
    hint: 'Make fewer calls at once, or try again in a moment.',
  });
});

test('createNetworkFailure states the reason of the first address when a host has two addresses', async () => {
  const error = new AggregateError([systemError('ECONNREFUSED', 'x'), systemError('ENETUNREACH', 'y')]);
  expect((await saidOf(error)).message).toBe(
    'Cannot reach https://judge.example: nothing listens there (ECONNREFUSED).',
  );
});

test('createNetworkFailure omits an undefined local address from the message', async () => {
  const error = systemError('EWHATEVER', 'connect EWHATEVER 10.0.0.1:443 - Local (undefined:undefined)');
  expect((await saidOf(error)).message).toBe('Cannot reach https://judge.example: connect EWHATEVER 10.0.0.1:443.');
});

test.each([
  [
    '407 Proxy Authentication Required',
    'the proxy requires a name and a password in its address, http://name:password@… (407 Proxy Authentication Required).',
  ],
  ['403 Forbidden', 'the proxy refuses the connection (403 Forbidden).'],
])('createNetworkFailure explains that the proxy refuses a tunnel with status %s', async (status, reason) => {
  const error = systemError(
    'ERR_PROXY_TUNNEL',
    `Failed to establish tunnel to judge.example:443 via http://127.0.0.1:3128/: HTTP/1.1 ${status}`,
  );
  expect((await saidOf(error)).message).toBe(`Cannot reach https://judge.example: ${reason}`);
});

test.each([
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('createNetworkFailure suggests NODE_EXTRA_CA_CERTS for the certificate error %s', async code => {
  const { hint, code: kind } = await saidOf(systemError(code, 'unable to verify'));
  expect(kind).toBe('network');
  expect(hint).toContain('NODE_EXTRA_CA_CERTS');
});

test.each(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
  'createNetworkFailure explains the certificate error %s and does not suggest to trust the authority',
  async code => {
    const { message, hint } = await saidOf(systemError(code, 'raw words of OpenSSL'));
    expect(message).toMatch(new RegExp(`^Cannot reach https://judge.example: its certificate .*\\(${code}\\)\\.$`));
    expect(hint).toBe('Look at the network.');
  },
);

test('createNetworkFailure rethrows a TypeError, because it is no network error', async () => {
  const mistake = new TypeError('undefined is not a function');
  await expect(saidOf(mistake)).rejects.toBe(mistake);
});
