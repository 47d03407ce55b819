import { Semaphore } from '../../../async/semaphore.ts';
import { ignoreExpectedError } from '../../../log/bug.ts';
import { type ArchiveOptions, type ArchiveResult, createArchive } from '../archive/archive.ts';
import type { BooksSettings } from '../settings.ts';
import { createDiskArchive } from '../storage/disk/disk-archive.ts';
import { DiskBookBackend } from '../storage/disk/disk-book.ts';
import { DiskFileStorage } from '../storage/disk/disk-storage.ts';
import { createDiskInternalFiles } from '../storage/disk/internal-files.ts';
import { type LibraryRoot, openLibraryRoot } from '../storage/disk/root.ts';
import type { DownloadAddress, DownloadAddressOptions } from '../storage/file-storage.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';
import { BookFiles } from './book-files.ts';
import { BookJournal } from './book-journal.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createArchiveDeletion } from './expired-archives.ts';
import { BookHistory } from './history.ts';
import { createOpenJournalTable } from './open-journals.ts';
import { createSampleLibrary } from './sample-library.ts';
import { VersionHistory } from './version-history.ts';

const searchesAtOnce = 2;
/** The longest delay that a timer of Node can have. */
const longestTimerMs = 2 ** 31 - 1;

/** An open library with the services that the tools use. */
export interface Library extends Pick<StorageBackend, 'storage' | 'journal' | 'offer'> {
  settings: BooksSettings;
  files: BookFiles;
  history: BookHistory;
  /** Stores the former contents of files. It is undefined without --books-extras. */
  versions: VersionHistory | undefined;
  /** Deletes the expired archives of all servers. The call has no effect if the last one was recent. */
  deleteExpiredArchives(): Promise<void>;
  archive(order: Pick<ArchiveOptions, 'book' | 'scope' | 'signal' | 'progress'>): Promise<ArchiveResult>;
  /** Returns the download address of a file, at the CDN or in the storage. */
  address(key: string, wish: DownloadAddressOptions): Promise<DownloadAddress>;
  /** Limits the number of parallel text searches, because each one needs a thread and holds a file in memory. */
  searchSlots: Semaphore;
  /** Writes pending journal records and closes the library. */
  close(): Promise<void>;
}

/** Opens the library, or creates the sample library. */
export async function openLibrary(settings: BooksSettings): Promise<Library> {
  const now = (): number => Date.now();
  const backend = await openBackend(settings, now);
  const { storage } = backend;
  const ownArchives = new Map<string, number>();
  const deleteExpiredArchives = createArchiveDeletion(backend, ownArchives, now);
  const versions = settings.retention && new VersionHistory(backend, settings.retention, now);
  const files = new BookFiles(backend, versions);
  return {
    ...backend,
    settings,
    files,
    history: new BookHistory(backend, now),
    versions,
    deleteExpiredArchives,
    archive: async order => {
      const { archiveLimitMs: limitMs, archiveTtlMs: ttlMs } = settings;
      const archive = await createArchive(backend, files, { ...order, limitMs, ttlMs }, now);
      ownArchives.set(archive.key, archive.expiresMs);
      // A timer deletes the archive when it expires. If this process ends before, a later call to any server of the
      // library deletes the archive.
      const endMs = Math.min(ttlMs + 1000, longestTimerMs);
      setTimeout(() => void deleteExpiredArchives().catch(ignoreExpectedError), endMs).unref();
      return archive;
    },
    address: async (key, wish) =>
      settings.cdnUrl === undefined ? await storage.address(key, wish) : { url: `${settings.cdnUrl}/${key}` },
    searchSlots: new Semaphore(searchesAtOnce),
  };
}

async function openBackend({ root, bucket, cdnUrl }: BooksSettings, now: () => number): Promise<StorageBackend> {
  if (bucket === undefined)
    return openDiskBackend(openLibraryRoot(root ?? createSampleLibrary()), now, cdnUrl !== undefined);
  const { openBucket } = await import('../storage/s3/bucket.ts');
  return await openBucket(bucket, process.env, now);
}

/** Opens a library in a local folder. */
export function openDiskBackend(libraryRoot: LibraryRoot, now: () => number, isPublished = false): StorageBackend {
  const storage = new DiskFileStorage(libraryRoot, now);
  const internal = createDiskInternalFiles(libraryRoot, now);
  return {
    storage,
    internal,
    storeTime: now,
    createArchive: async partName => await createDiskArchive(libraryRoot, isPublished, partName),
    ...createOpenJournalTable(book => {
      const checkpoints = createCheckpoints(storage, internal, book);
      return new BookJournal(book, new DiskBookBackend(libraryRoot, book, checkpoints, now));
    }),
  };
}
