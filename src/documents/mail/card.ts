import { decodeText, decodeWithLabel, TextDecoderCache } from '../encoding/decode.ts';
import { decodeQuotedPrintable } from './header.ts';

/**
 * Extracts the text of a vCard or iCalendar file. It joins folded lines and decodes quoted-printable values and escape
 * sequences, and adds dates such as 20241012 in their ISO form, because people search `2024-10-12`.
 */
export function extractContactOrCalendarText(bytes: Buffer): string {
  const decoders = new TextDecoderCache();
  const unfolded = decodeText(bytes, decoders)
    .bytes.toString('utf8')
    .replace(/\r?\n[ \t]/g, '');
  return unfolded
    .replace(quotedValue, (_, name: string, value: string) => {
      const charset = /;CHARSET=([\w.:-]+)/i.exec(name)?.[1];
      return `${name}:${decodeWithLabel(charset, decodeQuotedPrintable(Buffer.from(value)), decoders)}`;
    })
    .replace(/\\([nN,;\\])/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign))
    .replace(/^[^:\r\n]{1,200}:((?:19|20)\d\d)(0\d|1[0-2])([0-3]\d)(?:T\d+Z?)?(?=\r?$)/gm, '$& $1-$2-$3');
}

/**
 * Matches a quoted-printable value. A line that ends in "=" continues on the next line. The repeat counts limit each
 * search for the end of the value.
 */
const quotedValue =
  /^([^:\r\n]{0,200};(?:ENCODING=)?QUOTED-PRINTABLE[^:\r\n]{0,200}):((?:[^\r\n]*=\r?\n){0,5000}[^\r\n]*)/gim;
