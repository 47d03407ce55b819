import {
  blanksOf,
  computeElementStyle,
  type HidingMode,
  inheritedVisibilityOf,
  keepsFormat,
  visibilityOfElement,
} from './css/visibility.ts';
import { type ElementProperties, elementTable } from './elements.ts';
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
  /** Contains the open elements that hide their content, and the visible ones inside hidden text. */
  readonly #hidden: { readonly name: string; readonly mode: HidingMode; depth: number }[] = [];

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
    if (this.#mode === 'all') return;
    const seen = this.#mode === 'text' ? blanksOf(text) : text;
    this.#parts.push(this.#sampleDepth > 0 ? seen : seen.replace(blanks, ' '));
  }

  open(name: string, attributes: Attributes): void {
    const element = elementTable.get(name);
    // The start tag of a paragraph closes an open paragraph, so that a hidden paragraph ends there. The same applies to
    // the other elements with the property `ends`.
    const endsItself = name === 'p' || element?.ends?.has(name) === true;
    if (endsItself) this.#leave(name);
    const before = this.#mode;
    const mode = before === 'all' ? before : modeInside(before, name, attributes, element);
    const last = this.#hidden.at(-1);
    if (mode !== before && element?.isVoid !== true) this.#hidden.push({ name, mode, depth: 1 });
    else if (last?.name === name) last.depth += 1;
    if (mode !== 'all' && (mode === 'none' || (element !== undefined && keepsFormat(element)))) this.#mark(name, true);
  }

  close(name: string): void {
    if (this.#mode !== 'all') this.#mark(name, false);
    this.#leave(name);
  }

  #leave(name: string): void {
    const last = this.#hidden.at(-1);
    if (last?.name !== name) return;
    last.depth -= 1;
    if (last.depth === 0) this.#hidden.pop();
  }

  get #mode(): HidingMode {
    return this.#hidden.at(-1)?.mode ?? 'none';
  }

  #mark(name: string, isOpening: boolean): void {
    if (name === 'pre') this.#sampleDepth = Math.max(0, this.#sampleDepth + (isOpening ? 1 : -1));
    if (name === 'sup' || name === 'sub') this.#parts.push(isOpening ? (name === 'sup' ? '^{' : '_{') : '}');
    else if (name === 'td' || name === 'th') this.#parts.push(' ');
    else if (name === 'br' || elementTable.get(name)?.isBlock === true) this.#parts.push('\n');
  }
}

/** Returns what an element hides inside an element that hides nothing or only text. */
function modeInside(
  outer: HidingMode,
  name: string,
  attributes: Attributes,
  element: ElementProperties | undefined,
): HidingMode {
  if (element?.treatment === 'hidden' || element?.treatment === 'style-sheet') return 'all';
  const style = computeElementStyle(name, attributes);
  const own = visibilityOfElement(name, attributes);
  if (own === 'hidden' || own === 'suspicious') return 'all';
  return own === 'text-hidden' ? 'text' : inheritedVisibilityOf(name, attributes, style) === 'visible' ? 'none' : outer;
}
