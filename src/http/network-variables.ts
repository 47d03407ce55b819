/**
 * The environment variables with which users configure the connections of Node: proxies and certificates. The names in
 * lower case come first, because they take precedence.
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
