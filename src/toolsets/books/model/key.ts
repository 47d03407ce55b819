/** The user name that stands for the book itself in the journal. No caller may use it. */
export const baseFilesUser = '__base__';

export const userNamePattern = /^[a-zA-Z0-9_-]{1,100}$/;

/**
 * Returns whether a name is valid for a user. The name of the book itself is rejected, because with it a user could
 * write the base files.
 */
export function isValidUserName(name: string): boolean {
  return userNamePattern.test(name) && name !== baseFilesUser;
}

export const booksFolder = 'books';
/** This file states where the files of an imported book come from. It is stored beside `content` and `static`. */
export const importManifestPath = 'import.json';
export const archivesFolder = 'archives';
/** The folder for locks, journals and temporary files. It is next to the books, so that no book contains them. */
export const metadataFolder = '.oj-books';

/** The location of a file: book, path inside the book, and the user of an overlay. */
export interface FileLocation {
  book: string;
  path: string;
  user: string | undefined;
}

export function bookKey(book: string): string {
  return `${booksFolder}/${book}`;
}

/** Converts a key of a book to the path below the book's folder. */
export function pathBelowBook(book: string, key: string): string {
  return key.slice(bookKey(book).length + 1);
}

/** Returns the full storage key of a file. */
export function storageKeyOf({ book, path, user }: FileLocation): string {
  return user === undefined ? `${bookKey(book)}/${path}` : `${overlayKey(book, user)}/${path}`;
}

export function overlayKey(book: string, user: string): string {
  return `${bookKey(book)}/users/${user}`;
}

/** Matches a segment that is empty or consists of dots, and characters that some systems do not allow in names. */
const outside = /(?:^|\/)\.{0,2}(?:\/|$)|[\0\\]/;

/** Returns whether a relative key stays below its start, on every operating system. */
export function isKeyInsideFolder(key: string): boolean {
  return !outside.test(key);
}

export const fileLayers = ['base', 'overlay'] as const;
export type FileLayer = (typeof fileLayers)[number];

export function fileLayerOf(user: string | undefined): FileLayer {
  return user === undefined ? 'base' : 'overlay';
}

/** Converts a path below a book's folder to the location of a file. Returns undefined for an invalid user folder. */
export function locationOfPath(book: string, relative: string): FileLocation | undefined {
  const [, user, path] = /^users\/([^/]+)\/(.+)$/.exec(relative) ?? [];
  if (user === undefined || path === undefined) return { book, path: relative, user: undefined };
  return isValidUserName(user) ? { book, path, user } : undefined;
}

/** Returns whether a path belongs to the book itself and not to an overlay. */
export function isBasePath(relative: string): boolean {
  return relative !== 'users' && !relative.startsWith('users/');
}

/** Compares by code points, which is the byte order of UTF-8. The built-in comparison uses UTF-16 units. */
export function compareCodePoints(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const a = one.charCodeAt(index);
    const b = other.charCodeAt(index);
    if (a === b) continue;
    // A surrogate belongs to a character above U+FFFF, which sorts after all 16-bit characters.
    const isSurrogateA = (a & 0xf800) === 0xd800;
    const isSurrogateB = (b & 0xf800) === 0xd800;
    if (isSurrogateA !== isSurrogateB) return isSurrogateA ? 1 : -1;
    return a - b;
  }
  return one.length - other.length;
}

export interface LayeredFile {
  /** The path inside the book, which is equal in base and overlay. */
  path: string;
  key: string;
  source: FileLayer;
  /** The reason why the file cannot be opened. */
  unreadable?: string | undefined;
}

/** Merges base and overlay into the user's view of a book, sorted by path. */
export function mergeOverlay<File extends LayeredFile>(base: readonly File[], overlay: readonly File[]): File[] {
  const merged = new Map(base.map(file => [file.path, file]));
  for (const file of overlay) merged.set(file.path, file);
  return [...merged.values()].sort((one, other) => compareCodePoints(one.path, other.path));
}
