/**
 * A proxy from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, parsed only for messages. Node itself applies these variables if
 * its version supports them.
 */

export interface ConfiguredProxy {
  variable: string;
  address: string;
}

/** Returns the configured proxy for a protocol. The variable in lower case takes precedence, as in Node and curl. */
export function findConfiguredProxy(protocol: string, env: NodeJS.ProcessEnv): ConfiguredProxy | undefined {
  const name = `${protocol.slice(0, -1)}_proxy`;
  for (const variable of [name, name.toUpperCase()]) {
    const address = env[variable];
    if (address !== undefined && address !== '') return { variable, address };
  }
  return undefined;
}

/** Returns whether the HTTP agents of this Node version support `proxyEnv`. */
export function canUseProxies(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}
