const maxManifests = 100;

/** What was seen of books for which nothing can be entered, so that a change is told once and not in every call. */
export class OutsideMemory {
  readonly #changes = new Map<string, { hash: string | null; ms: number }>();
  readonly #manifests = new Map<string, ReadonlyMap<string, string>>();

  /** When the file was first seen to have that hash. */
  since(key: string, hash: string | null, nowMs: number): number {
    const known = this.#changes.get(key);
    if (known?.hash === hash) return known.ms;
    this.#changes.set(key, { hash, ms: nowMs });
    return nowMs;
  }

  keepManifest(book: string, manifestHash: string, files: ReadonlyMap<string, string>): void {
    this.#manifests.set(`${book} ${manifestHash}`, files);
    const [oldest] = this.#manifests.keys();
    if (this.#manifests.size > maxManifests && oldest !== undefined) this.#manifests.delete(oldest);
  }

  manifest(book: string, manifestHash: string): ReadonlyMap<string, string> | undefined {
    return this.#manifests.get(`${book} ${manifestHash}`);
  }
}
