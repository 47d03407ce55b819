/**
 * Brings a text into the form in which it is compared: without case, without diacritics, with one blank for each run of
 * white space.
 */
export function fold(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase().replace(/\s+/g, ' ');
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replace(/\s+/g, ' ');
}

/** What is looked for when somebody asks for this. */
export function phraseOf(query: string): string {
  return fold(query).trim();
}

const pieceLength = 1 << 20;

/**
 * A long text folded piece by piece, so that its forms never stand in memory all at once. Each piece starts with the
 * last `overlap` units of what came before, and with a whole character: whatever is that long is found in one of them,
 * as text and in bytes.
 */
export function* foldPieces(text: string, overlap: number): Generator<string> {
  let carried = '';
  let endsInBlank = false;
  for (let start = 0; start < text.length; ) {
    const end = safeCut(text, Math.min(text.length, start + pieceLength));
    let piece = fold(text.slice(start, end));
    if (endsInBlank && piece.startsWith(' ')) piece = piece.slice(1);
    if (piece !== '') endsInBlank = piece.endsWith(' ');
    const joined = carried + piece;
    yield joined;
    carried = overlap === 0 ? '' : joined.slice(wholeCharacter(joined, Math.max(0, joined.length - overlap)));
    start = end;
  }
}

/** Nothing that is folded together may be cut apart: cuts before an ASCII character only, if one is near. */
function safeCut(text: string, wanted: number): number {
  for (let end = wanted; end < text.length && end < wanted + 4096; end++) {
    if (text.charCodeAt(end) < 0x80) return end;
  }
  return wholeCharacter(text, Math.min(text.length, wanted + 4096));
}

/** The start of the character that stands there: half of a pair has no bytes of its own. */
function wholeCharacter(text: string, at: number): number {
  const isInPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return isInPair ? at - 1 : at;
}
