import { Failure } from '../../../errors/failure.ts';
import { writeToStderr } from '../../../log/stderr.ts';
import { removeInvisibleCharacters } from '../../../text/invisible.ts';
import type { CheckResult } from '../../../toolset/toolset.ts';
import type { JournalState } from '../model/journal.ts';
import {
  bookIdPattern,
  booksFolder,
  compareCodePoints,
  importManifestPath,
  locationOfPath,
  metadataFolder,
  removeBookPrefixOfKey,
  storageKeyOf,
  storageKeyOfBook,
  storeTestFolder,
} from '../model/key.ts';
import { isPathInManifest } from '../model/manifest.ts';
import type { StorageEntry } from '../storage/file-storage.ts';
import type { StorageBackend } from '../storage/storage-backend.ts';
import type { JournalSegmentReader } from './checkpoints.ts';
import { type FileHash, tryHash } from './file-scan.ts';
import { JournalAuditor } from './journal-auditor.ts';
import { JournalReader } from './journal-reader.ts';
import { mapInParallelInOrder } from './map-in-order.ts';

const progressMs = 2000;
/** Limits the number of differences that are printed. All of them are counted. */
const shownDifferences = 20;

/** Verifies every journal and every file of a library and reports the differences. It changes nothing. */
export async function* verifyLibrary(backend: StorageBackend, signal: AbortSignal): AsyncGenerator<CheckResult> {
  const { storage } = backend;
  const journals = await storage.foldersIn(metadataFolder);
  const names = new Set([
    ...(await storage.foldersIn(booksFolder)),
    ...journals.filter(name => !storage.isRemote || name !== storeTestFolder),
  ]);
  for (const book of [...names].filter(name => bookIdPattern.test(name)).sort(compareCodePoints)) {
    try {
      yield* verifyBook(backend, book, signal);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      yield { isGood: false, line: `${book}: ${error.message}` };
    }
  }
}

async function* verifyBook(backend: StorageBackend, book: string, signal: AbortSignal): AsyncGenerator<CheckResult> {
  const showProgress = createProgress(book);
  const replayed = new JournalReader();
  const problems = await backend.journal(book).readSegments(async segments => {
    for await (const { lines } of segments.linesAfter(0, signal)) {
      replayed.add(lines);
      showProgress(`${replayed.state.seq} records of the journal`);
    }
    return await problemsOf(segments, replayed.state, signal);
  });
  const { state } = replayed;
  const files = await verifyFiles(backend, book, state, signal, showProgress);
  const counts = `${files.matching} files and ${state.seq} journal records match`;
  const unrecorded = files.unrecorded === 0 ? '' : `; ${files.unrecorded} files are not in the journal yet`;
  const open = state.open.size === 0 ? '' : `; ${state.open.size} unfinished changes wait for the next writer`;
  const differences = [...problems.map(problem => `journal: ${problem}`), ...files.differences];
  if (differences.length === 0) {
    yield { isGood: true, line: `${book}: ${counts}${unrecorded}${open}` };
    return;
  }
  yield { isGood: false, line: `${book}: ${differences.length} differences; ${counts}${unrecorded}${open}` };
  for (const line of differences.slice(0, shownDifferences)) yield { isGood: false, line: `${book}: ${line}` };
  if (differences.length > shownDifferences) {
    yield { isGood: false, line: `${book}: ${differences.length - shownDifferences} more differences` };
  }
}

/**
 * Verifies the hash chain, the order and the file hashes of all journal records. Also compares the latest checkpoint
 * with the replayed state.
 */
async function problemsOf(segments: JournalSegmentReader, state: JournalState, signal: AbortSignal): Promise<string[]> {
  const problems = [...(await new JournalAuditor().run(segments, signal))];
  const [latest] = await segments.checkpoints.numbers();
  const checkpoint = latest === undefined ? undefined : await segments.checkpoints.read(latest);
  if (latest !== undefined && checkpoint === undefined) problems.push(`checkpoint ${latest} is damaged`);
  if (checkpoint === undefined || latest === undefined) return problems;
  const continued = new JournalReader(checkpoint.state, checkpoint.chain);
  for await (const { lines } of segments.linesAfter(latest, signal)) continued.add(lines);
  if (fingerprintOf(continued.state) !== fingerprintOf(state)) {
    problems.push(`checkpoint ${latest} does not say the same as the records before it`);
  }
  return problems;
}

function fingerprintOf({ files, seq, open }: JournalState): string {
  const versions = [...files]
    .map(([key, { hash, changedMs }]) => `${key} ${hash} ${changedMs}`)
    .sort(compareCodePoints);
  return JSON.stringify([seq, [...open.keys()], versions]);
}

interface VerifiedFiles {
  matching: number;
  /** The number of files that have no journal record, because they were copied into the library. */
  unrecorded: number;
  differences: string[];
}

async function verifyFiles(
  { storage }: StorageBackend,
  book: string,
  state: JournalState,
  signal: AbortSignal,
  showProgress: (text: string) => void,
): Promise<VerifiedFiles> {
  const found: VerifiedFiles = { matching: 0, unrecorded: 0, differences: [] };
  const entries = ((await storage.list(storageKeyOfBook(book), signal)) ?? []).filter(({ key }) =>
    isVerified(book, key),
  );
  const look = async (entry: StorageEntry): Promise<FileHash | Failure> => await tryHash(storage, entry, signal);
  const present = new Set<string>();
  let done = 0;
  for await (const [{ key, kind, size }, current] of mapInParallelInOrder(entries, storage.prefetch, look, signal)) {
    showProgress(`${++done} of ${entries.length} files`);
    present.add(key);
    const place = locationOfPath(book, removeBookPrefixOfKey(book, key));
    const known = place && state.file(place);
    const hasRecord = known !== undefined && (known.hash !== null || size === 0);
    const name = removeInvisibleCharacters(removeBookPrefixOfKey(book, key));
    if (current instanceof Failure) found.differences.push(`${name} cannot be read: ${current.message}`);
    else if (kind !== 'file') found.differences.push(`${name} cannot be read`);
    else if (!hasRecord) found.unrecorded++;
    else if (known.hash === null || known.hash === current.hash) found.matching++;
    else found.differences.push(`${name} differs from the journal`);
  }
  for (const { place, hash: known } of state.files.values()) {
    if (known !== null && !present.has(storageKeyOf(place))) {
      const name = removeInvisibleCharacters(removeBookPrefixOfKey(book, storageKeyOf(place)));
      found.differences.push(`${name} is in the journal and does not exist`);
    }
  }
  return found;
}

/**
 * Returns whether a file is compared with the journal: a lesson, an asset, a user's own file or the manifest of an
 * import. Other files have no records.
 */
function isVerified(book: string, key: string): boolean {
  const place = locationOfPath(book, removeBookPrefixOfKey(book, key));
  return place !== undefined && (isPathInManifest(place.path) || place.path === importManifestPath);
}

/** Returns a function that writes the progress of a long verification to standard error. */
function createProgress(book: string): (text: string) => void {
  let shownMs = performance.now();
  return text => {
    if (performance.now() - shownMs < progressMs) return;
    shownMs = performance.now();
    writeToStderr(`oj-mcp: verifying ${book}: ${text}`);
  };
}
