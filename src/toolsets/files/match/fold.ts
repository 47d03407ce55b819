/**
 * Normalizes a text for comparison: without case, diacritics and invisible characters, with plain apostrophes,
 * quotation marks and hyphens, and with one space for each run of white space.
 */
export function foldText(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return foldBlanks(text.toLowerCase());
  const plain = text
    .normalize('NFD')
    .replace(/[\p{M}\u00ad\u200b-\u200d\u2060\ufeff]+/gu, '')
    .toLowerCase()
    .replace(/[\u03c2\u02bc\u2010-\u2015\u2018\u2019\u201b-\u201f\u2032\u2033\u2212]/g, plainSign);
  return foldBlanks(plain);
}

/**
 * Replaces runs of white space by one space. Single spaces, which are most runs, are not matched, because this takes
 * half of the time.
 */
function foldBlanks(text: string): string {
  return text.replace(/[^\S ]\s*| \s+/g, ' ');
}

/** Returns the keyboard character for a typographic character, and σ for a final ς. */
function plainSign(sign: string): string {
  if (sign === 'ς') return 'σ';
  if (/[\u2010-\u2015\u2212]/.test(sign)) return '-';
  return /[\u201c-\u201f\u2033]/.test(sign) ? '"' : "'";
}

/** Returns the folded phrase of a query. */
export function foldPhrase(query: string): string {
  return foldText(query).trim();
}

/** The result of folding a non-ASCII character that does not become ASCII: nothing, or another character. */
export const foldResultCode = { nothing: 0x80, other: 0x81 } as const;

/** The Unicode ranges with characters that fold to ASCII. */
const specialRanges = [
  [0x80, 0x37e],
  [0x1680, 0x1680],
  [0x1e00, 0x206f],
  [0x212a, 0x212b],
  [0x2200, 0x22ff],
  [0x3000, 0x3000],
] as const;

/** Caches the folded form of each character. All searches of a thread share one table. */
export class FoldTable {
  /** The table has one entry for each 16-bit character; 0 means that it is not computed yet. */
  readonly #codes = new Uint8Array(1 << 16);
  readonly #leads = new Map<number, readonly number[]>();

  /** Returns the ASCII character to which a non-ASCII character folds, or one of the codes in `foldResultCode`. */
  codeOf(point: number): number {
    if (point > 0xffff)
      return /\p{M}/u.test(String.fromCodePoint(point)) ? foldResultCode.nothing : foldResultCode.other;
    const known = this.#codes[point] ?? 0;
    if (known !== 0) return known;
    const folded = foldText(String.fromCharCode(point));
    const code = folded.charCodeAt(0);
    const result =
      folded === '' ? foldResultCode.nothing : folded.length === 1 && code < 0x80 ? code : foldResultCode.other;
    this.#codes[point] = result;
    return result;
  }

  /** Returns the first UTF-8 bytes of the non-ASCII characters that fold to this character. */
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
 * Folds a long text in pieces, so that the whole folded text is never in memory. Each piece starts with the last
 * `overlap` UTF-16 units of the text before it, and with a whole character. A phrase of that length is therefore found
 * in one of the pieces, as a string and in bytes.
 */
export function* foldInPieces(text: string, overlap: number): Generator<string> {
  let carried = '';
  let endsInBlank = false;
  for (let start = 0; start < text.length; ) {
    const end = safeCut(text, Math.min(text.length, start + pieceLength));
    let piece = foldText(text.slice(start, end));
    if (endsInBlank && piece.startsWith(' ')) piece = piece.slice(1);
    if (piece !== '') endsInBlank = piece.endsWith(' ');
    const joined = carried + piece;
    yield joined;
    carried = overlap === 0 ? '' : joined.slice(wholeCharacter(joined, Math.max(0, joined.length - overlap)));
    start = end;
  }
}

/** Cuts before an ASCII character if possible, so that combining sequences stay together. */
function safeCut(text: string, wanted: number): number {
  for (let end = wanted; end < text.length && end < wanted + 4096; end++) {
    if (text.charCodeAt(end) < 0x80) return end;
  }
  return wholeCharacter(text, Math.min(text.length, wanted + 4096));
}

/** Moves an offset out of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const isInPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return isInPair ? at - 1 : at;
}
