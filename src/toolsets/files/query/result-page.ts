import { EventLoopYielder } from '../../../async/yielder.ts';
import { inspectFile } from '../access/inspect.ts';
import type { FileTable } from '../index/file-table.ts';
import { compareNewestFirst, NewestFirstQueue } from '../match/newest-queue.ts';
import { type CallTimeControl, eventLoopTimeSliceMs, runReaderJobs } from '../workers/control.ts';
import type { FileReaderPool } from '../workers/pool.ts';
import type { ReaderJob } from '../workers/reader-job.ts';
import { matchesKindAndTime } from './file-filter.ts';
import type { FoundHit } from './partial-results.ts';
import type { SearchRequest, SearchResultPage } from './protocol.ts';
import type { FoundFile } from './results.ts';

/** The number of files whose excerpts a worker extracts in one job. */
const excerptBatch = 16;

/** The files on one page of results. The callers of `buildResultPage` add information about their search. */
type FilesOnPage = Pick<SearchResultPage, 'files' | 'isTruncated' | 'hitCount'>;

/** The files that were found, in the order in which pages show them. */
export interface OrderedHits {
  size: number;
  take(): FoundHit | undefined;
  /** Sorts the files of the page again, because a file can change after it was found. */
  sortPage(files: FoundFile[]): FoundFile[];
}

/** Sorts the files that were found by time, the newest first. */
export function orderHitsByTime(hits: readonly FoundHit[]): OrderedHits {
  const queue = new NewestFirstQueue(hits);
  return { size: hits.length, take: () => queue.take(), sortPage: files => files.sort(compareNewestFirst) };
}

export function keepGivenHitOrder(hits: readonly FoundHit[]): OrderedHits {
  let next = 0;
  return { size: hits.length, take: () => hits[next++], sortPage: files => files };
}

/**
 * Creates one page of results. Each file is inspected again, because it must still exist at the same path. An excerpt
 * shows the first phrase of the query that the file contains.
 */
export async function buildResultPage(
  table: FileTable,
  readers: FileReaderPool,
  hits: OrderedHits,
  { scope, query, page, excerpts }: SearchRequest,
  control: CallTimeControl,
  phrases: readonly string[] = query.phrase === undefined ? [] : [query.phrase],
): Promise<FilesOnPage> {
  const { offset, limit } = page;
  const yielder = new EventLoopYielder(eventLoopTimeSliceMs);
  for (let skipped = 0; skipped < offset; skipped++) hits.take();
  const files: FoundFile[] = [];
  for (let hit = hits.take(); hit !== undefined && files.length <= limit; hit = hits.take()) {
    const seen = inspectFile(hit.path, scope, table.types);
    if (seen !== undefined && isAsRead(hit, seen.stat) && matchesKindAndTime(query, seen.stat, seen.type)) {
      const { mtimeMs, size } = seen.stat;
      files.push({ path: hit.path, mtimeMs, size, type: seen.type, ...(hit.matched && { matched: hit.matched }) });
    }
    await yielder.yieldIfDue();
  }
  const shown = hits.sortPage(files.slice(0, limit));
  const hasExcerpts = excerpts && phrases.length > 0;
  return {
    files: hasExcerpts ? await findExcerpts(table, readers, shown, scope, phrases, control) : shown,
    isTruncated: files.length > limit,
    hitCount: hits.size,
  };
}

async function findExcerpts(
  table: FileTable,
  readers: FileReaderPool,
  files: readonly FoundFile[],
  scope: string,
  phrases: readonly string[],
  control: CallTimeControl,
): Promise<FoundFile[]> {
  const jobs: ReaderJob[] = [];
  for (let at = 0; at < files.length; at += excerptBatch) {
    const paths = files.slice(at, at + excerptBatch).map(file => file.path);
    const texts = paths.map(file => table.textOf(file));
    jobs.push({ kind: 'excerpt', allowedRoot: scope, paths, phrases, isSigning: false, texts });
  }
  const answers = await runReaderJobs(readers, jobs, control);
  return files.map((file, index) => {
    const excerpt = answers[Math.floor(index / excerptBatch)]?.excerpts[index % excerptBatch];
    return excerpt === undefined ? file : { ...file, excerpt };
  });
}

/**
 * Returns whether a file is unchanged since it was read. The result is true for a hit without a change time, which was
 * found by name, or by its phrase in this call.
 */
function isAsRead({ ctimeMs }: FoundHit, now: { ctimeMs: number }): boolean {
  return ctimeMs === undefined || Math.abs(ctimeMs - now.ctimeMs) < clockGrainMs;
}

/**
 * Change times that differ by less than this number of milliseconds count as equal, because they were rounded in
 * different ways.
 */
const clockGrainMs = 0.01;
