import { storageFailure } from '../../model/refusal.ts';
import type { Backend } from '../store/storage.ts';
import { isMissing, worded } from '../system-error.ts';
import { DiskLedger } from './disk-ledger.ts';
import { DiskStorage } from './disk-storage.ts';
import { findGround, type Ground } from './root.ts';
import { DiskShelf } from './shelf.ts';

/** A library in a folder of this machine. */
export function openDisk(ground: Ground, now: () => number): Backend {
  const storage = new DiskStorage(ground, now);
  const ledgers = new Map<string, DiskLedger>();
  return {
    storage,
    shelf: new DiskShelf(ground, now),
    ledger: book => {
      const ledger = ledgers.get(book) ?? new DiskLedger(ground, book, storage, now);
      ledgers.set(book, ledger);
      return ledger;
    },
    close: async () => {
      await Promise.all([...ledgers.values()].map(async ledger => await ledger.close()));
    },
  };
}

/** The folder of a library; what is wrong with it is said in words. */
export function groundAt(root: string): Ground {
  try {
    const ground = findGround(root);
    return ground;
  } catch (error) {
    if (!isMissing(error)) throw worded(error, `Opening the library ${root} failed`, root);
    throw storageFailure('UNAVAILABLE', `The library's folder ${root} does not exist.`, {
      path: root,
      suggestion: 'The user has to create it, or to start with another --books-root.',
    });
  }
}
