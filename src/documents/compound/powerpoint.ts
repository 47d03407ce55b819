import { inflateSync } from 'node:zlib';
import { endOfPagesCharacter } from '../pages.ts';
import { UnreadableError, undefinedIfDamaged } from '../unreadable.ts';
import type { CompoundEntry, CompoundFile } from './file.ts';
import { extractOldPowerPointText } from './old-powerpoint.ts';

/** The numbers of the record types in a PowerPoint file (MS-PPT 2.13.24). */
const type = {
  document: 1000,
  slide: 1006,
  notes: 1008,
  slidePersist: 1011,
  wideText: 4000,
  narrowText: 4008,
  string: 4026,
  slideList: 4080,
  programTags: 5000,
  binaryTag: 5002,
  binaryTagData: 5003,
  comment: 12_000,
  userEdit: 4085,
  persistDirectory: 6002,
  object: 4113,
} as const;

interface Record {
  type: number;
  instance: number;
  isContainer: boolean;
  start: number;
  end: number;
}

const headerBytes = 8;
const maxEdits = 1000;
const maxRecords = 2_000_000;
const maxCharacters = 32 * 1024 * 1024;
/** Limits the total size of all embedded documents in a presentation, in bytes. */
const maxObjectBytes = 64 * 1024 * 1024;

/** Returns the text of a document that is embedded in a presentation. */
export type ExtractObjectText = (compoundFile: Buffer) => string | undefined;

/**
 * Extracts the texts of a presentation, slide by slide. Notes, embedded documents and other texts follow after the
 * slides.
 */
export function extractPowerPointText(
  file: CompoundFile,
  storage: CompoundEntry | undefined,
  extractObject: ExtractObjectText,
): string | undefined {
  // A file can contain one version for PowerPoint 95 and one for PowerPoint 97. The version for PowerPoint 97 is then
  // in the storage with this name.
  const newest = (storage === file.root ? file.storage('PP97_DUALSTORAGE') : undefined) ?? storage;
  const old = extractOldPowerPointText(file, newest);
  if (old !== undefined) return old;
  const stream = file.stream('PowerPoint Document', newest);
  if (stream === undefined) return undefined;
  return new PresentationReader(stream, file.stream('Current User', newest), extractObject).read();
}

/**
 * Reads a presentation. A save can append new versions of slides instead of replacing them. The persist directory
 * contains the offset of the current version of each object.
 */
class PresentationReader {
  readonly #stream: Buffer;
  readonly #offsets: ReadonlyMap<number, number>;
  readonly #extractObject: ExtractObjectText;
  #objectBytes = maxObjectBytes;
  #records = 0;
  #characters = 0;

  constructor(stream: Buffer, currentUser: Buffer | undefined, extractObject: ExtractObjectText) {
    this.#stream = stream;
    this.#extractObject = extractObject;
    this.#offsets = this.#readDirectory(currentUser);
  }

  read(): string {
    const document = [...this.#offsets.values()].map(offset => this.#recordAt(offset)).find(isDocument);
    if (document === undefined) return this.#textOf([...this.#recordsIn(0, this.#stream.length)]);
    const seen = new Set<number>();
    const lists = this.#childrenOf(document).filter(each => each.type === type.slideList);
    const pagesOf = (instance: number): string[] =>
      lists.filter(list => list.instance === instance).flatMap(list => this.#pages(list, seen));
    const slides = pagesOf(0);
    const others = pagesOf(2);
    const rest = this.#childrenOf(document).filter(each => each.type !== type.slideList);
    others.push(this.#textOf(rest));
    for (const offset of this.#offsets.values()) {
      const record = this.#recordAt(offset);
      const isSlide = record?.type === type.slide || record?.type === type.notes;
      if (isSlide && !seen.has(offset)) others.push(this.#textOf([record]));
      if (record?.type === type.object && !seen.has(offset)) others.push(this.#objectText(record));
      seen.add(offset);
    }
    return `${slides.join('\f')}${endOfPagesCharacter}${others.join('\n')}`;
  }

  /**
   * Returns the texts of a list of slides. In the list, the texts of a slide's placeholders follow the reference to the
   * slide.
   */
  #pages(list: Record, seen: Set<number>): string[] {
    const pages: string[] = [];
    for (const record of this.#childrenOf(list)) {
      if (record.type === type.slidePersist) {
        const offset = this.#offsets.get(this.#numberAt(record.start));
        const slide = offset === undefined || seen.has(offset) ? undefined : this.#recordAt(offset);
        if (offset !== undefined) seen.add(offset);
        pages.push(slide === undefined ? '' : this.#textOf([slide]));
      } else if (pages.length > 0) pages.push(`${pages.pop() ?? ''}${this.#textOf([record])}`);
    }
    return pages;
  }

  #readDirectory(currentUser: Buffer | undefined): Map<number, number> {
    const offsets = new Map<number, number>();
    let at = currentUser !== undefined && currentUser.length >= 20 ? currentUser.readUInt32LE(16) : 0;
    for (let count = 0; count < maxEdits && at > 0; count++) {
      const edit = this.#recordAt(at);
      if (edit?.type !== type.userEdit) break;
      // This record is longer in an encrypted presentation, because it refers to the key.
      if (edit.end - edit.start >= 32) throw new UnreadableError('the presentation is encrypted');
      const directory = this.#recordAt(this.#numberAt(edit.start + 12));
      if (directory?.type === type.persistDirectory) this.#addOffsets(directory, offsets);
      at = this.#numberAt(edit.start + 8);
    }
    return offsets;
  }

  /**
   * Adds the offsets of the objects in one persist directory. The newest directory is read first, so that known offsets
   * are kept.
   */
  #addOffsets({ start, end }: Record, offsets: Map<number, number>): void {
    for (let at = start; at < end; ) {
      const head = this.#numberAt(at);
      const [first, count] = [head & 0xfffff, head >>> 20];
      at += 4;
      for (let index = 0; index < count && at + 4 <= end; index++, at += 4)
        if (!offsets.has(first + index)) offsets.set(first + index, this.#numberAt(at));
    }
  }

  #numberAt(at: number): number {
    return at + 4 <= this.#stream.length ? this.#stream.readUInt32LE(at) : 0;
  }

  #recordAt(at: number): Record | undefined {
    if (at + headerBytes > this.#stream.length) return undefined;
    if (this.#records++ > maxRecords) throw new UnreadableError('the presentation has too many records');
    const head = this.#stream.readUInt16LE(at);
    const start = at + headerBytes;
    return {
      type: this.#stream.readUInt16LE(at + 2),
      instance: head >> 4,
      isContainer: (head & 0xf) === 0xf,
      start,
      end: Math.min(this.#stream.length, start + this.#stream.readUInt32LE(at + 4)),
    };
  }

  *#recordsIn(start: number, end: number): Generator<Record> {
    for (let at = start; at + headerBytes <= end; ) {
      const record = this.#recordAt(at);
      if (record === undefined) return;
      yield { ...record, end: Math.min(record.end, end) };
      at = record.end;
    }
  }

  #childrenOf({ start, end }: Record): Record[] {
    return [...this.#recordsIn(start, end)];
  }

  /** Returns the texts in these records and in their child records, in the order of the file. */
  #textOf(records: readonly Record[]): string {
    const texts: string[] = [];
    const waiting = records.toReversed();
    for (let record = waiting.pop(); record !== undefined; record = waiting.pop()) {
      if (record.type === type.programTags) for (const comment of this.#commentsIn(record)) waiting.push(comment);
      else if (record.isContainer) for (const child of this.#childrenOf(record).reverse()) waiting.push(child);
      else if (record.type === type.wideText || record.type === type.string)
        texts.push(this.#take(record, 'utf16le'), '\n');
      else if (record.type === type.narrowText) texts.push(this.#take(record, 'latin1'), '\n');
    }
    return texts.join('');
  }

  /** Returns the comments of a slide. They are stored in program tags, and other tags contain no text. */
  #commentsIn(tags: Record): Record[] {
    const below = (records: readonly Record[], wanted: number): Record[] =>
      records.flatMap(each => this.#childrenOf(each)).filter(each => each.type === wanted);
    return below(below(below([tags], type.binaryTag), type.binaryTagData), type.comment);
  }

  /** Returns the text of an embedded document or chart. It is a compound file and is usually compressed. */
  #objectText({ instance, start, end }: Record): string {
    const stored = this.#stream.subarray(start, end);
    const unpack = (): Buffer => inflateSync(stored.subarray(4), { maxOutputLength: Math.max(1, this.#objectBytes) });
    const bytes = instance === 1 ? undefinedIfDamaged(unpack) : stored;
    this.#objectBytes -= bytes?.length ?? 0;
    const text = bytes && this.#extractObject(bytes);
    this.#characters += text?.length ?? 0;
    return this.#characters > maxCharacters ? '' : (text ?? '');
  }

  #take({ start, end }: Record, encoding: 'utf16le' | 'latin1'): string {
    const text = this.#stream.toString(encoding, start, end);
    this.#characters += text.length;
    if (this.#characters > maxCharacters) throw new UnreadableError('the presentation has too much text');
    return text.replace(/[\r\v]/g, '\n').replace(/(?![\t\n])\p{Cc}/gu, '');
  }
}

function isDocument(record: Record | undefined): record is Record {
  return record?.type === type.document;
}
