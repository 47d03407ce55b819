export interface CachedFile {
  version: string;
  bytes: Buffer;
  hash: string;
  modified: Date;
}

/** An LRU cache of file contents. */
export class FileContentCache {
  readonly #maxBytes: number;
  readonly #files = new Map<string, CachedFile>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): CachedFile | undefined {
    const file = this.#files.get(key);
    if (file === undefined) return undefined;
    this.#files.delete(key);
    this.#files.set(key, file);
    // A copy is returned, because the caller may transfer the bytes to a thread.
    return { ...file, bytes: Buffer.from(file.bytes) };
  }

  keep(key: string, file: CachedFile): void {
    this.drop(key);
    // A large file is not cached, because it would evict all others.
    if (file.bytes.length > this.#maxBytes / 8) return;
    this.#files.set(key, { ...file, bytes: Buffer.from(file.bytes) });
    this.#bytes += file.bytes.length;
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.drop(oldest);
    }
  }

  drop(key: string): void {
    this.#bytes -= this.#files.get(key)?.bytes.length ?? 0;
    this.#files.delete(key);
  }
}
