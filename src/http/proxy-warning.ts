import { type ConfiguredProxy, canUseProxies, findConfiguredProxy } from './proxy.ts';

/** Returns a warning if a proxy is configured for the origin but is not used. */
export function createProxyWarning(origin: string, env: NodeJS.ProcessEnv, nodeVersion: string): string | undefined {
  const proxy = findConfiguredProxy(new URL(origin).protocol, env);
  if (proxy === undefined || isInNoProxy(origin, env)) return undefined;
  const directly = `${origin} is requested directly`;
  if (!canUseProxies(nodeVersion)) {
    return `${proxy.variable} is set, but Node ${nodeVersion} does not support proxies (22.21, 24.5 and newer do): ${directly}`;
  }
  return isProxyAddress.test(proxy.address)
    ? undefined
    : `${proxy.variable} does not begin with http:// or https://: ${directly}`;
}

/** Returns the proxy that requests to this origin use. */
export function findEffectiveProxy(
  origin: string,
  env: NodeJS.ProcessEnv,
  nodeVersion: string,
): ConfiguredProxy | undefined {
  const proxy = findConfiguredProxy(new URL(origin).protocol, env);
  const isUsable = proxy !== undefined && canUseProxies(nodeVersion) && isProxyAddress.test(proxy.address);
  return isUsable && !isInNoProxy(origin, env) ? proxy : undefined;
}

const isProxyAddress = /^https?:\/\//;

/** Returns the host of an origin in the notation of NO_PROXY: IPv6 addresses have no brackets. */
export function formatNoProxyEntry(origin: string): string {
  return new URL(origin).hostname.replace(/^\[|\]$/g, '');
}

function isInNoProxy(origin: string, env: NodeJS.ProcessEnv): boolean {
  const hostname = formatNoProxyEntry(origin);
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
