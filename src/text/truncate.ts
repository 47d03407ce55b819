/** What a cut text ends with. */
export const cutNote = '\n\n... (truncated)';

const encoder = new TextEncoder();

/** At most `maxBytes` of UTF-8 and then the note; 0 is no limit. Never cuts through a character. */
export function capBytes(text: string, maxBytes: number): string {
  // A UTF-16 unit takes three bytes at most: most texts need no counting.
  if (maxBytes === 0 || text.length * 3 <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, Buffer.allocUnsafe(maxBytes));
  return read === text.length ? text : text.slice(0, read).toWellFormed() + cutNote;
}

/** At most that many Unicode characters, without a note. */
export function capCharacters(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let end = 0;
  for (const character of text) {
    if (maxCharacters-- === 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** What somebody wrote, as a refusal repeats it: not however long it is. */
export function shorten(text: string, maxCharacters = 200): string {
  const start = capCharacters(text, maxCharacters);
  return start === text ? text : `${start}…`;
}
