import { decodeHTML, decodeHTMLAttribute } from 'entities/decode';
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { type HtmlSink, noAttributes } from './sink.ts';

/** Elements whose text the tokenizer takes as it stands. */
const raw: ReadonlySet<string> = new Set('iframe noembed noframes plaintext script style xmp'.split(' '));

/** Turns htmlparser2's tokens into tags. Its parser would keep a stack of its own, and knows other rules for it. */
export class TokenReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #sink: HtmlSink;
  readonly #tokenizer: Tokenizer;
  readonly #hasEntities: boolean;
  #name = '';
  /** In an element whose text is no HTML: nothing in it stands for anything else. */
  #isRaw = false;
  #attributes: Record<string, string | undefined> | undefined;
  #attribute = '';
  #value = '';

  constructor(html: string, sink: HtmlSink) {
    this.#html = html;
    this.#sink = sink;
    this.#hasEntities = html.includes('&');
    // With entities to look for it would step through every text, without them it leaps from tag to tag.
    this.#tokenizer = new Tokenizer({ decodeEntities: false }, this);
  }

  read(): void {
    this.#tokenizer.write(this.#html);
    this.#tokenizer.end();
  }

  /** Reads no further than the tag it is at. */
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
    // Of two with one name the first counts.
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
    this.#isRaw = raw.has(this.#name) && !this.isInForeignContext();
    this.#sink.open(this.#name, this.#attributes ?? noAttributes, isSelfClosing);
  }

  onclosetag(start: number, end: number): void {
    this.#isRaw = false;
    this.#sink.close(this.#html.slice(start, end).toLowerCase());
  }

  isInForeignContext(): boolean {
    return this.#sink.isInDrawing?.() === true;
  }

  ontextentity(): void {}
  onattribentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
}
