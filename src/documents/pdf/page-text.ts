import { UnreadableError } from '../unreadable.ts';
import { combineAccent } from './glyphs.ts';

export type TransformMatrix = readonly [number, number, number, number, number, number];

export const identityMatrix: TransformMatrix = [1, 0, 0, 1, 0, 0];

export function multiplyMatrices(left: TransformMatrix, right: TransformMatrix): TransformMatrix {
  const [a, b, c, d, e, f] = left;
  const [g, h, i, j, k, l] = right;
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

/** Moves the origin of a transformation matrix along its own axes. */
export function shiftMatrix([a, b, c, d, e, f]: TransformMatrix, x: number, y: number): TransformMatrix {
  return [a, b, c, d, x * a + y * c + e, x * b + y * d + f];
}

/**
 * Limits in units of the font size: the smallest gap between two words, the smallest distance between two lines, and
 * the smallest move to the left that begins a new word.
 */
const [wordGap, lineGap, backGap] = [0.1, 0.5, 0.6];
/**
 * A glyph can be an accent of the previous letter if it starts before the end of that letter, by more than this
 * distance in units of the font size.
 */
const accentGap = 0.15;
/**
 * Glyphs form a column of vertical writing if the distance from one to the next is between these two limits, in units
 * of the font size.
 */
const [stackedLeast, stackedMost] = [0.8, 1.7];
const wideCharacter = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f]$/u;

/** A text with its start and end positions along the line. */
interface Piece {
  text: string;
  start: number;
  end: number;
  unit: number;
}

/** The last shown text with its position in page coordinates. */
interface Last {
  text: string;
  startX: number;
  x: number;
  y: number;
  size: number;
}

/**
 * Joins the shown texts of a page to words and lines. It also joins words that were hyphenated at the end of a line.
 */
export class PdfPageText {
  readonly #lines: string[] = [];
  #line: Piece[] = [];
  #last: Last | undefined;
  /** The number of characters that may still be extracted from the document. */
  #left: number;

  constructor(maxLength: number) {
    this.#left = maxLength;
  }

  /** Adds a text between two positions. `size` is the font size before the transformation to page coordinates. */
  show(text: string, from: TransformMatrix, to: TransformMatrix, size: number): void {
    if (text === '') return;
    this.#count(text);
    const [a, b, , , x, y] = from;
    const length = Math.hypot(a, b) || 1;
    const along = (px: number, py: number): number => (px * a + py * b) / length;
    const letters = sizeOf(from, size);
    // The unit for a gap is the font size of the text after it, or half the font size of the text before it if that is
    // larger.
    const unit = Math.max(letters, (this.#last?.size ?? 0) * 0.5, 1e-6);
    const left = this.#separate(text, from, along, unit);
    const [, , , , endX, endY] = to;
    this.#line.push({ text: left, start: along(x, y), end: along(endX, endY), unit });
    this.#last = { text, startX: x, x: endX, y: endY, size: letters };
  }

  /** Sets the end position of the last text. Each glyph that an `ActualText` replaces moves this position. */
  extend([, , , , x, y]: TransformMatrix): void {
    if (this.#last !== undefined) Object.assign(this.#last, { x, y });
  }

  /** Adds a text without a position, such as a comment of the PDF, as a separate line. */
  note(text: string): void {
    this.#count(text);
    this.#endLine();
    this.#last = undefined;
    this.#lines.push(text);
  }

  /** Returns the text of the current page and resets the state for the next page. */
  take(): string {
    this.#endLine();
    this.#last = undefined;
    return joinLines(this.#lines.splice(0));
  }

  #count(text: string): void {
    this.#left -= text.length;
    if (this.#left < 0) throw new UnreadableError('the document has too much text');
  }

  /**
   * Writes the space or line break between the last text and a new one. Returns the new text, without an accent if it
   * belongs to the previous letter.
   */
  #separate(
    text: string,
    [a, b, , , x, y]: TransformMatrix,
    along: (x: number, y: number) => number,
    unit: number,
  ): string {
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
    const drawn = gap < -accentGap * unit && piece !== undefined ? combineAccent(piece.text, text) : undefined;
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
    this.#lines.push(isRightToLeft(line) ? swapOrder(joinVisually(this.#line)) : line);
    this.#line = [];
  }
}

function isStacked(text: string, last: Last, x: number, y: number, unit: number): boolean {
  const down = (last.y - y) / unit;
  return (
    down > stackedLeast &&
    down < stackedMost &&
    Math.abs(x - last.startX) < 0.25 * unit &&
    wideCharacter.test(text) &&
    wideCharacter.test(last.text)
  );
}

/** Joins the texts of a line from left to right. */
function joinVisually(line: readonly Piece[]): string {
  const pieces = line.filter(({ unit }) => unit > 0).sort((left, right) => left.start - right.start);
  let [text, end] = ['', Number.POSITIVE_INFINITY];
  for (const piece of pieces) {
    text += piece.start - end > wordGap * piece.unit ? ` ${piece.text}` : piece.text;
    end = piece.end;
  }
  return text;
}

/**
 * The number of characters on both sides of a hyphen that are repeated after the page, if the hyphen at the end of a
 * line may belong to the word.
 */
const contextLength = 40;

/**
 * Joins words that were hyphenated at the end of a line. If the hyphen may belong to the word, the text around it is
 * repeated with the hyphen after the page, so that a search finds both forms.
 */
function joinLines(lines: readonly string[]): string {
  const [pieces, repeated]: [string[], string[]] = [[], []];
  let before = '';
  // The total length of these repetitions is limited to the length of the page: many short lines that end with hyphens
  // would be repeated up to 80 characters each.
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

/** Returns the height of the letters in page coordinates. */
function sizeOf([, , c, d]: TransformMatrix, size: number): number {
  return Math.abs(size) * Math.hypot(c, d);
}

/**
 * The ranges of right-to-left letters and their marks. Digits are excluded, because they are written from left to
 * right.
 */
const own = '\\u0590-\\u065f\\u0670-\\u06ef\\u06fa-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc';
const rightToLeft = new RegExp(`[${own}]`);
const rightToLeftLetters = new RegExp(`[${own}]`, 'g');
/** Matches several left-to-right words together with the characters between them. */
const leftToRightRun = new RegExp(`[^${own}\\P{L}](?:[^${own}]*[^${own}\\P{L}])?|\\p{N}(?:[^${own}\\s]*\\p{N})?`, 'gu');
const rightToLeftRun = new RegExp(`[${own}](?:[^\\p{L}\\p{N}${own}]*[${own}])*`, 'gu');

const mirrored: Readonly<Record<string, string>> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' };

export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Converts a text from logical to visual order, because the texts of a line are joined in visual order. */
export function convertToVisualOrder(text: string): string {
  return isRightToLeft(text) ? swapOrder(text) : text;
}

/** Converts a line from visual to logical order, or back. */
function swapOrder(line: string): string {
  const count = line.match(rightToLeftLetters)?.length ?? 0;
  const letters = line.match(/\p{L}/gu)?.length ?? 0;
  // If most letters of a line are left-to-right, only its right-to-left words are reversed.
  if (count * 2 < letters) return line.replace(rightToLeftRun, reverseText);
  return reverseText(line.replace(leftToRightRun, reverseText));
}

/** Reverses the characters of a text and mirrors its brackets. */
export function reverseText(text: string): string {
  return Array.from(text, character => mirrored[character] ?? character)
    .reverse()
    .join('');
}
