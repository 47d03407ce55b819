import { isUtf8 } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';
import { removeInvisibleCharacters } from '../../../text/invisible.ts';
import { compileLinePattern, type LineMatcher, shortenMatchedLine, splitLines } from '../model/lines.ts';

/** The parameters with which the thread that searches lines is started. */
export interface LineThreadParameters {
  pattern: string;
}

/** A request to the thread to search one text. */
export interface LineSearchRequest {
  bytes: Uint8Array;
  limit: number;
  /** Matches up to the line with this number are skipped. */
  afterLine: number;
}

export interface MatchingLine {
  /** The line number, counted from 1. */
  number: number;
  /** The text of the line without invisible characters. */
  shown: string;
  /** The number of invisible characters that were removed from the line. */
  removed: number;
}

/**
 * A message of the thread. The first message states whether the pattern is valid. Then the thread sends one message for
 * each request.
 */
export type LineThreadMessage =
  | { kind: 'ready' }
  | { kind: 'refused'; reason: string }
  | { kind: 'hits'; hits: MatchingLine[] }
  | { kind: 'noText' };

/**
 * Searches lines in a separate thread, so that a slow text or pattern does not delay other calls and can be terminated.
 */
function run({ pattern: written }: LineThreadParameters): void {
  const reply = (message: LineThreadMessage): void => parentPort?.postMessage(message);
  const pattern = compileLinePattern(written);
  if (typeof pattern !== 'function') {
    reply({ kind: 'refused', reason: pattern.reason });
    return;
  }
  parentPort?.on('message', (job: LineSearchRequest) => {
    reply(isUtf8(job.bytes) ? { kind: 'hits', hits: hitsIn(job, pattern) } : { kind: 'noText' });
  });
  reply({ kind: 'ready' });
}

function hitsIn({ bytes, limit, afterLine }: LineSearchRequest, pattern: LineMatcher): MatchingLine[] {
  const hits: MatchingLine[] = [];
  // The text decoder removes a byte order mark, so that `^` matches at the start of the text.
  let number = 0;
  for (const line of splitLines(new TextDecoder().decode(bytes))) {
    number++;
    if (number <= afterLine) continue;
    const at = pattern(line);
    if (at === -1) continue;
    const excerpt = shortenMatchedLine(line, at);
    const shown = removeInvisibleCharacters(excerpt);
    hits.push({ number, shown, removed: countCharacters(excerpt) - countCharacters(shown) });
    if (hits.length === limit) break;
  }
  return hits;
}

/** Counts the code points of a text. */
function countCharacters(text: string): number {
  return Array.from(text).length;
}

const data: LineThreadParameters = workerData;
run(data);
