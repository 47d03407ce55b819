import type { ConversionBudget } from '../budget.ts';
import { isBlockDisplay, isStruckThrough } from '../css/effects.ts';
import type { StyleDeclarations, StyleSheet } from '../css/sheet.ts';
import { blanksOf, keepsFormat, VisibilityTracker } from '../css/visibility.ts';
import { type ElementProperties, elementTable, findElementProperties } from '../elements.ts';
import { chooseElementForStyle, chooseSuperOrSubscriptElement } from '../styled-element.ts';
import { type Attributes, emptyAttributes } from './attributes.ts';
import { FormulaWriter } from './formula-writer.ts';
import { canLiteralTextContain, LiteralWriter } from './literal-writer.ts';
import type { StatementElement } from './node.ts';
import { NodeWriter } from './node-writer.ts';
import { type ElementCloseAction, OpenElements } from './open-elements.ts';
import { HtmlReader, type HtmlTokenHandler } from './reader.ts';
import { readStyleSheets } from './style-sheets.ts';
import { TextWriter } from './text-writer.ts';
import { StatementTreeWriter } from './writer.ts';

const hasStyle = /<style\b/i;

/** Builds the tree of the visible content of a page. It stops early when the content has at least `enoughBytes`. */
export function buildStatementTree(
  html: string,
  link: string | undefined,
  enoughBytes: number,
  sheet: StyleSheet,
  budget: ConversionBudget,
): { root: StatementElement; isWhole: boolean } {
  const tree = new TreeBuilder(html, link, enoughBytes, sheet, budget, false).build();
  if (!tree.needsSheets) return tree;
  readStyleSheets(html, sheet);
  return new TreeBuilder(html, link, enoughBytes, sheet, budget, true).build();
}

class TreeBuilder implements HtmlTokenHandler {
  readonly #reader: HtmlReader;
  readonly #writer: StatementTreeWriter;
  readonly #nodes: NodeWriter;
  readonly #literals: LiteralWriter;
  readonly #visibility: VisibilityTracker;
  readonly #open: OpenElements;
  readonly #texts: TextWriter;
  readonly #formulas: FormulaWriter;
  readonly #html: string;
  readonly #hasSheets: boolean;
  #needsSheets = false;
  #isWhole = true;
  #text = '';

  constructor(
    html: string,
    link: string | undefined,
    enoughBytes: number,
    sheet: StyleSheet,
    budget: ConversionBudget,
    hasSheets: boolean,
  ) {
    this.#html = html;
    this.#hasSheets = hasSheets;
    this.#visibility = new VisibilityTracker(sheet);
    this.#open = new OpenElements(budget);
    this.#reader = new HtmlReader(html, this);
    this.#writer = new StatementTreeWriter(enoughBytes, budget);
    this.#nodes = new NodeWriter(this.#writer, link);
    this.#literals = new LiteralWriter(this.#writer, this.#nodes);
    this.#texts = new TextWriter(this.#writer, this.#literals);
    this.#formulas = new FormulaWriter(this.#writer, this.#texts, budget);
  }

  /** Builds the tree. Returns early if the page has style sheets, which must be parsed first. */
  build(): { root: StatementElement; isWhole: boolean; needsSheets: boolean } {
    this.#reader.read();
    if (!this.#isWhole && !this.#hasSheets && hasStyle.test(this.#html)) this.#needsSheets = true;
    if (this.#isWhole) this.#popTo(0);
    this.#flush();
    this.#nodes.removeTranslation();
    return { root: this.#writer.root, isWhole: this.#isWhole, needsSheets: this.#needsSheets };
  }

  text(text: string): void {
    if (!this.#visibility.isHiding) this.#text += text;
    else if (!this.#visibility.isHidingAll && !this.#formulas.isOpen) this.#text += blanksOf(text);
  }

  isInForeignContent(): boolean {
    return this.#open.isInForeignContent;
  }

  open(name: string, attributes: Attributes, isSelfClosing: boolean): void {
    const known = elementTable.get(name);
    if (known !== undefined && !this.#formulas.isOpen) this.#popTo(this.#open.depthBefore(known));
    this.#open.refuseDepth();
    this.#flush();
    this.#open.push(name, known, this.#visibility.isHidingAll ? undefined : this.#enter(name, attributes));
    if (known?.isVoid === true || (isSelfClosing && this.#open.isInForeignContent)) this.#pop();
  }

  close(name: string): void {
    const depth = this.#open.depthAfter(name, this.#visibility.isHiding || this.#formulas.isOpen);
    if (depth !== undefined) this.#popTo(depth);
    // For an end tag </p> or </br> without a start tag, a browser creates an empty element.
    else if (name === 'p' || name === 'br') this.open(name, emptyAttributes, false);
    if (depth === undefined && name === 'p') this.#pop();
  }

  #popTo(depth: number): void {
    while (this.#open.depth > depth || this.#open.hasEndTag) this.#pop();
  }

  #pop(): void {
    const ended = this.#open.pop();
    this.#visibility.leave(this.#open.depth);
    if (ended?.end === undefined) return;
    const { end, element } = ended;
    // The text of a hidden element, such as a TeX source, is kept for the function that handles its end tag.
    if (element?.treatment !== 'hidden') this.#flush();
    this.#end(end);
  }

  #end(end: ElementCloseAction | undefined): void {
    if (typeof end === 'function') end();
    else if (end !== undefined) this.#close(end);
  }

  #enter(name: string, attributes: Attributes): ElementCloseAction | undefined {
    const written = findElementProperties(name, attributes);
    if (written.treatment === 'style-sheet' && !this.#hasSheets) {
      this.#needsSheets = true;
      this.#reader.stop();
    }
    const isHidden = written.treatment === 'hidden' || written.treatment === 'style-sheet';
    const appearance = this.#visibility.enter(name, attributes, this.#open.depth, isHidden);
    if (appearance === 'hidden') return undefined;
    if (this.#formulas.isOpen) {
      return appearance === 'text-hidden' ? undefined : this.#formulas.open(false, name, attributes);
    }
    const { style } = this.#visibility;
    const element = chooseElementForStyle(written, name, style);
    if (appearance === 'text-hidden')
      return keepsFormat(element) ? this.#openHidden(element, attributes, style) : undefined;
    const { treatment, kind } = element;
    if (treatment === 'tex-source') {
      return () => this.#formulas.writeSource(this.#takeText(), attributes['type']?.includes('display') === true);
    }
    if (treatment === 'formula') {
      return this.#formulas.open(kind === 'DISPLAY' || attributes['display'] === 'true', name, attributes);
    }
    if (this.#texts.isSuspicious) return this.#texts.separate(element);
    if (appearance === 'suspicious') return this.#openSuspect(element, attributes, style);
    if (treatment === 'embedded') return this.#placeEmbedded(name, attributes);
    if (style.size === 0 || treatment !== 'node') return this.#openVisible(element, attributes, style);
    return this.#openStyled(name, element, attributes, style);
  }

  /** Opens an element whose text is hidden, for the visible elements inside. A hidden box is no empty sample. */
  #openHidden(
    element: ElementProperties,
    attributes: Attributes,
    style: StyleDeclarations,
  ): ElementCloseAction | undefined {
    const isInside = this.#literals.text !== undefined;
    const end = this.#openVisible(element, attributes, style);
    if (isInside || element.literal !== 'sample') return end;
    return () => {
      this.#literals.close();
      this.#end(end);
    };
  }

  /**
   * Opens an element for the line break, the strike-through or the text style that the CSS of an inline element
   * defines.
   */
  #openStyled(
    name: string,
    element: ElementProperties,
    attributes: Attributes,
    style: StyleDeclarations,
  ): ElementCloseAction | undefined {
    const depth = this.#open.depth;
    const around = element.isBlock ? [] : this.#openAround(element, style);
    const end = this.#openVisible(element, attributes, style);
    const script = element.kind === 'LINK' ? chooseSuperOrSubscriptElement(name, style) : undefined;
    const inner = script === undefined ? undefined : this.#openVisible(script, emptyAttributes, style);
    if (!this.#texts.style.enter(style, depth) && inner === undefined && around.length === 0) return end;
    return () => {
      this.#texts.style.leave(depth);
      this.#end(inner);
      this.#end(end);
      for (const action of around.reverse()) this.#end(action);
    };
  }

  /**
   * Starts a new line for an inline element that its style displays as a block, and strikes through the text of an
   * element without Markdown marks.
   */
  #openAround({ kind }: ElementProperties, style: StyleDeclarations): ElementCloseAction[] {
    const around: (ElementCloseAction | undefined)[] = [];
    const isStruck = isStruckThrough(style) && kind !== undefined && kind !== 'DEL';
    if (this.#literals.text !== undefined) {
      if (isBlockDisplay(style)) around.push(this.#literals.openLine());
      if (isStruck) around.push(this.#literals.openStrike());
    } else {
      if (isBlockDisplay(style)) around.push(this.#writer.open('BLOCK', undefined));
      if (isStruck) around.push(this.#writer.openMark('DEL'));
    }
    return around.filter(action => action !== undefined);
  }

  /** Opens an element that is probably invisible. Its text is later written as one note without markup. */
  #openSuspect(
    element: ElementProperties,
    attributes: Attributes,
    style: StyleDeclarations,
  ): ElementCloseAction | undefined {
    if (element.isVoid) return undefined;
    const end = this.#openVisible(element, attributes, style);
    const writeNote = this.#texts.openSuspicious();
    return () => {
      writeNote();
      this.#end(end);
    };
  }

  #openVisible(
    element: ElementProperties,
    attributes: Attributes,
    style: StyleDeclarations,
  ): ElementCloseAction | undefined {
    const { treatment, kind } = element;
    const { text } = this.#literals;
    if (text !== undefined) {
      if (!element.isBlock || canLiteralTextContain(text.kind, element))
        return this.#literals.openInside(element, attributes);
      // The start of a block closes a <sub>, <sup> or <var> element whose end tag is missing.
      this.#literals.close();
    }
    if (treatment === 'property') return () => this.#writer.write(': ');
    if (this.#nodes.writeEmpty(treatment, attributes) || kind === undefined) return undefined;
    if (element.literal === undefined) return this.#nodes.open(element, kind, attributes, style);
    return this.#literals.open(element, element.literal, kind, attributes, style, this.#texts.style.kept);
  }

  #close(node: StatementElement): void {
    this.#nodes.close(node);
    // The parser must read the whole page if a second language or the TeX source of a formula may still change earlier
    // output.
    if (!this.#writer.hasEnough || this.#nodes.hasJapanese || this.#formulas.mayChange) return;
    this.#isWhole = false;
    this.#reader.stop();
  }

  /** Writes a link to an embedded frame or video. Its content is only a fallback for old browsers. */
  #placeEmbedded(name: string, attributes: Attributes): undefined {
    this.#nodes.writeEmbedded(name, attributes);
    this.#visibility.enter(name, attributes, this.#open.depth, true);
  }

  #flush(): void {
    if (this.#text === '') return;
    const text = this.#takeText();
    if (!this.#formulas.addText(text)) this.#texts.write(text);
  }

  #takeText(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
