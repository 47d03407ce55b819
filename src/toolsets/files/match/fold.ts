/**
 * Normalizes a text for comparison: it removes differences of case, width, diacritics, invisible characters,
 * apostrophes, quotation marks and hyphens, and replaces each run of white space by one space.
 */
export function foldCaseAndAccents(text: string): string {
  // Only runs of non-ASCII characters need the slow conversion. Most runs occur many times in a text, so that the
  // results are cached.
  const known = new Map<string, string>();
  // A run includes a few spaces and punctuation characters. A text in a non-Latin script is therefore one run, and not
  // one run for each word.
  const plain = text.replace(/[^\0-\x7f]+(?:[\n -@]{1,3}[^\0-\x7f]+)*/g, run => {
    const before = known.get(run);
    if (before !== undefined) return before;
    const folded = foldNonAscii(run);
    if (run.length <= maxKnownLength) known.set(run, folded);
    return folded;
  });
  return foldBlanks(plain.toLowerCase());
}

const maxKnownLength = 2;

/**
 * Replaces full-width letters, digits and signs, which Japanese and Chinese texts use, by ASCII, and half-width Katakana
 * by Katakana.
 */
export function foldWidth(text: string): string {
  return text.replace(/[\uff01-\uff9f]+/g, run => run.normalize('NFKD'));
}

function foldNonAscii(text: string): string {
  return foldWidth(text.normalize('NFD'))
    .replace(/[\p{M}\u00ad\u200b-\u200d\u2060\ufeff]+/gu, '')
    .toLowerCase()
    .replace(/[\u03c2\u02bc\u2010-\u2015\u2018\u2019\u201b-\u201f\u2032\u2033\u2212]/g, plainSign);
}

/**
 * Replaces runs of white space by one space. The regular expression does not match a single space, because this would
 * take twice the time.
 */
function foldBlanks(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/g, ' ');
}

/** Returns the ASCII character for a typographic quotation mark, apostrophe or hyphen, and σ for a final ς. */
function plainSign(sign: string): string {
  if (sign === 'ς') return 'σ';
  if (/[\u2010-\u2015\u2212]/.test(sign)) return '-';
  return /[\u201c-\u201f\u2033]/.test(sign) ? '"' : "'";
}

/** Case-folds a query and removes the white space at its ends. */
export function foldQueryPhrase(query: string): string {
  return foldCaseAndAccents(query).trim();
}

/**
 * Codes for a non-ASCII character that case folding does not convert to ASCII: it is removed, or it becomes another
 * non-ASCII character.
 */
export const specialCharacterFoldCodes = { nothing: 0x80, other: 0x81 } as const;

/**
 * These Unicode ranges contain all non-ASCII characters that case folding converts to ASCII, such as accented letters.
 */
const specialRanges = [
  [0x80, 0x37e],
  [0x1680, 0x1680],
  [0x1e00, 0x206f],
  [0x212a, 0x212b],
  [0x2200, 0x22ff],
  [0x3000, 0x3000],
  [0xff01, 0xff5e],
] as const;

/** Caches the result of case folding for each character. All searches of a thread share one table. */
export class CharacterFoldTable {
  /** The table has one entry for each 16-bit character. The value 0 means that the entry is not computed yet. */
  readonly #codes = new Uint8Array(1 << 16);
  readonly #leads = new Map<number, readonly number[]>();

  /**
   * Returns the ASCII character to which a non-ASCII character is case-folded, or one of the codes in
   * `specialCharacterFoldCodes`.
   */
  codeOf(point: number): number {
    if (point > 0xffff)
      return /\p{M}/u.test(String.fromCodePoint(point))
        ? specialCharacterFoldCodes.nothing
        : specialCharacterFoldCodes.other;
    const known = this.#codes[point] ?? 0;
    if (known !== 0) return known;
    const folded = foldCaseAndAccents(String.fromCharCode(point));
    const code = folded.charCodeAt(0);
    const result =
      folded === ''
        ? specialCharacterFoldCodes.nothing
        : folded.length === 1 && code < 0x80
          ? code
          : specialCharacterFoldCodes.other;
    this.#codes[point] = result;
    return result;
  }

  /** Returns the first UTF-8 bytes of all non-ASCII characters that case folding converts to an ASCII character. */
  leadsOf(code: number): readonly number[] {
    const known = this.#leads.get(code);
    if (known !== undefined) return known;
    const found = new Set<number>();
    for (const [first, last] of specialRanges)
      for (let point = first; point <= last; point++)
        if (this.codeOf(point) === code) found.add(point < 0x800 ? 0xc0 | (point >> 6) : 0xe0 | (point >> 12));
    this.#leads.set(code, [...found]);
    return [...found];
  }
}

const pieceLength = 1 << 20;

/**
 * Case-folds a long text in pieces, so that the whole result is never in memory. Each piece begins with the last
 * `overlap` characters of the previous one, so that a phrase of that length is always inside one piece. No piece begins
 * inside a character.
 */
export function* foldTextInPieces(text: string, overlap: number): Generator<string> {
  let carried = '';
  let endsInBlank = false;
  for (let start = 0; start < text.length; ) {
    const end = safeCut(text, Math.min(text.length, start + pieceLength));
    let piece = foldCaseAndAccents(text.slice(start, end));
    if (endsInBlank && piece.startsWith(' ')) piece = piece.slice(1);
    if (piece !== '') endsInBlank = piece.endsWith(' ');
    const joined = carried + piece;
    yield joined;
    carried = overlap === 0 ? '' : joined.slice(wholeCharacter(joined, Math.max(0, joined.length - overlap)));
    start = end;
  }
}

/**
 * Returns an offset at which the text can be split. If possible, the next character is ASCII, so that a letter is not
 * separated from its combining marks.
 */
function safeCut(text: string, wanted: number): number {
  const last = Math.min(text.length, wanted + 4096);
  for (let end = wanted; end < last; end++) if (text.charCodeAt(end) < 0x80) return end;
  return wholeCharacter(text, last);
}

/** Moves an offset that is inside a surrogate pair to its start. */
function wholeCharacter(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
