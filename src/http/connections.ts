import http from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from '../errors/failure.ts';
import { findConfiguredProxy } from './proxy.ts';

/**
 * The mode `reuse` takes an idle connection if one exists. The mode `new` always opens a connection and closes it after
 * the response.
 */
export type ConnectionMode = 'reuse' | 'new';

/** The connect timeout applies to each IP address of a host except the last one. */
export type ConnectTimeout = keyof typeof connectTimeoutsMs;

/** Opens and reuses the connections for one protocol, http or https. */
export interface HttpConnections {
  request(mode: ConnectionMode, connectTimeout: ConnectTimeout, options: http.RequestOptions): http.ClientRequest;
}

/** Most servers close an idle connection after 5 seconds or later. The client closes it before. */
const idleMs = 4000;

/**
 * The connect timeout `short` is the default of Node and skips an unreachable IPv6 address quickly. If the address that
 * works is not the last one and needs more time, every attempt with `short` fails, so that one attempt uses `long`.
 */
const connectTimeoutsMs = { short: 250, long: 10_000 };

const proxyErrorCode = 'ERR_PROXY_INVALID_CONFIG';

/**
 * The timeout for opening a proxy tunnel. It is longer than every deadline. Without it, Node would apply the timeout
 * for idle connections.
 */
const tunnelMs = 60_000;

/** `maxSockets` limits the connections to one origin. The caller must not start more concurrent requests. */
export async function openHttpConnections(
  protocol: string,
  env: NodeJS.ProcessEnv,
  maxSockets: number,
): Promise<HttpConnections> {
  const module = await load(protocol);
  const proxy = findConfiguredProxy(protocol, env);
  // Node versions without proxy support ignore the option `proxyEnv`.
  const proxySettings: http.AgentOptions & { proxyEnv: NodeJS.ProcessEnv } = { proxyEnv: env };
  let reuse: http.Agent;
  let single: http.Agent;
  try {
    reuse = new module.Agent({ ...proxySettings, keepAlive: true, timeout: idleMs, maxSockets });
    single = new module.Agent(proxySettings);
  } catch (error) {
    if (!isProxyAddressError(error)) throw error;
    // The cause of the error is omitted, because its message contains the address, which may contain a password.
    throw new Failure('setting', `The value of ${proxy?.variable ?? 'a variable'} is not the address of a proxy.`, {
      hint: 'The user can set it to something like http://proxy.example:3128.',
    });
  }
  // Closes an idle connection if a new one would exceed the limit.
  const makeRoom = (origin: string): void => {
    const idle = socketsOf(reuse.freeSockets, origin);
    const used = [...socketsOf(reuse.sockets, origin), ...socketsOf(single.sockets, origin)];
    if (idle.length + used.length >= maxSockets) idle[0]?.destroy();
  };
  const tunnelLimit = protocol === 'https:' && proxy !== undefined ? { timeout: tunnelMs } : {};
  return {
    request(mode, connectTimeout, options) {
      const limits = { ...tunnelLimit, autoSelectFamilyAttemptTimeout: connectTimeoutsMs[connectTimeout] };
      if (mode === 'reuse') return module.request({ ...options, ...limits, agent: reuse });
      makeRoom(`${options.hostname}:${options.port}`);
      return module.request({ ...options, ...limits, agent: single });
    },
  };
}

function socketsOf(sockets: NodeJS.ReadOnlyDict<Socket[]>, origin: string): Socket[] {
  // The keys of `sockets` begin with host and port. The TLS options follow after a colon.
  return Object.entries(sockets).flatMap(([key, list]) => (key.startsWith(`${origin}:`) ? (list ?? []) : []));
}

/**
 * Returns whether Node rejected the address of the proxy. Node throws URIError for an invalid percent escape in the
 * password.
 */
function isProxyAddressError(error: unknown): boolean {
  return error instanceof URIError || (error instanceof Error && 'code' in error && error.code === proxyErrorCode);
}

/**
 * Loads the TLS module only for https, because it is not needed for a backend on the same machine, which many users
 * have.
 */
async function load(protocol: string): Promise<Pick<typeof http, 'Agent' | 'request'>> {
  switch (protocol) {
    case 'http:':
      return http;
    case 'https:':
      return (await import('node:https')).default;
    default:
      throw new TypeError(`requests to ${protocol} addresses are not supported`);
  }
}
