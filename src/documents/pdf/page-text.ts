import { Unreadable } from '../unreadable.ts';
import { drawnOver } from './glyphs.ts';

export type Matrix = readonly [number, number, number, number, number, number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

export function multiply(left: Matrix, right: Matrix): Matrix {
  const [a, b, c, d, e, f] = left;
  const [g, h, i, j, k, l] = right;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

/** Moved along its own axes. */
export function shifted([a, b, c, d, e, f]: Matrix, x: number, y: number): Matrix {
  return [a, b, c, d, x * a + y * c + e, x * b + y * d + f];
}

/** In parts of the font's size: a wider gap parts words, a higher one parts lines. */
const [wordGap, lineGap, backGap] = [0.1, 0.5, 0.6];
/** Where a mark is drawn over a letter, so much lies over the other. */
const markGap = 0.15;
/** What stands right below, one sign under the other, is a column of vertical writing. */
const [stackedLeast, stackedMost] = [0.8, 1.7];
const wideSign = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f]$/u;

/** A text with the place where it starts and ends, along the line it stands on. */
interface Piece {
  text: string;
  start: number;
  end: number;
  unit: number;
}

/** The last text that was shown, in the space of the page. */
interface Last {
  text: string;
  startX: number;
  x: number;
  y: number;
  size: number;
}

/** Puts together what a page shows, piece by piece: words, lines, and the words that a line's end cut. */
export class PageText {
  readonly #lines: string[] = [];
  #line: Piece[] = [];
  #last: Last | undefined;
  /** What all pages together may still have. */
  #left: number;

  constructor(maxLength: number) {
    this.#left = maxLength;
  }

  /** A text from one place to another; `size` is how large it is in units of the text space. */
  show(text: string, from: Matrix, to: Matrix, size: number): void {
    if (text === '') return;
    this.#count(text);
    const [a, b, , , x, y] = from;
    const length = Math.hypot(a, b) || 1;
    const along = (px: number, py: number): number => (px * a + py * b) / length;
    const letters = sizeOf(from, size);
    // Within one text only its start can stand apart from what was before.
    const unit = Math.max(letters, (this.#last?.size ?? 0) * 0.5, 1e-6);
    const left = this.#separate(text, from, along, unit);
    const [, , , , endX, endY] = to;
    this.#line.push({ text: left, start: along(x, y), end: along(endX, endY), unit });
    this.#last = { text, startX: x, x: endX, y: endY, size: letters };
  }

  /** The last text reaches up to there. */
  extend([, , , , x, y]: Matrix): void {
    if (this.#last !== undefined) Object.assign(this.#last, { x, y });
  }

  /** A text without a place, on a line of its own. */
  note(text: string): void {
    this.#count(text);
    this.#endLine();
    this.#last = undefined;
    this.#lines.push(text);
  }

  /** The text of the page; the next one may begin. */
  take(): string {
    this.#endLine();
    this.#last = undefined;
    return joinLines(this.#lines.splice(0));
  }

  #count(text: string): void {
    this.#left -= text.length;
    if (this.#left < 0) throw new Unreadable('the document has too much text');
  }

  /** Ends a word or a line before a text; gives what of the text is not part of the letter before it. */
  #separate(text: string, [a, b, , , x, y]: Matrix, along: (x: number, y: number) => number, unit: number): string {
    const last = this.#last;
    if (last === undefined) return text;
    const [dx, dy] = [x - last.x, y - last.y];
    const across = Math.abs(dy * a - dx * b) / (Math.hypot(a, b) || 1);
    if (across > lineGap * unit) {
      if (!isStacked(text, last, x, y, unit)) this.#endLine();
      return text;
    }
    const gap = along(dx, dy);
    const piece = this.#line.at(-1);
    const drawn = gap < -markGap * unit && piece !== undefined ? drawnOver(piece.text, text) : undefined;
    if (piece !== undefined && drawn !== undefined) {
      const [below, above] = drawn;
      piece.text = below;
      return above;
    }
    if (text.trim() !== '' && (gap > wordGap * unit || gap < -backGap * unit))
      this.#line.push({ text: ' ', start: 0, end: 0, unit: 0 });
    return text;
  }

  #endLine(): void {
    if (this.#line.length === 0) return;
    const line = this.#line.map(({ text }) => text).join('');
    this.#lines.push(isRightToLeft(line) ? reordered(visualLine(this.#line)) : line);
    this.#line = [];
  }
}

function isStacked(text: string, last: Last, x: number, y: number, unit: number): boolean {
  const down = (last.y - y) / unit;
  return (
    down > stackedLeast &&
    down < stackedMost &&
    Math.abs(x - last.startX) < 0.25 * unit &&
    wideSign.test(text) &&
    wideSign.test(last.text)
  );
}

/** From left to right as it is seen, in whatever order it was drawn. */
function visualLine(line: readonly Piece[]): string {
  const pieces = line.filter(({ unit }) => unit > 0).sort((left, right) => left.start - right.start);
  let [text, end] = ['', Number.POSITIVE_INFINITY];
  for (const piece of pieces) {
    text += piece.start - end > wordGap * piece.unit ? ` ${piece.text}` : piece.text;
    end = piece.end;
  }
  return text;
}

/** How much of the text is repeated where the hyphen between two lines may belong to the word. */
const contextLength = 40;

/**
 * Words that were cut at a line's end are made whole. Where the hyphen may be the word's own, the place is repeated with it
 * behind the page, so that the word is found in both ways.
 */
function joinLines(lines: readonly string[]): string {
  const [pieces, repeated]: [string[], string[]] = [[], []];
  let before = '';
  // A page of nothing but hyphens must not become many times as long.
  let room = contextLength + lines.reduce((sum, line) => sum + line.length, 0);
  lines.forEach((whole, index) => {
    const line = whole.trimEnd();
    const next = (lines[index + 1] ?? '').trimStart();
    const hyphen = /[\p{L}\p{N}]([-\u2010\u00ad])$/u.exec(line)?.[1];
    let piece = `${whole}\n`;
    if (hyphen !== undefined && /^[\p{L}\p{N}]/u.test(next)) {
      const isCut = /\p{Ll}.$/u.test(line) && /^\p{Ll}/u.test(next);
      piece = isCut ? line.slice(0, -1) : line;
      if (isCut && hyphen !== '\u00ad' && room > 0) {
        const place = (before + line).slice(-contextLength) + next.slice(0, contextLength);
        room -= place.length;
        repeated.push(place, '\n');
      }
    }
    pieces.push(piece);
    before = (before + piece).slice(-contextLength);
  });
  return [...pieces, ...repeated].join('');
}

/** How high the letters are on the page. */
function sizeOf([, , c, d]: Matrix, size: number): number {
  return Math.abs(size) * Math.hypot(c, d);
}

/** Letters that are read from right to left, and the marks on them; their numbers are written from left to right. */
const own = '\\u0590-\\u065f\\u0670-\\u06ef\\u06fa-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc';
const rightToLeft = new RegExp(`[${own}]`);
const rightToLeftLetters = new RegExp(`[${own}]`, 'g');
/** Words of the other direction, with all that stands between them. */
const leftToRightRun = new RegExp(`[^${own}\\P{L}](?:[^${own}]*[^${own}\\P{L}])?|\\p{N}(?:[^${own}\\s]*\\p{N})?`, 'gu');
const rightToLeftRun = new RegExp(`[${own}](?:[^\\p{L}\\p{N}${own}]*[${own}])*`, 'gu');

const mirrored: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' };

export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Lines are put together as they are seen. */
export function asSeen(text: string): string {
  return isRightToLeft(text) ? reordered(text) : text;
}

/** A line as it is seen from left to right, in the order in which it is read; and the other way round. */
function reordered(line: string): string {
  const count = line.match(rightToLeftLetters)?.length ?? 0;
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  // A line of the other direction with some words in it.
  if (count * 2 < letters) return line.replace(rightToLeftRun, reversed);
  return reversed(line.replace(leftToRightRun, reversed));
}

/** Twice reversed is as before. */
export function reversed(text: string): string {
  return Array.from(text, character => mirrored[character] ?? character)
    .reverse()
    .join('');
}
