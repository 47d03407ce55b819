import { isStruckThrough, type PreservedWhiteSpace, preservedWhiteSpaceOf } from '../css/effects.ts';
import type { StyleDeclarations } from '../css/sheet.ts';
import type { ElementProperties, LiteralTextKind, MarkdownRole } from '../elements.ts';
import { trimTexWhiteSpace } from '../formula/mathml.ts';
import { hasFormula } from '../markdown/escape.ts';
import { overlinedFormulaElement } from '../styled-element.ts';
import { type Attributes, codeLanguageOf, hasBorder } from './attributes.ts';
import { isSentenceInSmallLetters, LiteralText } from './literal.ts';
import type { NodeWriter } from './node-writer.ts';
import type { ElementCloseAction } from './open-elements.ts';
import type { StatementTreeWriter } from './writer.ts';

const outerLines = /^(?:[ \t]*\n)+|(?:(?<=\n)[ \t]*|\n)$/g;

interface OpenLiteral {
  text: LiteralText;
  readonly kind: MarkdownRole;
  readonly hasFormulas: boolean;
  readonly isOverlined: boolean;
  isStruck: boolean;
  language: string;
  /**
   * A link that starts directly before the first text of a code element. The link covers the first `end` pieces of the
   * text.
   */
  link?: { address: string; end: number };
}

/** Writes elements whose text Markdown shows literally: samples, code, formulas, superscripts and subscripts. */
export class LiteralWriter {
  readonly #writer: StatementTreeWriter;
  readonly #nodes: NodeWriter;
  readonly #images: Attributes[] = [];
  #open: OpenLiteral | undefined;

  constructor(writer: StatementTreeWriter, nodes: NodeWriter) {
    this.#writer = writer;
    this.#nodes = nodes;
  }

  /** Returns the text of the open literal element, or undefined if none is open. */
  get text(): LiteralText | undefined {
    return this.#open?.text;
  }

  /** Opens a literal element. `inherited` states the white space that its ancestors preserve. */
  open(
    element: ElementProperties,
    kind: LiteralTextKind,
    nodeKind: MarkdownRole,
    attributes: Attributes,
    style: StyleDeclarations,
    inherited: PreservedWhiteSpace,
  ): () => void {
    const keepsLines = element.kind === 'CODE' && (preservedWhiteSpaceOf(style) ?? inherited) !== 'none';
    const literal: OpenLiteral = {
      text: new LiteralText(kind === 'code' && keepsLines ? 'sample' : kind),
      kind: nodeKind,
      hasFormulas: element.hasFormulas,
      isOverlined: element === overlinedFormulaElement,
      isStruck: element.isBlock && isStruckThrough(style),
      language: kind === 'sample' ? codeLanguageOf(attributes) : '',
    };
    this.#open = literal;
    return () => {
      if (this.#open !== literal) return;
      this.close();
      // An empty box below the heading of a sample means that the program prints nothing.
      if (kind === 'sample' && this.#writer.isBelowHeading) this.#writer.leaf('SAMPLE', '').label = literal.language;
    };
  }

  /** Opens an element inside the open literal element. */
  openInside(element: ElementProperties, attributes: Attributes): ElementCloseAction | undefined {
    const literal = this.#open;
    if (literal === undefined) return undefined;
    const { text } = literal;
    text.enter();
    if (element.literal === 'script') {
      text.openScript(element.kind === 'SUP' ? '^' : '_');
      return () => text.closeScript();
    }
    if (element.kind === 'DEL') return this.openStrike();
    if (element === overlinedFormulaElement) return text.enclose('\\overline{', '}');
    if (element.kind === 'LINK' && text.kind === 'code' && text.size === 0) {
      const address = this.#nodes.addressOf(attributes);
      return address === undefined ? undefined : () => (literal.link = { address, end: text.size });
    }
    if (literal.language === '') literal.language = codeLanguageOf(attributes);
    if (element.treatment === 'break') this.#breakLine(literal);
    if (element.treatment === 'picture') this.#images.push(attributes);
    if (!element.isBlock) return undefined;
    if (text.kind === 'sample' && hasBorder(attributes)) return this.#openFramed(literal);
    text.noteBlock();
    const isLine = attributes['class']?.includes('test-example-line') === true;
    return () => (isLine ? text.endLine() : text.noteBlock());
  }

  /**
   * Starts a new line in the open literal element. The returned function starts another one at the end of the child
   * element.
   */
  openLine(): (() => void) | undefined {
    const { text } = this;
    text?.noteBlock();
    return text && (() => text.noteBlock());
  }

  /** Literal text cannot contain formatting, so a strike-through is written with the tildes of Markdown. */
  openStrike(): ElementCloseAction | undefined {
    const literal = this.#open;
    if (literal === undefined || literal.isStruck || this.#writer.isInStrikethrough) return undefined;
    literal.isStruck = true;
    const close = literal.text.enclose('~~', '~~');
    return () => {
      close();
      literal.isStruck = false;
    };
  }

  /** Closes the open literal element and writes it, followed by the images inside of it. */
  close(): void {
    const literal = this.#open;
    this.#open = undefined;
    if (literal === undefined) return;
    if (literal.text.kind === 'script') this.#writeScript(literal);
    else this.#write(literal);
    for (const image of this.#images.splice(0)) this.#nodes.writeImage(image);
  }

  /**
   * HDU shows hints in a box with a border inside a sample. The box is not a part of the sample and becomes a sample of
   * its own.
   */
  #openFramed(literal: OpenLiteral): () => void {
    const split = (): void => {
      this.#write(literal);
      literal.text = new LiteralText('sample');
      literal.language = '';
    };
    split();
    return split;
  }

  /**
   * A line break inside a superscript ends the line, and the superscript continues on the next line. The same applies
   * to a subscript.
   */
  #breakLine(literal: OpenLiteral): void {
    if (literal.text.kind !== 'script') {
      literal.text.breakLine();
      return;
    }
    this.#writeScript(literal);
    this.#writer.breakLine();
    literal.text = new LiteralText('script');
  }

  #writeScript({ text, kind }: OpenLiteral): void {
    const script = text.text();
    if (this.#writer.isAtLineStart && isSentenceInSmallLetters(script)) this.#writer.write(script);
    else this.#writer.script(kind === 'SUP' ? kind : 'SUB', script);
  }

  #write({ text: literal, kind, hasFormulas, isOverlined, isStruck, language, link }: OpenLiteral): void {
    const text = literal.text();
    const address = link?.end === literal.size ? link.address : undefined;
    const isCode = literal.kind === 'code' || kind === 'CODE';
    const isOneLine = literal.kind === 'lines' && !text.trim().includes('\n');
    // Only code on one line becomes a code span. Code with line breaks becomes a code block, whichever element contains
    // it.
    if (isOneLine) this.#writer.paragraph(text);
    else if (isCode && (!text.includes('\n') || this.#writer.isInCell))
      this.#writeCode(hasFormulas && hasFormula(text) ? undefined : kind, text, address);
    else if (isOverlined) this.#writeOverlined(text);
    else if (literal.kind === 'tex' && !text.includes('\n')) this.#writer.leafWithBlanks(kind, trimTexWhiteSpace(text));
    else if (text.trim() !== '') {
      // Empty lines at the edges of code are removed, but those of a sample are kept.
      const block = isCode ? text.replace(outerLines, '') : text;
      const leaf = this.#writer.leaf('SAMPLE', block);
      leaf.label = language;
      leaf.isStruck ||= isStruck;
    }
  }

  /** Writes text with a line above it: a short text as a formula, and several words with a note. */
  #writeOverlined(text: string): void {
    if (text.trim() === '') this.#writer.addSpace(' ');
    else if (/\s/.test(text.trim())) this.#writer.write(`(overlined: ${text.trim()})`);
    else
      this.#writer.leafWithBlanks(
        'FORMULA',
        text.replace(/\S+/, body => `\\overline{${body}}`),
      );
  }

  /**
   * Writes the text of a code element, inside a link if the link contains all of it. If `kind` is undefined, it is
   * written as ordinary text, because a code span would show the dollar signs of its formulas.
   */
  #writeCode(kind: MarkdownRole | undefined, text: string, address: string | undefined): void {
    const link = address === undefined || text.trim() === '' ? undefined : this.#writer.open('LINK', undefined);
    if (link !== undefined) link.literal = address ?? '';
    const lines = text.includes('\n') ? text.split('\n') : [text];
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#writer.breakLine();
      if (kind === undefined) this.#writer.write(line);
      else this.#writer.leafWithBlanks(kind, line);
    }
    if (link !== undefined) this.#writer.close(link);
  }
}

/**
 * Returns whether literal text may contain an element: a sample may contain everything except a table, code everything
 * except tables and samples.
 */
export function canLiteralTextContain(kind: LiteralTextKind, element: ElementProperties): boolean {
  if (element.kind === 'TABLE') return false;
  return kind === 'sample' || (kind === 'code' && element.literal !== 'sample');
}
