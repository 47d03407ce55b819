import { RE2JS } from 're2js';

/**
 * Yields the lines of a text as editors count them: only LF, CR LF or CR ends a line. It is a generator, because a text
 * may have millions of lines.
 */
export function* splitLines(text: string): Generator<string> {
  let start = 0;
  let nextReturn = text.indexOf('\r');
  let feed = text.indexOf('\n');
  for (;;) {
    // The search for each type of line end continues after its last result. Otherwise a text without LF would be
    // searched to its end for every line.
    if (feed !== -1 && feed < start) feed = text.indexOf('\n', start);
    if (nextReturn !== -1 && nextReturn < start) nextReturn = text.indexOf('\r', start);
    const end = nextReturn !== -1 && (feed === -1 || nextReturn < feed) ? nextReturn : feed;
    if (end === -1) {
      yield text.slice(start);
      return;
    }
    yield text.slice(start, end);
    start = end + (end === nextReturn && feed === end + 1 ? 2 : 1);
  }
}

const maxShown = 1000;
/** The number of characters that a shortened line shows before the match. */
const shownBefore = 200;

/** Returns a line for a search result: trimmed, and shortened to the part around the match if the line is long. */
export function shortenMatchedLine(line: string, matchAt: number): string {
  const trimmed = line.trim();
  if (trimmed.length <= maxShown) return trimmed;
  const place = matchAt - (line.length - line.trimStart().length);
  const start = Math.max(0, Math.min(place - shownBefore, trimmed.length - maxShown));
  const from = isSecondHalf(trimmed, start) ? start + 1 : start;
  const end = start + maxShown;
  const to = isSecondHalf(trimmed, end) ? end - 1 : end;
  return `${from > 0 ? '…' : ''}${trimmed.slice(from, to)}${to < trimmed.length ? '…' : ''}`;
}

/** Returns whether a cut at this offset would divide a surrogate pair. */
function isSecondHalf(text: string, at: number): boolean {
  return /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1));
}

/**
 * Returns the offset of the first match in a line, or -1. The time is linear in the length of the line for every
 * pattern.
 */
export type LineMatcher = (line: string) => number;

/** The reason why a search pattern cannot be used. */
export interface InvalidSearchPattern {
  reason: string;
}

/**
 * Matches a pattern that consists of words and alternatives of words. The built-in regular expressions are fastest for
 * such patterns and take linear time.
 */
const plainWords = /^(\(\?i\))?([^\\^$.?*+()[\]{}\n\r]{1,500})$/;

export function compileLinePattern(pattern: string): LineMatcher | InvalidSearchPattern {
  if (needsLineBreak(pattern)) {
    return { reason: 'lines are matched one by one, so a line break in the pattern never matches; leave it out' };
  }
  const [isPlain, ignoreCase, words = ''] = plainWords.exec(pattern) ?? [];
  if (isPlain !== undefined) {
    const regex = new RegExp(words, ignoreCase === undefined ? 'u' : 'iu');
    return line => line.search(regex);
  }
  try {
    const linear = RE2JS.compile(withRe2Anchors(pattern));
    return line => (linear.test(line) ? startOf(linear, line) : -1);
  } catch (error) {
    return {
      reason: `${reasonOf(error)}${isUnsupported(pattern) ? '; lookaround and backreferences are not supported' : ''}`,
    };
  }
}

/** Returns whether a pattern can match only text with a line break. No single line contains a line break. */
function needsLineBreak(pattern: string): boolean {
  let isInClass = false;
  const parts = pattern.match(pieces) ?? [];
  return parts.some((piece, index) => {
    if (piece === ']') isInClass = false;
    else if (piece === '[') isInClass = true;
    return lineBreak.test(piece) && !isInClass && !['?', '*', '|', ')'].includes(parts[index + 1] ?? '');
  });
}

function startOf(linear: RE2JS, line: string): number {
  const matcher = linear.matcher(line);
  return matcher.find() ? matcher.start() : 0;
}

function isUnsupported(pattern: string): boolean {
  return /\(\?<?[=!]|\\[1-9]|\\k<|\(\?P=/.test(pattern);
}

const pieces = /\\Q[^]*?(?:\\E|$)|\\x0[adAD]|\\[^]|[^]/g;
const lineBreak = /^(?:[\n\r]|\\[nr]|\\x0[adAD])$/;

/** Replaces `\Z`, the end of the text in Python's regular expressions, by `\z`, which RE2 supports. */
function withRe2Anchors(pattern: string): string {
  return pattern.replace(pieces, piece => (piece === '\\Z' ? '\\z' : piece));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
