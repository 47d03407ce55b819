/**
 * A proxy from HTTP_PROXY, HTTPS_PROXY and NO_PROXY, parsed for messages only. Node itself applies these variables, in
 * versions that support them.
 */

export interface Proxy {
  variable: string;
  address: string;
}

/** Returns the configured proxy for a protocol. The variable in lower case takes precedence, as in Node and curl. */
export function configuredProxy(protocol: string, env: NodeJS.ProcessEnv): Proxy | undefined {
  const name = `${protocol.slice(0, -1)}_proxy`;
  for (const variable of [name, name.toUpperCase()]) {
    const address = env[variable];
    if (address !== undefined && address !== '') return { variable, address };
  }
  return undefined;
}

/** Returns a warning if a proxy is configured for the origin but is not used. */
export function proxyWarning(origin: string, env: NodeJS.ProcessEnv, nodeVersion: string): string | undefined {
  const proxy = configuredProxy(new URL(origin).protocol, env);
  if (proxy === undefined || isInNoProxy(origin, env)) return undefined;
  const directly = `${origin} is asked directly`;
  if (!canUseProxies(nodeVersion)) {
    return `${proxy.variable} is set, but Node ${nodeVersion} knows no proxies (22.21, 24.5 and newer do): ${directly}`;
  }
  return isProxyAddress.test(proxy.address)
    ? undefined
    : `${proxy.variable} does not begin with http:// or https://: ${directly}`;
}

/** Returns the proxy that requests to this origin use. */
export function effectiveProxy(origin: string, env: NodeJS.ProcessEnv, nodeVersion: string): Proxy | undefined {
  const proxy = configuredProxy(new URL(origin).protocol, env);
  const isUsable = proxy !== undefined && canUseProxies(nodeVersion) && isProxyAddress.test(proxy.address);
  return isUsable && !isInNoProxy(origin, env) ? proxy : undefined;
}

const isProxyAddress = /^https?:\/\//;

/** Returns whether the HTTP agents of this Node version support `proxyEnv`. */
export function canUseProxies(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
  return major > 24 || (major === 24 && minor >= 5) || (major === 22 && minor >= 21);
}

/** Returns the host of an origin in the notation of NO_PROXY: IPv6 addresses have no brackets. */
export function noProxyEntry(origin: string): string {
  return new URL(origin).hostname.replace(/^\[|\]$/g, '');
}

function isInNoProxy(origin: string, env: NodeJS.ProcessEnv): boolean {
  const hostname = noProxyEntry(origin);
  const host = `${hostname}:${new URL(origin).port}`;
  const entries = (env['no_proxy'] || env['NO_PROXY'] || '').toLowerCase().split(',');
  return entries
    .map(entry => entry.trim())
    .some(entry => {
      const [, suffix] = /^\*?\.(.+)$/.exec(entry) ?? [];
      return (
        entry === '*' || entry === hostname || entry === host || (suffix !== undefined && hostname.endsWith(suffix))
      );
    });
}
