import { storageFailure } from '../../model/refusal.ts';
import type { Backend } from '../store/storage.ts';
import { isMissing, worded } from '../system-error.ts';
import { DiskLedger } from './disk-ledger.ts';
import { DiskStorage } from './disk-storage.ts';
import { findLibrary, type LibraryRoot } from './root.ts';
import { DiskShelf } from './shelf.ts';

/** A library in a folder of this machine. */
export function openDisk(libraryRoot: LibraryRoot, now: () => number): Backend {
  const storage = new DiskStorage(libraryRoot, now);
  const ledgers = new Map<string, DiskLedger>();
  return {
    storage,
    shelf: new DiskShelf(libraryRoot, now),
    ledger: book => {
      const ledger = ledgers.get(book) ?? new DiskLedger(libraryRoot, book, storage, now);
      ledgers.set(book, ledger);
      return ledger;
    },
    close: async () => {
      await Promise.all([...ledgers.values()].map(async ledger => await ledger.close()));
    },
  };
}

/** The folder of a library; what is wrong with it is said in words. */
export function libraryAt(root: string): LibraryRoot {
  try {
    const libraryRoot = findLibrary(root);
    return libraryRoot;
  } catch (error) {
    if (!isMissing(error)) throw worded(error, `Opening the library ${root} failed`, root);
    throw storageFailure('UNAVAILABLE', `The library's folder ${root} does not exist.`, {
      path: root,
      suggestion: 'The user has to create it, or to start with another --books-root.',
    });
  }
}
