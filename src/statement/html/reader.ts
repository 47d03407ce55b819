import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { elementTable } from '../elements.ts';
import { type Attributes, emptyAttributes } from './attributes.ts';
import { escapeNonTags, findEndOfForeignContent, findLastEndTags, isForeignRoot } from './non-tags.ts';

/** Receives the tokens of a page in order. Names are in lower case, and entities are decoded. */
export interface HtmlTokenHandler {
  text(text: string): void;
  open(name: string, attributes: Attributes, isSelfClosing: boolean): void;
  close(name: string): void;
  /**
   * Returns whether an <svg> or <math> element is open. Inside it `<title>` and similar names are ordinary elements.
   */
  isInForeignContent?(): boolean;
}

const [SPACE, QUOTE, SLASH, EQUALS, GREATER] = [0x20, 0x22, 0x2f, 0x3d, 0x3e];

/**
 * Parses the HTML that online judges usually write: tags in lower case, attributes in double quotes. At any other tag
 * it passes the rest to htmlparser2, which implements the whole syntax and takes several times as long.
 */
export class HtmlReader {
  readonly #html: string;
  readonly #sink: HtmlTokenHandler;
  #rest: Htmlparser2Reader | undefined;
  #isStopped = false;
  #at = 0;
  #endTags: ReadonlyMap<string, number> | undefined;
  #attributes: Record<string, string | undefined> | undefined;
  /** The offset where the last SVG or MathML ends. */
  #foreignEnd = 0;

  constructor(html: string, sink: HtmlTokenHandler) {
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
      this.#rest = new Htmlparser2Reader(html.slice(start), this.#sink, this.#foreignEnd - start);
      this.#rest.read();
      return;
    }
  }

  /** Stops the parser after the current tag. */
  stop(): void {
    this.#isStopped = true;
    this.#rest?.stop();
  }

  /** Returns the offset of the next tag or comment. Any other `<` is text. */
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
    const element = elementTable.get(name);
    if (at === start || element?.isRaw === true) return false;
    at = this.#readAttributes(at);
    if (at === -1) return false;
    const isSelfClosing = html.charCodeAt(at) === SLASH;
    if (isSelfClosing) at++;
    if (html.charCodeAt(at) !== GREATER) return false;
    // An unknown name without attributes may be text, as in `vector<int>`.
    if (element === undefined && !isSelfClosing && this.#attributes === undefined && !this.#hasEndTag(name))
      return false;
    if (start > this.#foreignEnd && isForeignRoot(name)) this.#foreignEnd = findEndOfForeignContent(html, start);
    this.#at = at + 1;
    this.#sink.open(name, this.#attributes ?? emptyAttributes, isSelfClosing);
    return true;
  }

  #hasEndTag(name: string): boolean {
    this.#endTags ??= findLastEndTags(this.#html);
    return (this.#endTags.get(name) ?? 0) > this.#at;
  }

  /** Parses attributes in double quotes. Returns the offset after them, or -1 for any other attribute. */
  #readAttributes(start: number): number {
    const html = this.#html;
    let attributes: Record<string, string | undefined> | undefined;
    let at = start;
    let code = html.charCodeAt(at);
    while (isBlank(code)) {
      while (isBlank(code)) code = html.charCodeAt(++at);
      if (code === SLASH || code === GREATER) break;
      const end = this.#endOfName(at);
      if (end === at || html.charCodeAt(end) !== EQUALS || html.charCodeAt(end + 1) !== QUOTE) return -1;
      const close = html.indexOf('"', end + 2);
      if (close === -1) return -1;
      const value = html.slice(end + 2, close);
      attributes ??= {};
      // If an attribute occurs twice, the first one is used.
      attributes[html.slice(at, end)] ??= value.includes('&') ? decodeHTMLAttribute(value) : value;
      at = close + 1;
      code = html.charCodeAt(at);
    }
    this.#attributes = attributes;
    return at;
  }

  /**
   * Returns the offset after a name that begins with a letter and consists of lower-case letters, digits and hyphens.
   */
  #endOfName(start: number): number {
    const html = this.#html;
    let at = start;
    for (let code = html.charCodeAt(at); isNamed(code, at === start); code = html.charCodeAt(at)) at++;
    return at;
  }
}

/**
 * Converts the tokens of htmlparser2 into tags. Only the tokenizer of htmlparser2 is used, because its parser closes
 * elements by other rules.
 */
export class Htmlparser2Reader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #sink: HtmlTokenHandler;
  readonly #tokenizer: Tokenizer;
  readonly #hasEntities: boolean;
  #name = '';
  /** True inside an element with raw text, such as <script>, because entities are not decoded in it. */
  #isRaw = false;
  #attributes: Record<string, string | undefined> | undefined;
  #attribute = '';
  #value = '';

  constructor(html: string, sink: HtmlTokenHandler, foreignEnd = 0) {
    this.#html = escapeNonTags(html, foreignEnd);
    this.#sink = sink;
    this.#hasEntities = this.#html.includes('&');
    // Entities are not decoded by the tokenizer, because it would then visit every character instead of skipping from
    // tag to tag.
    this.#tokenizer = new Tokenizer({ decodeEntities: false }, this);
  }

  read(): void {
    this.#tokenizer.write(this.#html);
    this.#tokenizer.end();
  }

  /** Stops parsing after the current tag. */
  stop(): void {
    this.#tokenizer.pause();
  }

  ontext(start: number, end: number): void {
    const text = this.#html.slice(start, end);
    this.#sink.text(this.#hasEntities && !this.#isRaw && text.includes('&') ? decodeHTML(text) : text);
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#attributes = undefined;
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#value = '';
  }

  onattribdata(start: number, end: number): void {
    const value = this.#html.slice(start, end);
    this.#value = this.#hasEntities ? decodeHTMLAttribute(value) : value;
  }

  onattribend(): void {
    // If an attribute occurs twice, the first one is used.
    this.#attributes ??= {};
    this.#attributes[this.#attribute] ??= this.#value;
  }

  onopentagend(): void {
    this.#open(false);
  }

  onselfclosingtag(): void {
    this.#open(true);
  }

  #open(isSelfClosing: boolean): void {
    // The text of <textarea> and <title> contains no tags, but its entities are decoded.
    const isBare = this.#name !== 'textarea' && this.#name !== 'title' && elementTable.get(this.#name)?.isRaw === true;
    this.#isRaw = isBare && !this.isInForeignContext();
    this.#sink.open(this.#name, this.#attributes ?? emptyAttributes, isSelfClosing);
  }

  onclosetag(start: number, end: number): void {
    this.#isRaw = false;
    this.#sink.close(this.#html.slice(start, end).toLowerCase());
  }

  isInForeignContext(): boolean {
    return this.#sink.isInForeignContent?.() === true;
  }

  ontextentity(): void {}
  onattribentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
}

function beginsTag(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || code === SLASH || code === 0x21 || code === 0x3f; // `!` and `?`
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

export function readTagAttributes(tag: string): Attributes {
  let found = emptyAttributes;
  const open = (_: string, attributes: Attributes): void => {
    found = attributes;
  };
  new HtmlReader(tag, { open, close: () => {}, text: () => {} }).read();
  return found;
}
