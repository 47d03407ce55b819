import { visibilityOfElement } from './css/visibility.ts';
import { elementTable } from './elements.ts';
import type { Attributes } from './html/attributes.ts';
import { HtmlReader, type HtmlTokenHandler } from './html/reader.ts';
import { removeInvisibleAndLoneSurrogates } from './invisible.ts';

const looksLikeTag = /<(?=[a-zA-Z/!?])/g;
const emptyScript = /[_^]\{\s{0,100}\}/g;
const blanks = /[ \t\r\n\f\u00a0]+/g;

/** Extracts the text of a page in one pass and builds no tree. It is the fallback for pages that exceed the budget. */
export function extractPlainText(html: string): string {
  const sink = new TextSink();
  new HtmlReader(html, sink).read();
  return sink.written();
}

class TextSink implements HtmlTokenHandler {
  readonly #parts: string[] = [];
  #sampleDepth = 0;
  #hiddenName = '';
  #hiddenDepth = 0;

  written(): string {
    const lines = removeInvisibleAndLoneSurrogates(this.#parts.join('').replace(emptyScript, ''))
      .split('\n')
      .map(line => line.trimEnd());
    return lines
      .filter((line, index) => line !== '' || lines[index - 1] !== '')
      .join('\n')
      .trim()
      .replace(looksLikeTag, '&lt;');
  }

  text(text: string): void {
    if (this.#hiddenDepth === 0) this.#parts.push(this.#sampleDepth > 0 ? text : text.replace(blanks, ' '));
  }

  open(name: string, attributes: Attributes): void {
    const element = elementTable.get(name);
    if (this.#hiddenDepth > 0) {
      // The start tag of a paragraph closes an open paragraph, so that a hidden paragraph ends there. The same applies
      // to the other elements with the property `ends`.
      const endsItself = name === 'p' || element?.ends?.has(name) === true;
      if (name === this.#hiddenName) this.#hiddenDepth += endsItself ? -1 : 1;
      if (this.#hiddenDepth > 0) return;
    }
    const isHiddenByName = element?.treatment === 'hidden' || element?.treatment === 'style-sheet';
    if (!isHiddenByName && visibilityOfElement(name, attributes) === 'visible') this.#mark(name, true);
    else if (element?.isVoid !== true) {
      this.#hiddenName = name;
      this.#hiddenDepth = 1;
    }
  }

  close(name: string): void {
    if (this.#hiddenDepth === 0) this.#mark(name, false);
    else if (name === this.#hiddenName) this.#hiddenDepth -= 1;
  }

  #mark(name: string, isOpening: boolean): void {
    if (name === 'pre') this.#sampleDepth = Math.max(0, this.#sampleDepth + (isOpening ? 1 : -1));
    if (name === 'sup' || name === 'sub') this.#parts.push(isOpening ? (name === 'sup' ? '^{' : '_{') : '}');
    else if (name === 'td' || name === 'th') this.#parts.push(' ');
    else if (name === 'br' || elementTable.get(name)?.isBlock === true) this.#parts.push('\n');
  }
}
