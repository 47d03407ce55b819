/** The part of a link after its text: the address and an optional title. */
export interface LinkDestination {
  /** The address as it is written, with escapes and entities. */
  readonly address: string;
  readonly addressStart: number;
  readonly addressEnd: number;
  /** The offset after the closing parenthesis, or after the line of a definition. */
  readonly end: number;
}

const blanks = /[ \t\n]*/y;
const lineEnd = /[ \t]*(?:\n|$)/y;
const pointed = /<([^\\<>\n]*(?:\\.[^\\<>\n]*)*)>/y;
const titles: Readonly<Record<string, RegExp>> = {
  '"': /"[^\\"]*(?:\\.[^\\"]*)*"/sy,
  "'": /'[^\\']*(?:\\.[^\\']*)*'/sy,
  '(': /\([^\\()]*(?:\\.[^\\()]*)*\)/sy,
};
// Parentheses in an address are nested at most this deeply, as in the reference implementations of CommonMark.
const maxParentheses = 32;

/**
 * Parses the address and the title after the text of a link, `address "title")`, or after the label of a definition,
 * `address "title"` up to the end of the line.
 */
export function parseLinkDestination(
  text: string,
  start: number,
  closing: 'parenthesis' | 'line',
): LinkDestination | undefined {
  const addressStart = endOf(blanks, text, start);
  const address = readAddress(text, addressStart);
  if (address === undefined || (closing === 'line' && address.end === addressStart)) return undefined;
  const tail = { address: address.text, addressStart, addressEnd: address.end };
  const afterBlanks = endOf(blanks, text, address.end);
  const title = afterBlanks > address.end ? titles[text[afterBlanks] ?? ''] : undefined;
  const titleEnd = title === undefined ? -1 : endOf(title, text, afterBlanks);
  if (closing === 'parenthesis') {
    const close = endOf(blanks, text, titleEnd > afterBlanks ? titleEnd : address.end);
    return text[close] === ')' ? { ...tail, end: close + 1 } : undefined;
  }
  const ends = [titleEnd, address.end].filter(at => at >= address.end).map(at => endOf(lineEnd, text, at, -1));
  const end = ends.find(at => at !== -1);
  return end === undefined ? undefined : { ...tail, end };
}

function readAddress(text: string, start: number): { text: string; end: number } | undefined {
  if (text[start] === '<') {
    pointed.lastIndex = start;
    const match = pointed.exec(text);
    return match === null ? undefined : { text: match[1] ?? '', end: pointed.lastIndex };
  }
  return readBareAddress(text, start);
}

/** Parses an address without angle brackets. It ends at white space or at an unbalanced parenthesis. */
function readBareAddress(text: string, start: number): { text: string; end: number } | undefined {
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    const character = text[at] ?? '';
    if (character <= ' ' || character === '\x7f') break;
    if (character === '\\' && (text[at + 1] ?? ' ') > ' ') at++;
    else if (character === '(') depth++;
    else if (character === ')' && --depth < 0) break;
    if (depth > maxParentheses) return undefined;
  }
  return depth > 0 ? undefined : { text: text.slice(start, at), end: at };
}

/** Returns the end offset of a match at `from`, or `otherwise` if the sticky pattern does not match there. */
function endOf(pattern: RegExp, text: string, from: number, otherwise = from): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : otherwise;
}
