import type { ElementProperties } from '../elements.ts';
import { removeInvisibleAndLoneSurrogates } from '../invisible.ts';
import type { LiteralWriter } from './literal-writer.ts';
import { InheritedTextStyle, preserveSpaces } from './text-style.ts';
import type { StatementTreeWriter } from './writer.ts';

/** Writes text to the innermost open target: the note for a suspicious element, a literal element, or the tree. */
export class TextWriter {
  readonly style = new InheritedTextStyle();
  readonly #writer: StatementTreeWriter;
  readonly #literals: LiteralWriter;
  /** Collects the text of the current element if the element is probably invisible. */
  #suspicious: string | undefined;

  constructor(writer: StatementTreeWriter, literals: LiteralWriter) {
    this.#writer = writer;
    this.#literals = literals;
  }

  /** Returns whether an element that is probably invisible is open. */
  get isSuspicious(): boolean {
    return this.#suspicious !== undefined;
  }

  write(text: string): void {
    if (this.#suspicious === undefined) this.#writeVisible(text);
    else this.#suspicious += text;
  }

  /** Appends the TeX of a formula to a note or a literal element. Returns false if neither is open. */
  appendTex(tex: string): boolean {
    const { text } = this.#literals;
    if (this.#suspicious !== undefined) this.#suspicious += tex;
    else if (text !== undefined) text.append(tex);
    return this.#suspicious !== undefined || text !== undefined;
  }

  /** Adds a space to the text of a note for a block or a line break, because a note has no markup. */
  separate({ isBlock, treatment }: ElementProperties): undefined {
    if (isBlock || treatment === 'break' || treatment === 'space') this.write(' ');
  }

  /** Collects the text of an element that is probably invisible. The returned function writes it as one note. */
  openSuspicious(): () => void {
    this.#suspicious = '';
    return () => {
      const text = (this.#suspicious ?? '').replace(/\s+/g, ' ').trim();
      this.#suspicious = undefined;
      if (text !== '') this.#writeVisible(`(possibly hidden: ${text})`);
    };
  }

  #writeVisible(text: string): void {
    const styled = this.style.isActive ? this.style.apply(text) : text;
    const literal = this.#literals.text;
    if (literal !== undefined) literal.append(removeInvisibleAndLoneSurrogates(styled));
    else if (!this.style.isActive || this.style.kept === 'none') this.#writer.write(styled);
    else this.#writeLines(styled);
  }

  /** Writes text and keeps its line breaks, because its CSS preserves them. */
  #writeLines(text: string): void {
    const isAll = this.style.kept === 'all';
    for (const [index, line] of text.replaceAll('\r\n', '\n').split('\n').entries()) {
      if (index > 0) this.#writer.breakLine();
      if (line !== '') this.#writer.write(isAll ? preserveSpaces(line) : line);
    }
  }
}
