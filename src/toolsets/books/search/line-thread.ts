import { isUtf8 } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';
import { withoutInvisible } from '../../../text/invisible.ts';
import { type LinePattern, linesOf, readLinePattern, shownLine } from '../model/lines.ts';

/** What the thread that matches lines is given at its start. */
export interface LineThreadData {
  pattern: string;
}

/** One text to look through. */
export interface LineJob {
  bytes: Uint8Array;
  limit: number;
  /** Hits up to this line are known. */
  afterLine: number;
}

export interface LineHit {
  /** From 1. */
  number: number;
  /** The line without invisible characters. */
  shown: string;
  /** How many invisible characters were removed. */
  removed: number;
}

/** The first message says what became of the pattern; then one follows for each job. */
export type LineReply =
  | { kind: 'ready' }
  | { kind: 'refused'; reason: string }
  | { kind: 'hits'; hits: LineHit[] }
  | { kind: 'noText' };

/** Matches lines in a thread of its own: a text or a pattern that takes long holds nobody up, and can be stopped. */
function run({ pattern: written }: LineThreadData): void {
  const reply = (message: LineReply): void => parentPort?.postMessage(message);
  const pattern = readLinePattern(written);
  if (typeof pattern !== 'function') {
    reply({ kind: 'refused', reason: pattern.reason });
    return;
  }
  parentPort?.on('message', (job: LineJob) => {
    reply(isUtf8(job.bytes) ? { kind: 'hits', hits: hitsIn(job, pattern) } : { kind: 'noText' });
  });
  reply({ kind: 'ready' });
}

function hitsIn({ bytes, limit, afterLine }: LineJob, pattern: LinePattern): LineHit[] {
  const hits: LineHit[] = [];
  // The decoder leaves a mark at the start of a file out: nobody sees it, so `^` must not stop at it.
  let number = 0;
  for (const line of linesOf(new TextDecoder().decode(bytes))) {
    number++;
    if (number <= afterLine) continue;
    const at = pattern(line);
    if (at === -1) continue;
    const excerpt = shownLine(line, at);
    const shown = withoutInvisible(excerpt);
    hits.push({ number, shown, removed: countCharacters(excerpt) - countCharacters(shown) });
    if (hits.length === limit) break;
  }
  return hits;
}

/** In code points. */
function countCharacters(text: string): number {
  return Array.from(text).length;
}

const data: LineThreadData = workerData;
run(data);
