import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { reasonOf } from '../../../errors/reason.ts';
import { systemErrorCodeOf } from '../../../errors/system-error.ts';
import { describeWriteError, runInCreatedFolders, tryWriting } from '../../../toolset/create-folders.ts';
import { suggestPath } from '../../../toolset/similar-path.ts';
import { checkTempFolder } from '../../../toolset/temp-folder.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import type { BucketSettings } from '../bucket-settings.ts';
import { formatBucketAddress } from '../model/bucket-address.ts';
import { booksFolder, metadataFolder } from '../model/key.ts';
import type { BooksSettings } from '../settings.ts';
import type { StoreCapabilities } from '../storage/s3/probe.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';
import { examineLibraryFolders, type LibraryLayout } from './check-layout.ts';

/**
 * Yields the results of --check for a library. The check lists the folders, and creates and deletes temporary files,
 * because this is the only way to know whether the folders are writable.
 */
export async function* checkLibrary({ root, bucket, isVerified }: BooksSettings): AsyncGenerator<CheckResult> {
  if (bucket !== undefined) {
    yield* checkBucketAccess(bucket, process.env, isVerified);
    return;
  }
  if (root === undefined) {
    yield checkTempFolder('a sample library, because of --demo');
    return;
  }
  try {
    readdirSync(root);
  } catch (error) {
    yield unreadable(
      root,
      error,
      'Correct --books-root: the folder with "books" in it, or an empty folder for a new library.',
    );
    return;
  }
  let layout: LibraryLayout;
  try {
    layout = examineLibraryFolders(root);
  } catch (error) {
    yield unreadable(path.join(root, booksFolder), error, 'Correct --books-root, or replace that file by a folder.');
    return;
  }
  yield* layout.results;
  if (layout.results.every(({ isGood }) => isGood)) yield checkWriting(root, layout.books);
  if (isVerified) yield* verifyAndClose(await openFolder(root));
}

async function openFolder(root: string): Promise<StorageBackend> {
  const [{ openDiskBackend }, { openLibraryRoot }] = await Promise.all([
    import('./library.ts'),
    import('../storage/disk/root.ts'),
  ]);
  return openDiskBackend(openLibraryRoot(root), Date.now);
}

async function* verifyAndClose(backend: StorageBackend): AsyncGenerator<CheckResult> {
  const { verifyLibrary } = await import('./verify.ts');
  try {
    // The verification has no time limit, because a large library takes longer than the time limit of --check.
    yield* verifyLibrary(backend, new AbortController().signal);
  } finally {
    await backend.close();
  }
}

function unreadable(folder: string, error: unknown, hint: string): CheckResult {
  const code = systemErrorCodeOf(error);
  if (code === undefined) throw error;
  const isDenied = code === 'EACCES' || code === 'EPERM';
  return {
    isGood: false,
    line: `${folder} cannot be read: ${reasonOf(code)}`,
    hint: isDenied
      ? 'Give the user who runs the host read permission.'
      : hint + (code === 'ENOENT' ? suggestPath(folder) : ''),
  };
}

/** Creates and removes a file in each folder in which the tools create files. Missing folders are created and removed. */
function checkWriting(root: string, books: readonly string[]): CheckResult {
  const folders = [booksFolder, metadataFolder, ...books.slice(0, maxTriedBooks).map(book => `${booksFolder}/${book}`)];
  for (const name of folders) {
    const folder = path.join(root, name);
    try {
      runInCreatedFolders(folder, () => tryWriting(folder));
    } catch (error) {
      const line = `${existsSync(folder) ? folder : root} cannot be written: ${describeWriteError(error)}`;
      const code = systemErrorCodeOf(error) ?? '';
      const isDenied = readOnlyCodes.has(code);
      const hint = isDenied
        ? 'Reading works. For changes, use a disk and a folder that the user who runs the host can write.'
        : fullCodes.has(code)
          ? 'Reading works. For changes, free space there.'
          : 'Correct --books-root, or remove what is in the place of the folder.';
      // A missing permission is only a warning if there are books, because they can be read-only on purpose, for example
      // for students.
      return { isGood: books.length > 0 && isDenied, isWarning: true, line, hint };
    }
  }
  return { isGood: true, line: `${root} can be written` };
}

/** The check tests the write permission in this number of books, which takes less than a second. */
const maxTriedBooks = 1000;

const readOnlyCodes = new Set(['EACCES', 'EPERM', 'EROFS']);
const fullCodes = new Set(['ENOSPC', 'EDQUOT']);

function writeResult(
  place: string,
  { whyReadOnly, isDenied, needsBareEtags }: StoreCapabilities,
  hasBooks: boolean,
): CheckResult {
  if (whyReadOnly === undefined) {
    const manner = needsBareEtags ? ' (it accepts ETags without quotation marks)' : '';
    return { isGood: true, line: `${place} can be written: it supports conditional writes${manner}` };
  }
  const need = isDenied === true ? 'credentials with write permission' : 'a store with conditional writes';
  const hint = `Reading works. For changes, use ${need}.`;
  // A missing permission is only a warning if the bucket contains books, because a bucket can be read-only on purpose.
  return {
    isGood: hasBooks && isDenied === true,
    isWarning: true,
    line: `${place} cannot be written: ${whyReadOnly}`,
    hint,
  };
}

/**
 * Yields the results of --check for a bucket. The check sends the same requests as the tools, and tests conditional
 * writes with a temporary object.
 */
export async function* checkBucketAccess(
  settings: BucketSettings,
  env: NodeJS.ProcessEnv,
  isVerified = false,
): AsyncGenerator<CheckResult> {
  const { openBucket } = await import('../storage/s3/bucket.ts');
  const backend = await openBucket(settings, env, Date.now);
  const place = formatBucketAddress({ ...settings, endpoint: backend.endpoint });
  try {
    const names = await backend.storage.foldersIn(booksFolder);
    const count = `${names.length} ${names.length === 1 ? 'book' : 'books'}`;
    yield { isGood: true, line: `${place} can be read: ${count}` };
    yield writeResult(place, await backend.capabilities(), names.length > 0);
    if (isVerified) yield* verifyAndClose(backend);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    yield { isGood: false, line: `${place}: ${error.message}`, hint: error.remedy };
  } finally {
    await backend.close();
  }
}
