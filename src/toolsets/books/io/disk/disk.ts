import { openLedgers } from '../store/ledger.ts';
import type { Backend } from '../store/storage.ts';
import { DiskLedger } from './disk-ledger.ts';
import { DiskStorage } from './disk-storage.ts';
import type { LibraryRoot } from './root.ts';
import { DiskShelf } from './shelf.ts';

/** A library in a folder of this machine. */
export function openDisk(libraryRoot: LibraryRoot, now: () => number): Backend {
  const storage = new DiskStorage(libraryRoot, now);
  return {
    storage,
    shelf: new DiskShelf(libraryRoot, now),
    ...openLedgers(book => new DiskLedger(libraryRoot, book, storage, now)),
  };
}
