/**
 * The environment variables that configure the connections of Node: proxies and certificates. Lower-case names come
 * first, because they take precedence.
 */
export const networkEnvironmentVariables: readonly { name: string; isPath?: true }[] = [
  { name: 'http_proxy' },
  { name: 'https_proxy' },
  { name: 'no_proxy' },
  { name: 'HTTP_PROXY' },
  { name: 'HTTPS_PROXY' },
  { name: 'NO_PROXY' },
  { name: 'NODE_EXTRA_CA_CERTS', isPath: true },
  { name: 'NODE_USE_SYSTEM_CA' },
];
