import { EventLoopYielder } from '../../../async/yielder.ts';
import { inspect } from '../access/inspect.ts';
import { noneSkipped } from '../access/skip.ts';
import type { Tree } from '../index/tree.ts';
import { NewestQueue, newestFirst } from '../match/newest-queue.ts';
import { type Control, runJobs, sliceMs } from '../workers/control.ts';
import type { ReaderPool } from '../workers/pool.ts';
import type { ReaderJob } from '../workers/protocol.ts';
import { isStill } from './file-filter.ts';
import type { KnownHit } from './partial-results.ts';
import type { Found, Question } from './protocol.ts';
import type { FoundFile } from './results.ts';

type RequestedQuery = Pick<Extract<Question, { kind: 'find' }>, 'scope' | 'query' | 'page' | 'excerpts'>;

/** Files for whose excerpts a reader is asked at once. */
const excerptBatch = 16;

/** Sorts, and looks once more at each file that goes out: it must be there now, and where it was found. */
export async function buildPage(
  tree: Tree,
  readers: ReaderPool,
  hits: readonly KnownHit[],
  { scope, query, page, excerpts }: RequestedQuery,
  control: Control,
): Promise<Found> {
  const { offset, limit } = page;
  const yielder = new EventLoopYielder(sliceMs);
  const queue = new NewestQueue(hits);
  queue.takeSome(offset);
  const files: FoundFile[] = [];
  for (let hit = queue.take(); hit !== undefined && files.length <= limit; hit = queue.take()) {
    const seen = inspect(hit.path, scope, tree.types);
    if (seen !== undefined && isAsRead(hit, seen.stat) && isStill(query, seen.stat, seen.type)) {
      files.push({ path: hit.path, mtimeMs: seen.stat.mtimeMs, size: seen.stat.size, type: seen.type });
    }
    await yielder.yieldIfDue();
  }
  const shown = files.slice(0, limit).sort(newestFirst);
  return {
    files:
      excerpts && query.phrase !== undefined
        ? await findExcerpts(tree, readers, shown, scope, query.phrase, control)
        : shown,
    isTruncated: files.length > limit,
    hitCount: hits.length,
    isTimedOut: control.isTimedOut,
    hasNoWorkers: false,
    engine: 'scan',
    skipped: noneSkipped(),
    apart: undefined,
    isBeyondMemory: false,
    isFromBefore: false,
  };
}

async function findExcerpts(
  tree: Tree,
  readers: ReaderPool,
  files: readonly FoundFile[],
  scope: string,
  phrase: string,
  control: Control,
): Promise<FoundFile[]> {
  const jobs: ReaderJob[] = [];
  for (let at = 0; at < files.length; at += excerptBatch) {
    const paths = files.slice(at, at + excerptBatch).map(file => file.path);
    const texts = paths.map(file => tree.textOf(file));
    jobs.push({ kind: 'excerpt', allowedRoot: scope, paths, phrases: [phrase], isSigning: false, texts });
  }
  const answers = await runJobs(readers, jobs, control);
  return files.map((file, index) => {
    const excerpt = answers[Math.floor(index / excerptBatch)]?.excerpts[index % excerptBatch];
    return excerpt === undefined ? file : { ...file, excerpt };
  });
}

/** Of what this call has read itself there is no state to compare. */
function isAsRead({ ctimeMs }: KnownHit, now: { ctimeMs: number }): boolean {
  return ctimeMs === undefined || Math.abs(ctimeMs - now.ctimeMs) < clockGrainMs;
}

/** The same time in two forms differs by this much. */
const clockGrainMs = 0.01;
