import { closeSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { booksFolder, isInside, keyOf, type Place } from '../../model/key.ts';
import { refusal, storageFailure } from '../../model/refusal.ts';
import type { Author, Condition, Entry, Source, Storage, Stored, Written } from '../store/storage.ts';
import { changeFile } from './change.ts';
import { closeDescriptor } from './descriptor.ts';
import { dateOf, hashAll, PiecePool, piecesOf, readAll, signatureOf, statOf } from './file.ts';
import { Folder } from './folder.ts';
import { hashOf } from './journal-file.ts';
import { Ledger } from './ledger.ts';
import { listFolder } from './listing.ts';
import { backendName, type Ground } from './root.ts';
import { worded } from './system-error.ts';

/** A clock tick of the coarsest file system in use: a file changed so recently may change again unseen. */
const freshMs = 2100;

/** Books as plain folders and files, that people, editors and git work on at the same time. */
export class FolderStorage implements Storage {
  readonly backend = backendName;
  readonly #ground: Ground;
  readonly #now: () => number;
  readonly #pool = new PiecePool();
  readonly #ledgers = new Map<string, Ledger>();
  readonly #hashes = new Map<string, { signature: string; hash: string }>();

  constructor(ground: Ground, now: () => number) {
    this.#ground = ground;
    this.#now = now;
  }

  ledger(book: string): Ledger {
    const known = this.#ledgers.get(book);
    if (known !== undefined) return known;
    const ledger = new Ledger(
      this.#ground,
      book,
      { look: async key => await this.#look(key), syncParent: async key => await this.#syncParent(key) },
      this.#now,
    );
    this.#ledgers.set(book, ledger);
    return ledger;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ledgers.values()].map(async ledger => await ledger.close()));
  }

  async books(): Promise<string[]> {
    return this.#inWords('Listing the books failed', booksFolder, () => {
      const folder = Folder.open(this.#ground, [booksFolder]);
      if (folder === undefined) return [];
      try {
        return folder
          .entries()
          .filter(entry => entry.isDirectory())
          .map(entry => entry.name);
      } finally {
        folder.close();
      }
    });
  }

  async list(folderKey: string): Promise<Entry[] | undefined> {
    try {
      const folder = Folder.open(this.#ground, segmentsOf(folderKey));
      return folder && (await listFolder(folder, folderKey));
    } catch (error) {
      throw worded(error, `Listing ${folderKey} failed`, folderKey);
    }
  }

  async stat(key: string): Promise<Entry | undefined> {
    return await this.#withFile(key, descriptor => {
      const stat = statOf(descriptor);
      return {
        key,
        kind: 'file',
        size: Number(stat.size),
        modified: dateOf(stat.mtimeMs),
        arrived: dateOf(stat.ctimeMs),
      };
    });
  }

  async read(key: string, maxBytes: number): Promise<Stored | undefined> {
    return await this.#withFile(key, async descriptor => {
      const { size, mtimeMs } = statOf(descriptor);
      if (size > BigInt(maxBytes)) {
        throw storageFailure('TOO_LARGE', `${key} has ${size} bytes; ${maxBytes} is the most that is read at once.`, {
          path: key,
        });
      }
      const bytes = await readAll(descriptor, key);
      return { bytes, hash: hashOf(bytes), modified: dateOf(mtimeMs) };
    });
  }

  async stream(key: string): Promise<Source | undefined> {
    return this.#inWords(`Reading ${key} failed`, key, () => {
      const descriptor = this.#openFile(key);
      if (descriptor === undefined) return undefined;
      const size = Number(statOf(descriptor).size);
      const pieces = piecesOf(descriptor, size, key, this.#pool);
      return { size, pieces, close: async () => await closeDescriptor(descriptor) };
    });
  }

  async hash(key: string, signal?: AbortSignal): Promise<string | undefined> {
    return await this.#withFile(key, async descriptor => {
      const known = this.#hashes.get(key);
      if (known !== undefined && known.signature === signatureOf(statOf(descriptor))) return known.hash;
      const { hash, stat } = await hashAll(descriptor, key, signal);
      if (this.#now() - Number(stat.ctimeMs) > freshMs) this.#hashes.set(key, { signature: signatureOf(stat), hash });
      else this.#hashes.delete(key);
      return hash;
    });
  }

  async writeIf(place: Place, bytes: Uint8Array, condition: Condition, author: Author): Promise<Written> {
    return await this.#change(place, bytes, condition, author);
  }

  async deleteIf(place: Place, condition: Condition, author: Author): Promise<Written> {
    return await this.#change(place, undefined, condition, author);
  }

  url(key: string): string {
    return pathToFileURL(`${this.#ground.root}/${segmentsOf(key).join('/')}`).href;
  }

  async #change(place: Place, bytes: Uint8Array | undefined, condition: Condition, author: Author): Promise<Written> {
    const key = keyOf(place);
    const segments = segmentsOf(key);
    try {
      return await this.ledger(place.book).locked(
        async held =>
          await changeFile(this.#ground, { place, key, segments, bytes, condition, author }, held, this.#now),
      );
    } catch (error) {
      throw worded(error, `${bytes === undefined ? 'Deleting' : 'Writing'} ${key} failed`, key);
    }
  }

  async #look(key: string): Promise<{ hash: string; arrivedMs: number } | undefined> {
    const hash = await this.hash(key);
    const entry = await this.stat(key);
    if (hash === undefined || entry === undefined) return undefined;
    return { hash, arrivedMs: Math.min(entry.arrived.getTime(), this.#now()) };
  }

  async #syncParent(key: string): Promise<void> {
    const folder = Folder.open(this.#ground, segmentsOf(key).slice(0, -1));
    if (folder === undefined) return;
    try {
      await folder.sync();
    } finally {
      folder.close();
    }
  }

  async #withFile<T>(key: string, work: (descriptor: number) => T | Promise<T>): Promise<T | undefined> {
    try {
      const descriptor = this.#openFile(key);
      if (descriptor === undefined) return undefined;
      try {
        return await work(descriptor);
      } finally {
        closeSync(descriptor);
      }
    } catch (error) {
      throw worded(error, `Reading ${key} failed`, key);
    }
  }

  #openFile(key: string): number | undefined {
    const segments = segmentsOf(key);
    const folder = Folder.open(this.#ground, segments.slice(0, -1));
    if (folder === undefined) return undefined;
    try {
      return folder.openFile(segments.at(-1) ?? '');
    } finally {
      folder.close();
    }
  }

  #inWords<T>(what: string, key: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw worded(error, what, key);
    }
  }
}

/** Whatever the layers above have let through, a key cannot name anything outside of the library's folders. */
export function segmentsOf(key: string): string[] {
  if (isInside(key)) return key.split('/');
  throw refusal('InvalidPathError', `${JSON.stringify(key)} is not a key of the library.`, { path: key });
}
