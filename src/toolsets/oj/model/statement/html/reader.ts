import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import type { Declarations } from '../css/declarations.ts';

export type Attributes = Readonly<Record<string, string | undefined>>;

/** What is read of a page, in order; names are in small letters, entities decoded. */
export interface HtmlSink {
  text(text: string): void;
  open(name: string, attributes: Attributes, isSelfClosing: boolean): void;
  close(name: string): void;
  /** Whether a drawing is open, where `<title>` and the like are ordinary elements. */
  isInDrawing?(): boolean;
}

/** Most tags have none: they share this. */
export const NO_ATTRIBUTES: Attributes = {};

/** Turns htmlparser2's tokens into tags. Its parser would keep a stack of its own, and knows other rules for it. */
export class HtmlReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #sink: HtmlSink;
  readonly #tokenizer: Tokenizer;
  #name = '';
  #attributes: Record<string, string | undefined> | undefined;
  #attribute = '';
  #value = '';

  constructor(html: string, sink: HtmlSink) {
    this.#html = html;
    this.#sink = sink;
    // With entities to look for it steps through every text, without them it leaps from tag to tag.
    this.#tokenizer = new Tokenizer({ decodeEntities: html.includes('&') }, this);
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
    this.#sink.text(this.#html.slice(start, end));
  }

  ontextentity(codePoint: number): void {
    this.#sink.text(String.fromCodePoint(codePoint));
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
    this.#value += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#value += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    // Of two with one name the first counts.
    this.#attributes ??= {};
    this.#attributes[this.#attribute] ??= this.#value;
  }

  onopentagend(): void {
    this.#sink.open(this.#name, this.#attributes ?? NO_ATTRIBUTES, false);
  }

  onselfclosingtag(): void {
    this.#sink.open(this.#name, this.#attributes ?? NO_ATTRIBUTES, true);
  }

  onclosetag(start: number, end: number): void {
    this.#sink.close(this.#html.slice(start, end).toLowerCase());
  }

  isInForeignContext(): boolean {
    return this.#sink.isInDrawing?.() === true;
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
}

/** The attributes of one tag. */
export function readAttributes(tag: string): Attributes {
  let found = NO_ATTRIBUTES;
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
