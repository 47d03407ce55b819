import { toAbsoluteAddress } from '../address.ts';
import type { ConversionBudget } from '../budget.ts';
import { isBlockDisplay, isStruckThrough, preservedWhiteSpaceOf } from '../css/effects.ts';
import { isScreenMedia, type StyleDeclarations, type StyleSheet } from '../css/sheet.ts';
import { VisibilityTracker } from '../css/visibility.ts';
import {
  type ElementProperties,
  elementTable,
  findElementProperties,
  type LiteralTextKind,
  type MarkdownRole,
} from '../elements.ts';
import { FormulaCollector, trimTexWhiteSpace } from '../formula/mathml.ts';
import { visibleText } from '../invisible.ts';
import { hasFormula } from '../markdown/escape.ts';
import { formatMarkdownImage } from '../picture.ts';
import { elementForStyle, overlinedFormula, superOrSubscriptByStyle } from '../styled-element.ts';
import {
  type Attributes,
  codeLanguageOf,
  hasBorder,
  listCounterStyleOf,
  noAttributes,
  parseWholeNumber,
} from './attributes.ts';
import { isSmallPrintText, LiteralText } from './literal.ts';
import type { StatementElement } from './node.ts';
import { type ElementCloseAction, OpenElements } from './open-elements.ts';
import { HtmlReader, type HtmlTokenHandler } from './reader.ts';
import { InheritedTextStyle, preserveSpaces } from './text-style.ts';
import { StatementTreeWriter } from './writer.ts';

const outerLines = /^(?:[ \t]*\n)+|(?:(?<=\n)[ \t]*|\n)$/g;
const hasStyle = /<style\b/i;

interface Literal {
  text: LiteralText;
  readonly kind: MarkdownRole;
  readonly hasFormulas: boolean;
  readonly isOverlined: boolean;
  isStruck: boolean;
  language: string;
  /**
   * A link that starts directly before the first text of the code. `end` is the number of text pieces up to the end of
   * the link.
   */
  link?: { address: string; end: number };
}

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
  readSheets(html, sheet);
  return new TreeBuilder(html, link, enoughBytes, sheet, budget, true).build();
}

/**
 * Parses all style sheets of a page before its elements, because a style sheet also applies to the elements before it.
 */
function readSheets(html: string, sheet: StyleSheet): void {
  let open: string | undefined;
  const sink: HtmlTokenHandler = {
    open: (name, { media = '' }) => {
      open = name === 'style' && isScreenMedia(media) ? '' : undefined;
    },
    close: () => {
      if (open !== undefined) sheet.read(open);
      open = undefined;
    },
    text: text => {
      if (open !== undefined) open += text;
    },
  };
  new HtmlReader(html, sink).read();
  sink.close('style');
}

class TreeBuilder implements HtmlTokenHandler {
  readonly #link: string | undefined;
  readonly #reader: HtmlReader;
  readonly #writer: StatementTreeWriter;
  readonly #budget: ConversionBudget;
  readonly #visibility: VisibilityTracker;
  readonly #open: OpenElements;
  readonly #textStyle = new InheritedTextStyle();
  readonly #japanese: StatementElement[] = [];
  readonly #pictures: Attributes[] = [];
  readonly #html: string;
  readonly #hasSheets: boolean;
  #needsSheets = false;
  #isWhole = true;
  #hasEnglish = false;
  #foreignDepth = 0;
  #text = '';
  /** Collects the text of the current element if the element is probably invisible. */
  #suspect: string | undefined;
  #literal: Literal | undefined;
  #formula: FormulaCollector | undefined;
  /** The formula that MathJax 2 rendered last. Its TeX source follows in a <script> element. */
  #renderedFormula: StatementElement | undefined;

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
    this.#budget = budget;
    this.#visibility = new VisibilityTracker(sheet);
    this.#open = new OpenElements(budget);
    this.#link = link;
    this.#reader = new HtmlReader(html, this);
    this.#writer = new StatementTreeWriter(enoughBytes, budget);
  }

  /** Builds the tree. Returns early if the page has style sheets, which must be parsed first. */
  build(): { root: StatementElement; isWhole: boolean; needsSheets: boolean } {
    this.#reader.read();
    if (!this.#isWhole && !this.#hasSheets && hasStyle.test(this.#html)) this.#needsSheets = true;
    if (this.#isWhole) this.#popTo(0);
    this.#flush();
    if (this.#hasEnglish) for (const node of this.#japanese) node.childNodes = [];
    return { root: this.#writer.root, isWhole: this.#isWhole, needsSheets: this.#needsSheets };
  }

  text(text: string): void {
    if (!this.#visibility.isHiding) this.#text += text;
  }

  isInForeignContent(): boolean {
    return this.#foreignDepth > 0;
  }

  open(name: string, attributes: Attributes, isSelfClosing: boolean): void {
    const known = elementTable.get(name);
    if (known !== undefined && this.#formula === undefined) this.#popTo(this.#open.depthBefore(known));
    this.#open.refuseDepth();
    this.#flush();
    this.#open.push(name, known, this.#visibility.isHiding ? undefined : this.#enter(name, attributes));
    if (name === 'svg' || name === 'math') this.#foreignDepth++;
    if (known?.isVoid === true || (isSelfClosing && this.#foreignDepth > 0)) this.#pop();
  }

  close(name: string): void {
    const depth = this.#open.depthAfter(name);
    if (depth !== undefined) this.#popTo(depth);
    // A browser creates these two elements for an end tag that has no start tag.
    else if (name === 'p' || name === 'br') this.open(name, noAttributes, false);
    if (depth === undefined && name === 'p') this.#pop();
  }

  #popTo(depth: number): void {
    while (this.#open.depth > depth) this.#pop();
  }

  #pop(): void {
    const ended = this.#open.pop();
    if (this.#foreignDepth > 0 && (ended?.name === 'svg' || ended?.name === 'math')) this.#foreignDepth--;
    if (this.#visibility.leave(this.#open.depth) || ended?.end === undefined) return;
    const { end, element } = ended;
    // The text of a hidden element, such as the TeX source of a formula, is kept for the function that handles its end
    // tag.
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
    if (this.#formula !== undefined) return this.#openInFormula(this.#formula, name, attributes);
    const { style } = this.#visibility;
    const element = elementForStyle(written, name, style);
    const { treatment, kind } = element;
    if (treatment === 'tex-source') {
      return () => this.#placeTex(this.#takeText(), attributes['type']?.includes('display') === true, true);
    }
    if (treatment === 'formula') {
      this.#formula = new FormulaCollector(kind === 'DISPLAY' || attributes['display'] === 'true', this.#budget);
      return this.#openInFormula(this.#formula, name, attributes);
    }
    if (this.#suspect !== undefined) return this.#openInSuspect(element);
    if (appearance === 'suspicious') return this.#openSuspect(element, attributes, style);
    if (treatment === 'embedded') return this.#placeEmbedded(name, attributes);
    if (style.size === 0 || treatment !== 'node') return this.#openVisible(element, attributes, style);
    return this.#openStyled(name, element, attributes, style);
  }

  /** Opens an element whose style adds a line break, a strike-through or a text style. */
  #openStyled(
    name: string,
    element: ElementProperties,
    attributes: Attributes,
    style: StyleDeclarations,
  ): ElementCloseAction | undefined {
    const depth = this.#open.depth;
    const around = element.isBlock ? [] : this.#openAround(element, style);
    const end = this.#openVisible(element, attributes, style);
    const script = element.kind === 'LINK' ? superOrSubscriptByStyle(name, style) : undefined;
    const inner = script === undefined ? undefined : this.#openVisible(script, noAttributes, style);
    if (!this.#textStyle.enter(style, depth) && inner === undefined && around.length === 0) return end;
    return () => {
      this.#textStyle.leave(depth);
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
    const literal = this.#literal;
    const around: (ElementCloseAction | undefined)[] = [];
    const isStruck = isStruckThrough(style) && kind !== undefined && kind !== 'DEL';
    if (literal !== undefined) {
      if (isBlockDisplay(style)) around.push(this.#openLine(literal));
      if (isStruck) around.push(this.#openStrike(literal));
    } else {
      if (isBlockDisplay(style)) around.push(this.#writer.open('BLOCK', undefined));
      if (isStruck) around.push(this.#writer.openMark('DEL'));
    }
    return around.filter(action => action !== undefined);
  }

  #openLine({ text }: Literal): () => void {
    text.noteBlock();
    return () => text.noteBlock();
  }

  /** Literal text cannot contain formatting, so a strike-through is written with the tildes of Markdown. */
  #openStrike(literal: Literal): ElementCloseAction | undefined {
    if (literal.isStruck || this.#writer.isStriking) return undefined;
    literal.isStruck = true;
    const close = literal.text.enclose('~~', '~~');
    return () => {
      close();
      literal.isStruck = false;
    };
  }

  /** Opens an element that is probably invisible. Its text is later written as one note without markup. */
  #openSuspect(
    element: ElementProperties,
    attributes: Attributes,
    style: StyleDeclarations,
  ): ElementCloseAction | undefined {
    if (element.isVoid) return undefined;
    const end = this.#openVisible(element, attributes, style);
    this.#suspect = '';
    return () => {
      const text = (this.#suspect ?? '').replace(/\s+/g, ' ').trim();
      this.#suspect = undefined;
      if (text !== '') this.#writeText(`(possibly hidden: ${text})`);
      this.#end(end);
    };
  }

  #openInSuspect({ isBlock, treatment }: ElementProperties): undefined {
    if (isBlock || treatment === 'break' || treatment === 'space') this.#suspect += ' ';
  }

  #openInFormula(formula: FormulaCollector, name: string, attributes: Attributes): () => void {
    formula.open(name, attributes);
    return () => {
      if (!formula.close()) return;
      this.#formula = undefined;
      this.#placeTex(formula.tex(), formula.isDisplay, false);
    };
  }

  #openVisible(
    element: ElementProperties,
    attributes: Attributes,
    style: StyleDeclarations,
  ): ElementCloseAction | undefined {
    const { treatment, kind } = element;
    const literal = this.#literal;
    if (literal !== undefined) {
      if (!element.isBlock || canHold(literal.text.kind, element)) {
        return this.#openInLiteral(literal, element, attributes);
      }
      // A script or a <var> element without an end tag ends at the start of a block.
      this.#closeLiteral(literal);
    }
    if (treatment === 'break') this.#writer.breakLine();
    else if (treatment === 'space') this.#writer.addSpace(' ');
    else if (treatment === 'checkbox') this.#writer.write(attributes['checked'] === undefined ? '☐ ' : '☑ ');
    else if (treatment === 'picture') this.#placePicture(attributes);
    else if (treatment === 'property') return () => this.#writer.write(': ');
    else if (kind !== undefined) return this.#openKind(element, kind, attributes, style);
    return undefined;
  }

  #openInLiteral(literal: Literal, element: ElementProperties, attributes: Attributes): ElementCloseAction | undefined {
    const { text } = literal;
    text.enter();
    if (element.literal === 'script') {
      text.openScript(element.kind === 'SUP' ? '^' : '_');
      return () => text.closeScript();
    }
    if (element.kind === 'DEL') return this.#openStrike(literal);
    if (element === overlinedFormula) return text.enclose('\\overline{', '}');
    if (element.kind === 'LINK' && text.kind === 'code' && text.size === 0) {
      const address = toAbsoluteAddress(attributes['href'] ?? '', this.#link);
      return address === undefined ? undefined : () => (literal.link = { address, end: text.size });
    }
    if (literal.language === '') literal.language = codeLanguageOf(attributes);
    if (element.treatment === 'break') this.#breakLiteral(literal);
    if (element.treatment === 'picture') this.#pictures.push(attributes);
    if (!element.isBlock) return undefined;
    if (text.kind === 'sample' && hasBorder(attributes)) return this.#openFramed(literal);
    text.noteBlock();
    const isLine = attributes['class']?.includes('test-example-line') === true;
    return () => (isLine ? text.endLine() : text.noteBlock());
  }

  /**
   * HDU shows hints in a box with a border inside a sample. The box is not a part of the sample and becomes a sample of
   * its own.
   */
  #openFramed(literal: Literal): () => void {
    const split = (): void => {
      this.#writeLiteral(literal);
      literal.text = new LiteralText('sample');
      literal.language = '';
    };
    split();
    return split;
  }

  /** A line break inside a superscript or subscript ends the line, and the script continues on the next line. */
  #breakLiteral(literal: Literal): void {
    if (literal.text.kind !== 'script') {
      literal.text.breakLine();
      return;
    }
    this.#writeScript(literal);
    this.#writer.breakLine();
    literal.text = new LiteralText('script');
  }

  #writeScript({ text, kind }: Literal): void {
    const script = text.text();
    if (this.#writer.isAtLineStart && isSmallPrintText(script)) this.#writer.write(script);
    else this.#writer.script(kind === 'SUP' ? kind : 'SUB', script);
  }

  #openKind(
    element: ElementProperties,
    kind: MarkdownRole,
    attributes: Attributes,
    style: StyleDeclarations,
  ): ElementCloseAction | undefined {
    if (element.literal !== undefined) return this.#openLiteral(element, element.literal, kind, attributes, style);
    if (kind === 'LINK') return this.#openLink(attributes);
    if (kind === 'STRONG' || kind === 'EM' || kind === 'DEL') {
      return this.#writer.openMark(kind);
    }
    const node = this.#writer.open(kind, element.inside);
    const { number } = element;
    if (typeof number === 'number') node.number = number;
    if (attributes !== noAttributes) {
      if (typeof number === 'string') node.number = parseWholeNumber(attributes[number]);
      node.rowSpan = parseWholeNumber(attributes['rowspan']) ?? 1;
      node.isReversed = attributes['reversed'] !== undefined;
    }
    if (kind === 'OL' || kind === 'LI') node.label = listCounterStyleOf(attributes, style);
    if (kind === 'JAPANESE') this.#japanese.push(node);
    if (isStruckThrough(style)) this.#writer.strike(node);
    return node;
  }

  #openLiteral(
    element: ElementProperties,
    kind: LiteralTextKind,
    nodeKind: MarkdownRole,
    attributes: Attributes,
    style: StyleDeclarations,
  ): () => void {
    const language = kind === 'sample' ? codeLanguageOf(attributes) : '';
    const { hasFormulas } = element;
    const isOverlined = element === overlinedFormula;
    const isStruck = element.isBlock && isStruckThrough(style);
    const text = new LiteralText(kind === 'code' && this.#keepsLines(element, style) ? 'sample' : kind);
    const literal: Literal = { text, kind: nodeKind, hasFormulas, isOverlined, isStruck, language };
    this.#literal = literal;
    return () => {
      if (this.#literal !== literal) return;
      this.#closeLiteral(literal);
      // An empty box below the heading of a sample means that the program prints nothing.
      if (kind === 'sample' && this.#writer.isBelowHeading) this.#writer.leaf('SAMPLE', '').label = literal.language;
    };
  }

  /** Returns whether inline code keeps its line breaks, by its own style or by an inherited one. */
  #keepsLines({ kind }: ElementProperties, style: StyleDeclarations): boolean {
    return kind === 'CODE' && (preservedWhiteSpaceOf(style) ?? this.#textStyle.kept) !== 'none';
  }

  #openLink(attributes: Attributes): ElementCloseAction | undefined {
    const address = toAbsoluteAddress(attributes['href'] ?? '', this.#link);
    if (address === undefined) return undefined;
    const node = this.#writer.open('LINK', undefined);
    node.literal = address;
    return node;
  }

  #close(node: StatementElement): void {
    if (node.nodeName === 'ENGLISH' && node.childNodes.length > 0) this.#hasEnglish = true;
    this.#writer.close(node);
    // The parser must continue if a second language or the TeX source of a formula may still change earlier output.
    if (!this.#writer.hasEnough || this.#japanese.length > 0 || this.#renderedFormula !== undefined) return;
    this.#isWhole = false;
    this.#reader.stop();
  }

  #closeLiteral(closed: Literal): void {
    this.#literal = undefined;
    if (closed.text.kind === 'script') this.#writeScript(closed);
    else this.#writeLiteral(closed);
    if (this.#pictures.length > 0) for (const picture of this.#pictures.splice(0)) this.#placePicture(picture);
  }

  #writeLiteral({ text: literal, kind, hasFormulas, isOverlined, isStruck, language, link }: Literal): void {
    const text = literal.text();
    const address = link?.end === literal.size ? link.address : undefined;
    const isCode = literal.kind === 'code' || kind === 'CODE';
    const isOneLine = literal.kind === 'lines' && !text.trim().includes('\n');
    // Only code on one line becomes a code span. Code with line breaks becomes a code block, independent of its tag.
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
   * Writes code, inside a link if the link contains all of the code. Without a kind the code becomes text, because a
   * code span would show the dollar signs of its formulas.
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

  #placeTex(tex: string, isDisplay: boolean, isSource: boolean): void {
    const source = trimTexWhiteSpace(visibleText(tex).replace(/\s+/g, ' ')).trim();
    if (source === '') return;
    if (this.#suspect !== undefined) this.#suspect += source;
    else if (this.#literal !== undefined) this.#literal.text.append(source);
    else if (isSource && this.#renderedFormula !== undefined)
      this.#writer.replaceLiteral(this.#renderedFormula, source);
    else this.#renderedFormula = this.#writer.leaf(isDisplay ? 'DISPLAY' : 'FORMULA', source);
    if (isSource) this.#renderedFormula = undefined;
  }

  #placePicture(attributes: Attributes): void {
    const markdown = formatMarkdownImage(attributes, this.#link);
    if (markdown !== '') this.#writer.leaf('PICTURE', markdown);
  }

  /** Writes a link to an embedded frame or video. Its content is only a fallback for old browsers. */
  #placeEmbedded(name: string, attributes: Attributes): undefined {
    const address = toAbsoluteAddress(attributes['src'] ?? '', this.#link);
    if (address !== undefined) this.#writer.leaf('PICTURE', `[${name}](${address})`);
    this.#visibility.enter(name, attributes, this.#open.depth, true);
  }

  #flush(): void {
    if (this.#text === '') return;
    const text = this.#takeText();
    if (this.#formula !== undefined) {
      this.#formula.text(text);
      return;
    }
    if (this.#renderedFormula !== undefined && text.trim() !== '') this.#renderedFormula = undefined;
    if (this.#suspect === undefined) this.#writeText(text);
    else this.#suspect += text;
  }

  #writeText(text: string): void {
    if (this.#textStyle.isActive) this.#writeStyledText(this.#textStyle.apply(text));
    else if (this.#literal === undefined) this.#writer.write(text);
    else this.#literal.text.append(visibleText(text));
  }

  #writeStyledText(text: string): void {
    if (this.#literal !== undefined) this.#literal.text.append(visibleText(text));
    else if (this.#textStyle.kept === 'none') this.#writer.write(text);
    else this.#writeLines(text);
  }

  /** Writes text whose style keeps its line breaks. */
  #writeLines(text: string): void {
    const isAll = this.#textStyle.kept === 'all';
    for (const [index, line] of text.replaceAll('\r\n', '\n').split('\n').entries()) {
      if (index > 0) this.#writer.breakLine();
      if (line !== '') this.#writer.write(isAll ? preserveSpaces(line) : line);
    }
  }

  #takeText(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}

/**
 * Returns whether literal text may contain an element: a sample may contain everything except a table, code everything
 * except tables and samples.
 */
function canHold(kind: LiteralTextKind, element: ElementProperties): boolean {
  if (element.kind === 'TABLE') return false;
  return kind === 'sample' || (kind === 'code' && element.literal !== 'sample');
}
