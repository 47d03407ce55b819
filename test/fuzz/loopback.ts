import { once } from 'node:events';
import type { Server } from 'node:net';

/** Starts a server on a free loopback port and resolves with its origin. It does not keep the process alive. */
export async function originOf(server: Server): Promise<string> {
  server.unref();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}
