import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { unlessRefused } from '../../../../system-error.ts';
import type { FileStat } from '../open-file.ts';
import { type CachePlace, isOurs, whyNotKept } from './cache-place.ts';
import { content, type Folder, fieldCount } from './folder.ts';
import { firstSignature } from './signature-store.ts';
import type { Tree } from './tree.ts';

/** Another number for every change of what is written, or of how texts are read and compared. */
const magic = Buffer.from('oj-mcp files cache 1\n', 'latin1');
const hashBytes = 32;
const maxBytes = 1 << 30;
const saveEveryMs = 30_000;

interface Header {
  folders: { path: string; names: readonly string[] }[];
  texts: { path: string; stat: FileStat; length: number }[];
}

/**
 * What is known of files, on disk. Nothing of it is believed but by its own hash, from a file that is ours alone; and of a
 * file only what belongs to the very state it is in now. Whatever does not fit is thrown away.
 */
export class Cache {
  readonly #place: CachePlace;
  readonly #file: string;
  #savedAt = Number.NEGATIVE_INFINITY;
  #saved = -1;
  #isWaiting = false;

  constructor(place: CachePlace) {
    this.#place = place;
    const name = createHash('sha256').update(place.roots.join('\0')).digest('hex').slice(0, 16);
    this.#file = path.join(place.folder, `files-${name}.cache`);
  }

  load(tree: Tree): void {
    const bytes = unlessRefused(() => (whyNotKept(this.#place) === undefined ? readOwn(this.#file) : undefined));
    if (bytes === undefined || !bytes.subarray(0, magic.length).equals(magic)) return;
    const rest = bytes.subarray(magic.length + hashBytes);
    if (!hashOf(rest).equals(bytes.subarray(magic.length, magic.length + hashBytes))) return;
    fill(tree, rest);
    this.#saved = stateOf(tree);
  }

  /** Soon, if there is anything new. */
  saveLater(tree: Tree): void {
    const waitMs = Math.max(0, this.#savedAt + saveEveryMs - performance.now());
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setTimeout(() => {
      this.#isWaiting = false;
      this.save(tree);
    }, waitMs);
  }

  save(tree: Tree): void {
    const state = stateOf(tree);
    if (state === this.#saved) return;
    [this.#saved, this.#savedAt] = [state, performance.now()];
    // A disk that is full, or closed to us: the search goes on without.
    unlessRefused(() => {
      fs.mkdirSync(this.#place.folder, { recursive: true, mode: 0o700 });
      if (whyNotKept(this.#place) !== undefined) return;
      const part = `${this.#file}.${process.pid}`;
      fs.rmSync(part, { force: true });
      const fd = fs.openSync(part, fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL, 0o600);
      try {
        writeAll(fd, pieces(tree));
      } finally {
        fs.closeSync(fd);
      }
      fs.renameSync(part, this.#file);
    });
  }
}

function readOwn(file: string): Buffer | undefined {
  const fd = fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0));
  try {
    const stat = fs.fstatSync(fd);
    const isPrivate = process.getuid === undefined || (stat.mode & 0o077) === 0;
    if (!stat.isFile() || !isOurs(stat) || !isPrivate || stat.size > maxBytes) return undefined;
    return fs.readFileSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** Grows with everything that is learnt. */
function stateOf({ signatures, texts }: Tree): number {
  return signatures.bytes + texts.bytes * 3;
}

/** Only files of which something lasting is known. */
function isKept(value: number): boolean {
  return (
    value >= firstSignature || value === content.binary || value === content.tooLarge || value === content.unparsed
  );
}

function pieces(tree: Tree): Buffer[] {
  const header: Header = { folders: [], texts: [] };
  const [facts, signatures, texts]: [Buffer[], Buffer[], Buffer[]] = [[], [], []];
  for (const folder of tree.folders) {
    const names = folder.names.filter((name, index) => {
      const value = folder.content(index);
      if (!isKept(value)) return false;
      const { mtimeMs, ctimeMs, size, ino } = folder.stat(index);
      const signature = value >= firstSignature ? tree.signatures.get(value) : undefined;
      // In place of the number: the size of the signature, which stands further behind.
      facts.push(
        asBytes(
          Float64Array.of(
            mtimeMs,
            ctimeMs,
            size,
            ino,
            signature === undefined ? value : firstSignature + signature.length,
          ),
        ),
      );
      if (signature !== undefined) signatures.push(asBytes(signature));
      return name !== '';
    });
    if (names.length > 0) header.folders.push({ path: folder.path, names });
  }
  for (const [file, { stat, bytes }] of tree.texts.entries) {
    header.texts.push({ path: file, stat, length: bytes.length });
    texts.push(asBytes(bytes));
  }
  const json = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return [length, json, ...facts, ...signatures, ...texts];
}

function asBytes({ buffer, byteOffset, byteLength }: Uint8Array | Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function writeAll(fd: number, parts: readonly Buffer[]): void {
  const rest = Buffer.concat(parts);
  for (const part of [magic, hashOf(rest), rest])
    for (let at = 0; at < part.length; ) at += fs.writeSync(fd, part, at, part.length - at);
}

const factBytes = (fieldCount - 1) * 8;

/** The hash has shown that this is what was written. */
function fill(tree: Tree, bytes: Buffer): void {
  const jsonLength = bytes.readUInt32LE(0);
  const header: Header = JSON.parse(bytes.toString('utf8', 4, 4 + jsonLength));
  let at = 4 + jsonLength;
  const fileCount = header.folders.reduce((sum, { names }) => sum + names.length, 0);
  let behind = at + fileCount * factBytes;
  for (const { path: place, names } of header.folders) {
    const folder: Folder = tree.enter(place);
    folder.list({}, names, [], tree.signatures);
    for (let index = 0; index < names.length; index++, at += factBytes) {
      const [mtimeMs = 0, ctimeMs = 0, size = 0, ino = 0, value = 0] = [0, 8, 16, 24, 32].map(offset =>
        bytes.readDoubleLE(at + offset),
      );
      const length = Math.max(0, value - firstSignature);
      const known = length === 0 ? value : tree.signatures.add(bytes.subarray(behind, behind + length));
      folder.learn(index, known, { mtimeMs, ctimeMs, size, ino }, tree.signatures);
      behind += length;
    }
  }
  for (const { path: file, stat, length } of header.texts) {
    tree.texts.keep(file, { stat, bytes: Uint8Array.from(bytes.subarray(behind, behind + length)) });
    behind += length;
  }
}
