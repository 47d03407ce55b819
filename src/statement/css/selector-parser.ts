import { createPseudoClassTest } from './position.ts';
import { type CompoundSelector, type ElementTest, matchesSelectorFrom, type Selector } from './selector.ts';

const [idWeight, classWeight, nameWeight] = [1_000_000, 1000, 1];
/** Longer selectors, and functions that are nested more deeply, are ignored. Real pages do not have them. */
const maxSelector = 1000;
const maxNesting = 4;
const identifier = String.raw`(?:[-\w\u0080-\uffff]|\\(?:[\da-fA-F]{1,6}\s?|[^\n]))+`;
const namePart = new RegExp(identifier, 'y');
const attributePart = new RegExp(
  String.raw`\[\s*(${identifier})\s*(?:([~|^$*]?=)\s*("[^"]*"|'[^']*'|[^\s\]]+)\s*([iIsS])?\s*)?\]`,
  'y',
);
const combinatorPart = /\s*[>+~]\s*|\s+/y;
/**
 * The result of these pseudo-classes depends on content after the element. `:empty` is missing here, because an element
 * with text never matches it.
 */
const uncertainClass = /^(?:last-child|last-of-type|only-child|only-of-type|nth-last-child|nth-last-of-type|has)$/;
const cssEscape = /\\(?:([\da-f]{1,6})\s?|([^\n]))/gi;

/** Parses a list of selectors. Unsupported selectors are left out and match nothing. */
export function parseSelectors(list: string): Selector[] {
  return splitList(list).flatMap(text => parseSelector(text, 0) ?? []);
}

/** Decodes CSS escapes: `\64 isplay` is `display`. */
export function unescapeCss(text: string): string {
  return text.includes('\\') ? text.replace(cssEscape, unescaped) : text;
}

function unescaped(_: string, hex: string | undefined, character: string | undefined): string {
  if (hex === undefined) return character ?? '';
  const codePoint = Number.parseInt(hex, 16);
  return codePoint > 0x10ffff ? '' : String.fromCodePoint(codePoint);
}

/** Splits a list at commas outside of brackets and quotes. */
function splitList(list: string): string[] {
  if (!/[([]/.test(list)) return list.split(',').map(text => text.trim());
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: mark, index } of list.matchAll(/"[^"]*"|'[^']*'|[()[\],]/g)) {
    if (mark === '(' || mark === '[') depth++;
    else if (mark === ')' || mark === ']') depth--;
    else if (mark === ',' && depth === 0) {
      parts.push(list.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...parts, list.slice(start).trim()];
}

function parseSelector(text: string, nesting: number): Selector | undefined {
  if (text === '' || text.length > maxSelector || nesting > maxNesting) return undefined;
  return new SelectorParser(text, nesting).parse();
}

class SelectorParser {
  readonly #text: string;
  readonly #nesting: number;
  #at = 0;
  #specificity = 0;
  #tests: ElementTest[] = [];
  #key = '*';
  #isUncertain = false;

  constructor(text: string, nesting: number) {
    this.#text = text;
    this.#nesting = nesting;
  }

  parse(): Selector | undefined {
    const compounds: CompoundSelector[] = [];
    let combinator: CompoundSelector['combinator'] = ' ';
    while (this.#at < this.#text.length) {
      this.#tests = [];
      this.#key = '*';
      const start = this.#at;
      while (this.#at < this.#text.length && !/[\s>+~]/.test(this.#text.charAt(this.#at))) {
        if (!this.#readSimple()) return undefined;
      }
      if (this.#at === start) return undefined;
      compounds.push({ tests: this.#tests, combinator });
      const separator = this.#read(combinatorPart);
      // A selector that ends with a combinator, such as "p >", is invalid.
      if (separator !== undefined && this.#at === this.#text.length) return undefined;
      if (separator !== undefined) combinator = combinatorOf(separator.trim());
    }
    return { compounds, specificity: this.#specificity, key: this.#key, isUncertain: this.#isUncertain };
  }

  /** Parses one simple selector. Returns false if it is not supported. */
  #readSimple(): boolean {
    const mark = this.#text.charAt(this.#at);
    switch (mark) {
      case '*':
        this.#at++;
        return true;
      case '.':
      case '#':
        this.#at++;
        return this.#readIdentifier(mark);
      case '[':
        return this.#readAttribute();
      case ':':
        this.#at++;
        return this.#readPseudoClass();
      default:
        return this.#readIdentifier('');
    }
  }

  #readIdentifier(mark: '.' | '#' | ''): boolean {
    const written = this.#read(namePart);
    if (written === undefined) return false;
    const value = unescapeCss(written);
    if (mark === '.') {
      this.#specificity += classWeight;
      if (!this.#key.startsWith('#')) this.#key = `.${value}`;
      this.#tests.push(({ element }) => element?.classes.has(value) === true);
    } else if (mark === '#') {
      this.#specificity += idWeight;
      this.#key = `#${value}`;
      this.#tests.push(({ element }) => element?.attributes['id'] === value);
    } else {
      const name = value.toLowerCase();
      this.#specificity += nameWeight;
      if (this.#key === '*') this.#key = name;
      this.#tests.push(({ element }) => element?.name === name);
    }
    return true;
  }

  #readAttribute(): boolean {
    attributePart.lastIndex = this.#at;
    const [all, name = '', operator, written = '', flag = ''] = attributePart.exec(this.#text) ?? [];
    if (all === undefined) return false;
    this.#at += all.length;
    this.#specificity += classWeight;
    const attribute = unescapeCss(name).toLowerCase();
    const isLoose = flag.toLowerCase() === 'i';
    const fold = (text: string): string => (isLoose ? text.toLowerCase() : text);
    const value = fold(unescapeCss(/^["']/.test(written) ? written.slice(1, -1) : written));
    this.#tests.push(({ element }) => {
      const found = element?.attributes[attribute];
      return found !== undefined && (operator === undefined || hasValue(fold(found), operator, value));
    });
    return true;
  }

  #readPseudoClass(): boolean {
    const name = this.#read(namePart)?.toLowerCase() ?? '';
    const isFunction = this.#text[this.#at] === '(';
    const end = isFunction ? endOfGroup(this.#text, this.#at) : this.#at;
    if (end === -1) return false;
    const argument = isFunction ? this.#text.slice(this.#at + 1, end).trim() : '';
    this.#at = isFunction ? end + 1 : end;
    if (isFunction && /^(?:is|where|not|matches)$/.test(name)) return this.#addSelectors(name, argument);
    const test = createPseudoClassTest(name, argument);
    this.#specificity += classWeight;
    if (test !== undefined) this.#tests.push(test);
    else if (uncertainClass.test(name)) this.#isUncertain = true;
    else return false;
    return true;
  }

  #addSelectors(name: string, list: string): boolean {
    const parts = splitList(list);
    const selectors = parts.flatMap(part => parseSelector(part, this.#nesting + 1) ?? []);
    const isNot = name === 'not';
    // An unsupported selector inside `:not` could match the element, so that the whole rule is ignored.
    if (isNot && selectors.length < parts.length) return false;
    if (name !== 'where') this.#specificity += Math.max(0, ...selectors.map(({ specificity }) => specificity));
    if (selectors.some(({ isUncertain }) => isUncertain)) {
      this.#isUncertain = true;
      if (isNot) return true;
    }
    this.#tests.push(candidate => {
      const isMatch = selectors.some(({ compounds }) =>
        matchesSelectorFrom(compounds, compounds.length - 1, candidate),
      );
      return isMatch !== isNot;
    });
    return true;
  }

  #read(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }
}

function combinatorOf(mark: string): CompoundSelector['combinator'] {
  return mark === '>' || mark === '+' || mark === '~' ? mark : ' ';
}

function hasValue(found: string, operator: string, value: string): boolean {
  switch (operator) {
    case '~=':
      return found.split(/\s+/).includes(value);
    case '|=':
      return found === value || found.startsWith(`${value}-`);
    case '^=':
      return value !== '' && found.startsWith(value);
    case '$=':
      return value !== '' && found.endsWith(value);
    case '*=':
      return value !== '' && found.includes(value);
    default:
      return found === value;
  }
}

/** Returns the index of the parenthesis that closes the one at `start`, or -1. */
function endOfGroup(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}
