/** The user that stands for the book itself in the journal; no caller may have this name. */
export const baseUser = '__base__';

export const userPattern = /^[a-zA-Z0-9_-]{1,100}$/;

/** Not the marker of the book itself: with it a user could pass for the base. */
export function isUser(name: string): boolean {
  return userPattern.test(name) && name !== baseUser;
}

export const booksFolder = 'books';
/** States where the files of an imported book come from; beside `content` and `static`. */
export const importManifestPath = 'import.json';
export const archivesFolder = 'archives';
/** Locks, journals and unfinished writes; beside the books, so that none of it is ever part of one. */
export const metadataFolder = '.oj-books';

/** Where a file of a book is: the path in the book's own words, and whose version of it. */
export interface Place {
  book: string;
  path: string;
  user: string | undefined;
}

export function bookKey(book: string): string {
  return `${booksFolder}/${book}`;
}

/** A key of a book as the path below its folder. */
export function pathBelow(book: string, key: string): string {
  return key.slice(bookKey(book).length + 1);
}

/** The full key of a place in the storage. */
export function keyOf({ book, path, user }: Place): string {
  return user === undefined ? `${bookKey(book)}/${path}` : `${overlayKey(book, user)}/${path}`;
}

export function overlayKey(book: string, user: string): string {
  return `${bookKey(book)}/users/${user}`;
}

/** A name that is empty, one or two dots, or has a sign no name has everywhere. */
const outside = /(?:^|\/)\.{0,2}(?:\/|$)|[\0\\]/;

/** Whether a key or a part of one names something below where it starts, on every system. */
export function isInside(key: string): boolean {
  return !outside.test(key);
}

export const namespaces = ['base', 'overlay'] as const;
export type Namespace = (typeof namespaces)[number];

export function namespaceOf(user: string | undefined): Namespace {
  return user === undefined ? 'base' : 'overlay';
}

/** The place a path below a book's folder stands for; undefined in the folder of a user nobody can be. */
export function placeOf(book: string, relative: string): Place | undefined {
  const [, user, path] = /^users\/([^/]+)\/(.+)$/.exec(relative) ?? [];
  if (user === undefined || path === undefined) return { book, path: relative, user: undefined };
  return isUser(user) ? { book, path, user } : undefined;
}

/** Whether a path below a book's folder is the book's own, seen by search and archives: no overlays. */
export function isBasePath(relative: string): boolean {
  return relative !== 'users' && !relative.startsWith('users/');
}

/** By code points, which is also the order of the bytes in UTF-8; the comparison built in goes by UTF-16 units. */
export function byCodePoint(one: string, other: string): number {
  if (one === other) return 0;
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index++) {
    const a = one.charCodeAt(index);
    const b = other.charCodeAt(index);
    if (a === b) continue;
    // A surrogate stands for a character above every other unit.
    const isSurrogateA = (a & 0xf800) === 0xd800;
    const isSurrogateB = (b & 0xf800) === 0xd800;
    if (isSurrogateA !== isSurrogateB) return isSurrogateA ? 1 : -1;
    return a - b;
  }
  return one.length - other.length;
}

export interface Layered {
  /** Inside the book, the same in both layers. */
  path: string;
  key: string;
  source: Namespace;
  /** Why it cannot be opened. */
  unreadable?: string | undefined;
}

/** A user's view of a book: the own version where there is one, the book's elsewhere, by path. */
export function mergeOverlay<File extends Layered>(base: readonly File[], overlay: readonly File[]): File[] {
  const merged = new Map(base.map(file => [file.path, file]));
  for (const file of overlay) merged.set(file.path, file);
  return [...merged.values()].sort((one, other) => byCodePoint(one.path, other.path));
}
