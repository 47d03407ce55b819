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

const pieceLength = 1 << 20;

/**
 * A long text folded piece by piece, so that its forms never stand in memory all at once. Each piece starts with the
 * last `overlap` characters of what came before: whatever is that long is found in one of them.
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
    carried = overlap === 0 ? '' : joined.slice(-overlap);
    start = end;
  }
}

/** Nothing that is folded together may be cut apart: cuts before an ASCII character only, if one is near. */
function safeCut(text: string, wanted: number): number {
  for (let end = wanted; end < text.length && end < wanted + 4096; end++) {
    if (text.charCodeAt(end) < 0x80) return end;
  }
  const end = Math.min(text.length, wanted + 4096);
  const isInPair = (text.charCodeAt(end) & 0xfc00) === 0xdc00;
  return isInPair ? end + 1 : end;
}
