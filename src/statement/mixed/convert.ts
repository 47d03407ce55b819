import { decodeHTML } from 'entities/decode';
import { removeInvisibleCharacters } from '../../text/invisible.ts';
import { toAbsoluteAddress } from '../address.ts';
import { isBlockDisplay } from '../css/effects.ts';
import { computeElementStyle, type ElementVisibility, visibilityOfElement } from '../css/visibility.ts';
import { type ElementProperties, findElementProperties, type MarkdownRole } from '../elements.ts';
import type { Attributes } from '../html/attributes.ts';
import { isSentenceInSmallLetters } from '../html/literal.ts';
import { readTagAttributes } from '../html/reader.ts';
import { enclosingMarkdownMarks } from '../markdown/inline.ts';
import type { MarkdownRenderer } from '../markdown/render.ts';
import { chooseElementForStyle } from '../styled-element.ts';
import { findNeighbourCharacter, findNextCharacter, removeInlineMarkdown } from './fragment.ts';
import { MixedMarkdownOutput } from './output.ts';
import type { TagScanner } from './scan.ts';
import type { ScannedTag } from './tag.ts';

/** These elements may contain Markdown. All other elements are converted as a whole. */
const openable: ReadonlySet<MarkdownRole | undefined> = new Set<MarkdownRole | undefined>([
  ...([undefined, 'BLOCK', 'JAPANESE', 'ENGLISH', 'HEADING', 'TERM', 'LINK', 'LI', 'BUTTON'] as const),
  ...(['STRONG', 'EM', 'DEL', 'QUOTE'] as const),
]);
/** A superscript or subscript is converted together with elements of these kinds that directly follow it. */
const joined: ReadonlySet<MarkdownRole | undefined> = new Set<MarkdownRole | undefined>(['SUP', 'SUB', 'STRONG', 'EM']);
const maxSpan = 5000;
const indexMark = /<sub[\s>]|_/i;
/**
 * Matches a second underscore nearby that would form a pair with the underscore of a subscript, so that Markdown would
 * parse both as emphasis.
 */
const closingIndex = /\S_(?!\w)|<sub[^<>]{0,99}>(?!\$?[\p{L}\p{N}]+\$?<)/iu;
const maxBetweenIndices = 500;
const restOfFraction = /^[/⁄]<sub>[\p{L}\p{N}]{1,20}<\/sub>/iu;
/** Matches an underscore that begins emphasis which is still open at the end of the text. */
const openEmphasis = /(?<![\w\\}])_(?=[^\s_])(?!.*\S_(?![\w{]))(?:[^\n]|\n(?![ \t]*\n))*$/;
const needsEscape = /^[\\`*_[\]|#$~]$/;

/** Converts only the HTML fragments of a Markdown text. Every other byte is unchanged. */
export function convertMixedMarkdown(
  text: string,
  scan: TagScanner,
  link: string | undefined,
  renderer: MarkdownRenderer,
  enoughBytes: number,
): { markdown: string; isWhole: boolean } {
  return new MixedText(text, scan, link, renderer).convert(enoughBytes);
}

class MixedText {
  readonly #text: string;
  readonly #scan: TagScanner;
  readonly #link: string | undefined;
  readonly #renderer: MarkdownRenderer;
  readonly #output = new MixedMarkdownOutput();
  /** Maps each open element to the text that is written at its end tag. */
  readonly #closers = new Map<ScannedTag, string>();
  #done = 0;
  /** The number of characters that are missing until the output has the requested length. */
  #enough = Infinity;

  constructor(text: string, scan: TagScanner, link: string | undefined, renderer: MarkdownRenderer) {
    this.#text = text;
    this.#scan = scan;
    this.#link = link;
    this.#renderer = renderer;
  }

  convert(enoughBytes: number): { markdown: string; isWhole: boolean } {
    this.#readSheets();
    for (const [index, tag] of this.#scan.tags.entries()) {
      if (tag.start < this.#done) continue;
      this.#enough = enoughBytes - this.#output.textLength;
      if (this.#enough < 0) return { markdown: removeInvisibleCharacters(this.#output.text()), isWhole: false };
      this.#output.copy(this.#text.slice(this.#done, tag.start));
      this.#done = tag.end;
      this.#read(tag, index);
    }
    this.#output.copy(this.#text.slice(this.#done));
    return { markdown: removeInvisibleCharacters(this.#output.text()).trimEnd(), isWhole: true };
  }

  #readSheets(): void {
    for (const { kind, element, end, partner } of this.#scan.tags) {
      if (kind !== 'open' || element?.treatment !== 'style-sheet') continue;
      this.#renderer.sheet.read(this.#text.slice(end, partner?.start));
    }
  }

  #read(tag: ScannedTag, index: number): void {
    if (tag.kind === 'entity') this.#output.add(this.#entity(tag));
    else if (tag.kind === 'close') this.#close(tag);
    else if (tag.kind === 'open') this.#readOpen(tag, index);
  }

  #readOpen(tag: ScannedTag, index: number): void {
    const attributes = tag.hasAttributes ? readTagAttributes(this.#text.slice(tag.start, tag.end)) : {};
    const { sheet } = this.#renderer;
    const style = computeElementStyle(tag.name, attributes, sheet);
    const element = chooseElementForStyle(findElementProperties(tag.name, attributes), tag.name, style);
    const { treatment, isVoid } = element;
    const isBlock = element.isBlock || (treatment === 'node' && isBlockDisplay(style));
    const appearance = visibilityOfElement(tag.name, attributes, sheet);
    const isIsland = tag.partner !== undefined && this.#isIsland(tag, tag.partner, element, appearance);
    if (isHidden(element, appearance, isIsland)) {
      this.#done = tag.partner?.end ?? (isVoid ? tag.end : this.#text.length);
    } else if (treatment === 'break') this.#break();
    else if (isVoid || isIsland) {
      if (isBlock) this.#convertBlocks(tag, index);
      else this.#convertInline(tag, element, index);
    } else this.#open(tag, attributes, element);
  }

  /**
   * Returns whether an element is converted together with its content. If an element contains Markdown, only its two
   * tags are converted.
   */
  #isIsland(
    { name, end }: ScannedTag,
    { start }: ScannedTag,
    { kind, isBlock }: ElementProperties,
    appearance: ElementVisibility = 'visible',
  ): boolean {
    if (appearance !== 'visible') return true;
    if (kind !== 'SAMPLE' && isBlock && this.#scan.syntax.hasFence(end, start)) return false;
    if ((kind === 'SUP' || kind === 'SUB') && this.#output.isAtLineStart && start - end <= maxSpan) {
      return !isSentenceInSmallLetters(this.#text.slice(end, start));
    }
    if (!openable.has(kind)) return true;
    const isText = name === 'p' || kind === 'HEADING' || kind === 'TERM';
    // In a paragraph or a heading, empty lines after the start tag only format the source.
    return !this.#scan.syntax.hasMarkdown(isText ? this.#scan.syntax.nextTextFrom(end) : end, start, isBlock);
  }

  /** Converts adjacent blocks in one step. Inside a list item or a quote each block is converted separately. */
  #convertBlocks(tag: ScannedTag, index: number): void {
    let end = tag.partner?.end ?? tag.end;
    for (let at = index + 1; this.#output.isAtTop; at++) {
      const next = this.#scan.tags[at];
      if (next === undefined || (next.start >= end && !this.#continues(next, end))) break;
      if (next.start >= end) end = next.partner?.end ?? end;
    }
    this.#done = end;
    const isMarkdown = this.#scan.syntax.hasInlineMarkdown(tag.end, end);
    this.#output.addBlock(this.#renderer.markdown(this.#text.slice(tag.start, end), this.#enough, isMarkdown).markdown);
  }

  #continues(next: ScannedTag, end: number): boolean {
    const { kind, element, partner } = next;
    if (kind !== 'open' || element?.isBlock !== true || partner === undefined) return false;
    return this.#isIsland(next, partner, element) && this.#text.slice(end, next.start).trim() === '';
  }

  #convertInline(tag: ScannedTag, { kind }: ElementProperties, index: number): void {
    const end = this.#endOfInline(tag, kind, index);
    this.#done = end;
    const html = removeInlineMarkdown(this.#text.slice(tag.start, end), kind);
    // The characters before and after the fragment change the result: a superscript or subscript needs braces before a
    // letter, and Markdown marks must not be next to punctuation.
    const previous = this.#output.last;
    const before = this.#output.hasText ? findNeighbourCharacter(previous) || ',' : '';
    const after = findNeighbourCharacter(findNextCharacter(this.#text, end));
    const isPaired = indexMark.test(html) && closingIndex.test(this.#text.slice(end, end + maxBetweenIndices));
    const context = after + (isPaired ? ',a<sub>i,j</sub>' : '');
    const isMarkdown = this.#scan.syntax.hasInlineMarkdown(tag.end, end);
    const { markdown } = this.#renderer.markdown(before + html + context, Infinity, isMarkdown);
    const piece = markdown.slice(before.length, markdown.length - (isPaired ? `${after},a_{i,j}` : after).length);
    const { tail } = this.#output;
    const isClosing = piece.startsWith('_') && (tail.endsWith('_') || (piece[1] === '{' && openEmphasis.test(tail)));
    this.#output.add(isClosing ? `\\${piece}` : previous.trim() === '' ? piece.replace(/^ (?! ?\n)/, '') : piece);
  }

  #endOfInline({ partner, end }: ScannedTag, kind: MarkdownRole | undefined, index: number): number {
    if (kind !== 'SUP' && kind !== 'SUB') return partner?.end ?? end;
    const last = this.#endOfAdjacent(index, partner?.end ?? end);
    return kind === 'SUB' ? last : last + (restOfFraction.exec(this.#text.slice(last))?.[0].length ?? 0);
  }

  /**
   * Returns the end offset of the superscripts, subscripts and emphasis that follow directly. Adjacent superscripts
   * form one: `10<sup>1</sup><sup>8</sup>`.
   */
  #endOfAdjacent(index: number, from: number): number {
    let end = from;
    for (let at = index + 1; ; at++) {
      const tag = this.#scan.tags[at];
      if (tag === undefined || tag.start > end) return end;
      if (tag.start < end || tag.kind !== 'open' || tag.partner === undefined) continue;
      if (
        !joined.has(tag.element?.kind) ||
        tag.hasAttributes ||
        this.#scan.syntax.hasInlineMarkdown(end, tag.partner.end)
      )
        return end;
      end = tag.partner.end;
    }
  }

  #open({ partner, end, element }: ScannedTag, attributes: Attributes, { kind, number }: ElementProperties): void {
    if (element?.isBlock === true) this.#output.endBlock();
    if (kind === 'LI') this.#output.add('- ');
    const holdsParagraphs = partner !== undefined && this.#scan.syntax.hasEmptyLine(end, partner.start);
    if (kind === 'HEADING' && typeof number === 'number' && !holdsParagraphs)
      this.#output.add(`${'#'.repeat(number)} `);
    if (partner !== undefined && partner.start - end <= maxSpan && !holdsParagraphs) {
      this.#openMark(partner, attributes, kind);
    }
  }

  #openMark(partner: ScannedTag, attributes: Attributes, kind: MarkdownRole | undefined): void {
    if (kind === 'LINK') {
      const address = toAbsoluteAddress(attributes['href'] ?? '', this.#link);
      if (address !== undefined) this.#mark(partner, '[', `](${address})`);
    }
    const mark = kind === 'TERM' ? '**' : kind && enclosingMarkdownMarks[kind];
    if (mark !== undefined) this.#mark(partner, mark, mark);
  }

  #mark(partner: ScannedTag, opener: string, closer: string): void {
    this.#output.add(opener);
    this.#closers.set(partner, closer);
  }

  #close(tag: ScannedTag): void {
    if (tag.name === 'br') this.#break();
    this.#output.add(this.#closers.get(tag) ?? '');
    if (tag.element?.isBlock === true) this.#output.endBlock();
  }

  #break(): void {
    const blanks = /[ \t]*(\r?\n)?/y;
    blanks.lastIndex = this.#done;
    const [all = '', lineEnd = ''] = blanks.exec(this.#text) ?? [];
    this.#done += all.length - lineEnd.length;
    this.#output.breakLine(lineEnd !== '');
  }

  /** Returns the character of an entity, escaped if Markdown would parse it as syntax. */
  #entity({ name, end, isInFormula }: ScannedTag): string {
    const character = decodeHTML(name);
    if (isInFormula || character === name) return character;
    if (character === '\u00a0') return ' ';
    const after = this.#text.slice(end);
    if (character === '<') return /^[a-zA-Z/!?]/.test(after) ? '\\<' : '<';
    if (character === '&') return /^#?\w{1,32};/.test(after) ? '\\&' : '&';
    return needsEscape.test(character) ? `\\${character}` : character;
  }
}

/** Returns whether an element is removed. Text that `visibility` hides may contain visible elements. */
function isHidden({ treatment }: ElementProperties, appearance: ElementVisibility, isIsland: boolean): boolean {
  if (treatment === 'hidden' || treatment === 'style-sheet' || appearance === 'hidden') return true;
  return appearance === 'text-hidden' && !isIsland;
}
