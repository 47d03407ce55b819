import { decode, decodeAs } from '../search/decode.ts';
import { quotedPrintable } from './mail.ts';

/** A card or calendar (vcf, ics) as its reader sees it: long lines are cut there anywhere, older cards are quoted. */
export function cardText(bytes: Buffer): string {
  const whole = decode(bytes)
    .bytes.toString('utf8')
    .replace(/\r?\n[ \t]/g, '');
  return whole
    .replace(quotedValue, (_, name: string, value: string) => {
      const charset = /;CHARSET=([\w.:-]+)/i.exec(name)?.[1];
      return `${name}:${decodeAs(charset, quotedPrintable(Buffer.from(value)))}`;
    })
    .replace(/\\([nN,;\\])/g, (_, sign: string) => (sign === 'n' || sign === 'N' ? '\n' : sign));
}

/** To the end of its line, and over each line that ends in a "=". No name or text is longer: every search for its end has to stop. */
const quotedValue =
  /^([^:\r\n]{0,200};(?:ENCODING=)?QUOTED-PRINTABLE[^:\r\n]{0,200}):((?:[^\r\n]*=\r?\n){0,5000}[^\r\n]*)/gim;
