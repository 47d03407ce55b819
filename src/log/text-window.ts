import { invisibleCharacterClass } from '../text/invisible.ts';
import { EscapeReader, isEscapeStart, percentEscape } from './escape-sequence.ts';

/**
 * A part of a text as UTF-16 units, each with its index in the text. A unit ends where the next one starts. Invisible
 * characters are left out, because a model can still read a secret that they split.
 */
export class TextWindow {
  readonly units: Uint16Array;
  readonly starts: Uint32Array;
  length = 0;
  hasEscapes = false;

  constructor(capacity: number) {
    this.units = new Uint16Array(capacity);
    this.starts = new Uint32Array(capacity + 1);
  }

  /**
   * Appends characters from this index of the text until the window is full. Returns the index of the first character
   * that was not read.
   */
  fill(text: string, from: number): number {
    const { units, starts } = this;
    const capacity = units.length;
    let { length, hasEscapes } = this;
    let at = from;
    while (at < text.length && length < capacity) {
      const unit = text.charCodeAt(at);
      const type = unit < 0x80 ? types[unit] : unusual;
      const point = type === unusual ? text.codePointAt(at) : undefined;
      if (point !== undefined && isInvisible(point)) {
        at += String.fromCodePoint(point).length;
        continue;
      }
      if (type === escapeStart) hasEscapes = true;
      units[length] = unit;
      starts[length++] = at++;
    }
    starts[length] = at;
    this.length = length;
    this.hasEscapes = hasEscapes;
    return at;
  }

  /**
   * Keeps only the last characters of the window, so that a secret across two parts of a text is found in the second
   * part.
   */
  keepLast(count: number): void {
    const first = Math.max(0, this.length - count);
    this.units.copyWithin(0, first, this.length);
    this.starts.copyWithin(0, first, this.length + 1);
    this.length -= first;
  }

  /**
   * Copies another window and decodes its escape sequences of these kinds. Returns the kinds that it contains.
   */
  decode(source: TextWindow, kinds: number): number {
    const escape = (escapes ??= new EscapeReader());
    const { units, starts } = this;
    let [length, at, found, hasEscapes] = [0, 0, 0, false];
    while (at < source.length) {
      const start = source.starts[at] ?? 0;
      let unit = source.units[at] ?? 0;
      if (unit < 0x80 && types[unit] === escapeStart && escape.read(source.units, at, source.length, kinds)) {
        ({ unit } = escape);
        at += escape.width;
        found |= escape.kind;
        if (isHidden(unit, escape.kind)) continue;
      } else {
        at++;
      }
      if (unit < 0x80 && types[unit] === escapeStart) hasEscapes = true;
      units[length] = unit;
      starts[length++] = start;
    }
    starts[length] = source.starts[source.length] ?? 0;
    this.length = length;
    this.hasEscapes = hasEscapes;
    return found;
  }
}

/**
 * Marks the ASCII characters that can start an escape sequence, and the control characters. All others have the value
 * 0.
 */
const escapeStart = 1;
const unusual = 2;
const types = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  isEscapeStart(unit) ? escapeStart : unit < 0x20 || unit === 0x7f ? unusual : 0,
);

/** The parser of escape sequences is created for the first text that contains one. */
let escapes: EscapeReader | undefined;

/**
 * Returns whether a decoded character is left out. A percent escape above 0x7f is a byte of a non-ASCII character,
 * which cannot be part of a secret.
 */
function isHidden(unit: number, kind: number): boolean {
  if (unit >= 0x20 && unit <= 0x7e) return false;
  return isInvisible(unit) || (unit > 0x7f && kind === percentEscape);
}

/**
 * Caches whether a code point is invisible. The value 0 means that the code point was not tested yet. The table is
 * allocated at the first use.
 */
let known: Uint8Array | undefined;
let pattern: RegExp | undefined;
const visible = 1;
const invisible = 2;

/** Returns whether a code point is invisible, which includes control characters other than white space. */
function isInvisible(codePoint: number): boolean {
  known ??= new Uint8Array(0x11_0000);
  if (known[codePoint] === 0) {
    pattern ??= new RegExp(String.raw`[${invisibleCharacterClass}\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]`, 'u');
    known[codePoint] = pattern.test(String.fromCodePoint(codePoint)) ? invisible : visible;
  }
  return known[codePoint] === invisible;
}
