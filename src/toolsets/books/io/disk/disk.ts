import type { Backend } from '../store/storage.ts';
import { DiskLedger } from './disk-ledger.ts';
import { DiskStorage } from './disk-storage.ts';
import type { LibraryRoot } from './root.ts';
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
