import http from 'node:http';
import type { Socket } from 'node:net';
import { Failure } from '../errors/failure.ts';
import { configuredProxy } from './proxy.ts';

/** `reuse`: an idle connection if there is one. `new`: always a new connection, closed after the response. */
export type ConnectionMode = 'reuse' | 'new';

/** Time limit for each address of a host except the last one. */
export type ConnectTimeout = keyof typeof connectTimeoutsMs;

/** The connections of one protocol. */
export interface Connections {
  request(mode: ConnectionMode, connectTimeout: ConnectTimeout, options: http.RequestOptions): http.ClientRequest;
}

/** Common servers close an idle connection after 5 seconds or later; the client closes it first. */
const idleMs = 4000;

/**
 * `short` is Node's default and makes an unreachable IPv6 route cheap. If the IPv4 address comes first and takes longer,
 * no attempt would ever succeed: then one attempt uses `long`.
 */
const connectTimeoutsMs = { short: 250, long: 10_000 };

const proxyErrorCode = 'ERR_PROXY_INVALID_CONFIG';

/** Longer than every deadline. Without it the timeout for idle connections also limits the creation of a tunnel. */
const tunnelMs = 60_000;

/** `maxSockets` limits the connections to one origin; the caller makes no more requests than that at once. */
export async function openConnections(
  protocol: string,
  env: NodeJS.ProcessEnv,
  maxSockets: number,
): Promise<Connections> {
  const module = await load(protocol);
  const proxy = configuredProxy(protocol, env);
  // Node versions without proxy support ignore this option.
  const proxySettings: http.AgentOptions & { proxyEnv: NodeJS.ProcessEnv } = { proxyEnv: env };
  let reuse: http.Agent;
  let single: http.Agent;
  try {
    reuse = new module.Agent({ ...proxySettings, keepAlive: true, timeout: idleMs, maxSockets });
    single = new module.Agent(proxySettings);
  } catch (error) {
    if (!isProxyAddressError(error)) throw error;
    // No cause: its message contains the address, which may contain a password.
    throw new Failure('setting', `${proxy?.variable ?? 'The proxy'} is not the address of a proxy.`, {
      hint: 'The user can set it to something like http://proxy.example:3128.',
    });
  }
  // Closes an idle connection where a new one would exceed the limit.
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
  // An agent's keys begin with host and port; the TLS options follow.
  return Object.entries(sockets).flatMap(([key, list]) => (key.startsWith(`${origin}:`) ? (list ?? []) : []));
}

/** Node's errors for an unusable address. It passes on an invalid percent escape in the password unchanged. */
function isProxyAddressError(error: unknown): boolean {
  return error instanceof URIError || (error instanceof Error && 'code' in error && error.code === proxyErrorCode);
}

/** Loads TLS only when it is needed: many backends run on the same machine. */
async function load(protocol: string): Promise<Pick<typeof http, 'Agent' | 'request'>> {
  switch (protocol) {
    case 'http:':
      return http;
    case 'https:':
      return (await import('node:https')).default;
    default:
      throw new TypeError(`cannot fetch ${protocol} addresses`);
  }
}
