import type { Reading } from '../file-type.ts';
import { decode, decodeAs } from '../search/decode.ts';
import { htmlCharset, htmlText } from './html.ts';
import { mailText } from './mail.ts';
import { officeText } from './office/document.ts';
import { pdfText } from './pdf/document.ts';
import { rtfText } from './rtf.ts';

export { factsOf } from './facts.ts';

/** The text of a document as its reader sees it; undefined when it cannot be read. */
export function textOf(content: Buffer, reading: Reading, extension: string): string | undefined {
  switch (reading) {
    case 'pdf':
      return pdfText(content);
    case 'office':
      return officeText(content, extension);
    case 'html':
      return pageText(content);
    case 'rtf':
      return rtfText(content);
    case 'mail':
      return mailText(content);
    case 'plain':
    case 'opaque':
    case 'none':
      break;
  }
  return undefined;
}

/** What a page says of its encoding counts where its bytes do not say otherwise. */
function pageText(content: Buffer): string {
  const text = decode(content);
  if (text.bytes === content) return htmlText(content.toString('utf8'));
  const named = content[0] === 0 || content[1] === 0 ? undefined : htmlCharset(content.toString('latin1', 0, 2048));
  return htmlText(named === undefined ? text.bytes.toString('utf8') : decodeAs(named, content));
}
