import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { tryOrUndefined } from '../../../errors/system-error.ts';
import { createFolders } from '../../../toolset/create-folders.ts';
import { type CacheFolder, findCacheFolderProblem, isOwnedByCurrentUser } from '../access/cache-folder.ts';
import { openForReading } from '../access/open-file.ts';
import { deserializeTable, serializeTable } from './cache-content.ts';
import type { FileTable } from './file-table.ts';

/**
 * The version number must increase with each change of the file format, and of the functions that extract and compare
 * texts.
 */
const magic = Buffer.from('oj-mcp files cache 10\n', 'latin1');
const hashBytes = 32;
const maxBytes = 1 << 30;
const saveEveryMs = 30_000;
/**
 * A temporary file that is older than this belongs to a process that has ended, because writing the cache never takes
 * this long.
 */
const abandonedMs = 10 * 60 * 1000;

/**
 * Loads and saves the index in a file on disk. The file is loaded only if its hash is correct and only this user can
 * write it. An entry is used only if the stat of its file is unchanged. Invalid content is discarded.
 */
export class IndexCache {
  readonly #place: CacheFolder;
  readonly #file: string;
  #savedAt = Number.NEGATIVE_INFINITY;
  #saved = '';
  #isWaiting = false;

  constructor(place: CacheFolder) {
    this.#place = place;
    const name = createHash('sha256').update(place.roots.join('\0')).digest('hex').slice(0, 16);
    this.#file = path.join(place.folder, `files-${name}.cache`);
  }

  load(table: FileTable): void {
    const bytes = tryOrUndefined(() =>
      findCacheFolderProblem(this.#place) === undefined ? readOwn(this.#file) : undefined,
    );
    if (bytes === undefined || !bytes.subarray(0, magic.length).equals(magic)) return;
    const rest = bytes.subarray(magic.length + hashBytes);
    if (!hashOf(rest).equals(bytes.subarray(magic.length, magic.length + hashBytes))) return;
    deserializeTable(table, rest);
    this.#saved = stateOf(table);
  }

  /** Saves the cache if the table has changed, at most once every 30 seconds. */
  saveLater(table: FileTable): void {
    const waitMs = Math.max(0, this.#savedAt + saveEveryMs - performance.now());
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      this.save(table);
    }, waitMs);
  }

  save(table: FileTable): void {
    const state = stateOf(table);
    if (state === this.#saved) return;
    [this.#saved, this.#savedAt] = [state, performance.now()];
    // A system error, such as a full disk, is ignored, because the search also works without the cache.
    tryOrUndefined(() => {
      createFolders(this.#place.folder, 0o700);
      if (findCacheFolderProblem(this.#place) !== undefined) return;
      this.#removeAbandoned();
      const part = `${this.#file}.${process.pid}`;
      fs.rmSync(part, { force: true });
      try {
        writeOwn(part, serializeTable(table));
        fs.renameSync(part, this.#file);
      } catch (error) {
        tryOrUndefined(() => fs.rmSync(part, { force: true }));
        throw error;
      }
    });
  }

  /** Deletes the temporary files that killed processes left behind. */
  #removeAbandoned(): void {
    const { folder } = this.#place;
    for (const name of fs.readdirSync(folder)) {
      const part = path.join(folder, name);
      if (!part.startsWith(`${this.#file}.`)) continue;
      const stat = fs.lstatSync(part, { throwIfNoEntry: false });
      if (stat?.isFile() === true && Date.now() - stat.mtimeMs > abandonedMs) fs.rmSync(part, { force: true });
    }
  }
}

function readOwn(file: string): Buffer | undefined {
  const fd = openForReading(file);
  try {
    const stat = fs.fstatSync(fd);
    const isPrivate = process.getuid === undefined || (stat.mode & 0o077) === 0;
    if (!stat.isFile() || !isOwnedByCurrentUser(stat) || !isPrivate || stat.size > maxBytes) return undefined;
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Returns a string that changes whenever the table gets a new trigram signature or text. */
function stateOf({ signatures, texts }: FileTable): string {
  return `${signatures.bytes} ${texts.bytes}`;
}

/** Writes the cache file. The hash of the content is at the start of the file, but it is written last. */
function writeOwn(file: string, pieces: readonly Buffer[]): void {
  const fd = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL, 0o600);
  try {
    const hash = createHash('sha256');
    let end = writeAt(fd, magic, 0) + hashBytes;
    for (const piece of pieces) {
      hash.update(piece);
      end = writeAt(fd, piece, end);
    }
    writeAt(fd, hash.digest(), magic.length);
  } finally {
    fs.closeSync(fd);
  }
}

/** Writes a buffer to the file and returns the offset after it. */
function writeAt(fd: number, piece: Buffer, place: number): number {
  for (let done = 0; done < piece.length; ) done += fs.writeSync(fd, piece, done, piece.length - done, place + done);
  return place + piece.length;
}
