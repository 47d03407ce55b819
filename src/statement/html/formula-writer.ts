import type { ConversionBudget } from '../budget.ts';
import { FormulaCollector, trimTexWhiteSpace } from '../formula/mathml.ts';
import { removeInvisibleAndLoneSurrogates } from '../invisible.ts';
import type { Attributes } from './attributes.ts';
import type { StatementElement } from './node.ts';
import type { TextWriter } from './text-writer.ts';
import type { StatementTreeWriter } from './writer.ts';

/** Writes formulas, each once: from their TeX source if the page contains it, otherwise from their rendering. */
export class FormulaWriter {
  readonly #writer: StatementTreeWriter;
  readonly #texts: TextWriter;
  readonly #budget: ConversionBudget;
  #open: FormulaCollector | undefined;
  /** The formula that MathJax 2 rendered last. Its TeX source follows in a <script> element. */
  #rendered: StatementElement | undefined;

  constructor(writer: StatementTreeWriter, texts: TextWriter, budget: ConversionBudget) {
    this.#writer = writer;
    this.#texts = texts;
    this.#budget = budget;
  }

  /** Returns whether the parser is inside a rendered formula. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Returns whether the TeX source of the last formula may still follow and replace its rendering. */
  get mayChange(): boolean {
    return this.#rendered !== undefined;
  }

  /** Opens an element of a rendered formula. If no formula is open, the element starts a new one. */
  open(isDisplay: boolean, name: string, attributes: Attributes): () => void {
    const formula = (this.#open ??= new FormulaCollector(isDisplay, this.#budget));
    formula.open(name, attributes);
    return () => {
      if (!formula.close()) return;
      this.#open = undefined;
      this.#place(formula.tex(), formula.isDisplay, false);
    };
  }

  /** Adds text to the open formula. Returns false if none is open. */
  addText(text: string): boolean {
    const isAfterFormula = this.#open === undefined && this.#rendered !== undefined;
    if (isAfterFormula && text.trim() !== '') this.#rendered = undefined;
    this.#open?.text(text);
    return this.#open !== undefined;
  }

  /**
   * Writes the TeX source of a formula. If the page shows the rendered formula before its source, the source replaces
   * it.
   */
  writeSource(tex: string, isDisplay: boolean): void {
    this.#place(tex, isDisplay, true);
  }

  #place(tex: string, isDisplay: boolean, isSource: boolean): void {
    const source = trimTexWhiteSpace(removeInvisibleAndLoneSurrogates(tex).replace(/\s+/g, ' ')).trim();
    if (source === '') return;
    if (!this.#texts.appendTex(source)) {
      if (isSource && this.#rendered !== undefined) this.#writer.replaceLiteral(this.#rendered, source);
      else this.#rendered = this.#writer.leaf(isDisplay ? 'DISPLAY' : 'FORMULA', source);
    }
    if (isSource) this.#rendered = undefined;
  }
}
