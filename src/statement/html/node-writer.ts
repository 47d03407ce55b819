import { toAbsoluteAddress } from '../address.ts';
import { isStruckThrough } from '../css/effects.ts';
import type { StyleDeclarations } from '../css/sheet.ts';
import type { ElementProperties, MarkdownRole } from '../elements.ts';
import { formatMarkdownImage } from '../picture.ts';
import { type Attributes, emptyAttributes, listCounterStyleOf, parseWholeNumber } from './attributes.ts';
import type { StatementElement } from './node.ts';
import type { ElementCloseAction } from './open-elements.ts';
import type { StatementTreeWriter } from './writer.ts';

/** Writes the elements whose content is ordinary text, and the images of a page. */
export class NodeWriter {
  readonly #writer: StatementTreeWriter;
  readonly #pageAddress: string | undefined;
  readonly #japanese: StatementElement[] = [];
  #hasEnglish = false;

  constructor(writer: StatementTreeWriter, pageAddress: string | undefined) {
    this.#writer = writer;
    this.#pageAddress = pageAddress;
  }

  /** Returns whether the page has a Japanese text, which is removed if an English text follows. */
  get hasJapanese(): boolean {
    return this.#japanese.length > 0;
  }

  open(
    element: ElementProperties,
    kind: MarkdownRole,
    attributes: Attributes,
    style: StyleDeclarations,
  ): ElementCloseAction | undefined {
    if (kind === 'LINK') return this.#openLink(attributes);
    if (kind === 'STRONG' || kind === 'EM' || kind === 'DEL') return this.#writer.openMark(kind);
    const node = this.#writer.open(kind, element.inside);
    const { number } = element;
    if (typeof number === 'number') node.number = number;
    if (attributes !== emptyAttributes) {
      if (typeof number === 'string') node.number = parseWholeNumber(attributes[number]);
      node.rowSpan = parseWholeNumber(attributes['rowspan']) ?? 1;
      node.isReversed = attributes['reversed'] !== undefined;
    }
    if (kind === 'OL' || kind === 'LI') node.label = listCounterStyleOf(attributes, style);
    if (kind === 'JAPANESE') this.#japanese.push(node);
    if (isStruckThrough(style)) this.#writer.strike(node);
    return node;
  }

  /** Returns the absolute address of a link, or undefined if it is not allowed. */
  addressOf(attributes: Attributes): string | undefined {
    return toAbsoluteAddress(attributes['href'] ?? '', this.#pageAddress);
  }

  close(node: StatementElement): void {
    if (node.nodeName === 'ENGLISH' && node.childNodes.length > 0) this.#hasEnglish = true;
    this.#writer.close(node);
  }

  /** Writes an element without content, such as a line break or an image. Returns false for any other element. */
  writeEmpty(treatment: ElementProperties['treatment'], attributes: Attributes): boolean {
    if (treatment === 'break') this.#writer.breakLine();
    else if (treatment === 'space') this.#writer.addSpace(' ');
    else if (treatment === 'checkbox') this.#writer.write(attributes['checked'] === undefined ? '☐ ' : '☑ ');
    else if (treatment === 'picture') this.writeImage(attributes);
    else return false;
    return true;
  }

  writeImage(attributes: Attributes): void {
    const markdown = formatMarkdownImage(attributes, this.#pageAddress);
    if (markdown !== '') this.#writer.leaf('PICTURE', markdown);
  }

  /** Writes a link to the address of an embedded frame or video. */
  writeEmbedded(name: string, attributes: Attributes): void {
    const address = toAbsoluteAddress(attributes['src'] ?? '', this.#pageAddress);
    if (address !== undefined) this.#writer.leaf('PICTURE', `[${name}](${address})`);
  }

  /** Removes the Japanese text if the page has an English text too. */
  removeTranslation(): void {
    if (this.#hasEnglish) for (const node of this.#japanese) node.childNodes = [];
  }

  #openLink(attributes: Attributes): ElementCloseAction | undefined {
    const address = this.addressOf(attributes);
    if (address === undefined) return undefined;
    const node = this.#writer.open('LINK', undefined);
    node.literal = address;
    return node;
  }
}
