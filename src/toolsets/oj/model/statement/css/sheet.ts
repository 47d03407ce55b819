import { parseDeclarations, withoutComments } from './declarations.ts';

interface Ranked {
  readonly value: string;
  readonly rank: number;
}

const PLAIN_SELECTOR = /^\s*([a-z][a-z0-9]*)?([.#][\w-]+)\s*$/i;
const TOKEN = /"[^"\n]*"|'[^'\n]*'|[{};]/g;
const ON_SCREEN = /^(?:only\s+)?(?:all|screen)?$/i;
const MEDIA_BLOCK = /^@media\b/i;
const IMPORTANT = 1e9;
const BY_ID = 1e8;

/** What the plain selectors of the style sheets of a page say: `.x`, `#x`, `p.x`; later and stronger rules win. */
export class StyleSheet {
  readonly #rules = new Map<string, Map<string, Ranked>>();
  #order = 0;

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** Reads the rules outside of all blocks that are for print, for small screens and the like. */
  read(sheet: string): void {
    const css = withoutComments(sheet);
    let depth = 0;
    let skippedFrom = Infinity;
    let start = 0;
    let selector: { text: string; depth: number } | undefined;
    const tokens = new RegExp(TOKEN);
    for (let token = tokens.exec(css); token !== null; token = tokens.exec(css)) {
      const [mark] = token;
      if (mark.length > 1) continue;
      const before = css.slice(start, token.index).trim();
      start = token.index + 1;
      if (mark === '{') {
        const isSkipped = selector !== undefined || (before.startsWith('@') && !isScreenBlock(before));
        if (depth < skippedFrom && isSkipped) skippedFrom = depth;
        else if (depth < skippedFrom && !before.startsWith('@')) selector = { text: before, depth };
        depth++;
        continue;
      }
      if (selector !== undefined && depth < skippedFrom + 1) this.#add(selector.text, before);
      if (mark === ';') continue;
      depth = Math.max(0, depth - 1);
      if (depth <= skippedFrom) skippedFrom = Infinity;
      if (selector !== undefined && depth <= selector.depth) selector = undefined;
    }
  }

  /** Writes what the sheets say of an element into its style; its own style is stronger. */
  addTo(style: Map<string, string>, name: string, id: string | undefined, classes: readonly string[]): void {
    if (this.isEmpty) return;
    const found = new Map<string, Ranked>();
    const selectors = id === undefined ? classes : [`#${id}`, ...classes];
    for (const selector of selectors.flatMap(plain => [plain, name + plain])) {
      for (const [property, ranked] of this.#rules.get(selector) ?? []) {
        if ((found.get(property)?.rank ?? -1) <= ranked.rank) found.set(property, ranked);
      }
    }
    for (const [property, { value, rank }] of found) {
      if (rank >= IMPORTANT || !style.has(property)) style.set(property, value);
    }
  }

  #add(selectors: string, declaration: string): void {
    const declarations = parseDeclarations(declaration);
    if (declarations.size === 0) return;
    for (const written of selectors.split(',')) {
      const [, name = '', plain] = PLAIN_SELECTOR.exec(written) ?? [];
      if (plain === undefined) continue;
      const selector = name.toLowerCase() + plain;
      const rule = this.#rules.get(selector) ?? new Map<string, Ranked>();
      this.#rules.set(selector, rule);
      for (const [property, { value, isImportant }] of declarations) {
        const rank = (isImportant ? IMPORTANT : 0) + (plain.startsWith('#') ? BY_ID : 0) + this.#order++;
        if ((rule.get(property)?.rank ?? -1) <= rank) rule.set(property, { value, rank });
      }
    }
  }
}

/** Whether a sheet or a block for these media is for the screen, whatever its size. */
export function isForScreen(media: string): boolean {
  return ON_SCREEN.test(media.trim());
}

function isScreenBlock(prelude: string): boolean {
  return MEDIA_BLOCK.test(prelude) && isForScreen(prelude.slice('@media'.length));
}
