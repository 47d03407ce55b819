import { type PreservedWhiteSpace, preservedWhiteSpaceOf } from '../css/effects.ts';
import type { StyleDeclarations } from '../css/sheet.ts';

type Transform = (text: string) => string;

interface TextStyle {
  readonly depth: number;
  readonly kept: PreservedWhiteSpace;
  readonly transform: Transform | undefined;
}

const formula = /(\$+[^$]+\$+|\\\([\s\S]*?\\\)|\\\[[\s\S]*?\\\])/;
const wordStart = /(?<![\p{L}\p{N}\p{M}'’])\p{L}/gu;
const transforms: Readonly<Record<string, Transform>> = {
  uppercase: text => text.toUpperCase(),
  lowercase: text => text.toLowerCase(),
  capitalize: text => text.replace(wordStart, letter => letter.toUpperCase()),
};

/** Tracks the properties of text that elements inherit from the elements around them. */
export class InheritedTextStyle {
  readonly #open: TextStyle[] = [];

  /** True if an open element changes the style of its text. */
  get isActive(): boolean {
    return this.#open.length > 0;
  }

  get kept(): PreservedWhiteSpace {
    return this.#open.at(-1)?.kept ?? 'none';
  }

  /** Enters an element. Returns whether its CSS changes the style of its text. */
  enter(style: StyleDeclarations, depth: number): boolean {
    const kept = preservedWhiteSpaceOf(style);
    const written = style.get('text-transform');
    if (kept === undefined && written === undefined) return false;
    const outer = this.#open.at(-1);
    const transform = written === undefined ? outer?.transform : transforms[written];
    this.#open.push({ depth, kept: kept ?? outer?.kept ?? 'none', transform });
    return true;
  }

  leave(depth: number): void {
    if (this.#open.at(-1)?.depth === depth) this.#open.pop();
  }

  /**
   * Changes the case of the text if its CSS property `text-transform` requires it. TeX sources stay unchanged, because
   * MathJax does not apply CSS before it parses them.
   */
  apply(text: string): string {
    const transform = this.#open.at(-1)?.transform;
    if (transform === undefined) return text;
    return text
      .split(formula)
      .map((part, index) => (index % 2 === 0 ? transform(part) : part))
      .join('');
  }
}

/** Replaces the spaces that CSS preserves by no-break spaces, because Markdown does not collapse them. */
export function preserveSpaces(text: string): string {
  return text.replaceAll('\t', '    ').replace(/ {2,}|^ | $/g, run => '\u00a0'.repeat(run.length));
}
