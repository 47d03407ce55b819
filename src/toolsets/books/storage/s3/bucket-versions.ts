import { metadataFolder } from '../../model/key.ts';
import { createStorageFailure } from '../../model/refusal.ts';
import type { StoredVersion } from '../../model/retention.ts';
import type { VersionStore } from '../storage-backend.ts';
import type { ObjectStoreClient } from './client.ts';
import { listObjects } from './listing.ts';
import { requireWritableStore, type StoreCapabilities } from './probe.ts';

const maxVersionBytes = 64 << 20;

/** Stores the former contents of files as objects below the metadata prefix of the library. */
export class BucketVersions implements VersionStore {
  readonly #client: ObjectStoreClient;
  readonly #capabilities: () => Promise<StoreCapabilities>;

  constructor(client: ObjectStoreClient, capabilities: () => Promise<StoreCapabilities>) {
    this.#client = client;
    this.#capabilities = capabilities;
  }

  /** The object is written even if it exists, because a write is the only way to renew its date. */
  async save(book: string, hash: string, bytes: Uint8Array): Promise<void> {
    requireWritableStore(await this.#capabilities());
    const { status } = await this.#client.request({ method: 'PUT', key: keyOf(book, hash), body: bytes });
    this.#check(status, 'kept', book);
  }

  async read(book: string, hash: string): Promise<Buffer | undefined> {
    const request = { method: 'GET', key: keyOf(book, hash), maxBytes: maxVersionBytes } as const;
    const { status, bytes } = await this.#client.request(request);
    if (status === 404) return undefined;
    this.#check(status, 'read', book);
    return bytes;
  }

  async list(book: string): Promise<StoredVersion[]> {
    const versions: StoredVersion[] = [];
    for await (const page of listObjects(this.#client, keyOf(book, ''))) {
      for (const { key, size, modified } of page) {
        versions.push({ hash: key.slice(key.lastIndexOf('/') + 1), size, savedMs: modified.getTime() });
      }
    }
    return versions;
  }

  async delete(book: string, hash: string): Promise<void> {
    await this.#client.request({ method: 'DELETE', key: keyOf(book, hash) });
  }

  #check(status: number, action: string, book: string): void {
    if (status === 200) return;
    throw createStorageFailure('UNAVAILABLE', `A former version could not be ${action} (${status}).`, { path: book });
  }
}

function keyOf(book: string, hash: string): string {
  return `${metadataFolder}/${book}/versions/${hash}`;
}
