import zlib from 'node:zlib';
import { unlessDamaged } from '../../../../documents/unreadable.ts';
import type { FileStat } from '../open-file.ts';

/** The text of a document, packed, and the state of the file it was read from. */
export interface PackedText {
  stat: FileStat;
  bytes: Uint8Array;
}

/** What does not fit is read from the document again. */
const maxBytes = 64 << 20;
const maxTextBytes = 32 << 20;

/** The texts of documents, so that they are taken out of them once. */
export class TextStore {
  readonly #texts = new Map<string, PackedText>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get entries(): Iterable<readonly [string, PackedText]> {
    return this.#texts;
  }

  keep(path: string, text: PackedText): void {
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

  /** Only for the state it was read from. */
  find(path: string, stat: FileStat): PackedText | undefined {
    const known = this.#texts.get(path);
    return known !== undefined && isSameState(known.stat, stat) ? known : undefined;
  }

  forget(path: string): void {
    this.#bytes -= this.#texts.get(path)?.bytes.length ?? 0;
    this.#texts.delete(path);
  }
}

export function isSameState(left: FileStat, right: FileStat): boolean {
  return (
    left.mtimeMs === right.mtimeMs &&
    left.ctimeMs === right.ctimeMs &&
    left.size === right.size &&
    left.ino === right.ino
  );
}

export function pack(text: Buffer): Buffer {
  return zlib.deflateRawSync(text, { level: 3 });
}

/** Undefined for what was not packed here. */
export function unpack(bytes: Uint8Array): Buffer | undefined {
  return unlessDamaged(() => zlib.inflateRawSync(bytes, { maxOutputLength: maxTextBytes * 4 }));
}
