import type { ConversionBudget } from '../budget.ts';
import { elementTable } from '../elements.ts';
import { readFencedCodeBlocks } from './fences.ts';
import { IndentedCode } from './indented-code.ts';
import { MarkdownSyntaxFinder } from './markdown-syntax.ts';
import { OpenTagTracker } from './open-tags.ts';
import { filterHtmlTags, isAtLineStart, pairTags, type ScannedTag } from './tag.ts';

// Every search for a closing delimiter is limited, or its failure is cached. Otherwise a text of opening delimiters
// would take quadratic time.
const maxSpan = 5000;
// Limits the search for the end of each `\[`, because it may also be an escaped bracket of Markdown, which has no end.
const maxBracketSpan = 1000;
const markerStart = /[`~<$\\&]/g;
const fencePrefix = /(?:^|\n)[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]*$/;
export const emptyLinePattern = /\n[ \t\r]*\n/;
const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,30});/gi;
/** Matches TeX that shows text unchanged, because the text may be a tag: `\texttt{<p>}`. */
const typewriterText = /\\texttt\{[^{}]*\}/g;
const entityHere = new RegExp(entity.source, 'iy');
const tagName = /<\/?([a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])/y;
/** Matches the rest of a tag. Quoted values may contain `>`, but a tag never contains another `<`. */
const tagRest = /(?:[^<>"']|"[^<"]*"|'[^<']*')*>/y;
const bareAttributes = /^(?:\s+(?:hidden|open|checked|reversed|controls|nowrap|noshade|compact))+[\s/]*$/i;
export class TagScanner {
  readonly tags: readonly ScannedTag[];
  readonly syntax: MarkdownSyntaxFinder;
  /** True if a formula contains a `<` that is not escaped. In an HTML page it would have to be the entity `&lt;`. */
  hasBareFormula = false;
  readonly #text: string;
  readonly #budget: ConversionBudget;
  readonly #missing = new Set<string>();
  readonly #places = new Map<string, number>();
  readonly #seenTo = new Map<number, number>();
  readonly #found: ScannedTag[] = [];
  /** The elements that are open at the current position, or undefined if the text has no indented code. */
  readonly #open: OpenTagTracker | undefined;
  #fenceEnds: ReadonlyMap<number, number> | undefined;

  /** Scans a text. If `hasIndentedCode`, indented lines are skipped as code. */
  constructor(text: string, budget: ConversionBudget, hasIndentedCode: boolean) {
    this.#text = text;
    this.#budget = budget;
    this.syntax = new MarkdownSyntaxFinder(text);
    const markers = new RegExp(markerStart);
    const code = hasIndentedCode ? new IndentedCode(text, budget) : undefined;
    this.#open = code === undefined || code.isEmpty ? undefined : new OpenTagTracker(text);
    for (let match = markers.exec(text); match !== null; match = markers.exec(text)) {
      const codeEnd = code?.endAt(match.index, this.#open?.isInside === true, this.#open?.isIndented === true);
      markers.lastIndex = codeEnd ?? this.#after(match.index, match[0]);
    }
    pairTags(this.#found);
    this.tags = filterHtmlTags(text, this.#found);
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
    // A search for the next run of backticks with the same length starts where the previous one ended.
    let close = this.#text.indexOf('`', Math.max(bodyStart, this.#seenTo.get(length) ?? 0));
    while (close !== -1 && close < limit) {
      const closeEnd = runEnd(this.#text, close);
      if (closeEnd - close === length)
        return emptyLinePattern.test(this.#text.slice(bodyStart, close)) ? bodyStart : closeEnd;
      close = this.#text.indexOf('`', closeEnd);
    }
    this.#seenTo.set(length, close === -1 ? this.#text.length : close);
    return bodyStart;
  }

  /**
   * Returns the end offset of a code fence that does not begin at the start of its line, because it may be inside a
   * list item or a quote.
   */
  #endOfIndentedFence(at: number): number | undefined {
    if (at === 0 || this.#text[at - 1] === '\n') return undefined;
    this.#fenceEnds ??= readFencedCodeBlocks(this.#text, this.#budget);
    return this.#fenceEnds.get(at);
  }

  #startsFence(at: number, bodyStart: number, marker: string): boolean {
    const before = this.#text.slice(Math.max(0, at - 20), at);
    if (!(at > 20 ? fencePrefix.test(before) && before.includes('\n') : fencePrefix.test(before))) return false;
    const [info = ''] = this.#text.slice(bodyStart, bodyStart + 200).split('\n');
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
    if (body === '' || !isTight || emptyLinePattern.test(body)) return bodyStart;
    const outsideOfText = body.replace(typewriterText, '');
    if (hasLessThanSign(outsideOfText)) this.hasBareFormula = true;
    else if (outsideOfText.includes('<')) return bodyStart;
    this.#pushEntities(bodyStart, close);
    return close + mark.length;
  }

  /** Parses `\(…\)` and `\[…\]`. Their content is TeX, in which only entities are decoded. */
  #afterBackslash(at: number): number {
    const close = { '(': '\\)', '[': '\\]' }[this.#text[at + 1] ?? ''];
    const end = close === undefined ? -1 : this.#find(close, at + 2);
    if (end === -1 || end - at > maxBracketSpan) return at + 2;
    const body = this.#text.slice(at, end);
    if (body.includes('<') || emptyLinePattern.test(body)) return at + 2;
    this.#pushEntities(at, end);
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
    return isAtLineStart(this.#text, at) ? this.#push('comment', '', at, this.#text.length) : at + 4;
  }

  #afterTag(at: number): number {
    tagName.lastIndex = at;
    const written = tagName.exec(this.#text);
    if (written === null) return at + 1;
    const [start, writtenName = ''] = written;
    const name = writtenName.toLowerCase();
    const element = elementTable.get(name);
    if (element === undefined) return at + 1;
    const nameEnd = at + start.length;
    tagRest.lastIndex = nameEnd;
    const rest = tagRest.exec(this.#text)?.[0];
    if (rest === undefined) return nameEnd;
    const attributes = rest.slice(0, -1);
    const hasAttributes = /[^\s/]/.test(attributes);
    if (hasAttributes && !element.isRaw && isComparison(attributes)) return nameEnd;
    const isOpen = this.#text[at + 1] !== '/';
    if (!element.isVoid) this.#open?.read(name, at, isOpen);
    const end = this.#push(isOpen ? 'open' : 'close', name, at, nameEnd + rest.length, { element, hasAttributes });
    return isOpen && (name === 'pre' || element.isRaw) ? this.#afterRawText(name, end) : end;
  }

  /** Adds a tag, a comment or an entity to the array and returns the offset after it. */
  #push(kind: ScannedTag['kind'], name: string, start: number, end: number, more: Partial<ScannedTag> = {}): number {
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
   * Returns the offset of the next occurrence of a string. A failed search is cached, because later searches start at
   * higher offsets.
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
export function hasLessThanSign(body: string): boolean {
  return /<(?=[a-zA-Z])/.test(body) && !/<\/|<(?:su[bp]|[bip]|em|br|strong|span)\b/.test(body);
}

/** Returns whether text that looks like a tag is a comparison, as in `if a<b and c>d`. */
function isComparison(attributes: string): boolean {
  return !attributes.includes('=') && !bareAttributes.test(attributes);
}

function runEnd(text: string, at: number): number {
  const mark = text[at];
  let end = at + 1;
  while (text[end] === mark) end++;
  return end;
}
