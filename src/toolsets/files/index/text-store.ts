import { type FileStat, isSameFileStat } from '../access/open-file.ts';
import type { CompressedText } from '../workers/compressed-text.ts';

/**
 * Limits the size of the cached texts in memory. Documents whose texts do not fit are parsed again in each search that
 * reads them.
 */
const maxBytes = 64 << 20;

/** Caches the compressed texts that were extracted from documents, HTML pages and mails. */
export class ExtractedTextStore {
  readonly #texts = new Map<string, CompressedText>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get entries(): Iterable<readonly [string, CompressedText]> {
    return this.#texts;
  }

  keep(path: string, text: CompressedText): void {
    this.forget(path);
    if (text.bytes.length > maxBytes / 4) return;
    this.#texts.set(path, text);
    this.#bytes += text.bytes.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.forget(oldest);
    }
  }

  has(path: string): boolean {
    return this.#texts.has(path);
  }

  /** Returns the cached text of a document if the stat of the file is unchanged. */
  find(path: string, stat: FileStat): CompressedText | undefined {
    const known = this.#texts.get(path);
    return known !== undefined && isSameFileStat(known.stat, stat) ? known : undefined;
  }

  forget(path: string): void {
    this.#bytes -= this.#texts.get(path)?.bytes.length ?? 0;
    this.#texts.delete(path);
  }
}
