import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { canUseProxies } from '../../src/http/proxy.ts';
import { createProxyWarning, findEffectiveProxy, withProxyAdvice } from '../../src/http/proxy-warning.ts';

describe('createProxyWarning', () => {
  const http_proxy = 'http://proxy.example:3128';

  test.each([
    ['20.20.2', false],
    ['22.20.9', false],
    ['22.21.0', true],
    ['23.11.0', false],
    ['24.4.1', false],
    ['24.5.0', true],
    ['26.10.0', true],
  ])('warns unless the Node version supports proxies: Node %s supports proxies: %s', (version, isKnown) => {
    expect(canUseProxies(version)).toBe(isKnown);
    const warning = createProxyWarning('http://judge.example', { http_proxy }, version);
    expect(warning).toBe(
      isKnown
        ? undefined
        : `http_proxy is set, but Node ${version} does not support proxies: http://judge.example is requested directly. Node 22.21, 24.5 and newer versions use it`,
    );
  });

  test.each<[string, NodeJS.ProcessEnv, boolean]>([
    ['no proxy variable', {}, false],
    ['an empty proxy variable', { HTTP_PROXY: '' }, false],
    ['a proxy for https and a backend on http', { HTTPS_PROXY: http_proxy }, false],
    ['a proxy variable in capital letters', { HTTP_PROXY: http_proxy }, true],
    ['the host in no_proxy', { http_proxy, no_proxy: 'a, Judge.example' }, false],
    ['the host and port in no_proxy', { http_proxy, NO_PROXY: 'judge.example:3000' }, false],
    ['the host with another port in no_proxy', { http_proxy, NO_PROXY: 'judge.example:80' }, true],
    ['the domain with a dot in no_proxy', { http_proxy, NO_PROXY: '.example' }, false],
    ['a wildcard for the domain in no_proxy', { http_proxy, NO_PROXY: '*.example' }, false],
    ['an asterisk in no_proxy', { http_proxy, NO_PROXY: '*' }, false],
    [
      'no_proxy without the host takes precedence over NO_PROXY with it',
      { http_proxy, no_proxy: 'a', NO_PROXY: '*' },
      true,
    ],
    [
      'no_proxy with the host takes precedence over NO_PROXY without it',
      { http_proxy, no_proxy: '*', NO_PROXY: 'a' },
      false,
    ],
    ['an empty no_proxy next to NO_PROXY with the host', { http_proxy, no_proxy: '', NO_PROXY: '*' }, false],
    ['another host in no_proxy', { http_proxy, NO_PROXY: 'example,udge.example' }, true],
  ])('warns only if a proxy applies to the backend: %s', (_, env, isWarned) => {
    expect(createProxyWarning('http://judge.example:3000', env, '20.0.0') !== undefined).toBe(isWarned);
    expect(findEffectiveProxy('http://judge.example:3000', env, '24.5.0') !== undefined).toBe(isWarned);
    expect(findEffectiveProxy('http://judge.example:3000', env, '20.0.0')).toBeUndefined();
  });

  test.each([
    ['::1', false],
    ['::1:3000', false],
    ['[::1]', true],
    ['::2', true],
  ])('compares %s in NO_PROXY with the IPv6 address without brackets, as Node does', (no_proxy, isWarned) => {
    expect(createProxyWarning('http://[::1]:3000', { http_proxy, no_proxy }, '20.0.0') !== undefined).toBe(isWarned);
    expect(findEffectiveProxy('http://[::1]:3000', { http_proxy, no_proxy }, '24.5.0') !== undefined).toBe(isWarned);
  });

  test('names a proxy if its protocol is not supported', () => {
    expect(createProxyWarning('https://judge.example', { HTTPS_PROXY: 'socks5://user:secret@h' }, '24.5.0')).toBe(
      'HTTPS_PROXY does not begin with http:// or https://: https://judge.example is requested directly',
    );
    expect(findEffectiveProxy('https://judge.example', { HTTPS_PROXY: 'socks5://h' }, '24.5.0')).toBeUndefined();
  });
});

test('the advice for a request without a response states that a configured proxy is not used', () => {
  for (const name of ['https_proxy', 'no_proxy', 'NO_PROXY']) vi.stubEnv(name, '');
  vi.stubEnv('HTTPS_PROXY', 'socks5://user:secret@h');
  onTestFinished(() => void vi.unstubAllEnvs());
  const advice = withProxyAdvice('Check the network.', 'https://judge.example/status');
  expect(advice).toMatch(/^Check the network\. HTTPS_PROXY .*: https:\/\/judge\.example is requested directly.*\.$/);
  expect(advice).not.toContain('secret');
});

test.each<[string, NodeJS.ProcessEnv, string | undefined]>([
  [
    'alone',
    { ALL_PROXY: 'http://p:1' },
    'ALL_PROXY is not used: set HTTPS_PROXY for a proxy; https://h is requested directly',
  ],
  [
    'in lower case',
    { all_proxy: 'http://p:1' },
    'all_proxy is not used: set HTTPS_PROXY for a proxy; https://h is requested directly',
  ],
  ['besides HTTPS_PROXY', { ALL_PROXY: 'http://p:1', HTTPS_PROXY: 'http://p:1' }, undefined],
  ['besides NO_PROXY with the host', { ALL_PROXY: 'http://p:1', NO_PROXY: 'h' }, undefined],
])('ALL_PROXY %s is ignored, with a warning if no other proxy is used', (_, env, warning) => {
  expect(createProxyWarning('https://h', env, '24.5.0')).toBe(warning);
});
