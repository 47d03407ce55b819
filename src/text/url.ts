/**
 * Parses a URL, or returns undefined if it is invalid. `URL.canParse` is not used: in Node 20 and 22 it rejects URLs
 * with letters such as "é" as soon as V8 has optimized its caller, after some thousand calls.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return undefined;
  }
}
