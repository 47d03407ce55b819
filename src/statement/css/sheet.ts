import type { Budget } from '../budget.ts';

/** The properties that can hide text or turn it into a mark, with their values. */
export type Declarations = ReadonlyMap<string, string>;

const readProperties: ReadonlySet<string> = new Set(
  'display visibility content-visibility opacity font-size font color -webkit-text-fill-color background background-color background-image transform scale translate rotate zoom filter clip-path clip position left right top bottom margin-left margin-right margin-top text-indent padding-left width height max-width max-height overflow overflow-x overflow-y animation animation-name vertical-align white-space text-decoration text-decoration-line list-style list-style-type font-weight font-style'.split(
    ' ',
  ),
);
/** Longer values are cut: no supported value is longer, and the patterns for values stay cheap. */
const maxValue = 300;
const cssEscape = /\\(?:([\da-f]{1,6})\s?|([^\n]))/gi;

interface Declaration {
  readonly value: string;
  readonly isImportant: boolean;
}

interface RankedValue {
  readonly value: string;
  readonly rank: number;
}

const plainSelector = /^\s*([a-z][a-z0-9]*)?([.#][\w-]+)\s*$/i;
const token = /"[^"\n]*"|'[^'\n]*'|[{};]/g;
const onScreen = /^(?:only\s+)?(?:all|screen)?$/i;
const mediaBlock = /^@media\b/i;
const important = 1e9;
const byId = 1e8;

/** The rules of a page with simple selectors (`.x`, `#x`, `p.x`); later and more specific rules win. */
export class StyleSheet {
  readonly #budget: Budget | undefined;
  readonly #rules = new Map<string, Map<string, RankedValue>>();
  #order = 0;

  constructor(budget?: Budget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** Reads a sheet, without blocks for print, small screens and other conditions. */
  read(sheet: string): void {
    const css = withoutComments(sheet);
    let depth = 0;
    let skippedFrom = Infinity;
    let start = 0;
    let rule: { selectors: string; body: string[]; depth: number } | undefined;
    for (const { 0: mark, index } of css.matchAll(token)) {
      if (mark.length > 1) continue;
      const before = css.slice(start, index).trim();
      start = index + 1;
      if (mark === '{') {
        const isSkipped = rule !== undefined || (before.startsWith('@') && !isScreenBlock(before));
        if (depth < skippedFrom && isSkipped) skippedFrom = depth;
        else if (depth < skippedFrom && !before.startsWith('@')) rule = { selectors: before, body: [], depth };
        depth++;
        continue;
      }
      if (depth < skippedFrom + 1) rule?.body.push(before);
      if (mark === ';') continue;
      depth = Math.max(0, depth - 1);
      if (depth <= skippedFrom) skippedFrom = Infinity;
      if (rule === undefined || depth > rule.depth) continue;
      this.#add(rule.selectors, parseDeclarations(rule.body.join(';')));
      rule = undefined;
    }
    if (rule === undefined) return;
    // The end of the sheet closes all open blocks.
    if (depth < skippedFrom + 1) rule.body.push(css.slice(start));
    this.#add(rule.selectors, parseDeclarations(rule.body.join(';')));
  }

  /** Adds the declarations that match an element to its inline style, which takes precedence. */
  addTo(style: Map<string, string>, name: string, id: string | undefined, classes: readonly string[]): void {
    if (this.isEmpty) return;
    const found = new Map<string, RankedValue>();
    const selectors = id === undefined ? classes : [`#${id}`, ...classes];
    for (const selector of selectors.flatMap(plain => [plain, name + plain])) {
      const rule = this.#rules.get(selector);
      if (rule === undefined) continue;
      this.#budget?.rules.spend(rule.size);
      for (const [property, ranked] of rule) {
        if ((found.get(property)?.rank ?? -1) <= ranked.rank) found.set(property, ranked);
      }
    }
    for (const [property, { value, rank }] of found) {
      if (rank >= important || !style.has(property)) style.set(property, value);
    }
  }

  #add(selectors: string, declarations: ReadonlyMap<string, Declaration>): void {
    if (declarations.size === 0) return;
    for (const written of selectors.split(',')) {
      const [, name = '', plain] = plainSelector.exec(written) ?? [];
      if (plain === undefined) continue;
      this.#budget?.rules.spend(declarations.size);
      const selector = name.toLowerCase() + plain;
      const rule = this.#rules.get(selector) ?? new Map<string, RankedValue>();
      this.#rules.set(selector, rule);
      for (const [property, { value, isImportant }] of declarations) {
        const rank = (isImportant ? important : 0) + (plain.startsWith('#') ? byId : 0) + this.#order++;
        if ((rule.get(property)?.rank ?? -1) <= rank) rule.set(property, { value, rank });
      }
    }
  }
}

/** Whether a media query is true for screens of every size. */
export function isForScreen(media: string): boolean {
  return onScreen.test(media.trim());
}

function isScreenBlock(prelude: string): boolean {
  return mediaBlock.test(prelude) && isForScreen(prelude.slice('@media'.length));
}

/** Parses declarations in order; a later one replaces an earlier one unless only the earlier one is important. */
export function parseDeclarations(style: string): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const declaration of withoutComments(style).split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const property = tidy(declaration.slice(0, colon));
    if (!readProperties.has(property)) continue;
    const written = tidy(declaration.slice(colon + 1));
    const mark = written.indexOf('!');
    const isImportant = mark !== -1 && written.slice(mark + 1).trim() === 'important';
    if (!isImportant && found.get(property)?.isImportant === true) continue;
    const value = mark === -1 ? written : written.slice(0, mark).trim();
    found.set(property, { value: value.slice(0, maxValue), isImportant });
  }
  return found;
}

/** An unclosed comment runs to the end, as CSS defines it. */
function withoutComments(css: string): string {
  let start = css.indexOf('/*');
  if (start === -1) return css;
  const parts: string[] = [];
  let done = 0;
  while (start !== -1) {
    parts.push(css.slice(done, start));
    const end = css.indexOf('*/', start + 2);
    done = end === -1 ? css.length : end + 2;
    start = css.indexOf('/*', done);
  }
  parts.push(css.slice(done));
  return parts.join(' ');
}

/** Lower case, without escapes, with single spaces. */
function tidy(text: string): string {
  const read = text.includes('\\') ? text.replace(cssEscape, unescaped) : text;
  return read.replace(/\s+/g, ' ').trim().toLowerCase();
}

function unescaped(_: string, hex: string | undefined, character: string | undefined): string {
  if (hex === undefined) return character ?? '';
  const codePoint = Number.parseInt(hex, 16);
  return codePoint > 0x10ffff ? '' : String.fromCodePoint(codePoint);
}
