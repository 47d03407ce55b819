import type { InternalFiles } from '../file-storage.ts';
import type { ObjectStoreClient } from './client.ts';
import { requireWritableStore, type StoreCapabilities } from './probe.ts';

export function createInternalObjects(
  client: ObjectStoreClient,
  capabilities: () => Promise<StoreCapabilities>,
): InternalFiles {
  return {
    write: async (key, body) => {
      requireWritableStore(await capabilities());
      const type = key.endsWith('.gz') ? 'application/gzip' : 'application/octet-stream';
      await client.request({ method: 'PUT', key, headers: { 'content-type': type }, body });
    },
    // Only a new write changes the date of an object.
    renew: async () => false,
    delete: async key => void (await client.request({ method: 'DELETE', key })),
  };
}
