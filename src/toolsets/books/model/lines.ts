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

/** A regular expression for single lines. */
export interface LinePattern {
  /** Whether its time only grows with the text, whatever the pattern and the text. */
  isLinear: boolean;
  /** Where the first match begins; -1 for none. */
  find(line: string): number;
}

/** Why a pattern cannot be used. */
export interface BadPattern {
  reason: string;
}

/** Words and alternatives of words: no engine is faster at them than the platform's, and none of them can explode. */
const plainWords = /^(\(\?i\))?([^\\^$.?*+()[\]{}\n\r]{1,500})$/;

/** In linear time where the pattern allows it; lookaround and backreferences need the platform's engine. */
export function readLinePattern(pattern: string): LinePattern | BadPattern {
  if (needsLineBreak(pattern)) {
    return { reason: 'lines are matched one by one, so a line break in the pattern never matches; leave it out' };
  }
  const [isPlain, ignoreCase, words = ''] = plainWords.exec(pattern) ?? [];
  if (isPlain !== undefined) return platformPattern(words, ignoreCase === undefined ? 'u' : 'iu', true);
  try {
    // Python's end of the text, which RE2 writes in small.
    const linear = RE2JS.compile(
      rewritten(pattern, (piece, isInClass) => (piece === '\\Z' && !isInClass ? '\\z' : piece)),
    );
    return { isLinear: true, find: line => (linear.test(line) ? startOf(linear, line) : -1) };
  } catch (error) {
    return needsPlatform(pattern) ? platformDialect(pattern) : { reason: reasonOf(error) };
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

/** Lookaround, backreferences, and counts beyond what linear time allows. */
function needsPlatform(pattern: string): boolean {
  return /\(\?<?[=!]|\\[1-9]|\\k<|\(\?P=|\{\d{4}|\{\d*,\d{4}/.test(pattern);
}

/** Anchors the platform does not have; a line is all there is, so they mean the same. */
const anchors: Readonly<Record<string, string>> = { '\\A': '^', '\\Z': '$', '\\z': '$', '(?P<': '(?<' };

/** What RE2 and Python write differently. What would mean something else here is refused. */
function platformDialect(pattern: string): LinePattern | BadPattern {
  if (pattern.includes('\\Q')) return { reason: '\\Q does not go with lookaround, escape the signs one by one' };
  let namedClass = '';
  const [inlineFlags = '', flags = ''] = /^\(\?([ims]+)\)/.exec(pattern) ?? [];
  const source = rewritten(pattern.slice(inlineFlags.length), (piece, isInClass) => {
    if (isInClass && piece.startsWith('[:')) namedClass = piece;
    return (isInClass ? undefined : outsideOfClasses(piece)) ?? escapedSign(piece) ?? property(piece) ?? piece;
  });
  if (namedClass !== '') return { reason: `${namedClass} does not go with lookaround, write \\p{L} and the like` };
  try {
    // A line has no line breaks, so the dot is everything and its ends are the only ones.
    return platformPattern(source, flags.includes('i') ? 'isu' : 'su', false);
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

function outsideOfClasses(piece: string): string | undefined {
  const [, name] = /^\(\?P=(\w+)\)$/.exec(piece) ?? [];
  return name === undefined ? anchors[piece] : `\\k<${name}>`;
}

/** RE2 lets every sign be escaped, the platform only those that mean something. */
function escapedSign(piece: string): string | undefined {
  return /^\\[ -/:-@[-`{-~]$/.test(piece) ? `\\x${piece.charCodeAt(1).toString(16)}` : undefined;
}

/** `\pL` and, of scripts, `\p{Greek}`. */
function property(piece: string): string | undefined {
  const [, sign = '', short, long = ''] = /^\\([pP])(?:([A-Z])|\{(\w+)\})$/.exec(piece) ?? [];
  if (short !== undefined) return `\\${sign}{${short}}`;
  return long.length > 2 && long !== 'Any' ? `\\${sign}{Script=${long}}` : undefined;
}

const pieces = /\\Q[^]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|[A-Z])|\\[^]|\[:\^?\w+:\]|\(\?P<|\(\?P=\w+\)|[^]/g;

/** Goes through a pattern piece by piece: escapes are told from letters, and classes from what is outside of them. */
function rewritten(pattern: string, change: (piece: string, isInClass: boolean) => string): string {
  let isInClass = false;
  return pattern.replace(pieces, piece => {
    const changed = change(piece, isInClass);
    if (piece === ']') isInClass = false;
    else if (piece === '[') isInClass = true;
    return changed;
  });
}

function platformPattern(source: string, flags: string, isLinear: boolean): LinePattern {
  const regex = new RegExp(source, flags);
  return { isLinear, find: line => line.search(regex) };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
