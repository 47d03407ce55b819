import { AtOnce } from '../../../async/concurrency.ts';
import { passOver } from '../../../log/bug.ts';
import type { BooksSettings } from '../settings.ts';
import { type Archive, type ArchiveOrder, makeArchive } from './archive/archive.ts';
import { DiskLedger } from './disk/disk-ledger.ts';
import { DiskStorage } from './disk/disk-storage.ts';
import { type LibraryRoot, libraryAt } from './disk/root.ts';
import { DiskShelf } from './disk/shelf.ts';
import { createSampleLibrary } from './sample-library.ts';
import { BookFiles } from './store/book-files.ts';
import { History } from './store/history.ts';
import { openLedgers } from './store/ledger.ts';
import type { Address, AddressWish, Backend } from './store/storage.ts';

const searchesAtOnce = 2;
/** A timer takes no more. */
const longestTimerMs = 2 ** 31 - 1;

/** Everything the tools work with. */
export interface Library extends Pick<Backend, 'storage' | 'shelf' | 'offer'> {
  settings: BooksSettings;
  files: BookFiles;
  history: History;
  archive(order: Pick<ArchiveOrder, 'book' | 'scope' | 'signal' | 'progress'>): Promise<Archive>;
  /** Where a file can be fetched: from the place the library is published at, or from its storage. */
  address(key: string, wish: AddressWish): Promise<Address>;
  /** Searches of text: each has a thread and the lines of a file. */
  searches: AtOnce;
  /** Keeps what is left to be kept. */
  close(): Promise<void>;
}

/** Opens the library, or makes the sample one. */
export async function openLibrary(settings: BooksSettings): Promise<Library> {
  const now = (): number => Date.now();
  const backend = await openBackend(settings, now);
  const { storage, shelf } = backend;
  const files = new BookFiles(backend);
  return {
    settings,
    storage,
    shelf,
    files,
    history: new History(backend, now),
    archive: async order => {
      const { archiveLimitMs: limitMs, archiveTtlMs: ttlMs } = settings;
      const archive = await makeArchive(backend, files, { ...order, limitMs, ttlMs }, now);
      // It goes when its time comes, and at the latest with the next call to any server on the library.
      const endMs = Math.min(ttlMs + 1000, longestTimerMs);
      setTimeout(() => void shelf.sweep().catch(passOver), endMs).unref();
      return archive;
    },
    address: async (key, wish) =>
      settings.cdnUrl === undefined ? await storage.address(key, wish) : { url: `${settings.cdnUrl}/${key}` },
    searches: new AtOnce(searchesAtOnce),
    close: async () => await backend.close(),
    ...(backend.offer && { offer: backend.offer.bind(backend) }),
  };
}

async function openBackend({ root, bucket, cdnUrl }: BooksSettings, now: () => number): Promise<Backend> {
  if (bucket === undefined) return openDisk(libraryAt(root ?? createSampleLibrary()), now, cdnUrl !== undefined);
  const { openBucket } = await import('./s3/bucket.ts');
  return await openBucket(bucket, process.env, now);
}

/** A library in a folder of this machine. */
export function openDisk(libraryRoot: LibraryRoot, now: () => number, isPublished = false): Backend {
  const storage = new DiskStorage(libraryRoot, now);
  return {
    storage,
    shelf: new DiskShelf(libraryRoot, isPublished, now),
    ...openLedgers(book => new DiskLedger(libraryRoot, book, storage, now)),
  };
}
