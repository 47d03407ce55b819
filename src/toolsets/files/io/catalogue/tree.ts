import path from 'node:path';
import { type FileType, type FileTypes, unknownType } from '../../model/file-type.ts';
import { firstSignature, SignatureStore } from '../../model/search/signature.ts';
import { type File, Folder, fileAt } from './folder.ts';
import { type PackedText, TextStore } from './text-store.ts';
import { Walk, type WalkHost } from './walk.ts';

/** A walk may be this old; a tree that takes long to walk is walked less often. */
const minWindowMs = 2000;
const windowPerWalk = 3;
/** So long after its last step a walk that was broken off may be taken up again. */
const resumeMs = 10 * 60 * 1000;
const maxWalks = 16;
/** Folders of walks that were forgotten, or of a cache, wait for somebody to ask for them again. */
const maxStrayFolders = 50_000;
/** About 100 bytes each, and their signatures. What is beyond is searched too, but walked and read anew each time. */
export const maxFilesKept = 2_000_000;

/** The folders of the scopes that were asked for, and what is known of the files in them. */
export class Tree implements WalkHost {
  readonly types: FileTypes;
  /** Types by numbers, as folders keep them. */
  readonly typeNumbers: readonly FileType[];
  readonly texts = new TextStore();
  readonly inWork = new DocumentsInWork();
  signatures = new SignatureStore();
  readonly #maxFiles: number;
  readonly #walks = new Map<string, Walk>();
  #folders = new Map<string, Folder>();

  constructor(types: FileTypes, maxFiles = maxFilesKept) {
    this.types = types;
    this.typeNumbers = [unknownType, ...types.values()];
    this.#maxFiles = maxFiles;
  }

  get walks(): Iterable<Walk> {
    return this.#walks.values();
  }

  get folders(): Iterable<Folder> {
    return this.#folders.values();
  }

  /** The way through a scope: a complete one that is young, one that was broken off, or a new one. */
  walk(scope: string): Walk {
    const now = performance.now();
    const known = this.#walks.get(scope);
    if (known !== undefined && now < usableUntil(known)) return known;
    const walk = new Walk(scope, this);
    this.#walks.delete(scope);
    this.#walks.set(scope, walk);
    return walk;
  }

  /** After a call: what does not fit is forgotten, the oldest first. True when even this walk does not fit. */
  tidy(walk: Walk): boolean {
    let count = 0;
    for (const { fileCount } of this.#walks.values()) count += fileCount;
    const before = this.#walks.size;
    for (const [scope, other] of this.#walks) {
      if (other === walk || (this.#walks.size <= maxWalks && count <= this.#maxFiles)) continue;
      this.#walks.delete(scope);
      count -= other.fileCount;
    }
    const isBeyond = walk.fileCount > this.#maxFiles;
    if (isBeyond) this.#walks.delete(walk.scope);
    if (this.#walks.size < before || isBeyond || this.#folders.size > maxStrayFolders + this.#listed())
      this.#forgetUnlisted(isBeyond ? walk : undefined);
    if (this.signatures.isWasteful) this.#compact();
    return isBeyond;
  }

  enter(place: string): Folder {
    const known = this.#folders.get(place);
    if (known !== undefined) return known;
    const folder = new Folder(place);
    this.#folders.set(place, folder);
    return folder;
  }

  /** A file that is known. */
  find(file: string): File | undefined {
    const folder = this.#folders.get(path.dirname(file));
    const index = folder?.names.indexOf(path.basename(file)) ?? -1;
    return folder === undefined || index === -1 ? undefined : fileAt(folder, index);
  }

  /** The text of a document as far as it is kept. */
  textOf(file: string): PackedText | undefined {
    const known = this.find(file);
    return known && this.texts.find(file, known.folder.stat(known.index));
  }

  list(folder: Folder, walk: Walk, names: readonly string[], folders: readonly Folder[]): void {
    folder.list(walk, names, folders, this.signatures);
  }

  #listed(): number {
    let count = 0;
    for (const { visited } of this.#walks.values()) count += visited.length;
    return count;
  }

  /** Of a walk that does not fit, as much is kept as does. */
  #forgetUnlisted(beyond: Walk | undefined): void {
    const listed = new Map<string, Folder>();
    for (const { visited } of this.#walks.values()) for (const folder of visited) listed.set(folder.path, folder);
    let count = 0;
    for (const folder of beyond?.visited ?? []) {
      if ((count += folder.names.length) > this.#maxFiles) break;
      listed.set(folder.path, folder);
    }
    this.#folders = listed;
    this.#compact();
  }

  #compact(): void {
    const old = this.signatures;
    this.signatures = new SignatureStore();
    for (const folder of this.#folders.values()) {
      for (let index = 0; index < folder.names.length; index++) {
        const value = folder.content(index);
        if (value >= firstSignature) folder.setContent(index, this.signatures.add(old.get(value)), unowned);
      }
    }
  }
}

/** The documents that are with readers: a call that has ended may have left some there. */
class DocumentsInWork {
  readonly #slow = new Map<string, boolean>();

  get slow(): number {
    let count = 0;
    for (const isSlow of this.#slow.values()) if (isSlow) count++;
    return count;
  }

  has(file: string): boolean {
    return this.#slow.has(file);
  }

  add(file: string, isSlow: boolean): void {
    this.#slow.set(file, isSlow);
  }

  delete(file: string): void {
    this.#slow.delete(file);
  }
}

/** Where nothing is to be freed. */
const unowned = new SignatureStore();

function usableUntil({ startedAt, steppedAt, finishedAt, spentMs }: Walk): number {
  return finishedAt === undefined ? steppedAt + resumeMs : startedAt + Math.max(minWindowMs, windowPerWalk * spentMs);
}
