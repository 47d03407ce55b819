import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import type { Declarations } from '../css/declarations.ts';
import { type Attributes, type HtmlSink, noAttributes } from './sink.ts';
import { TokenReader } from './token-reader.ts';

/** Whose text is read in another way than that of all others. */
const special: ReadonlySet<string> = new Set(
  'iframe noembed noframes plaintext script style textarea title xmp'.split(' '),
);

const [SPACE, QUOTE, SLASH, EQUALS, GREATER] = [0x20, 0x22, 0x2f, 0x3d, 0x3e];

/**
 * Reads HTML as judges write it: tags in small letters, attributes in double quotes. From the first tag that is anything
 * else htmlparser2 reads the rest: it knows all there is, and takes several times as long.
 */
export class HtmlReader {
  readonly #html: string;
  readonly #sink: HtmlSink;
  #rest: TokenReader | undefined;
  #isStopped = false;
  #at = 0;

  constructor(html: string, sink: HtmlSink) {
    this.#html = html;
    this.#sink = sink;
  }

  read(): void {
    const html = this.#html;
    while (!this.#isStopped) {
      const start = this.#tagFrom(this.#at);
      if (start > this.#at) this.#sink.text(decoded(html.slice(this.#at, start)));
      if (start === html.length) return;
      this.#at = start;
      if (html.charCodeAt(start + 1) === SLASH ? this.#close(start + 2) : this.#open(start + 1)) continue;
      this.#rest = new TokenReader(html.slice(start), this.#sink);
      this.#rest.read();
      return;
    }
  }

  /** Reads no further than the tag it is at. */
  stop(): void {
    this.#isStopped = true;
    this.#rest?.stop();
  }

  /** Where the next tag or comment begins; a sign before anything else is text. */
  #tagFrom(from: number): number {
    const html = this.#html;
    for (let at = html.indexOf('<', from); at !== -1; at = html.indexOf('<', at + 1)) {
      if (beginsTag(html.charCodeAt(at + 1))) return at;
    }
    return html.length;
  }

  #close(start: number): boolean {
    const end = this.#endOfName(start);
    if (end === start || this.#html.charCodeAt(end) !== GREATER) return false;
    this.#at = end + 1;
    this.#sink.close(this.#html.slice(start, end));
    return true;
  }

  #open(start: number): boolean {
    const html = this.#html;
    let at = this.#endOfName(start);
    const name = html.slice(start, at);
    if (at === start || special.has(name)) return false;
    let attributes: Record<string, string | undefined> | undefined;
    let code = html.charCodeAt(at);
    while (isBlank(code)) {
      while (isBlank(code)) code = html.charCodeAt(++at);
      if (code === SLASH || code === GREATER) break;
      const end = this.#endOfName(at);
      if (end === at || html.charCodeAt(end) !== EQUALS || html.charCodeAt(end + 1) !== QUOTE) return false;
      const close = html.indexOf('"', end + 2);
      if (close === -1) return false;
      const value = html.slice(end + 2, close);
      attributes ??= {};
      // Of two with one name the first counts.
      attributes[html.slice(at, end)] ??= value.includes('&') ? decodeHTMLAttribute(value) : value;
      at = close + 1;
      code = html.charCodeAt(at);
    }
    const isSelfClosing = code === SLASH;
    if (isSelfClosing) at++;
    if (html.charCodeAt(at) !== GREATER) return false;
    this.#at = at + 1;
    this.#sink.open(name, attributes ?? noAttributes, isSelfClosing);
    return true;
  }

  /** Small letters, digits and dashes, a letter first. */
  #endOfName(start: number): number {
    const html = this.#html;
    let at = start;
    for (let code = html.charCodeAt(at); isNamed(code, at === start); code = html.charCodeAt(at)) at++;
    return at;
  }
}

function beginsTag(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || code === SLASH || code === 0x21 || code === 0x3f; // ! and ?
}

function isNamed(code: number, isFirst: boolean): boolean {
  return (code >= 0x61 && code <= 0x7a) || (!isFirst && ((code >= 0x30 && code <= 0x39) || code === 0x2d));
}

function isBlank(code: number): boolean {
  return code === SPACE || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

function decoded(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text;
}

/** The attributes of one tag. */
export function readAttributes(tag: string): Attributes {
  let found = noAttributes;
  const open = (_: string, attributes: Attributes): void => {
    found = attributes;
  };
  new HtmlReader(tag, { open, close: () => {}, text: () => {} }).read();
  return found;
}

/** The characters that an entity stands for; itself, when it is none. */
export function readEntity(entity: string): string {
  let found = '';
  const text = (piece: string): void => {
    found += piece;
  };
  new HtmlReader(entity, { open: () => {}, close: () => {}, text }).read();
  return found;
}

/** What the items of a list are counted with where it is not digits: `A`, `a`, `I` or `i`. */
export function counterOf({ type }: Attributes, style: Declarations): string {
  const written = style.get('list-style-type') ?? style.get('list-style') ?? '';
  const [, size, system = ''] = /(lower|upper)-(alpha|latin|roman)/.exec(written) ?? [];
  if (size !== undefined) {
    const counter = system === 'roman' ? 'i' : 'a';
    return size === 'upper' ? counter.toUpperCase() : counter;
  }
  if (/decimal|none|disc|circle|square/.test(written)) return '';
  return type !== undefined && /^[aAiI]$/.test(type.trim()) ? type.trim() : '';
}

export function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined || !/^\s*-?\d{1,9}/.test(text)) return undefined;
  return Number.parseInt(text, 10);
}

export function languageOf({ class: className }: Attributes): string {
  return /(?:^|\s)(?:language-|lang-|brush:\s*)([\w+#-]{1,30})/.exec(className ?? '')?.[1] ?? '';
}
