import { Pause } from '../../../../async/yielder.ts';
import { type FoundFile, NewestQueue, newestFirst } from '../../model/results.ts';
import { nothingSkipped } from '../../model/skip.ts';
import { inspect } from '../inspect.ts';
import { type Control, runJobs, sliceMs } from '../threads/control.ts';
import type { Found, Question, ReaderJob } from '../threads/messages.ts';
import type { ReaderPool } from '../threads/reader-pool.ts';
import { isStill } from './finding.ts';
import type { Tree } from './tree.ts';
import type { KnownHit } from './unfinished.ts';

type Wanted = Pick<Extract<Question, { kind: 'find' }>, 'scope' | 'wish' | 'page' | 'excerpts'>;

/** Files for whose excerpts a reader is asked at once. */
const excerptBatch = 16;

/** Sorts, and looks once more at each file that goes out: it must be there now, and where it was found. */
export async function present(
  tree: Tree,
  readers: ReaderPool,
  hits: readonly KnownHit[],
  { scope, wish, page, excerpts }: Wanted,
  control: Control,
): Promise<Found> {
  const { offset, limit } = page;
  const pause = new Pause(sliceMs);
  const queue = new NewestQueue(hits);
  queue.takeSome(offset);
  const files: FoundFile[] = [];
  for (let hit = queue.take(); hit !== undefined && files.length <= limit; hit = queue.take()) {
    const seen = inspect(hit.path, scope, tree.types);
    if (seen !== undefined && isAsRead(hit, seen.stat) && isStill(wish, seen.stat, seen.type)) {
      files.push({ path: hit.path, mtimeMs: seen.stat.mtimeMs, size: seen.stat.size, type: seen.type });
    }
    await pause.take();
  }
  const shown = files.slice(0, limit).sort(newestFirst);
  return {
    files:
      excerpts && wish.phrase !== undefined
        ? await findExcerpts(tree, readers, shown, scope, wish.phrase, control)
        : shown,
    isTruncated: files.length > limit,
    hitCount: hits.length,
    isTimedOut: control.isTimedOut,
    isStarved: false,
    engine: 'scan',
    skipped: nothingSkipped(),
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
    jobs.push({ kind: 'excerpt', fence: scope, paths, phrases: [phrase], isSigning: false, texts });
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
