import { invisibleCharacters } from '../text/invisible.ts';
import { EscapeReader, gap, percentEscape, startsEscape } from './escape-sequence.ts';

/**
 * A part of a text as a sequence of UTF-16 units, each with the index where it starts in the text; it ends where the next
 * one starts. Invisible characters are left out, because a secret that they split is still readable for a model.
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

  /** Appends the text from this index until the reading is full. Returns the index of the first character not read. */
  fill(text: string, from: number): number {
    const { units, starts } = this;
    const capacity = units.length;
    let { length, hasEscapes } = this;
    let at = from;
    while (at < text.length && length < capacity) {
      const unit = text.charCodeAt(at);
      const type = unit < 0x80 ? types[unit] : unusual;
      if (type === unusual && isInvisible(text.codePointAt(at) ?? 0)) {
        at += unit >= 0xd800 && unit < 0xdc00 ? 2 : 1;
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

  /** Keeps only the last characters, so that a secret across the end of one part is found in the next part. */
  keepLast(count: number): void {
    const first = Math.max(0, this.length - count);
    this.units.copyWithin(0, first, this.length);
    this.starts.copyWithin(0, first, this.length + 1);
    this.length -= first;
  }

  /** Replaces the content by another reading without the characters that are flagged there. */
  copyUnflagged(source: TextWindow, flags: Uint8Array): void {
    const { units, starts } = this;
    let length = 0;
    for (let at = 0; at < source.length; at++) {
      const isFlagged = flags[at] !== 0;
      if (isFlagged && length > 0 && units[length - 1] === gap) continue;
      units[length] = isFlagged ? gap : (source.units[at] ?? 0);
      starts[length++] = source.starts[at] ?? 0;
    }
    starts[length] = source.starts[source.length] ?? 0;
    this.length = length;
    this.hasEscapes = source.hasEscapes;
  }

  /** Replaces the content by another reading in which escape sequences are decoded. Returns the kinds that occurred. */
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

/** The types of ASCII characters: most are neither. */
const escapeStart = 1;
const unusual = 2;
const types = Uint8Array.from({ length: 0x80 }, (_, unit) =>
  startsEscape(unit) ? escapeStart : unit < 0x20 || unit === 0x7f ? unusual : 0,
);

/** Allocated for the first text that needs it. */
let escapes: EscapeReader | undefined;

/** A percent escape above ASCII is one byte of a character; such characters are not part of a secret. */
function isHidden(unit: number, kind: number): boolean {
  if (unit >= 0x20 && unit <= 0x7e) return false;
  return isInvisible(unit) || (unit > 0x7f && kind === percentEscape);
}

/** For each code point: 0 if it was not looked up yet. Allocated for the first text that needs it. */
let known: Uint8Array | undefined;
let pattern: RegExp | undefined;
const visible = 1;
const invisible = 2;

/** Control characters other than white space count as invisible. */
function isInvisible(codePoint: number): boolean {
  known ??= new Uint8Array(0x11_0000);
  if (known[codePoint] === 0) {
    pattern ??= new RegExp(String.raw`[${invisibleCharacters}\0-\x08\x0b\x0c\x0e-\x1f\x7f]`, 'u');
    known[codePoint] = pattern.test(String.fromCodePoint(codePoint)) ? invisible : visible;
  }
  return known[codePoint] === invisible;
}
