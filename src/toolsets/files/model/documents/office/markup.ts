import { unescapeMarkup } from '../entities.ts';

/** Which tags part words; all others stand within a word, as a change of font does. */
export type IsBreak = (tag: string) => boolean;

const officeBreaks = new Set([
  'p',
  'br',
  'cr',
  'tab',
  'ptab',
  'tc',
  'tr',
  'h',
  's',
  'line-break',
  'table-cell',
  'si',
  'c',
  'pt',
  'row',
  'title',
  'list-item',
]);

export function isOfficeBreak(tag: string): boolean {
  return officeBreaks.has(tag.slice(tag.indexOf(':') + 1));
}

/** The text of XML without its tags. One pass, whatever the input looks like. */
export function markupText(markup: string, isBreak: IsBreak): string {
  const pieces: string[] = [];
  for (let at = 0; at < markup.length; ) {
    const open = markup.indexOf('<', at);
    const stop = open === -1 ? markup.length : open;
    if (stop > at) pieces.push(unescapeMarkup(markup.slice(at, stop)));
    if (open === -1) break;
    const special = specials.find(({ start }) => markup.startsWith(start, open));
    const close = special === undefined ? tagEnd(markup, open) : markup.indexOf(special.end, open);
    if (close === -1) break;
    if (special === undefined) {
      const tag = tagName(markup, open + 1);
      if (isBreak(tag)) pieces.push('\n');
    } else if (special.isText) pieces.push(markup.slice(open + special.start.length, close));
    at = close + (special?.end.length ?? 1);
  }
  return pieces.join('');
}

/** What may hold a ">" without ending there. */
const specials = [
  { start: '<!--', end: '-->', isText: false },
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<?', end: '?>', isText: false },
];

/** The ">" that ends a tag, not one in an attribute; a quote that is never closed, or begins no value, is none. */
export function tagEnd(markup: string, open: number): number {
  if (markup.startsWith('<!', open)) return declarationEnd(markup, open);
  let isValueNext = false;
  // By their codes: most of a page is tags, and this is most of the work on it.
  for (let at = open + 1; at < markup.length; at++) {
    const code = markup.charCodeAt(at);
    if (code === 0x3e) return at;
    if (isValueNext && (code === 0x22 || code === 0x27)) {
      const close = markup.indexOf(code === 0x22 ? '"' : "'", at + 1);
      if (close === -1) return markup.indexOf('>', at);
      at = close;
    }
    if (code > 0x20 || !isBlank(code)) isValueNext = code === 0x3d;
  }
  return -1;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}

/** No document type of a real page is longer; every search for its end has to stop somewhere. */
const maxDeclarationLength = 10_000;

/** A document type may have declarations of its own in brackets. */
function declarationEnd(markup: string, open: number): number {
  const declaration = markup.slice(open, open + maxDeclarationLength);
  const whole = /^<![^>[]*\[[^]*?\]\s*>/.exec(declaration);
  return whole === null ? markup.indexOf('>', open) : open + whole[0].length - 1;
}

function tagName(markup: string, start: number): string {
  const first = markup.charCodeAt(start) === 0x2f ? start + 1 : start;
  let stop = first;
  for (; stop < markup.length && stop < first + 40; stop++) {
    const code = markup.charCodeAt(stop);
    if (code === 0x3e || code === 0x2f || isBlank(code)) break;
  }
  return markup.slice(first, stop);
}

/** The text of the first element of that name, without a prefix. */
export function elementText(markup: string, name: string): string | undefined {
  const open = new RegExp(`<(?:\\w+:)?${name}(?:\\s[^<>]*)?>`).exec(markup);
  if (open === null) return undefined;
  const start = open.index + open[0].length;
  const close = markup.indexOf('</', start);
  const text = unescapeMarkup(markup.slice(start, close === -1 ? start : close)).trim();
  return text === '' ? undefined : text;
}
