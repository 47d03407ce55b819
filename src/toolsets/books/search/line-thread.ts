import { isUtf8 } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';
import { removeInvisible } from '../../../text/invisible.ts';
import { compileLinePattern, type LineMatcher, shortenMatchedLine, splitLines } from '../model/lines.ts';

/** The start parameters of the thread that matches lines. */
export interface LineThreadData {
  pattern: string;
}

/** A text to search. */
export interface LineJob {
  bytes: Uint8Array;
  limit: number;
  /** Hits up to this line are skipped. */
  afterLine: number;
}

export interface LineHit {
  /** The line number, from 1. */
  number: number;
  /** The line without invisible characters. */
  shown: string;
  /** The number of invisible characters that were removed. */
  removed: number;
}

/** A message of the thread. The first one is the result of compiling the pattern; then one follows for each job. */
export type LineThreadMessage =
  | { kind: 'ready' }
  | { kind: 'refused'; reason: string }
  | { kind: 'hits'; hits: LineHit[] }
  | { kind: 'noText' };

/** Matches lines in a separate thread, so that a slow text or pattern does not block other calls and can be stopped. */
function run({ pattern: written }: LineThreadData): void {
  const reply = (message: LineThreadMessage): void => parentPort?.postMessage(message);
  const pattern = compileLinePattern(written);
  if (typeof pattern !== 'function') {
    reply({ kind: 'refused', reason: pattern.reason });
    return;
  }
  parentPort?.on('message', (job: LineJob) => {
    reply(isUtf8(job.bytes) ? { kind: 'hits', hits: hitsIn(job, pattern) } : { kind: 'noText' });
  });
  reply({ kind: 'ready' });
}

function hitsIn({ bytes, limit, afterLine }: LineJob, pattern: LineMatcher): LineHit[] {
  const hits: LineHit[] = [];
  // The decoder removes a byte order mark, so that `^` matches after it.
  let number = 0;
  for (const line of splitLines(new TextDecoder().decode(bytes))) {
    number++;
    if (number <= afterLine) continue;
    const at = pattern(line);
    if (at === -1) continue;
    const excerpt = shortenMatchedLine(line, at);
    const shown = removeInvisible(excerpt);
    hits.push({ number, shown, removed: countCharacters(excerpt) - countCharacters(shown) });
    if (hits.length === limit) break;
  }
  return hits;
}

/** Counts code points. */
function countCharacters(text: string): number {
  return Array.from(text).length;
}

const data: LineThreadData = workerData;
run(data);
