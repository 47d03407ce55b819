import { HiddenElement, HiddenElements } from './html-hidden.ts';
import { unescapeMarkup } from './markup.ts';

/** Extracts the visible text of an HTML page; blocks become lines. */
export function htmlText(markup: string): string {
  return extractHtml(Buffer.from(markup)).toString();
}

/** Extracts the visible text in UTF-8. Bytes are several times faster than strings here. */
export function extractHtml(source: Buffer): Buffer {
  return new HtmlReader(source).read();
}

/** Returns a copy of the source in which the text of hidden elements is blank; offsets and lines stay the same. */
export function withoutHiddenText(source: Buffer): Buffer {
  const page = new HtmlReader(source);
  page.read();
  const copy = Buffer.from(source);
  for (const { start, end } of page.hidden)
    for (let at = start; at < end; at++) if (copy[at] !== newline) copy[at] = blank;
  return copy;
}

const codes = { lessThan: 0x3c, greaterThan: 0x3e, ampersand: 0x26, slash: 0x2f, equals: 0x3d, hash: 0x23 } as const;
const newline = 0x0a;
const blank = 0x20;

/** Tag names as numbers, which avoids a string for each tag: a number holds eight of 95 characters. */
const maxNameLength = 8;
const alphabetSize = 96;
const unknownName = -1;

function encodeName(name: string): number {
  return Array.from(name).reduce((number, letter) => number * alphabetSize + letter.charCodeAt(0) - 0x20, 0);
}

const inline = new Set(
  'a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd mark q rb rp rt ruby s samp small span strong strike sub sup tt u var wbr'
    .split(' ')
    .map(encodeName),
);
/** `rt` is the reading above a word, `rp` the brackets for browsers without ruby. */
const ruby = {
  text: encodeName('rt'),
  bracket: encodeName('rp'),
  base: encodeName('rb'),
  all: encodeName('ruby'),
} as const;
const rubyTags: ReadonlySet<number> = new Set(Object.values(ruby));
/** SVG text, and a part of it that can have its own position. */
const svgText = { text: encodeName('text'), part: encodeName('tspan') } as const;
/** Elements whose content is never shown. */
const hiddenContent = new Set(['script', 'style', 'template'].map(encodeName));
const styleSheet = encodeName('style');
/** The length of `<b id=x`. */
const shortestAttribute = 7;

/** Reads the source in one pass. The output is never longer than the source. */
class HtmlReader {
  readonly #source: Buffer;
  readonly #out: Buffer;
  #length = 0;
  /** Ruby readings. They would split words, so they follow in a separate line. */
  #readings: Buffer | undefined;
  #readingsLength = 0;
  /** The open ruby tag, and the start of its text in `#out`. */
  #rubyTag = unknownName;
  #rubyStart = 0;
  /** The vertical position of the last SVG text. */
  #textY = '';
  /** The parts of the source between the tags of hidden elements. */
  readonly hidden: { start: number; end: number }[] = [];
  readonly #hiddenElements = new HiddenElements();
  #hiddenElement: HiddenElement | undefined;
  #hiddenStart = 0;
  /** The length of the output where the hidden element starts. */
  #lengthBefore = 0;

  constructor(source: Buffer) {
    this.#source = source;
    this.#out = Buffer.allocUnsafe(source.length);
  }

  read(): Buffer {
    const source = this.#source;
    for (let at = 0; at < source.length; ) {
      const byte = source[at] ?? 0;
      if (byte === codes.lessThan) at = this.#readMarkup(at);
      else if (byte === codes.ampersand) at = this.#readReference(at);
      else at = this.#readText(at);
    }
    if (this.#hiddenElement !== undefined) this.#endHidden(source.length);
    this.#flushReadings();
    return this.#out.subarray(0, this.#length);
  }

  #readText(start: number): number {
    const [source, out] = [this.#source, this.#out];
    let [at, length] = [start, this.#length];
    for (; at < source.length; at++) {
      const byte = source[at] ?? 0;
      if (byte === codes.lessThan || byte === codes.ampersand) break;
      out[length++] = byte;
    }
    this.#length = length;
    return at;
  }

  #put(byte: number): void {
    this.#out[this.#length++] = byte;
  }

  /** Reads markup at a "<" and returns the position after it. A "<" without a tag is text. */
  #readMarkup(open: number): number {
    const next = this.#source[open + 1] ?? 0;
    if (next === 0x21 || next === 0x3f) return this.#readDeclaration(open);
    const isEnd = next === codes.slash;
    if (!isEnd && !isLetter(next)) {
      this.#put(codes.lessThan);
      return open + 1;
    }
    const name = this.#nameAt(isEnd ? open + 2 : open + 1);
    const close = this.#tagEnd(open);
    if (close === -1) return this.#source.length;
    const isHiddenContent = hiddenContent.has(name);
    if (this.#skipsHidden(open, close, isEnd, isHiddenContent || !inline.has(name))) {
      return isHiddenContent && !isEnd ? this.#findEndTag(name, close) : close + 1;
    }
    if (rubyTags.has(name)) this.#readRubyTag(name, isEnd);
    else if (name === svgText.part && isEnd) return close + 1;
    else if (name === svgText.text || name === svgText.part)
      this.#readSvgText(name, this.#source.toString('latin1', open, close));
    else if (!isHiddenContent && !inline.has(name)) this.#endLine();
    if (!isHiddenContent || isEnd || this.#source[close - 1] === codes.slash) return close + 1;
    const end = this.#findEndTag(name, close);
    if (name === styleSheet) this.#hiddenElements.readStyleSheet(this.#source.toString('latin1', close + 1, end));
    return end;
  }

  /** Follows the start and end of hidden elements; true for their tags and the tags inside of them. */
  #skipsHidden(open: number, close: number, isEnd: boolean, isBlock: boolean): boolean {
    const source = this.#source;
    const isEmpty = source[close - 1] === codes.slash;
    if (this.#hiddenElement === undefined) {
      if (isEnd || isEmpty || close - open <= shortestAttribute) return false;
      const tag = source.toString('latin1', open + 1, close);
      const name = tagName(tag);
      if (!this.#hiddenElements.isHidden(name, tag)) return false;
      if (isBlock) this.#endLine();
      this.#hiddenElement = new HiddenElement(name);
      [this.#hiddenStart, this.#lengthBefore] = [close + 1, this.#length];
      return true;
    }
    const name = tagName(source.toString('latin1', isEnd ? open + 2 : open + 1, Math.min(close, open + 40)));
    const end = isEmpty ? undefined : this.#hiddenElement.endAt(name, isEnd, isBlock);
    if (end === undefined) return true;
    this.#endHidden(open);
    return end === 'after';
  }

  #endHidden(end: number): void {
    this.hidden.push({ start: this.#hiddenStart, end });
    this.#hiddenElement = undefined;
    this.#length = this.#lengthBefore;
  }

  #readRubyTag(name: number, isEnd: boolean): void {
    this.#endRubyText();
    if (!isEnd) [this.#rubyTag, this.#rubyStart] = [name, this.#length];
    else if (name === ruby.all && this.#readings !== undefined) this.#readings[this.#readingsLength++] = blank;
  }

  /** Starts a line if a part of SVG text has another vertical position: smaller moves occur within words. */
  #readSvgText(name: number, tag: string): void {
    const places = new Map(
      Array.from(tag.matchAll(/\s(x|y|dy)\s*=\s*["']?\s*([^\s"'>]*)/g), ([, key, value]) => [key, value]),
    );
    const height = places.get('y') ?? (name === svgText.text ? '' : this.#textY);
    const isDown = places.has('x') && (Number.parseFloat(places.get('dy') ?? '') || 0) !== 0;
    if (name === svgText.text || height !== this.#textY || isDown) this.#endLine();
    this.#textY = height;
  }

  #endRubyText(): void {
    if (this.#rubyTag === ruby.text) {
      this.#readings ??= Buffer.allocUnsafe(this.#source.length);
      this.#readingsLength += this.#out.copy(this.#readings, this.#readingsLength, this.#rubyStart, this.#length);
    }
    if (this.#rubyTag === ruby.text || this.#rubyTag === ruby.bracket) this.#length = this.#rubyStart;
    this.#rubyTag = unknownName;
  }

  #endLine(): void {
    this.#flushReadings();
    this.#put(newline);
  }

  #flushReadings(): void {
    this.#endRubyText();
    if (this.#readings === undefined || this.#readingsLength === 0) return;
    this.#put(newline);
    this.#length += this.#readings.copy(this.#out, this.#length, 0, this.#readingsLength);
    this.#readingsLength = 0;
  }

  #nameAt(start: number): number {
    let number = 0;
    for (let at = start; ; at++) {
      const byte = lowered(this.#source[at] ?? codes.greaterThan);
      if (byte === codes.greaterThan || byte === codes.slash || isBlank(byte)) return number;
      if (at === start + maxNameLength || byte < 0x20 || byte > 0x7e) return unknownName;
      number = number * alphabetSize + byte - 0x20;
    }
  }

  /**
   * Returns the ">" that ends a tag and ignores ">" in quoted values. A quote that is not closed, or does not start a
   * value, is ignored.
   */
  #tagEnd(open: number): number {
    const source = this.#source;
    let isValueNext = false;
    for (let at = open + 1; at < source.length; at++) {
      const byte = source[at] ?? 0;
      if (byte === codes.greaterThan) return at;
      if (isValueNext && (byte === 0x22 || byte === 0x27)) {
        const close = source.indexOf(byte, at + 1);
        if (close === -1) return source.indexOf(codes.greaterThan, at);
        at = close;
      }
      if (!isBlank(byte)) isValueNext = byte === codes.equals;
    }
    return -1;
  }

  /** Returns the end tag of an element whose content is not shown. */
  #findEndTag(name: number, from: number): number {
    const source = this.#source;
    for (let at = source.indexOf('</', from); at !== -1; at = source.indexOf('</', at + 2)) {
      let [number, end] = [0, at + 2];
      while (end < at + 2 + maxNameLength && isWord(source[end] ?? 0))
        number = number * alphabetSize + lowered(source[end++] ?? 0) - 0x20;
      if (number === name && !isWord(source[end] ?? 0)) return at;
    }
    return source.length;
  }

  #readDeclaration(open: number): number {
    const source = this.#source;
    if (source.toString('latin1', open, open + 4) === '<!--') return this.#skipTo('-->', open + 4);
    if (source.toString('latin1', open, open + 9) !== '<![CDATA[') return this.#skipTo('>', open);
    const close = source.indexOf(']]>', open);
    this.#length += source.copy(this.#out, this.#length, open + 9, close === -1 ? source.length : close);
    return close === -1 ? source.length : close + 3;
  }

  #skipTo(end: string, from: number): number {
    const close = this.#source.indexOf(end, from);
    return close === -1 ? this.#source.length : close + end.length;
  }

  /** Reads a character reference; anything else is an "&". */
  #readReference(start: number): number {
    const source = this.#source;
    let end = start + 1;
    if (source[end] === codes.hash) end++;
    const first = end;
    while (end < first + 12 && isWord(source[end] ?? 0)) end++;
    if (source[end] === 0x3b) end++;
    const written = source.toString('latin1', start, end);
    this.#length += this.#out.write(unescapeMarkup(written), this.#length);
    return end;
  }
}

/** The name in lower case at the start of a tag. */
function tagName(tag: string): string {
  return (/^[^\s/>]*/.exec(tag)?.[0] ?? '').toLowerCase();
}

function lowered(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

function isLetter(byte: number): boolean {
  return lowered(byte) >= 0x61 && lowered(byte) <= 0x7a;
}

/** Returns true for characters of a reference name. */
function isWord(byte: number): boolean {
  return isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === newline || byte === 0x0d;
}

/** Returns the charset of a meta element. It matters only if the bytes are not UTF-8. */
export function htmlCharset(head: string): string | undefined {
  return /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
}
