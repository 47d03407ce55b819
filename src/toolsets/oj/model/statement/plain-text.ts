import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';
import { seenText } from '../invisible.ts';
import { isHidden } from './css/visibility.ts';
import { BLOCK_ELEMENTS, UNSEEN_ELEMENTS, VOID_ELEMENTS } from './names.ts';

const LOOKS_LIKE_TAG = /<(?=[a-zA-Z/!?])/g;
const BLANKS = /[ \t\r\n\f\u00a0]+/g;
/** Elements which end where the next of their name begins. */
const SELF_ENDING: ReadonlySet<string> = new Set('p li dt dd tr td th option'.split(' '));

/** The text of a page without its tags, in one pass and without a stack: for pages too hostile to become a tree. */
export function plainText(html: string): string {
  const sink = new TextSink(html);
  const tokenizer = new Tokenizer({}, sink);
  tokenizer.write(html);
  tokenizer.end();
  return sink.text();
}

class TextSink implements TokenizerCallbacks {
  readonly #html: string;
  readonly #parts: string[] = [];
  #name = '';
  #attributes: Record<string, string> = {};
  #attributeName = '';
  #attributeValue = '';
  #sampleDepth = 0;
  #hiddenName = '';
  #hiddenDepth = 0;

  constructor(html: string) {
    this.#html = html;
  }

  text(): string {
    const lines = seenText(this.#parts.join(''))
      .split('\n')
      .map(line => line.trimEnd());
    return lines
      .filter((line, index) => line !== '' || lines[index - 1] !== '')
      .join('\n')
      .trim()
      .replace(LOOKS_LIKE_TAG, '&lt;');
  }

  ontext(start: number, end: number): void {
    if (this.#hiddenDepth > 0) return;
    const text = this.#html.slice(start, end);
    this.#parts.push(this.#sampleDepth > 0 ? text : text.replace(BLANKS, ' '));
  }

  ontextentity(codePoint: number): void {
    if (this.#hiddenDepth === 0) this.#parts.push(codePoint === 0xa0 ? ' ' : String.fromCodePoint(codePoint));
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#html.slice(start, end).toLowerCase();
    this.#attributes = {};
  }

  onattribname(start: number, end: number): void {
    this.#attributeName = this.#html.slice(start, end).toLowerCase();
    this.#attributeValue = '';
  }

  onattribdata(start: number, end: number): void {
    this.#attributeValue += this.#html.slice(start, end);
  }

  onattribentity(codePoint: number): void {
    this.#attributeValue += String.fromCodePoint(codePoint);
  }

  onattribend(): void {
    this.#attributes[this.#attributeName] = this.#attributeValue;
  }

  onopentagend(): void {
    const name = this.#name;
    if (this.#hiddenDepth > 0) {
      if (name === this.#hiddenName) this.#hiddenDepth += SELF_ENDING.has(name) ? -1 : 1;
      if (this.#hiddenDepth > 0) return;
    }
    const isUnseen = name === 'script' || name === 'style' || UNSEEN_ELEMENTS.has(name);
    if (isUnseen || isHidden(name, this.#attributes, false)) {
      if (VOID_ELEMENTS.has(name)) return;
      this.#hiddenName = name;
      this.#hiddenDepth = 1;
      return;
    }
    this.#mark(name, true);
  }

  onselfclosingtag(): void {
    this.onopentagend();
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    if (this.#hiddenDepth === 0) this.#mark(name, false);
    else if (name === this.#hiddenName) this.#hiddenDepth -= 1;
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}

  #mark(name: string, isOpening: boolean): void {
    if (name === 'pre') this.#sampleDepth = Math.max(0, this.#sampleDepth + (isOpening ? 1 : -1));
    if (name === 'sup' || name === 'sub') this.#parts.push(isOpening ? (name === 'sup' ? '^{' : '_{') : '}');
    else if (name === 'td' || name === 'th') this.#parts.push(' ');
    else if (name === 'br' || BLOCK_ELEMENTS.has(name)) this.#parts.push('\n');
  }
}
