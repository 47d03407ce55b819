import { RE2JS } from 're2js';

/**
 * Yields the lines as editors count them: only LF, CR LF or CR ends a line. It is a generator, because a text may have
 * millions of lines.
 */
export function* splitLines(text: string): Generator<string> {
  let start = 0;
  let nextReturn = text.indexOf('\r');
  let feed = text.indexOf('\n');
  for (;;) {
    // Each search continues after its last match. Otherwise a text without LF would be searched to its end for every
    // line.
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
/** This number of characters is shown before the match in a long line. */
const shownBefore = 200;

/** Returns a line for a search result: trimmed, and for a long line only the part around the match. */
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

/** Returns whether a cut at this offset would divide a character. */
function isSecondHalf(text: string, at: number): boolean {
  return (
    at > 0 && at < text.length && /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))
  );
}

/** Returns the offset of the first match in a line, or -1. The time is linear in the line for every pattern. */
export type LineMatcher = (line: string) => number;

/** The reason why a pattern cannot be used. */
export interface InvalidPattern {
  reason: string;
}

/**
 * Matches a pattern of words and alternatives of words. For such a pattern the regular expressions of the platform are
 * fastest and take linear time.
 */
const plainWords = /^(\(\?i\))?([^\\^$.?*+()[\]{}\n\r]{1,500})$/;

export function compileLinePattern(pattern: string): LineMatcher | InvalidPattern {
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

/** Returns whether a pattern contains a line break that is not optional, literal or escaped. */
function needsLineBreak(pattern: string): boolean {
  let isInClass = false;
  const parts = pattern.match(pieces) ?? [];
  return parts.some((piece, index) => {
    if (piece === ']') isInClass = false;
    else if (piece === '[') isInClass = true;
    const isBreak = ['\n', '\r', '\\n', '\\r', '\\x0a', '\\x0A'].includes(piece);
    return isBreak && !isInClass && !['?', '*', '|', ')'].includes(parts[index + 1] ?? '');
  });
}

function startOf(linear: RE2JS, line: string): number {
  const matcher = linear.matcher(line);
  return matcher.find() ? matcher.start() : 0;
}

function isUnsupported(pattern: string): boolean {
  return /\(\?<?[=!]|\\[1-9]|\\k<|\(\?P=/.test(pattern);
}

const pieces = /\\Q[^]*?(?:\\E|$)|\\[^]|[^]/g;

/** Replaces `\Z`, which Python uses for the end of the text, by `\z` of RE2. */
function withRe2Anchors(pattern: string): string {
  return pattern.replace(pieces, piece => (piece === '\\Z' ? '\\z' : piece));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
