import { knownElement } from '../elements.ts';

/** A tag or comment that stands in Markdown outside its code and its formulas. */
export interface Tag {
  readonly kind: 'open' | 'close' | 'comment';
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly hasAttributes: boolean;
  partner: Tag | undefined;
}

// Every search for an end is bounded or remembered when it fails: a text of beginnings must not cost its square.
const MAX_SPAN = 5000;
const MARKER = /[`~<$\\]/g;
const FENCE_PREFIX = /(?:^|\n)[ \t>]*(?:[-*+]|\d{1,9}[.)])?[ \t]*$/;
const EMPTY_LINE = /\n[ \t\r]*\n/;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const TAG_NAME = /<\/?([a-zA-Z][a-zA-Z0-9-]*)(?=[\s/>])/y;

export class TagScan {
  tags: Tag[] = [];
  /** A formula with a bare `<` in it: no HTML page has that. */
  hasBareFormula = false;
  readonly #text: string;
  readonly #missing = new Set<string>();

  constructor(text: string) {
    this.#text = text;
    const markers = new RegExp(MARKER);
    for (let match = markers.exec(text); match !== null; match = markers.exec(text)) {
      markers.lastIndex = this.#after(match.index, match[0]);
    }
    pair(this.tags);
    this.tags = realTags(text, this.tags);
  }

  /** Handles what begins at a marker and tells where to go on. */
  #after(at: number, marker: string): number {
    switch (marker) {
      case '\\':
        return at + 2;
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
      const closing = new RegExp(`\\n[ \\t>]*${marker}{${length},}[ \\t\\r]*(?=\\n|$)`, 'g');
      closing.lastIndex = bodyStart;
      return closing.exec(this.#text) === null ? this.#text.length : closing.lastIndex;
    }
    if (marker === '~') return bodyStart;
    const limit = bodyStart + MAX_SPAN;
    let close = this.#text.indexOf('`', bodyStart);
    while (close !== -1 && close < limit) {
      const closeEnd = runEnd(this.#text, close);
      if (closeEnd - close === length)
        return EMPTY_LINE.test(this.#text.slice(bodyStart, close)) ? bodyStart : closeEnd;
      close = this.#text.indexOf('`', closeEnd);
    }
    return bodyStart;
  }

  #startsFence(at: number, bodyStart: number, marker: string): boolean {
    const before = this.#text.slice(Math.max(0, at - 20), at);
    if (!(at > 20 ? FENCE_PREFIX.test(before) && before.includes('\n') : FENCE_PREFIX.test(before))) return false;
    const [info = ''] = this.#text.slice(bodyStart, bodyStart + 200).split('\n', 1);
    return marker === '~' || !info.includes('`');
  }

  #afterFormula(at: number): number {
    let bodyStart = at + 1;
    while (this.#text[bodyStart] === '$' && bodyStart - at < 3) bodyStart++;
    const mark = this.#text.slice(at, bodyStart);
    if (this.#missing.has(mark)) return bodyStart;
    const close = this.#text.indexOf(mark, bodyStart);
    if (close === -1) this.#missing.add(mark);
    if (close === -1 || close - bodyStart > MAX_SPAN) return bodyStart;
    const body = this.#text.slice(bodyStart, close);
    const isTight = mark !== '$' || (/^\S/.test(body) && /\S$/.test(body));
    if (body === '' || !isTight || EMPTY_LINE.test(body)) return bodyStart;
    if (isBareFormula(body)) this.hasBareFormula = true;
    else if (body.includes('<')) return bodyStart;
    return close + mark.length;
  }

  #afterComment(at: number): number {
    const end = /^<!--(?:-?>)/.exec(this.#text.slice(at, at + 6))?.[0].length;
    if (end !== undefined) return this.#push('comment', '', at, at + end, false);
    const close = this.#find('-->', at + 4);
    // A browser and CommonMark let a comment without an end run to the end of the page.
    if (close === -1)
      return isLineStart(this.#text, at) ? this.#push('comment', '', at, this.#text.length, false) : at + 4;
    return this.#push('comment', '', at, close + 3, false);
  }

  #afterTag(at: number): number {
    TAG_NAME.lastIndex = at;
    const name = TAG_NAME.exec(this.#text)?.[1];
    if (name === undefined) return at + 1;
    const isClosing = this.#text[at + 1] === '/';
    const nameEnd = at + name.length + (isClosing ? 2 : 1);
    const lowerName = name.toLowerCase();
    const close = knownElement(lowerName) !== undefined ? tagClose(this.#text, nameEnd) : -1;
    if (close === -1) return nameEnd;
    const hasAttributes = close > nameEnd && /[^\s/]/.test(this.#text.slice(nameEnd, close));
    this.#push(isClosing ? 'close' : 'open', lowerName, at, close + 1, hasAttributes);
    const isRaw = lowerName === 'pre' || knownElement(lowerName)?.isRaw === true;
    return isClosing || !isRaw ? close + 1 : this.#afterRawText(lowerName, close + 1);
  }

  #afterRawText(name: string, from: number): number {
    if (this.#missing.has(name)) return from;
    const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
    closing.lastIndex = from;
    const close = closing.exec(this.#text)?.index;
    if (close === undefined) this.#missing.add(name);
    return close ?? from;
  }

  #find(text: string, from: number): number {
    if (this.#missing.has(text)) return -1;
    const at = this.#text.indexOf(text, from);
    if (at === -1) this.#missing.add(text);
    return at;
  }

  #push(kind: Tag['kind'], name: string, start: number, end: number, hasAttributes: boolean): number {
    this.tags.push({ kind, name, start, end, hasAttributes, partner: undefined });
    return end;
  }
}

/** With a `<` that is no mark-up. */
export function isBareFormula(body: string): boolean {
  return /<(?=[a-zA-Z])/.test(body) && !/<\/?(?:su[bp]|[bip]|em|br|strong|span)\b/.test(body);
}

function pair(tags: readonly Tag[]): void {
  const open = new Map<string, Tag[]>();
  for (const tag of tags) {
    if (tag.kind === 'open' && knownElement(tag.name)?.isVoid !== true) {
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
  let lastEnd = 0;
  return tags.filter(tag => {
    const isReal = isRealTag(text, tag, lastEnd);
    if (isReal) lastEnd = tag.end;
    return isReal;
  });
}

/** `<n> <m>` and `vector<a>` are no tags, whatever HTML calls its elements. */
function isRealTag(text: string, { kind, name, start, hasAttributes, partner }: Tag, lastEnd: number): boolean {
  if (kind === 'comment' || partner !== undefined) return true;
  if (kind === 'close') return knownElement(name)?.isBlock === true;
  if (name === 'br' || name === 'hr' || name === 'wbr') return true;
  if (hasAttributes) return text.slice(start, start + 500).includes('=') || name === 'script';
  const element = knownElement(name);
  if (element?.isBlock !== true && element?.isRaw !== true) return false;
  if (isLineStart(text, start) || (lastEnd > 0 && text.slice(lastEnd, start).trim() === '')) return true;
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

/** The `>` of a tag; quoted values may hold one, but no tag runs over another `<`. */
function tagClose(text: string, from: number): number {
  let quote = 0;
  for (let index = from; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === LESS_THAN) return -1;
    if (quote !== 0) {
      if (code === quote) quote = 0;
    } else if (code === GREATER_THAN) return index;
    else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) quote = code;
  }
  return -1;
}
