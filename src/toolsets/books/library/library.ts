import { Semaphore } from '../../../async/semaphore.ts';
import { ignoreExpectedError } from '../../../log/bug.ts';
import { type ArchiveOptions, type ArchiveResult, createArchive } from '../archive/archive.ts';
import { metadataFolder } from '../model/key.ts';
import type { BooksSettings } from '../settings.ts';
import { DiskArchives } from '../storage/disk/disk-archives.ts';
import { DiskBookBackend } from '../storage/disk/disk-book.ts';
import { DiskFileStorage } from '../storage/disk/disk-storage.ts';
import { DiskVersions } from '../storage/disk/disk-versions.ts';
import { type LibraryRoot, openLibraryRoot } from '../storage/disk/root.ts';
import type { DownloadAddress, DownloadAddressOptions, StorageBackend } from '../storage/storage-backend.ts';
import { BookFiles } from './book-files.ts';
import { BookJournal } from './book-journal.ts';
import { BookHistory } from './history.ts';
import { createOpenJournalTable } from './open-journals.ts';
import { createSampleLibrary } from './sample-library.ts';
import { VersionHistory } from './version-history.ts';

const searchesAtOnce = 2;
/** The longest delay that a timer of Node can have. */
const longestTimerMs = 2 ** 31 - 1;

/** An open library with the services that the tools use. */
export interface Library extends Pick<StorageBackend, 'storage' | 'archives' | 'journal' | 'offer'> {
  settings: BooksSettings;
  files: BookFiles;
  history: BookHistory;
  /** Stores the former contents of files. It is undefined without --books-extras. */
  versions: VersionHistory | undefined;
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
  const { storage, archives } = backend;
  const versions = settings.retention && new VersionHistory(backend, settings.retention, now);
  const files = new BookFiles(backend, versions);
  return {
    ...backend,
    settings,
    files,
    history: new BookHistory(backend, now),
    versions,
    archive: async order => {
      const { archiveLimitMs: limitMs, archiveTtlMs: ttlMs } = settings;
      const archive = await createArchive(backend, files, { ...order, limitMs, ttlMs }, now);
      // A timer deletes the archive when it expires. If this process ends before, a later call to any server of the
      // library deletes the archive.
      const endMs = Math.min(ttlMs + 1000, longestTimerMs);
      setTimeout(() => void archives.deleteExpired().catch(ignoreExpectedError), endMs).unref();
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
  return {
    storage,
    versions: new DiskVersions(libraryRoot, now),
    archives: new DiskArchives(libraryRoot, isPublished, now),
    journals: async () => storage.foldersIn(metadataFolder),
    ...createOpenJournalTable(book => new BookJournal(book, new DiskBookBackend(libraryRoot, book, now))),
  };
}
