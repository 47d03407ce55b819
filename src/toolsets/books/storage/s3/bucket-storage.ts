import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { GrowingBuffer } from '../../../../http/growing-buffer.ts';
import { LruMap } from '../../library/lru-map.ts';
import { sha256Of } from '../../model/hash.ts';
import { storageKeyOfBook } from '../../model/key.ts';
import { checkStorageKey, createStorageFailure, createTooLargeFailure } from '../../model/refusal.ts';
import type {
  DownloadAddress,
  DownloadAddressOptions,
  FileStorage,
  FileStream,
  StorageEntry,
  StoredFile,
} from '../file-storage.ts';
import { idleTimeoutMs, type ObjectStoreClient, type StoreResponse, type StoreStream } from './client.ts';
import { listObjects, toStorageEntry } from './listing.ts';
import { isStoreTransportError } from './response.ts';

/** The name of this storage backend in results and journal records. */
export const bucketBackendName = 's3';
/** The metadata header that marks an object as a deleted file. */
export const deletionMarkerHeader = 'x-amz-meta-oj-deleted';

const maxAddressSeconds = 7 * 24 * 3600;
/** An interrupted download is resumed at most this number of times, each time after the last byte. */
const maxResumes = 3;
/** Limits the number of cached hashes, which take about 60 MB. */
const maxHashes = 200_000;
const maxSeenBooks = 1000;
/** The number of parallel reads, which compensate the latency of a bucket. */
const parallelReads = 32;

interface CachedFile extends StoredFile {
  version: string;
}

interface ObjectStream extends FileStream {
  version: string;
}

/** Reads books from a bucket, in which the keys of objects are the paths of files. */
export class BucketFileStorage implements FileStorage {
  readonly backend = bucketBackendName;
  readonly isRemote = true;
  readonly prefetch = parallelReads;
  readonly #client: ObjectStoreClient;
  readonly #cache: LruMap<string, CachedFile>;
  readonly #maxCachedBytes: number;
  readonly #hashes = new LruMap<string, { version: string; hash: string }>(maxHashes);
  /** Maps each book to the time at which it was last known to exist. */
  readonly #seenMs = new LruMap<string, number>(maxSeenBooks);

  constructor(client: ObjectStoreClient, cacheBytes: number) {
    this.#client = client;
    this.#cache = new LruMap(cacheBytes, ({ bytes }) => bytes.length);
    // A larger file is not cached, because it would evict all others.
    this.#maxCachedBytes = cacheBytes / 8;
  }

  async foldersIn(folder: string): Promise<string[]> {
    const names: string[] = [];
    for await (const page of listObjects(this.#client, `${folder}/`, { delimiter: '/' })) {
      for (const { key } of page) if (key.endsWith('/')) names.push(key.slice(folder.length + 1, -1));
    }
    return names.filter(name => name !== '');
  }

  async hasBook(book: string, seenWithinMs = 0): Promise<boolean> {
    const seenMs = this.#seenMs.get(storageKeyOfBook(book));
    if (seenMs !== undefined && performance.now() - seenMs < seenWithinMs) return true;
    for await (const page of listObjects(this.#client, `${storageKeyOfBook(book)}/`, { atMost: 1 })) {
      if (page.length > 0) this.#see(storageKeyOfBook(book));
      return page.length > 0;
    }
    return false;
  }

  /** Records that the book of this key exists. */
  #see(key: string): void {
    this.#seenMs.set(key.split('/', 2).join('/'), performance.now());
  }

  async list(folderKey: string, signal?: AbortSignal, after?: string): Promise<StorageEntry[] | undefined> {
    const entries: StorageEntry[] = [];
    let isFound = false;
    for await (const page of listObjects(this.#client, `${checkStorageKey(folderKey)}/`, {
      signal,
      ...(after && { after }),
    })) {
      isFound ||= page.length > 0;
      for (const item of page) {
        const entry = toStorageEntry(item);
        if (entry !== undefined) entries.push(entry);
      }
    }
    // An empty result after a cursor does not mean that the folder is missing.
    if (!isFound) return after ? [] : undefined;
    this.#see(folderKey);
    return entries;
  }

  async stat(key: string, signal?: AbortSignal): Promise<StorageEntry | undefined> {
    const reply = await this.#client.request({ method: 'HEAD', key: checkStorageKey(key), signal });
    if (!isThere(reply)) return undefined;
    this.#see(key);
    return createEntryFromListing(key, reply);
  }

  async read(file: string | StorageEntry, maxBytes: number, signal?: AbortSignal): Promise<StoredFile | undefined> {
    const key = checkStorageKey(typeof file === 'string' ? file : file.key);
    const known = this.#cache.get(key);
    if (known !== undefined && typeof file !== 'string' && file.version === known.version) return copyOf(known);
    const headers = known === undefined ? {} : { 'if-none-match': known.version };
    const stream = await this.#client.openStream({ method: 'GET', key, headers, signal });
    if (stream.status === 304 && known !== undefined) {
      this.#see(key);
      stream.body.resume();
      return copyOf(known);
    }
    const source = this.#sourceOf(key, stream, signal);
    if (source === undefined) {
      this.#cache.delete(key);
      return undefined;
    }
    if (source.size > maxBytes) {
      await source.close();
      throw createTooLargeFailure(key, source.size, maxBytes);
    }
    const content = new GrowingBuffer(source.size);
    for await (const piece of source.pieces) content.append(piece);
    const bytes = content.toBuffer();
    const { version, modified } = createEntryFromListing(key, stream);
    const stored = { bytes, hash: sha256Of(bytes), version, modified };
    this.remember(key, version, stored.hash);
    if (bytes.length > this.#maxCachedBytes) this.#cache.delete(key);
    else this.#cache.set(key, copyOf(stored));
    return stored;
  }

  async stream(key: string, signal?: AbortSignal): Promise<ObjectStream | undefined> {
    return this.#sourceOf(
      key,
      await this.#client.openStream({ method: 'GET', key: checkStorageKey(key), signal }),
      signal,
    );
  }

  async hash(file: string | StorageEntry, signal?: AbortSignal): Promise<string | undefined> {
    const entry = typeof file === 'string' ? await this.stat(file, signal) : file;
    if (entry === undefined) return undefined;
    const { key, version } = entry;
    const known = this.#hashes.get(key);
    if (known?.version === version) return known.hash;
    const source = await this.stream(key, signal);
    if (source === undefined) return undefined;
    const hash = createHash('sha256');
    for await (const piece of source.pieces) hash.update(piece);
    const found = hash.digest('hex');
    // The hash belongs to the version in the response, because the object may have been replaced since it was listed.
    this.remember(key, source.version, found);
    return found;
  }

  /** Caches the hash of an object's version. */
  remember(key: string, version: string, hash: string): void {
    this.#hashes.set(key, { version, hash });
  }

  async readErrors(entries: readonly StorageEntry[]): Promise<(string | undefined)[]> {
    return entries.map(({ unreadable }) => unreadable); // permissions of a bucket are equal for all objects
  }

  async address(key: string, { seconds, isListed, name }: DownloadAddressOptions): Promise<DownloadAddress> {
    const { bucket, prefix } = this.#client.target;
    if (isListed === true) return { url: `s3://${bucket}/${prefix}${key}` };
    const query = name === undefined ? {} : { 'response-content-disposition': `attachment; filename="${name}"` };
    return await this.#client.presign('GET', checkStorageKey(key), Math.min(seconds, maxAddressSeconds), { query });
  }

  #sourceOf(key: string, stream: StoreStream, signal: AbortSignal | undefined): ObjectStream | undefined {
    if (!isThere(stream)) {
      stream.body.resume();
      return undefined;
    }
    this.#see(key);
    const size = sizeOf(stream);
    const pieces = this.#piecesOf(key, stream, size, signal);
    return { size, pieces, version: objectVersionOfResponse(stream), close: async () => void stream.body.destroy() };
  }

  /** Streams an object. An interrupted download is resumed if the object is unchanged. */
  async *#piecesOf(key: string, first: StoreStream, size: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const version = objectVersionOfResponse(first);
    let stream = first;
    let at = 0;
    for (let resumes = 0; ; resumes++) {
      try {
        for await (const piece of inTime(stream.body)) {
          at += piece.length;
          yield piece;
        }
        if (at === size) return;
      } catch (error) {
        if (signal?.aborted === true || !isStoreTransportError(error) || resumes === maxResumes) throw error;
      } finally {
        stream.body.destroy();
      }
      const headers = { range: `bytes=${at}-`, 'if-match': version };
      stream = await this.#client.openStream({ method: 'GET', key, headers, signal });
      if (stream.status === 206) continue;
      stream.body.destroy();
      throw createStorageFailure('BUSY', `${key} was changed while it was read.`, {
        path: key,
        suggestion: 'Read it again.',
      });
    }
  }
}

/** Copies a file of the cache, because the caller may transfer its bytes to a thread. */
function copyOf(file: CachedFile): CachedFile {
  return { ...file, bytes: Buffer.from(file.bytes) };
}

/** Returns whether a response describes an existing object that does not represent a deleted file. */
function isThere({ status, headers }: Pick<StoreResponse, 'status' | 'headers'>): boolean {
  return (status === 200 || status === 206) && !isDeletionMarker({ headers });
}

/**
 * Returns whether an object represents a deleted file. The object must be empty, even if its metadata marks a deletion.
 */
export function isDeletionMarker({ headers }: Pick<StoreResponse, 'headers'>): boolean {
  return headers[deletionMarkerHeader] !== undefined && sizeOf({ headers }) === 0;
}

export function objectVersionOfResponse({ headers }: Pick<StoreResponse, 'headers'>): string {
  return headers.etag ?? '';
}

function sizeOf({ headers }: Pick<StoreResponse, 'headers'>): number {
  return Number(headers['content-length'] ?? 0);
}

export function createEntryFromListing(key: string, reply: Pick<StoreResponse, 'headers'>): StorageEntry {
  const modified = new Date(reply.headers['last-modified'] ?? 0);
  const version = objectVersionOfResponse(reply);
  return { key, kind: 'file', size: sizeOf(reply), version, tag: version, modified, arrived: modified };
}

/** Yields the chunks of a body, and throws an error if no chunk arrives within the idle timeout. */
async function* inTime(body: Readable): AsyncGenerator<Uint8Array> {
  const silence = (): NodeJS.Timeout =>
    setTimeout(
      () =>
        body.destroy(
          new Error(`the connection was closed, because no data arrived for ${idleTimeoutMs / 1000} seconds`),
        ),
      idleTimeoutMs,
    );
  let timer = silence();
  try {
    for await (const piece of body) {
      clearTimeout(timer);
      if (!Buffer.isBuffer(piece)) throw new TypeError('the response body is not a stream of bytes');
      yield piece;
      timer = silence();
    }
  } finally {
    clearTimeout(timer);
  }
}
