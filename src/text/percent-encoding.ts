/** Decodes percent-encoded characters. A text that cannot be decoded is returned unchanged, because it was not encoded. */
export function decodePercentEncoding(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
