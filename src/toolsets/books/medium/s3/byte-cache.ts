export interface Cached {
  version: string;
  bytes: Buffer;
  hash: string;
  modified: Date;
}

/** Files as they were read last, the least recently used of them dropped first. */
export class ByteCache {
  readonly #maxBytes: number;
  readonly #files = new Map<string, Cached>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): Cached | undefined {
    const file = this.#files.get(key);
    if (file === undefined) return undefined;
    this.#files.delete(key);
    this.#files.set(key, file);
    // Whoever reads a file may give its bytes away, to a thread for example.
    return { ...file, bytes: Buffer.from(file.bytes) };
  }

  /** The hash of a version, if it is the one that was read last. */
  hashOf(key: string, version: string): string | undefined {
    const file = this.#files.get(key);
    return file?.version === version ? file.hash : undefined;
  }

  keep(key: string, file: Cached): void {
    this.drop(key);
    // One file must not push out all others.
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
