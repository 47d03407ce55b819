import { HtmlTextReader } from './reader.ts';

const newline = 0x0a;
const blank = 0x20;

/** Extracts the visible text of an HTML page. Each block becomes a line. */
export function extractHtmlText(markup: string): string {
  return extractHtmlTextAsUtf8(Buffer.from(markup)).toString();
}

/** Extracts the visible text in UTF-8. It processes bytes, which is several times faster than strings. */
export function extractHtmlTextAsUtf8(source: Buffer): Buffer {
  return new HtmlTextReader(source).read();
}

/**
 * Returns a copy of the source in which spaces replace the text of hidden elements. Offsets and line numbers stay the
 * same.
 */
export function removeHiddenText(source: Buffer): Buffer {
  const reader = new HtmlTextReader(source);
  reader.read();
  const copy = Buffer.from(source);
  for (const { start, end } of reader.hidden)
    for (let at = start; at < end; at++) if (copy[at] !== newline) copy[at] = blank;
  return copy;
}

/** Returns the charset of a meta element. It is used only if the bytes are not UTF-8. */
export function findHtmlCharset(head: string): string | undefined {
  return /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
}
