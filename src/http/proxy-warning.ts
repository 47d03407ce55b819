import { parseUrl } from '../text/url.ts';
import { type ConfiguredProxy, canUseProxies, findConfiguredProxy } from './proxy.ts';

/** Returns a warning if a proxy is configured for the origin but Node does not use it. */
export function createProxyWarning(origin: string, env: NodeJS.ProcessEnv, nodeVersion: string): string | undefined {
  const proxy = findConfiguredProxy(new URL(origin).protocol, env);
  const directly = `${origin} is requested directly`;
  if (proxy === undefined) return isInNoProxy(origin, env) ? undefined : otherVariableWarning(origin, env, directly);
  if (isInNoProxy(origin, env)) return undefined;
  if (!canUseProxies(nodeVersion)) {
    return `${proxy.variable} is set, but Node ${nodeVersion} does not support proxies: ${directly}. Node 22.21, 24.5 and newer versions use it`;
  }
  return isProxyAddress.test(proxy.address)
    ? undefined
    : `${proxy.variable} does not begin with http:// or https://: ${directly}`;
}

/** Node and this program ignore ALL_PROXY, which curl and other programs use. */
function otherVariableWarning(origin: string, env: NodeJS.ProcessEnv, directly: string): string | undefined {
  const variable = ['all_proxy', 'ALL_PROXY'].find(name => env[name]);
  const used = origin.startsWith('https:') ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  return variable && `${variable} is not used: set ${used} for a proxy; ${directly}`;
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

/** Returns the hint for a failed request that used a proxy. Passwords of the proxy are not repeated. */
export function createProxyAdvice(
  url: string,
  env = process.env,
  nodeVersion = process.versions.node,
): string | undefined {
  const proxy = findEffectiveProxy(url, env, nodeVersion);
  if (proxy === undefined) return undefined;
  const address = parseUrl(proxy.address);
  const origin = address === undefined ? '' : `${address.origin} `;
  return `The request went through the proxy ${origin}of ${proxy.variable}: the user can check that address, or set NO_PROXY=${formatNoProxyEntry(url)} to connect directly.`;
}

/** Returns the reason why a configured proxy is not used for this address, because a direct request can then fail. */
export function createUnusedProxyAdvice(url: string): string {
  const warning = createProxyWarning(new URL(url).origin, process.env, process.versions.node);
  return warning === undefined ? '' : `${warning}.`;
}

/** Adds advice about the proxy for the address, because the proxy can be the reason for a missing response. */
export function withProxyAdvice(hint: string, url: string): string {
  return `${hint} ${createProxyAdvice(url) ?? createUnusedProxyAdvice(url)}`.trim();
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
