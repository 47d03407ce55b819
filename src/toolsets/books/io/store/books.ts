import { Failure } from '../../../../failure.ts';
import { bookIdPattern } from '../../model/arguments.ts';
import { bookKey, byCodePoint, isBasePath } from '../../model/key.ts';
import type { Entry, Storage } from './storage.ts';

/** The books of a library: folders with a name that a book can have, sorted. */
export async function listBookIds(storage: Storage): Promise<string[]> {
  return (await storage.books()).filter(name => bookIdPattern.test(name)).sort(byCodePoint);
}

export async function searchedBooks(storage: Storage, book: string, isAll: boolean): Promise<string[]> {
  return isAll ? await listBookIds(storage) : [book];
}

/** What belongs to the book itself: not its users' versions. Nothing for a book that does not exist. */
export async function baseFilesOf(storage: Storage, book: string): Promise<Entry[]> {
  const start = bookKey(book).length + 1;
  return ((await storage.list(bookKey(book))) ?? []).filter(({ key }) => isBasePath(key.slice(start)));
}

/** The same for a search; one of several books that cannot be opened gives undefined instead of ending it. */
export async function searchedEntries(
  storage: Storage,
  book: string,
  isOneOfSeveral: boolean,
): Promise<Entry[] | undefined> {
  try {
    return await baseFilesOf(storage, book);
  } catch (error) {
    if (error instanceof Failure && isOneOfSeveral) return undefined;
    throw error;
  }
}
