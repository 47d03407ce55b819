/** Decodes percent-encoded characters. Returns `original` if the text cannot be decoded, because it was not encoded. */
export function decodePercentEncoding(text: string, original = text): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return original;
    throw error;
  }
}
