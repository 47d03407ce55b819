import { RE2JS } from 're2js';

/** Lines as editors count them: ended by LF, CR LF or CR, and by nothing else. One at a time: a text may have millions. */
export function* linesOf(text: string): Generator<string> {
  let start = 0;
  let nextReturn = text.indexOf('\r');
  let feed = text.indexOf('\n');
  for (;;) {
    // Each search starts only behind its last hit: a text without LF would be searched to its end for every line.
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
/** How much of a long line is shown before its match. */
const shownBefore = 200;

/** A line for a search result: without the blanks around it, and of a line longer than a page the part with the match. */
export function shownLine(line: string, matchAt: number): string {
  const trimmed = line.trim();
  if (trimmed.length <= maxShown) return trimmed;
  const place = matchAt - (line.length - line.trimStart().length);
  const start = Math.max(0, Math.min(place - shownBefore, trimmed.length - maxShown));
  const from = isSecondHalf(trimmed, start) ? start + 1 : start;
  const end = start + maxShown;
  const to = isSecondHalf(trimmed, end) ? end - 1 : end;
  return `${from > 0 ? '…' : ''}${trimmed.slice(from, to)}${to < trimmed.length ? '…' : ''}`;
}

/** Whether a cut there would go through a character. */
function isSecondHalf(text: string, at: number): boolean {
  return (
    at > 0 && at < text.length && /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))
  );
}

/** Where the first match in a line begins; -1 for none. Takes time linear in the line, whatever the pattern is. */
export type LinePattern = (line: string) => number;

/** Why a pattern cannot be used. */
export interface BadPattern {
  reason: string;
}

/** Words and alternatives of words: no engine is faster at them than the platform's, and its time is linear for them. */
const plainWords = /^(\(\?i\))?([^\\^$.?*+()[\]{}\n\r]{1,500})$/;

export function readLinePattern(pattern: string): LinePattern | BadPattern {
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

/** A line break that is not optional, be it typed or escaped. */
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

/** Python writes the end of the text `\Z`, RE2 `\z`. */
function withRe2Anchors(pattern: string): string {
  return pattern.replace(pieces, piece => (piece === '\\Z' ? '\\z' : piece));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
