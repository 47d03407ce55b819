import { seenText } from '../../invisible.ts';
import { isForScreen } from '../css/sheet.ts';
import { type Attributes, Visibility } from '../css/visibility.ts';
import {
  counterOf,
  type ElementPlan,
  elementPlan,
  isStruck,
  languageOf,
  numberOf,
  raisedPlan,
  wholeNumber,
} from '../elements.ts';
import { Formula } from '../formula/mathml.ts';
import { absoluteLink, pictureMarkdown } from '../link.ts';
import { FORMULA, type Frame, type LiteralFrame, NONE } from './frame.ts';
import { LiteralText } from './literal.ts';
import type { ElementKind, StatementElement } from './node.ts';
import { TreeWriter } from './writer.ts';

// turndown and the rules recurse, and the parser's own stack is slow when deep. No page is nested like this.
const MAX_DEPTH = 300;

/** Takes htmlparser2's events; `#frames` mirrors the parser's stack. */
export class TreeBuilder {
  readonly #link: string | undefined;
  readonly #leave: () => void;
  readonly #writer: TreeWriter;
  readonly #visibility = new Visibility();
  readonly #frames: Frame[] = [];
  readonly #japanese: StatementElement[] = [];
  readonly #pictures: Attributes[] = [];
  #hasEnglish = false;
  #text = '';
  #literal: LiteralFrame | undefined;
  #formula: Formula | undefined;
  /** MathJax 2 draws a formula and leaves its source in a <script> behind. */
  #drawnFormula: StatementElement | undefined;

  constructor(link: string | undefined, enoughBytes: number, leave: () => void) {
    this.#link = link;
    this.#writer = new TreeWriter(enoughBytes);
    this.#leave = leave;
  }

  finish(): StatementElement {
    this.#flush();
    if (this.#hasEnglish) for (const node of this.#japanese) node.childNodes = [];
    return this.#writer.root;
  }

  ontext(text: string): void {
    if (!this.#visibility.isHiding) this.#text += text;
  }

  onopentag(name: string, attributes: Attributes): void {
    if (this.#frames.length >= MAX_DEPTH) throw new RangeError('the statement is nested too deeply');
    this.#flush();
    this.#frames.push(this.#visibility.isHiding ? NONE : this.#open(name, attributes));
  }

  onclosetag(): void {
    const frame = this.#frames.pop() ?? NONE;
    if (this.#visibility.leave(this.#frames.length)) return;
    if (frame.role === 'sheet') this.#visibility.readSheet(this.#takeText());
    else if (frame.role === 'tex') this.#placeTex(this.#takeText(), frame.isDisplay, true);
    else {
      this.#flush();
      this.#close(frame);
    }
  }

  #open(name: string, attributes: Attributes): Frame {
    const written = elementPlan(name, attributes);
    const isIdleSheet =
      written.role === 'sheet' && (this.#formula !== undefined || !isForScreen(attributes['media'] ?? ''));
    const isUnseen = written.role === 'unseen' || isIdleSheet;
    if (this.#visibility.enter(name, attributes, this.#frames.length, isUnseen)) return NONE;
    if (this.#formula !== undefined) {
      this.#formula.open(name, attributes);
      return FORMULA;
    }
    const plan = raisedPlan(written, this.#visibility.verticalAlign);
    if (plan.role === 'embedded') return this.#placeEmbedded(name, attributes);
    if (plan.role === 'sheet') return { role: 'sheet' };
    if (plan.role === 'tex') return { role: 'tex', isDisplay: attributes['type']?.includes('display') === true };
    if (plan.role === 'formula') {
      this.#formula = new Formula(plan.kind === 'DISPLAY' || attributes['display'] === 'true');
      this.#formula.open(name, attributes);
      return FORMULA;
    }
    if (this.#literal !== undefined) {
      const { literal } = this.#literal;
      if (!plan.isBlock || literal.kind === 'sample' || literal.kind === 'code') {
        return this.#openInLiteral(literal, name, attributes, plan);
      }
      // An index or a <var> that was never closed ends where a block begins.
      this.#closeLiteral(this.#literal);
    }
    return this.#openElement(name, attributes, plan);
  }

  #openInLiteral(literal: LiteralText, name: string, attributes: Attributes, plan: ElementPlan): Frame {
    if (plan.literal === 'script') {
      literal.openScript(plan.kind === 'SUP' ? '^' : '_');
      return { role: 'script' };
    }
    if (this.#literal?.language === '') this.#literal.language = languageOf(attributes);
    if (name === 'br') literal.breakLine();
    if (plan.kind === 'PICTURE') this.#pictures.push(attributes);
    if (!plan.isBlock) return NONE;
    literal.edge();
    return { role: attributes['class']?.includes('test-example-line') === true ? 'line' : 'edge' };
  }

  #openElement(name: string, attributes: Attributes, plan: ElementPlan): Frame {
    const { kind } = plan;
    if (name === 'br') this.#writer.breakLine();
    if (name === 'option') this.#writer.owe(' ');
    if (name === 'input') this.#writer.write(attributes['checked'] === undefined ? '☐ ' : '☑ ');
    if (plan.role === 'property') return { role: 'property' };
    if (kind === undefined) return NONE;
    if (plan.literal !== undefined) {
      const language = plan.literal === 'sample' ? languageOf(attributes) : '';
      this.#literal = { role: 'literal', literal: new LiteralText(plan.literal), kind, language };
      return this.#literal;
    }
    if (kind === 'LINK') return this.#openLink(attributes);
    if (kind === 'STRONG' || kind === 'EM' || kind === 'DEL') {
      const mark = this.#writer.openMark(kind);
      return mark === undefined ? NONE : { role: 'element', node: mark };
    }
    if (kind !== 'PICTURE') return this.#openContainer(kind, attributes, plan);
    this.#placePicture(attributes);
    return NONE;
  }

  #openContainer(kind: ElementKind, attributes: Attributes, plan: ElementPlan): Frame {
    const node = this.#writer.open(kind, plan.isBlock);
    node.number = plan.number ?? numberOf(kind, attributes);
    if (isStruck(attributes['style'] ?? '')) this.#writer.openMark('DEL');
    node.rowSpan = wholeNumber(attributes['rowspan']) ?? 1;
    node.label = counterOf(kind, attributes);
    node.isReversed = attributes['reversed'] !== undefined;
    if (kind === 'JAPANESE') this.#japanese.push(node);
    return { role: 'element', node };
  }

  #openLink(attributes: Attributes): Frame {
    const address = absoluteLink(attributes['href'] ?? '', this.#link);
    if (address === undefined) return NONE;
    const node = this.#writer.open('LINK', false);
    node.literal = address;
    return { role: 'element', node };
  }

  #close(frame: Frame): void {
    switch (frame.role) {
      case 'element':
        if (frame.node.nodeName === 'ENGLISH' && frame.node.childNodes.length > 0) this.#hasEnglish = true;
        this.#writer.close(frame.node);
        // Another language, or the source of a formula, would still change what has been read.
        if (this.#writer.hasEnough && this.#japanese.length === 0 && this.#drawnFormula === undefined) this.#leave();
        break;
      case 'literal':
        if (frame === this.#literal) this.#closeLiteral(frame);
        break;
      case 'script':
        this.#literal?.literal.closeScript();
        break;
      case 'edge':
        this.#literal?.literal.edge();
        break;
      case 'line':
        this.#literal?.literal.endLine();
        break;
      case 'property':
        this.#writer.write(': ');
        break;
      case 'formula':
        this.#closeFormula();
        break;
      case 'none':
      case 'sheet':
      case 'tex':
    }
  }

  #closeFormula(): void {
    const formula = this.#formula;
    if (formula?.close() !== true) return;
    this.#formula = undefined;
    this.#placeTex(formula.tex(), formula.isDisplay, false);
  }

  #closeLiteral({ literal, kind, language }: LiteralFrame): void {
    this.#literal = undefined;
    const text = literal.text();
    const isOneLine = literal.kind === 'lines' && !text.trim().includes('\n');
    // Code with line breaks is a sample, whatever its tag.
    if (isOneLine) this.#writer.paragraph(text);
    else if (literal.kind === 'script') this.#writer.leafWithBlanks(kind, text.trim());
    else if (literal.kind !== 'sample' && literal.kind !== 'lines' && !text.includes('\n'))
      this.#writer.leafWithBlanks(kind, text);
    else if (text.trim() !== '') this.#writer.leaf('SAMPLE', text, true).label = language;
    for (const picture of this.#pictures.splice(0)) this.#placePicture(picture);
  }

  #placeTex(tex: string, isDisplay: boolean, isSource: boolean): void {
    const source = seenText(tex).replace(/\s+/g, ' ').trim();
    if (source === '') return;
    if (this.#literal !== undefined) this.#literal.literal.append(source);
    else if (isSource && this.#drawnFormula !== undefined) this.#writer.replaceLiteral(this.#drawnFormula, source);
    else this.#drawnFormula = this.#writer.leaf(isDisplay ? 'DISPLAY' : 'FORMULA', source, isDisplay);
    if (isSource) this.#drawnFormula = undefined;
  }

  #placePicture(attributes: Attributes): void {
    const markdown = pictureMarkdown(attributes, this.#link);
    if (markdown !== '') this.#writer.leaf('PICTURE', markdown, false);
  }

  /** A frame or film is an address to a reader of Markdown; its content is for browsers that cannot show it. */
  #placeEmbedded(name: string, attributes: Attributes): Frame {
    const address = absoluteLink(attributes['src'] ?? '', this.#link);
    if (address !== undefined) this.#writer.leaf('PICTURE', `[${name}](${address})`, false);
    this.#visibility.enter(name, attributes, this.#frames.length, true);
    return NONE;
  }

  #flush(): void {
    if (this.#text === '') return;
    const text = this.#takeText();
    if (this.#formula !== undefined) {
      this.#formula.text(text);
      return;
    }
    if (text.trim() !== '') this.#drawnFormula = undefined;
    if (this.#literal === undefined) this.#writer.write(text);
    else this.#literal.literal.append(seenText(text));
  }

  #takeText(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }
}
