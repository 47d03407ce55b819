import type { InternalFiles } from '../file-storage.ts';
import type { ObjectStoreClient } from './client.ts';
import { requireWritableStore, type StoreCapabilities } from './probe.ts';

export class InternalObjects implements InternalFiles {
  readonly #client: ObjectStoreClient;
  readonly #capabilities: () => Promise<StoreCapabilities>;

  constructor(client: ObjectStoreClient, capabilities: () => Promise<StoreCapabilities>) {
    this.#client = client;
    this.#capabilities = capabilities;
  }

  async write(key: string, body: Uint8Array): Promise<void> {
    requireWritableStore(await this.#capabilities());
    const type = key.endsWith('.gz') ? 'application/gzip' : 'application/octet-stream';
    await this.#client.request({ method: 'PUT', key, headers: { 'content-type': type }, body });
  }

  /** Returns false, because only a new write changes the date of an object. */
  async renew(): Promise<boolean> {
    return false;
  }

  async delete(key: string): Promise<void> {
    await this.#client.request({ method: 'DELETE', key });
  }
}
