/** Bit flags for the kinds of escape sequences: `%41`, `\u0041`, `\"`, `&amp;` and others. */
export const percentEscape = 1;
export const unicodeEscape = 2;
/** In JSON a backslash escapes `"`, `/` and itself. Some parsers keep a backslash before another character. */
const jsonEscape = 4;
/** In Markdown a backslash escapes all punctuation. A backslash before another character is displayed. */
const punctuationEscape = 64;
const markdownEscape = jsonEscape | punctuationEscape;
export const entityEscape = 8;
/** An HTML entity without its semicolon, which browsers also accept. */
export const unterminatedEntityEscape = 16;
/** In strings of programming languages a backslash can also escape other characters. */
const otherEscape = 32;
const backslashEscape = markdownEscape | otherEscape;
/**
 * Each entry contains the kinds of escape sequences that one common decoder supports: URLs, JSON strings, Markdown, XML
 * and HTML, and combinations.
 */
export const escapesOfCommonDecoders = [
  percentEscape,
  unicodeEscape,
  markdownEscape,
  backslashEscape,
  unicodeEscape | jsonEscape,
  unicodeEscape | backslashEscape,
  entityEscape,
  entityEscape | unterminatedEntityEscape,
  percentEscape | unicodeEscape | backslashEscape | entityEscape,
];
export const allEscapes = percentEscape | unicodeEscape | backslashEscape | entityEscape | unterminatedEntityEscape;

const percent = 0x25;
const ampersand = 0x26;
const backslash = 0x5c;
const semicolon = 0x3b;
const smallU = 0x75;
const numberSign = 0x23;
const zero = 0x30;
/** The length of `&VerticalLine;`, the longest name of an HTML entity in the table. */
const maxEntityLength = 14;
const maxEntityDigits = 7;
/**
 * Limits the leading zeros in a numeric entity, because browsers accept any number. With this limit, eight escaped
 * characters are shorter than `sharedLength` in redact.ts.
 */
const maxLeadingZeros = 64;

/** The named HTML entities of visible ASCII characters. */
const entityNames = `
  ! excl  " quot QUOT  # num  $ dollar  % percnt  & amp AMP  ' apos  ( lpar  ) rpar  * ast midast  + plus  , comma  . period
  / sol  : colon  ; semi  < lt LT  = equals  > gt GT  ? quest  @ commat  [ lsqb lbrack  \\ bsol  ] rsqb rbrack  ^ Hat
  _ lowbar UnderBar  \u0060 grave  { lcub lbrace  | verbar vert VerticalLine  } rcub rbrace`;

const openEntityNames = '" quot QUOT  & amp AMP  < lt LT  > gt GT';

/** Maps the hash of an entity's name to its character. A hash can be computed without a substring for the name. */
function hashEntityNames(names: string): ReadonlyMap<number, number> {
  const entities = new Map<number, number>();
  let character = 0;
  for (const word of names.trim().split(/\s+/)) {
    if (word.length === 1) character = word.charCodeAt(0);
    else entities.set(hashName(word), character);
  }
  return entities;
}

function hashName(name: string): number {
  return Array.from(name, letter => letter.charCodeAt(0)).reduce(hashStep, 0);
}

function hashStep(hash: number, unit: number): number {
  return (Math.imul(hash, 31) + unit) | 0;
}

export function isEscapeStart(unit: number): boolean {
  return unit === percent || unit === backslash || unit === ampersand;
}

/** Parses one escape sequence. Its fields describe the last parsed sequence, so that no memory is allocated. */
export class EscapeReader {
  /** The length of the last escape sequence in UTF-16 units. */
  width = 0;
  /** The UTF-16 unit that the last escape sequence represents. */
  unit = 0;
  kind = 0;
  readonly #entities = hashEntityNames(entityNames);
  readonly #openEntities = hashEntityNames(openEntityNames);

  /** Reads the escape sequence that starts at this index. Returns false if there is none of these kinds. */
  read(units: Uint16Array, at: number, length: number, kinds: number): boolean {
    const first = units[at];
    if (first === percent) return (kinds & percentEscape) !== 0 && this.#readPercent(units, at, length);
    if (first === ampersand) return this.#readEntity(units, at, length, kinds);
    return first === backslash && this.#readBackslash(units, at, length, kinds);
  }

  #readBackslash(units: Uint16Array, at: number, length: number, kinds: number): boolean {
    if ((kinds & unicodeEscape) !== 0 && this.#readUnicode(units, at, length)) return true;
    if (at + 1 >= length) return false;
    const escaped = units[at + 1] ?? 0;
    const kind = backslashKindOf(escaped);
    return (kinds & kind) !== 0 && this.#found(2, escaped, kind);
  }

  #readPercent(units: Uint16Array, at: number, length: number): boolean {
    if (at + 3 > length) return false;
    const value = hexByte(units, at + 1);
    return value >= 0 && this.#found(3, value, percentEscape);
  }

  #readUnicode(units: Uint16Array, at: number, length: number): boolean {
    if (units[at + 1] !== smallU || at + 6 > length) return false;
    const value = (hexByte(units, at + 2) << 8) | hexByte(units, at + 4);
    return value >= 0 && this.#found(6, value, unicodeEscape);
  }

  #readEntity(units: Uint16Array, at: number, length: number, kinds: number): boolean {
    const isClosed = (kinds & entityEscape) !== 0;
    if (units[at + 1] === numberSign) return this.#readNumericEntity(units, at, length, kinds);
    const limit = Math.min(length, at + maxEntityLength);
    let [name, isOpen] = [0, false];
    for (let index = at + 1; index < limit; index++) {
      const unit = units[index] ?? 0;
      const named = isClosed && unit === semicolon ? this.#entities.get(name) : undefined;
      if (named !== undefined) return this.#found(index + 1 - at, named, entityEscape);
      if (!isLetter(unit)) break;
      name = hashStep(name, unit);
      const open = (kinds & unterminatedEntityEscape) === 0 ? undefined : this.#openEntities.get(name);
      if (open !== undefined) isOpen = this.#found(index + 1 - at, open, unterminatedEntityEscape);
    }
    return isOpen;
  }

  #readNumericEntity(units: Uint16Array, at: number, length: number, kinds: number): boolean {
    const isHexadecimal = ((units[at + 2] ?? 0) | 0x20) === 0x78;
    const [start, base] = isHexadecimal ? [at + 3, 16] : [at + 2, 10];
    let [index, value] = [start, 0];
    while (index < Math.min(length, start + maxLeadingZeros) && units[index] === zero) index++;
    const limit = Math.min(length, index + maxEntityDigits);
    for (; index < limit; index++) {
      const digit = hexDigit(units[index]);
      if (digit < 0 || digit >= base) break;
      value = value * base + digit;
    }
    const isClosed = index < length && units[index] === semicolon;
    const kind = isClosed ? entityEscape : unterminatedEntityEscape;
    if (index === start || (kinds & kind) === 0) return false;
    return this.#found(index + (isClosed ? 1 : 0) - at, Math.min(value, 0xffff), kind);
  }

  #found(width: number, unit: number, kind: number): true {
    this.width = width;
    this.unit = unit;
    this.kind = kind;
    return true;
  }
}

function backslashKindOf(escaped: number): number {
  if (escaped === backslash || escaped === 0x22 || escaped === 0x2f) return jsonEscape;
  return isPunctuation(escaped) ? punctuationEscape : otherEscape;
}

function isPunctuation(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f && !isLetter(unit) && hexDigit(unit) < 0;
}

function isLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

const hexDigits = Int8Array.from({ length: 0x80 }, (_, unit) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(unit).toLowerCase()),
);

/**
 * Returns the value of a hexadecimal digit, or -1 for another character. The bitwise OR of several values is negative
 * if one of them is -1.
 */
function hexDigit(unit = 0): number {
  return hexDigits[unit] ?? -1;
}

function hexByte(units: Uint16Array, at: number): number {
  return (hexDigit(units[at]) << 4) | hexDigit(units[at + 1]);
}
