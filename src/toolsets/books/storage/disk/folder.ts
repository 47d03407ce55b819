import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import { systemErrorCodeOf } from '../../../../errors/system-error.ts';
import {
  createFileTypeFailure,
  createLetterCaseFailure,
  createLinkFailure,
  createStorageFailure,
  refusal,
} from '../../model/refusal.ts';
import { isMissingFileError } from '../system-error.ts';
import { setFileMode, syncDescriptor } from './file.ts';
import type { LibraryRoot } from './root.ts';

// Windows has none of these flags, and `|` converts undefined to 0. On Windows, `lstat` is used to test the type of a
// file.
const noFollow = constants.O_NOFOLLOW | 0;
const nonBlocking = constants.O_NONBLOCK | 0;
const directoryOnly = constants.O_DIRECTORY | 0;

/**
 * An open folder of the library. Each segment of a path is opened separately, so that no path leads through a symbolic
 * link.
 */
export class OpenFolder {
  readonly #libraryRoot: LibraryRoot;
  readonly #descriptor: number | undefined;
  /** The absolute path of the folder. */
  readonly path: string;

  private constructor(libraryRoot: LibraryRoot, place: string, descriptor: number | undefined) {
    this.#libraryRoot = libraryRoot;
    this.path = place;
    this.#descriptor = descriptor;
  }

  static openRoot(libraryRoot: LibraryRoot): OpenFolder {
    const { root, identity, hasDescriptors } = libraryRoot;
    const descriptor = hasDescriptors ? openSync(root, constants.O_RDONLY | directoryOnly) : undefined;
    const folder = new OpenFolder(libraryRoot, root, descriptor);
    if (folder.identity() === identity) return folder;
    if (descriptor !== undefined) closeSync(descriptor);
    throw createStorageFailure('UNAVAILABLE', `${root} is not the same folder as at the start.`, {
      suggestion: 'The user can restore the library folder, or restart the server.',
    });
  }

  /** Opens a folder below the root. Returns undefined if it does not exist. */
  static open(libraryRoot: LibraryRoot, segments: readonly string[]): OpenFolder | undefined {
    let folder: OpenFolder | undefined = OpenFolder.openRoot(libraryRoot);
    for (const segment of segments) {
      const parent: OpenFolder = folder;
      try {
        folder = parent.child(segment);
      } finally {
        parent.close();
      }
      if (folder === undefined) return undefined;
    }
    return folder;
  }

  /** Opens a folder and creates it and its parents if they are missing. Each new folder is synced to the disk. */
  static async make(libraryRoot: LibraryRoot, segments: readonly string[], mode?: number): Promise<OpenFolder> {
    let folder = OpenFolder.openRoot(libraryRoot);
    for (const segment of segments) {
      folder = await folder.closeAfter(async parent => await parent.make(segment, mode));
    }
    return folder;
  }

  /** Opens a subfolder, or creates it with `mode` or the umask and syncs it to the disk. */
  async make(name: string, mode?: number): Promise<OpenFolder> {
    const { syncedFolders: settled } = this.#libraryRoot;
    const folder = this.child(name) ?? (await this.#makeChild(name, mode));
    // The folder is synced even if it already existed, because another process or user may have created it without a
    // sync.
    const mark = folder.#mark();
    if (settled.get(folder.path) !== mark) await this.sync();
    settled.set(folder.path, mark);
    return folder;
  }

  /** Returns the path of an entry for system calls. Throws an error if the name is not a plain file name. */
  at(name: string): string {
    if (/^\.{0,2}$|[/\0]/.test(name) || (process.platform === 'win32' && /[\\:]/.test(name)))
      throw refusal('InvalidPathError', `${JSON.stringify(name)} is not a valid file name.`, { path: name });
    return this.#descriptor === undefined ? this.#pathOf(name) : `/proc/self/fd/${this.#descriptor}/${name}`;
  }

  child(name: string): OpenFolder | undefined {
    const place = this.at(name);
    if (this.#descriptor === undefined) {
      const stat = lstatSync(place, { throwIfNoEntry: false });
      if (stat?.isSymbolicLink() === true) throw createLinkFailure(this.#shown(name));
      if (stat?.isDirectory() !== true || !this.#hasExactName(name)) return undefined;
      const child = new OpenFolder(this.#libraryRoot, place, undefined);
      child.checkPlace();
      return child;
    }
    let descriptor: number;
    try {
      descriptor = openSync(place, constants.O_RDONLY | directoryOnly | noFollow);
    } catch (error) {
      if (isMissingFileError(error)) return undefined;
      if (!['ENOTDIR', 'ELOOP'].includes(systemErrorCodeOf(error) ?? '')) throw error;
      if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true)
        throw createLinkFailure(this.#shown(name));
      return undefined;
    }
    if (!this.#hasExactName(name)) {
      closeSync(descriptor);
      return undefined;
    }
    return new OpenFolder(this.#libraryRoot, this.#pathOf(name), descriptor);
  }

  /** Returns the stat of an entry of the folder, or undefined if it does not exist. */
  look(name: string): Stats | undefined {
    const stat = lstatSync(this.at(name), { throwIfNoEntry: false });
    return stat !== undefined && this.#hasExactName(name) ? stat : undefined;
  }

  /** Opens an existing regular file. Returns undefined if the file does not exist. The caller closes the descriptor. */
  openFile(name: string, flags: number = constants.O_RDONLY): number | undefined {
    let descriptor: number;
    try {
      // With the flag O_NONBLOCK, opening a pipe without a writer does not block.
      descriptor = openSync(this.at(name), flags | noFollow | nonBlocking);
    } catch (error) {
      if (isMissingFileError(error)) return undefined;
      if (systemErrorCodeOf(error) === 'ELOOP') throw createLinkFailure(this.#shown(name));
      // These error codes mean that the entry is a folder or a socket and not a file.
      if (['EISDIR', 'ENXIO'].includes(systemErrorCodeOf(error) ?? '')) throw createFileTypeFailure(this.#shown(name));
      throw error;
    }
    let isWanted = false;
    try {
      if (noFollow === 0 && this.look(name)?.isSymbolicLink() === true) throw createLinkFailure(this.#shown(name));
      if (!fstatSync(descriptor).isFile()) throw createFileTypeFailure(this.#shown(name));
      this.checkPlace();
      isWanted = this.#hasExactName(name);
    } finally {
      if (!isWanted) closeSync(descriptor);
    }
    return isWanted ? descriptor : undefined;
  }

  /** Calls a function with an existing regular file, and closes the file afterwards. */
  async useFile<T>(name: string, work: (descriptor: number) => T | Promise<T>): Promise<T | undefined> {
    const descriptor = this.openFile(name);
    if (descriptor === undefined) return undefined;
    try {
      return await work(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Throws an error if a program must not write to an entry, because it is not a regular file, or because its name
   * differs from the requested one in letter case.
   */
  checkTarget(name: string): void {
    const stat = lstatSync(this.at(name), { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isSymbolicLink()) throw createLinkFailure(this.#shown(name));
    if (!stat.isFile()) throw createFileTypeFailure(this.#shown(name));
    if (!this.#hasExactName(name)) throw createLetterCaseFailure(this.#shown(name));
  }

  /** Throws an error if the folder was moved, deleted or replaced by a link after it was opened. */
  checkPlace(): void {
    const place =
      this.#descriptor === undefined ? realpathSync(this.path) : readlinkSync(`/proc/self/fd/${this.#descriptor}`);
    const { root } = this.#libraryRoot;
    const inside = root.endsWith(path.sep) ? root : root + path.sep;
    if (place === this.path && (place === root || place.startsWith(inside))) return;
    throw refusal('InvalidPathError', `The folder ${this.path} was moved or is outside of the library.`, {
      path: this.path,
    });
  }

  /** Returns the device and inode numbers of the folder. A copy of the folder has different numbers. */
  identity(): string {
    const { dev, ino } = this.#stat();
    return `${dev} ${ino}`;
  }

  /** Deletes a file. A missing file is not an error, because several processes delete the same unneeded files. */
  remove(name: string): void {
    try {
      unlinkSync(this.at(name));
    } catch (error) {
      if (!isMissingFileError(error)) throw error;
    }
  }

  entries(): Dirent[] {
    return readdirSync(this.#descriptor === undefined ? this.path : `/proc/self/fd/${this.#descriptor}`, {
      withFileTypes: true,
    });
  }

  /** Syncs the folder, so that new, renamed and deleted entries survive a power failure. */
  async sync(): Promise<void> {
    // Windows cannot sync a folder. Its file systems write directory entries immediately.
    if (process.platform === 'win32') return;
    await this.#withDescriptor(syncDescriptor);
  }

  async #setMode(mode: number): Promise<void> {
    if (process.platform !== 'win32') await this.#withDescriptor(descriptor => setFileMode(descriptor, mode));
  }

  /** Calls a function with a descriptor of the folder, which is opened if the folder has none. */
  async #withDescriptor(work: (descriptor: number) => void | Promise<void>): Promise<void> {
    if (this.#descriptor !== undefined) return await work(this.#descriptor);
    const descriptor = openSync(this.path, constants.O_RDONLY | directoryOnly | noFollow);
    try {
      await work(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }

  /** Calls a function with this folder, and closes the folder afterwards. */
  async closeAfter<T>(work: (folder: OpenFolder) => T | Promise<T>): Promise<T> {
    try {
      return await work(this);
    } finally {
      this.close();
    }
  }

  async #makeChild(name: string, mode: number | undefined): Promise<OpenFolder> {
    let isNew = false;
    try {
      mkdirSync(this.at(name), mode);
      isNew = true;
    } catch (error) {
      if (systemErrorCodeOf(error) !== 'EEXIST') throw error;
      const stat = lstatSync(this.at(name), { throwIfNoEntry: false });
      if (stat !== undefined && !stat.isDirectory()) throw createFileTypeFailure(this.#shown(name));
      if (stat !== undefined && !this.#hasExactName(name)) throw createLetterCaseFailure(this.#shown(name));
    }
    const child = this.child(name);
    if (child === undefined) throw createFileTypeFailure(this.#shown(name));
    if (isNew && mode !== undefined) await child.#setMode(mode);
    return child;
  }

  #hasExactName(name: string): boolean {
    return !this.#libraryRoot.ignoresCase || this.entries().some(entry => entry.name === name);
  }

  /** The inode number is read as a bigint, because two different numbers can be equal after rounding to a double. */
  #stat(): BigIntStats {
    const options = { bigint: true } as const;
    return this.#descriptor === undefined ? lstatSync(this.path, options) : fstatSync(this.#descriptor, options);
  }

  /**
   * Returns a string that identifies the folder in the cache of synced folders. The string includes the creation time,
   * because a new folder can reuse the inode number of a deleted one. Without creation times, folders are synced more
   * often than necessary.
   */
  #mark(): string {
    const { dev, ino, birthtimeNs } = this.#stat();
    return `${dev} ${ino} ${birthtimeNs}`;
  }

  #pathOf(name: string): string {
    return this.path.endsWith(path.sep) ? this.path + name : this.path + path.sep + name;
  }

  /** Returns the path of an entry relative to the root of the library. */
  #shown(name: string): string {
    return path.relative(this.#libraryRoot.root, this.#pathOf(name)).replaceAll(path.sep, '/');
  }
}
