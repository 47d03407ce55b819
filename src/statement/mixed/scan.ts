import type { Budget } from '../budget.ts';
import { type Element, elements } from '../elements.ts';
import { readFences } from './fences.ts';
import { IndentedCode } from './indented-code.ts';

/** The scan finds a tag, a comment or an entity in a Markdown text, outside of code. */
export interface Tag {
  readonly kind: 'open' | 'close' | 'comment' | 'entity';
  readonly name: string;
  readonly element: Element | undefined;
  readonly start: number;
  readonly end: number;
  readonly hasAttributes: boolean;
  /** True inside TeX, because no character needs an escape there. */
  readonly isInFormula: boolean;
  partner: Tag | undefined;
}

// Every search for an end is limited, or its failure is cached. Otherwise a text of opening delimiters would take
// quadratic time.
const maxSpan = 5000;
// The search for the end of each `\[` is limited to this length, because Markdown escapes brackets in the same way.
const maxBracketSpan = 1000;
const markerStart = /[`~<$\\&]/g;
const fencePrefix = /(?:^|\n)[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]*$/;
export const emptyLine = /\n[ \t\r]*\n/;
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi;
const entityHere = new RegExp(entity.source, 'iy');
const tagName = /<\/?([a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])/y;
/** Matches the rest of a tag. Quoted values may contain `>`, but a tag never contains another `<`. */
const tagRest = /(?:[^<>"']|"[^<"]*"|'[^<']*')*>/y;
const bareAttributes = /^(?:\s+(?:hidden|open|checked|reversed|controls|nowrap|noshade|compact))+[\s/]*$/i;
/** Matches Markdown syntax. A single star counts as Markdown only outside of HTML blocks. */
const signs = /`|\*\*\S|\]\([^\s)]|\n[ \t]{0,3}(?:#{1,6}[ \t]+\S|~{3}|(?:[-*+]|\d{1,9}[.)])[ \t]+\S)/g;
const inlineSigns = /`|\*\*\S|\]\([^\s)]/g;
const emptyLines = /\n[ \t\r]*(?=\n)/g;
const star = /\*|(?<![\w})\]|])_(?=\S)/g;
/** Matches a fence of code, or the line below the head of a table. */
const fences = /\n[ \t]{0,3}(?:`{3}|~{3}|\|[ \t]*:?-{3})/g;
const nonBlank = /\S/g;

interface OpenTag {
  readonly name: string;
  /** The line of the tag is indented by this number of columns. */
  readonly indent: number;
}

// In CommonMark a line with four columns of white space at its start is code.
const codeIndent = 4;
const maxIndent = 200;
const maxOpen = 100;

export class TagScanner {
  readonly tags: readonly Tag[];
  /** True if a formula contains a `<` that is not escaped. No HTML page has such a formula. */
  hasBareFormula = false;
  readonly #text: string;
  readonly #budget: Budget;
  readonly #missing = new Set<string>();
  readonly #places = new Map<string, number>();
  readonly #seenTo = new Map<number, number>();
  readonly #found: Tag[] = [];
  /** Contains the elements that are open at the current position. Their end tags were not parsed yet. */
  readonly #open: OpenTag[] = [];
  readonly #tracksOpen: boolean;
  #signs: readonly number[] | undefined;
  #inlineSigns: readonly number[] | undefined;
  #stars: readonly number[] | undefined;
  #emptyLines: readonly number[] | undefined;
  #fences: readonly number[] | undefined;
  #fenceEnds: ReadonlyMap<number, number> | undefined;

  /** Scans a text. If `hasIndentedCode`, indented lines are skipped as code. */
  constructor(text: string, budget: Budget, hasIndentedCode: boolean) {
    this.#text = text;
    this.#budget = budget;
    const markers = new RegExp(markerStart);
    const code = hasIndentedCode ? new IndentedCode(text, budget) : undefined;
    this.#tracksOpen = code?.isEmpty === false;
    for (let match = markers.exec(text); match !== null; match = markers.exec(text)) {
      const codeEnd = code?.endAt(match.index, this.#open.length > 0, (this.#open.at(-1)?.indent ?? 0) >= codeIndent);
      markers.lastIndex = codeEnd ?? this.#after(match.index, match[0]);
    }
    pairTags(this.#found);
    this.tags = realTags(text, this.#found);
  }

  /** Returns whether the range contains Markdown syntax, for a block or for inline content. */
  hasMarkdown(from: number, to: number, isBlock: boolean): boolean {
    this.#signs ??= this.#placesOf(signs);
    this.#stars ??= this.#placesOf(star);
    return hasAny(this.#signs, from, to) || (!isBlock && hasAny(this.#stars, from, to)) || this.hasEmptyLine(from, to);
  }

  /** Returns whether the range contains code, bold text or a link in Markdown. */
  hasInlineMarkdown(from: number, to: number): boolean {
    this.#inlineSigns ??= this.#placesOf(inlineSigns);
    return hasAny(this.#inlineSigns, from, to);
  }

  /** Returns the next offset that is not white space. */
  nextTextFrom(at: number): number {
    nonBlank.lastIndex = at;
    return nonBlank.exec(this.#text)?.index ?? this.#text.length;
  }

  hasFence(from: number, to: number): boolean {
    this.#fences ??= this.#placesOf(fences);
    return hasAny(this.#fences, from, to);
  }

  hasEmptyLine(from: number, to: number): boolean {
    this.#emptyLines ??= this.#placesOf(emptyLines);
    return hasAny(this.#emptyLines, from, to);
  }

  #placesOf(pattern: RegExp): number[] {
    return Array.from(this.#text.matchAll(pattern), ({ index }) => index);
  }

  /** Parses the syntax that starts at a marker character and returns the offset where scanning continues. */
  #after(at: number, marker: string): number {
    switch (marker) {
      case '\\':
        return this.#afterBackslash(at);
      case '&':
        return this.#afterEntity(at);
      case '<':
        return this.#text.startsWith('<!--', at) ? this.#afterComment(at) : this.#afterTag(at);
      case '$':
        return this.#afterFormula(at);
      default:
        return this.#afterCode(at, marker);
    }
  }

  #afterCode(at: number, marker: string): number {
    const bodyStart = runEnd(this.#text, at);
    const length = bodyStart - at;
    if (length >= 3 && this.#startsFence(at, bodyStart, marker)) {
      const end = this.#endOfIndentedFence(at);
      if (end !== undefined) return end;
      const closing = new RegExp(`\\n[ \\t>]*${marker}{${length},}[ \\t\\r]*(?=\\n|$)`, 'g');
      closing.lastIndex = bodyStart;
      return closing.exec(this.#text) === null ? this.#text.length : closing.lastIndex;
    }
    if (marker === '~') return bodyStart;
    const limit = bodyStart + maxSpan;
    // The search starts where an earlier search for a run of this length ended.
    let close = this.#text.indexOf('`', Math.max(bodyStart, this.#seenTo.get(length) ?? 0));
    while (close !== -1 && close < limit) {
      const closeEnd = runEnd(this.#text, close);
      if (closeEnd - close === length) return emptyLine.test(this.#text.slice(bodyStart, close)) ? bodyStart : closeEnd;
      close = this.#text.indexOf('`', closeEnd);
    }
    this.#seenTo.set(length, close === -1 ? this.#text.length : close);
    return bodyStart;
  }

  /** Returns the end of a fence that may be in a list item or a quote: it does not begin at the start of its line. */
  #endOfIndentedFence(at: number): number | undefined {
    if (at === 0 || this.#text[at - 1] === '\n') return undefined;
    this.#fenceEnds ??= readFences(this.#text, this.#budget);
    return this.#fenceEnds.get(at);
  }

  #startsFence(at: number, bodyStart: number, marker: string): boolean {
    const before = this.#text.slice(Math.max(0, at - 20), at);
    if (!(at > 20 ? fencePrefix.test(before) && before.includes('\n') : fencePrefix.test(before))) return false;
    const [info = ''] = this.#text.slice(bodyStart, bodyStart + 200).split('\n', 1);
    return marker === '~' || !info.includes('`');
  }

  #afterFormula(at: number): number {
    let bodyStart = at + 1;
    while (this.#text[bodyStart] === '$' && bodyStart - at < 3) bodyStart++;
    const mark = this.#text.slice(at, bodyStart);
    const close = this.#find(mark, bodyStart);
    if (close === -1 || close - bodyStart > maxSpan) return bodyStart;
    const body = this.#text.slice(bodyStart, close);
    const isTight = mark !== '$' || (/^\S/.test(body) && /\S$/.test(body));
    if (body === '' || !isTight || emptyLine.test(body)) return bodyStart;
    if (hasUnescapedLess(body)) this.hasBareFormula = true;
    else if (body.includes('<')) return bodyStart;
    this.#pushEntities(bodyStart, close);
    return close + mark.length;
  }

  /** Parses `\(…\)` and `\[…\]`. Their content is TeX, in which only entities are decoded. */
  #afterBackslash(at: number): number {
    const close = { '(': '\\)', '[': '\\]' }[this.#text[at + 1] ?? ''];
    const end = close === undefined ? -1 : this.#find(close, at + 2);
    if (end === -1 || end - at > maxBracketSpan) return at + 2;
    const body = this.#text.slice(at, end);
    if (body.includes('<') || emptyLine.test(body)) return at + 2;
    this.#pushEntities(at + 2, end);
    return end + 2;
  }

  #pushEntities(from: number, to: number): void {
    for (const { 0: name, index } of this.#text.slice(from, to).matchAll(entity)) {
      this.#push('entity', name, from + index, from + index + name.length, { isInFormula: true });
    }
  }

  #afterEntity(at: number): number {
    entityHere.lastIndex = at;
    const name = entityHere.exec(this.#text)?.[0];
    if (name === undefined) return at + 1;
    return this.#push('entity', name, at, at + name.length);
  }

  #afterComment(at: number): number {
    // `<!-->` is a complete comment.
    const close = this.#find('-->', at + 2);
    if (close !== -1) return this.#push('comment', '', at, close + 3);
    // In browsers and CommonMark an unclosed comment extends to the end of the page.
    return isLineStart(this.#text, at) ? this.#push('comment', '', at, this.#text.length) : at + 4;
  }

  #afterTag(at: number): number {
    tagName.lastIndex = at;
    const written = tagName.exec(this.#text);
    if (written === null) return at + 1;
    const [start, writtenName = ''] = written;
    const name = writtenName.toLowerCase();
    const element = elements.get(name);
    if (element === undefined) return at + 1;
    const nameEnd = at + start.length;
    tagRest.lastIndex = nameEnd;
    const rest = tagRest.exec(this.#text)?.[0];
    if (rest === undefined) return nameEnd;
    const attributes = rest.slice(0, -1);
    const hasAttributes = /[^\s/]/.test(attributes);
    if (hasAttributes && !element.isRaw && isComparison(attributes)) return nameEnd;
    const isOpen = this.#text[at + 1] !== '/';
    this.#trackOpen(name, element, at, isOpen);
    const end = this.#push(isOpen ? 'open' : 'close', name, at, nameEnd + rest.length, { element, hasAttributes });
    return isOpen && (name === 'pre' || element.isRaw) ? this.#afterRawText(name, end) : end;
  }

  /** Updates the stack of open elements. */
  #trackOpen(name: string, { isVoid }: Element, at: number, isOpen: boolean): void {
    if (!this.#tracksOpen || isVoid) return;
    if (isOpen) this.#openElement(name, at);
    else if (this.#open.at(-1)?.name === name) this.#open.pop();
    else if (this.#open.some(tag => tag.name === name)) {
      while (this.#open.pop()?.name !== name);
    }
  }

  /**
   * An element at the start of a line has the indentation of that line. An element within a line has the indentation of
   * the element around it.
   */
  #openElement(name: string, at: number): void {
    const before = this.#text.slice(Math.max(0, at - maxIndent), at);
    const blanks = /(?:^|\n)[ \t]*$/.test(before) ? (/[ \t]*$/.exec(before)?.[0] ?? '') : undefined;
    const indent = blanks?.replaceAll('\t', '    ').length ?? this.#open.at(-1)?.indent ?? 0;
    if (this.#open.length < maxOpen) this.#open.push({ name, indent });
  }

  /** Adds a tag to the list and returns the offset after it. */
  #push(kind: Tag['kind'], name: string, start: number, end: number, more: Partial<Tag> = {}): number {
    const { element, hasAttributes = false, isInFormula = false } = more;
    this.#found.push({ kind, name, element, start, end, hasAttributes, isInFormula, partner: undefined });
    return end;
  }

  #afterRawText(name: string, from: number): number {
    if (name === 'plaintext') return this.#text.length;
    if (this.#missing.has(name)) return from;
    const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
    closing.lastIndex = from;
    const close = closing.exec(this.#text)?.index;
    if (close === undefined) this.#missing.add(name);
    return close ?? from;
  }

  /**
   * Returns the offset of the next occurrence of a text. Searches only move forward, so that a failed one is not
   * repeated.
   */
  #find(text: string, from: number): number {
    if (this.#missing.has(text)) return -1;
    const known = this.#places.get(text) ?? -1;
    if (known >= from) return known;
    const at = this.#text.indexOf(text, from);
    if (at === -1) this.#missing.add(text);
    else this.#places.set(text, at);
    return at;
  }
}

/** Returns whether a formula contains a `<` that is not markup. */
export function hasUnescapedLess(body: string): boolean {
  return /<(?=[a-zA-Z])/.test(body) && !/<\/|<(?:su[bp]|[bip]|em|br|strong|span)\b/.test(body);
}

/** Returns whether text that looks like a tag is a comparison, as in `if a<b and c>d`. */
function isComparison(attributes: string): boolean {
  return !attributes.includes('=') && !bareAttributes.test(attributes);
}

/** Returns whether one of the sorted offsets is in a range. */
function hasAny(places: readonly number[], from: number, to: number): boolean {
  let low = 0;
  let high = places.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return (places[low] ?? Infinity) < to;
}

function pairTags(tags: readonly Tag[]): void {
  const open = new Map<string, Tag[]>();
  for (const tag of tags) {
    if (tag.kind === 'open' && tag.element?.isVoid !== true) {
      const others = open.get(tag.name);
      if (others === undefined) open.set(tag.name, [tag]);
      else others.push(tag);
    }
    if (tag.kind !== 'close') continue;
    const partner = open.get(tag.name)?.pop();
    if (partner === undefined) continue;
    tag.partner = partner;
    partner.partner = tag;
  }
}

function realTags(text: string, tags: readonly Tag[]): Tag[] {
  const textPattern = /\S/g;
  let nextText = -1;
  return tags.filter(tag => {
    const isReal = isRealTag(text, tag, nextText >= tag.start);
    if (isReal && tag.kind !== 'entity') {
      textPattern.lastIndex = tag.end;
      nextText = textPattern.exec(text)?.index ?? text.length;
    }
    return isReal;
  });
}

/**
 * Returns whether a tag is HTML. Placeholders and types such as `<n> <m>` and `vector<a>` are not, even if they have
 * the name of an element.
 */
function isRealTag(
  text: string,
  { kind, name, element, start, hasAttributes, partner }: Tag,
  isAfterTag: boolean,
): boolean {
  if (element === undefined || partner !== undefined) return true;
  // The end tag of a void element counts as HTML, because browsers ignore `</img>` and read `</br>` as a line break.
  if (kind === 'close') return element.isBlock || element.isVoid;
  if (name === 'br' || name === 'hr' || name === 'wbr' || hasAttributes) return true;
  if (!element.isBlock && !element.isRaw) return false;
  if (isAfterTag || isLineStart(text, start)) return true;
  return /[A-Z]/.test(text[start + 1] ?? '') && !/\w/.test(text[start - 1] ?? '');
}

function isLineStart(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, at - 20), at));
}

function runEnd(text: string, at: number): number {
  const mark = text[at];
  let end = at + 1;
  while (text[end] === mark) end++;
  return end;
}
