import { byteAt } from '../bytes.ts';
import { unescapeMarkup } from '../markup.ts';
import { HiddenElementDetector, HiddenElementTracker } from './hidden.ts';
import { HtmlTextOutput } from './output.ts';
import {
  hiddenContentTags,
  inlineTags,
  maxTagNameLength,
  rubyTags,
  styleTag,
  svgTextTags,
  tagAlphabetSize,
  unknownTagName,
} from './tag-names.ts';

const codes = { lessThan: 0x3c, greaterThan: 0x3e, ampersand: 0x26, slash: 0x2f, equals: 0x3d, hash: 0x23 } as const;
/** The length of the shortest tag with an attribute, such as `<b id=x`. */
const shortestAttribute = 7;

/** Extracts the text of the source in one pass. The output is never longer than the source. */
export class HtmlTextReader {
  /** Contains the ranges of the source between the tags of hidden elements. */
  readonly hidden: { start: number; end: number }[] = [];
  readonly #source: Buffer;
  readonly #out: HtmlTextOutput;
  readonly #hiddenElements = new HiddenElementDetector();
  #hiddenElement: HiddenElementTracker | undefined;
  #hiddenStart = 0;
  /** The length of the output at the start tag of the hidden element. */
  #lengthBefore = 0;
  /** The vertical position of the last text in an SVG image. */
  #textY = '';

  constructor(source: Buffer) {
    this.#source = source;
    this.#out = new HtmlTextOutput(source.length);
  }

  read(): Buffer {
    const source = this.#source;
    for (let at = 0; at < source.length; ) {
      const byte = source[at];
      if (byte === codes.lessThan) at = this.#readMarkup(at);
      else if (byte === codes.ampersand) at = this.#readReference(at);
      else at = this.#readText(at);
    }
    if (this.#hiddenElement !== undefined) this.#endHidden(source.length);
    return this.#out.end();
  }

  #readText(start: number): number {
    const source = this.#source;
    let at = start;
    for (; at < source.length; at++) {
      const byte = source[at];
      if (byte === codes.lessThan || byte === codes.ampersand) break;
    }
    this.#out.copy(source, start, at);
    return at;
  }

  /** Parses markup at a "<" and returns the offset after it. A "<" without a tag is text. */
  #readMarkup(open: number): number {
    const next = byteAt(this.#source, open + 1);
    if (next === 0x21 || next === 0x3f) return this.#readDeclaration(open);
    if (next !== codes.slash && !isLetter(next)) {
      this.#out.put(codes.lessThan);
      return open + 1;
    }
    const close = this.#tagEnd(open);
    return close === -1 ? this.#source.length : this.#readTag(open, close, next === codes.slash);
  }

  #readTag(open: number, close: number, isEnd: boolean): number {
    const name = this.#nameAt(isEnd ? open + 2 : open + 1);
    const isHiddenContent = hiddenContentTags.has(name);
    const isBlock = !isHiddenContent && !inlineTags.has(name);
    if (this.#skipsHidden(open, close, isEnd, isHiddenContent || isBlock))
      return isHiddenContent && !isEnd ? this.#findEndTag(name, close) : close + 1;
    if (rubyTags.has(name)) this.#out.readRubyTag(name, isEnd);
    else if (name === svgTextTags.text || name === svgTextTags.part) this.#readSvgText(name, open, close);
    else if (isBlock) this.#out.endLine();
    if (!isHiddenContent || isEnd || this.#source[close - 1] === codes.slash) return close + 1;
    const end = this.#findEndTag(name, close);
    if (name === styleTag) this.#hiddenElements.readStyleSheet(this.#source.toString('latin1', close + 1, end));
    return end;
  }

  /**
   * Tracks the start and end of hidden elements. Returns true for the tags of a hidden element and all tags inside it.
   */
  #skipsHidden(open: number, close: number, isEnd: boolean, isBlock: boolean): boolean {
    const source = this.#source;
    const isEmpty = source[close - 1] === codes.slash;
    if (this.#hiddenElement === undefined) {
      if (isEnd || isEmpty || close - open <= shortestAttribute) return false;
      const tag = source.toString('latin1', open + 1, close);
      const name = tagName(tag);
      if (!this.#hiddenElements.isHidden(name, tag)) return false;
      if (isBlock) this.#out.endLine();
      this.#hiddenElement = new HiddenElementTracker(name);
      [this.#hiddenStart, this.#lengthBefore] = [close + 1, this.#out.length];
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
    this.#out.truncate(this.#lengthBefore);
  }

  /**
   * Starts a new line if a part of an SVG text is at another vertical position. Small differences occur within words.
   */
  #readSvgText(name: number, open: number, close: number): void {
    const tag = this.#source.toString('latin1', open, close);
    const places = new Map(
      Array.from(tag.matchAll(/\s(x|y|dy)\s*=\s*["']?\s*([^\s"'>]*)/g), ([, key, value]) => [key, value]),
    );
    const height = places.get('y') ?? (name === svgTextTags.text ? '' : this.#textY);
    const isDown = places.has('x') && (Number.parseFloat(places.get('dy') ?? '') || 0) !== 0;
    if (name === svgTextTags.text || height !== this.#textY || isDown) this.#out.endLine();
    this.#textY = height;
  }

  #nameAt(start: number): number {
    let number = 0;
    for (let at = start; ; at++) {
      const byte = lowered(this.#source[at] ?? codes.greaterThan);
      if (byte === codes.greaterThan || byte === codes.slash || isBlank(byte)) return number;
      if (at === start + maxTagNameLength || byte < 0x20 || byte > 0x7e) return unknownTagName;
      number = number * tagAlphabetSize + byte - 0x20;
    }
  }

  /**
   * Returns the offset of the ">" that ends a tag, and ignores ">" in quoted values. A quote that is not closed, or
   * does not start a value, is ignored.
   */
  #tagEnd(open: number): number {
    const source = this.#source;
    let isValueNext = false;
    for (let at = open + 1; at < source.length; at++) {
      const byte = byteAt(source, at);
      if (byte === codes.greaterThan) return at;
      if (isValueNext && (byte === 0x22 || byte === 0x27)) {
        const close = source.indexOf(byte, at + 1);
        if (close === -1) return source.indexOf(codes.greaterThan, at);
        at = close;
      }
      if (byte > 0x20) isValueNext = byte === codes.equals;
    }
    return -1;
  }

  /** Returns the offset of the end tag of an element such as <script>, because its content is not shown. */
  #findEndTag(name: number, from: number): number {
    const source = this.#source;
    for (let at = source.indexOf('</', from); at !== -1; at = source.indexOf('</', at + 2)) {
      let [number, end] = [0, at + 2];
      while (end < at + 2 + maxTagNameLength && isWord(byteAt(source, end)))
        number = number * tagAlphabetSize + lowered(byteAt(source, end++)) - 0x20;
      if (number === name && !isWord(byteAt(source, end))) return at;
    }
    return source.length;
  }

  #readDeclaration(open: number): number {
    const source = this.#source;
    // `<!-->` and `<!--->` are complete comments.
    if (source.toString('latin1', open, open + 4) === '<!--') return this.#skipTo('-->', open + 2);
    if (source.toString('latin1', open, open + 9) !== '<![CDATA[') return this.#skipTo('>', open);
    const close = source.indexOf(']]>', open);
    this.#out.copy(source, open + 9, close === -1 ? source.length : close);
    return close === -1 ? source.length : close + 3;
  }

  #skipTo(end: string, from: number): number {
    const close = this.#source.indexOf(end, from);
    return close === -1 ? this.#source.length : close + end.length;
  }

  /** Decodes a character reference. Any other "&" is text. */
  #readReference(start: number): number {
    const source = this.#source;
    let end = start + 1;
    if (source[end] === codes.hash) end++;
    const first = end;
    while (end < first + 12 && isWord(byteAt(source, end))) end++;
    if (source[end] === 0x3b) end++;
    this.#out.write(unescapeMarkup(source.toString('latin1', start, end)));
    return end;
  }
}

/** Returns the name at the start of a tag, in lower case. */
function tagName(tag: string): string {
  return (/^[^\s/>]*/.exec(tag)?.[0] ?? '').toLowerCase();
}

function lowered(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
}

function isLetter(byte: number): boolean {
  return lowered(byte) >= 0x61 && lowered(byte) <= 0x7a;
}

/** Returns whether the byte can be part of the name of a character reference. */
function isWord(byte: number): boolean {
  return isLetter(byte) || (byte >= 0x30 && byte <= 0x39) || byte === 0x5f;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
