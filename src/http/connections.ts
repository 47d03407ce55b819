import http from 'node:http';
import type { LookupFunction } from 'node:net';
import { Failure } from '../errors/failure.ts';
import { configuredProxy } from './proxy.ts';

/** A kept connection, where there is one; or in any case a new one, which is not kept either. */
export type ConnectionMode = 'reuse' | 'new';

/** How long each address of a host but the last may take to connect. */
export type ConnectTimeout = keyof typeof addressMs;

/** The connections of one protocol. */
export interface Connections {
  request(mode: ConnectionMode, connectTimeout: ConnectTimeout, options: http.RequestOptions): http.ClientRequest;
}

/** Common servers close an idle connection after 5 seconds or later: ours are closed before. */
const idleMs = 4000;

/**
 * Node's own limit, the first, makes a dead IPv6 route cheap; but where IPv4 stands first and is slower than that, no
 * attempt would ever succeed. The second is for one connection only: with a dead address in front each one takes that long.
 */
const addressMs = { short: 250, long: 10_000 };

const proxyFault = 'ERR_PROXY_INVALID_CONFIG';

/** Above every deadline: without it the agent's limit, which is for idle connections, ends the making of a tunnel. */
const tunnelMs = 60_000;

export async function openConnections(
  protocol: string,
  env: NodeJS.ProcessEnv,
  lookup: LookupFunction | undefined,
): Promise<Connections> {
  const module = await load(protocol);
  const proxy = configuredProxy(protocol, env);
  // Node obeys the variables if it knows how to; one that does not passes `proxyEnv` over.
  const common = { proxyEnv: env, ...(lookup && { lookup }) };
  let agents: Record<ConnectionMode, http.Agent>;
  try {
    agents = {
      reuse: new module.Agent({ ...common, keepAlive: true, timeout: idleMs }),
      new: new module.Agent(common),
    };
  } catch (error) {
    if (!isAboutAddress(error)) throw error;
    // Without a cause: it would repeat the address, which may hold a password.
    throw new Failure('setting', `${proxy?.variable ?? 'The proxy'} is not the address of a proxy.`, {
      hint: 'The user can set it to something like http://proxy.example:3128.',
    });
  }
  const tunnelLimit = protocol === 'https:' && proxy !== undefined ? { timeout: tunnelMs } : {};
  return {
    request(mode, connectTimeout, options) {
      const limits = { ...tunnelLimit, autoSelectFamilyAttemptTimeout: addressMs[connectTimeout] };
      return module.request({ ...options, ...limits, agent: agents[mode] });
    },
  };
}

/** Node's own words for an address it cannot use; a `%` in the password that is no escape it passes on as it is. */
function isAboutAddress(error: unknown): boolean {
  return error instanceof URIError || (error instanceof Error && 'code' in error && error.code === proxyFault);
}

/** TLS is loaded by whoever needs it: many backends are on the same machine. */
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
