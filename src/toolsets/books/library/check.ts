import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../../../errors/failure.ts';
import { systemCode } from '../../../errors/system-error.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import { bookIdPattern } from '../model/arguments.ts';
import { formatBucketAddress } from '../model/bucket-address.ts';
import { booksFolder } from '../model/key.ts';
import type { BooksSettings, BucketSettings } from '../settings.ts';
import type { StoreCapabilities } from '../storage/s3/probe.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';

/**
 * Yields the results of --check for a library. It lists the folder, and creates and deletes a temporary file, because
 * only this shows whether the folder is writable.
 */
export async function* checkLibrary({ root, bucket, isVerified }: BooksSettings): AsyncGenerator<CheckResult> {
  if (bucket !== undefined) {
    yield* checkBucketAccess(bucket, process.env, isVerified);
    return;
  }
  if (root === undefined) {
    yield { isGood: true, line: 'a sample library, because of --demo' };
    return;
  }
  try {
    readdirSync(root);
  } catch (error) {
    yield unreadable(root, error, 'Correct --books-root: the folder with "books" in it.');
    return;
  }
  const { result, count } = countBooks(root);
  yield result;
  yield tryWriting(root, count > 0);
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

function countBooks(root: string): { result: CheckResult; count: number } {
  try {
    const count = readdirSync(path.join(root, booksFolder)).filter(name => bookIdPattern.test(name)).length;
    return { result: { isGood: true, line: `${root} can be read: ${count} ${count === 1 ? 'book' : 'books'}` }, count };
  } catch (error) {
    const result =
      systemCode(error) === 'ENOENT'
        ? (misplacedRoot(root) ?? { isGood: true, line: `${root} is a new library without books` })
        : unreadable(path.join(root, booksFolder), error, 'Correct --books-root.');
    return { result, count: 0 };
  }
}

/** Returns an error if --books-root is the folder "books" or a single book instead of the folder above. */
function misplacedRoot(root: string): CheckResult | undefined {
  const parent = path.dirname(root);
  if (path.basename(root) === booksFolder) return wrongRoot(`${root} is the folder "books" itself`, parent);
  if (path.basename(parent) === booksFolder) return wrongRoot(`${root} is one book`, path.dirname(parent));
  const isBook = readdirSync(root).some(name => name === 'content' || name === 'static');
  if (!isBook) return undefined;
  const hint = `Move it to books/${path.basename(root)} in a new folder, and give that folder: --books-root.`;
  return { isGood: false, line: `${root} is one book, not a library`, hint };
}

function wrongRoot(line: string, parent: string): CheckResult {
  return { isGood: false, line, hint: `Use the library's folder: --books-root ${parent}` };
}

function unreadable(folder: string, error: unknown, hint: string): CheckResult {
  const isClosed = faultOf(error) === closed;
  return {
    isGood: false,
    line: `${folder} ${faultOf(error)}`,
    hint: isClosed ? 'Give the user who runs the host read permission.' : hint,
  };
}

function tryWriting(root: string, hasBooks: boolean): CheckResult {
  const file = path.join(root, `.oj-books-check-${randomUUID()}`);
  try {
    closeSync(openSync(file, 'wx'));
    unlinkSync(file);
    return { isGood: true, line: `${root} can be written` };
  } catch (error) {
    const line = `${root} cannot be written: it ${faultOf(error)}`;
    const hint = 'Reading works. For changes, give the user who runs the host write permission.';
    // A missing permission is only a warning if there are books, because they can be read-only on purpose, for example
    // for students.
    const isReadOnly = hasBooks && readOnlyCodes.has(systemCode(error) ?? '');
    return { isGood: isReadOnly, isWarning: true, line, hint };
  }
}

function faultOf(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) throw error;
  return faults[code] ?? `cannot be opened (${code})`;
}

const readOnlyCodes = new Set(['EACCES', 'EPERM', 'EROFS']);
const closed = 'cannot be accessed by this user';

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'is not a folder',
  ELOOP: 'is a symbolic link that leads back to itself',
  EACCES: closed,
  EPERM: closed,
  EROFS: 'is on a read-only disk',
};

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
  // A missing permission is only a warning if there are books, as in a folder.
  return {
    isGood: hasBooks && isDenied === true,
    isWarning: true,
    line: `${place} cannot be written: ${whyReadOnly}`,
    hint,
  };
}

/**
 * Yields the results of --check for a bucket. It sends the same requests as the tools, and tests conditional writes
 * with a temporary object.
 */
export async function* checkBucketAccess(
  settings: BucketSettings,
  env: NodeJS.ProcessEnv,
  isVerified = false,
): AsyncGenerator<CheckResult> {
  const { openBucket } = await import('../storage/s3/bucket.ts');
  const place = formatBucketAddress(settings);
  const backend = await openBucket(settings, env, Date.now);
  try {
    const names = await backend.storage.books();
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
