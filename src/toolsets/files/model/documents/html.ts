import { unescapeMarkup } from './entities.ts';
import { tagEnd, tagName } from './office/markup.ts';

const inline = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q rb rp rt ruby s samp small span strong strike sub sup tt u var wbr'.split(
    ' ',
  ),
);
/** What stands between these tags is not shown. */
const unseen = new Set(['script', 'style', 'template']);

/** The text of a web page as its reader sees it, block by block in lines. One pass, whatever the input looks like. */
export function htmlText(markup: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < markup.length; ) {
    const open = markup.indexOf('<', at);
    const stop = open === -1 ? markup.length : open;
    if (stop > at) pieces.push(unescapeMarkup(markup.slice(at, stop)));
    if (open === -1) break;
    at = pastMarkup(markup, open, pieces);
  }
  return pieces.join('');
}

/** Where the text goes on behind what stands at a "<"; what is no markup is text. */
function pastMarkup(markup: string, open: number, pieces: string[]): number {
  const next = markup.charAt(open + 1);
  if (next === '!' || next === '?') return pastDeclaration(markup, open, pieces);
  const code = markup.charCodeAt(open + 1) | 0x20;
  if (next !== '/' && (code < 0x61 || code > 0x7a)) {
    pieces.push('<');
    return open + 1;
  }
  const name = tagName(markup, open + 1).toLowerCase();
  const close = tagEnd(markup, open);
  if (close === -1) return markup.length;
  if (!inline.has(name) && !unseen.has(name)) pieces.push('\n');
  if (next === '/' || !unseen.has(name) || markup.charAt(close - 1) === '/') return close + 1;
  const end = new RegExp(`</${name}\\b`, 'gi');
  end.lastIndex = close;
  return end.exec(markup)?.index ?? markup.length;
}

function pastDeclaration(markup: string, open: number, pieces: string[]): number {
  if (markup.startsWith('<!--', open)) return past(markup, '-->', open + 4);
  if (markup.startsWith('<![CDATA[', open)) {
    const close = past(markup, ']]>', open);
    pieces.push(markup.slice(open + 9, Math.max(open + 9, close - 3)));
    return close;
  }
  return past(markup, '>', open);
}

function past(markup: string, end: string, from: number): number {
  const close = markup.indexOf(end, from);
  return close === -1 ? markup.length : close + end.length;
}

/** The encoding a page names; what is in UTF-8 by its bytes is no matter of this. */
export function htmlCharset(head: string): string | undefined {
  return /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
}
