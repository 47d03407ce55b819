/** The note at the end of a truncated text. */
export const truncationNote = '\n\n... (truncated)';

const encoder = new TextEncoder();

/** Truncates a text to `maxBytes` bytes of UTF-8 between two characters and appends the note. 0 means no limit. */
export function truncateBytes(text: string, maxBytes: number): string {
  // A UTF-16 unit takes at most three bytes in UTF-8, so that the bytes of most texts need not be counted.
  if (maxBytes === 0 || text.length * 3 <= maxBytes) return text;
  const { read } = encoder.encodeInto(text, Buffer.allocUnsafe(maxBytes));
  return read === text.length ? text : text.slice(0, read).toWellFormed() + truncationNote;
}

/** Truncates a text to a number of Unicode characters, without a note. */
export function truncateCharacters(text: string, maxCharacters: number): string {
  let end = 0;
  for (const character of text) {
    if (maxCharacters-- === 0) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Truncates a value that is quoted in an error message. */
export function shortenText(text: string, maxCharacters = 200): string {
  const start = truncateCharacters(text, maxCharacters);
  return start === text ? text : `${start}…`;
}
