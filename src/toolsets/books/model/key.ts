/** The user name that represents the book itself in the journal. A real user must not have this name. */
export const reservedUserNameForBook = '__base__';

export const bookIdPattern = /^[a-z0-9-]{3,50}$/;
/** Completes an error message about a name that `bookIdPattern` rejects. */
export const bookIdDescription = '3 to 50 lower-case letters, digits and hyphens';
export const userNamePattern = /^[a-zA-Z0-9_-]{1,100}$/;

/**
 * Returns whether a name is valid for a user. The name that represents the book itself is rejected, because a user
 * could otherwise change the book.
 */
export function isValidUserName(name: string): boolean {
  return userNamePattern.test(name) && name !== reservedUserNameForBook;
}

export const booksFolder = 'books';
/**
 * The path of the import manifest, which states the source of each file in a book. The manifest is beside the folders
 * `content` and `static`.
 */
export const importManifestPath = 'import.json';
export const archivesFolder = 'archives';
/**
 * The folder for locks, journals and temporary files. It is beside the folder of the books, so that no book contains
 * it.
 */
export const metadataFolder = '.oj-books';
/** The folder for temporary objects that test an object store, beside the folders with journals. */
export const storeTestFolder = 'probe';

/** The location of a file: its book, its path inside the book, and the user if the file belongs to one. */
export interface FileLocation {
  book: string;
  path: string;
  user: string | undefined;
}

export function storageKeyOfBook(book: string): string {
  return `${booksFolder}/${book}`;
}

/** Converts the storage key of a file to its path below the folder of its book. */
export function removeBookPrefixOfKey(book: string, key: string): string {
  return key.slice(storageKeyOfBook(book).length + 1);
}

/** Returns the complete storage key of a file. */
export function storageKeyOf({ book, path, user }: FileLocation): string {
  return user === undefined ? `${storageKeyOfBook(book)}/${path}` : `${storageKeyOfUserFolder(book, user)}/${path}`;
}

export function storageKeyOfUserFolder(book: string, user: string): string {
  return `${storageKeyOfBook(book)}/users/${user}`;
}

/** Matches an empty path segment, a segment of dots, and characters that some systems do not allow in names. */
const outside = /(?:^|\/)\.{0,2}(?:\/|$)|[\0\\]/;

/** Returns whether a relative key stays inside its start folder on every operating system. */
export function isKeyInsideFolder(key: string): boolean {
  return !outside.test(key);
}

/** The layer of a file: `base` for a file of the book, `overlay` for a user's own version. */
export const fileLayers = ['base', 'overlay'] as const;
export type FileLayer = (typeof fileLayers)[number];

export function fileLayerOf(user: string | undefined): FileLayer {
  return user === undefined ? 'base' : 'overlay';
}

/**
 * Converts a path below the folder of a book to the location of a file. Returns undefined if the path has an invalid
 * user name.
 */
export function locationOfPath(book: string, relative: string): FileLocation | undefined {
  const [, user, path] = /^users\/([^/]+)\/(.+)$/.exec(relative) ?? [];
  if (user === undefined || path === undefined) return { book, path: relative, user: undefined };
  return isValidUserName(user) ? { book, path, user } : undefined;
}

/** Returns whether a path belongs to the book itself and not to one of its users. */
export function isPathOfBookItself(relative: string): boolean {
  return relative !== 'users' && !relative.startsWith('users/');
}

/**
 * Compares two texts by Unicode code points, which is the byte order of UTF-8. The comparison operators of JavaScript
 * use UTF-16 units.
 */
export function compareCodePoints(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const a = one.charCodeAt(index);
    const b = other.charCodeAt(index);
    if (a === b) continue;
    // A surrogate code unit is sorted after all others, because it belongs to a character above U+FFFF.
    const isSurrogateA = (a & 0xf800) === 0xd800;
    const isSurrogateB = (b & 0xf800) === 0xd800;
    if (isSurrogateA !== isSurrogateB) return isSurrogateA ? 1 : -1;
    return a - b;
  }
  return one.length - other.length;
}

/** Returns whether all files of a book come before the key `after`. */
export function isBookSortedBeforeKey(book: string, after: string): boolean {
  const start = `${storageKeyOfBook(book)}/`;
  return compareCodePoints(start, after) < 0 && !after.startsWith(start);
}

export interface LayeredFile {
  /** The path inside the book. A file of the book and the user's version of it have the same path. */
  path: string;
  key: string;
  source: FileLayer;
  /** The reason why the file cannot be opened, or undefined if it can be opened. */
  unreadable?: string | undefined;
}

/** Merges the files of a book with the files of a user, which take precedence. The result is sorted by path. */
export function mergeBookAndUserFiles<File extends LayeredFile>(
  base: readonly File[],
  overlay: readonly File[],
): File[] {
  const merged = new Map(base.map(file => [file.path, file]));
  for (const file of overlay) merged.set(file.path, file);
  return [...merged.values()].sort((one, other) => compareCodePoints(one.path, other.path));
}
