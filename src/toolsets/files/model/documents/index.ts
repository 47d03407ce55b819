import type { Reading } from '../file-type.ts';
import { decode, decodeAs } from '../search/decode.ts';
import { cardText } from './card.ts';
import { htmlCharset, shownIn } from './html.ts';
import { mailText } from './mail.ts';
import { officeText } from './office/document.ts';
import { pdfText } from './pdf/document.ts';
import { rtfText } from './rtf.ts';

export { factsOf } from './facts.ts';

/** The text of a document as its reader sees it, in UTF-8; undefined when it cannot be read. */
export function textOf(content: Buffer, reading: Reading, extension: string): Buffer | undefined {
  if (reading === 'html') return pageText(content);
  const text = documentText(content, reading, extension);
  return text === undefined ? undefined : Buffer.from(text);
}

function documentText(content: Buffer, reading: Reading, extension: string): string | undefined {
  switch (reading) {
    case 'pdf':
      return pdfText(content);
    case 'office':
      return officeText(content, extension);
    case 'rtf':
      return rtfText(content);
    case 'mail':
      return mailText(content);
    case 'card':
      return cardText(content);
    case 'html':
    case 'plain':
    case 'opaque':
    case 'none':
      break;
  }
  return undefined;
}

/** What a page says of its encoding counts where its bytes do not say otherwise. */
function pageText(content: Buffer): Buffer {
  const text = decode(content);
  if (text.bytes === content) return shownIn(content);
  const named = content[0] === 0 || content[1] === 0 ? undefined : htmlCharset(content.toString('latin1', 0, 2048));
  return shownIn(named === undefined ? text.bytes : Buffer.from(decodeAs(named, content)));
}
