import type { ConversionBudget } from '../budget.ts';
import { colorPattern } from './color.ts';
import { matchesSelector, type SelectableElement, type Selector } from './selector.ts';
import { parseSelectors, unescapeCss } from './selector-parser.ts';

/** Maps the CSS properties that can hide text or change its format to their values. */
export type StyleDeclarations = ReadonlyMap<string, string>;

const readProperties: ReadonlySet<string> = new Set(
  'display visibility content-visibility opacity -webkit-text-security line-height font-size font color -webkit-text-fill-color background background-color background-image transform scale translate rotate zoom filter clip-path clip position left right top bottom margin-left margin-right margin-top text-indent padding-left width height max-width max-height overflow overflow-x overflow-y animation animation-name vertical-align white-space text-decoration text-decoration-line list-style list-style-type font-weight font-style font-variant-position text-transform border-top'.split(
    ' ',
  ),
);
/** The style stores the declarations of a rule under this key if the parser cannot know whether the rule applies. */
export const conditionalDeclarationsKey = 'uncertain';
/**
 * Longer values are truncated. No supported value is longer, and this keeps the regular expressions for values fast.
 */
const maxValue = 300;

interface Declaration {
  readonly value: string;
  readonly isImportant: boolean;
}

interface Rule {
  readonly selector: Selector;
  readonly declarations: ReadonlyMap<string, Declaration>;
  readonly order: number;
}

/**
 * A block of a style sheet that is not closed yet: a rule, a group such as `@media screen`, or a block that does not
 * apply.
 */
interface Block {
  readonly selectors: string | undefined;
  readonly isSkipped: boolean;
  readonly body: string[];
}

const commonValue = 'inherit|initial|unset|revert|revert-layer|.*var\\(.*';
const numberValue = '[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:e[-+]?\\d+)?(?:%|[a-z]{1,5})?|.*\\(.*';
const sizeValue = `${numberValue}|auto|none|-.*|(?:min|max|fit)-content|stretch`;
/**
 * Matches the values that browsers support, for the properties that decide whether text is hidden or raised. A browser
 * ignores a declaration with an unknown value, so that an earlier declaration of the property applies.
 */
const knownValues: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    display:
      '(?:-webkit-)?(?:(?:none|contents|block|inline|flow|root|flex|grid|table|row|column|cell|caption|header|footer|group|list|item|run|in|ruby|base|text|container|math|box)(?:[ -]|$))+',
    visibility: 'visible|hidden|collapse',
    'content-visibility': 'visible|hidden|auto',
    opacity: numberValue,
    zoom: `${numberValue}|normal`,
    'font-size': `${numberValue}|(?:x{1,3}-)?(?:small|large)|medium|smaller|larger|math`,
    scale: `${numberValue}|none|.* .*`,
    transform: '.*(?:none|\\().*',
    filter: '.*(?:none|\\().*',
    clip: 'auto|.*\\(.*',
    'clip-path': 'none|[a-z]+-box|.*\\(.*',
    color: colorPattern,
    'background-color': colorPattern,
    '-webkit-text-fill-color': colorPattern,
    position: 'static|relative|absolute|fixed|(?:-webkit-)?sticky',
    'vertical-align': `${numberValue}|baseline|sub|super|middle|(?:text-)?(?:top|bottom)`,
    overflow: '(?:(?:visible|hidden|clip|scroll|auto) ?)+',
    ...Object.fromEntries(
      'left right top bottom margin-left margin-right margin-top width height max-width max-height'
        .split(' ')
        .map(property => [property, sizeValue]),
    ),
  }).map(([property, values]) => [property, new RegExp(`^(?:${values}|${commonValue})$`)]),
);
const calculated = /calc\(([^()]*)\)/g;
const token = /"[^"\n]*"|'[^'\n]*'|[{};]/g;
const onScreen = /^(?:only\s+)?(?:all|screen)?$/i;
const minWidth = /(?:\band\s*)?\(\s*min-width\s*:\s*(\d{1,4})px\s*\)/gi;
/** Most screens have at least this width in pixels. */
const pageWidth = 1000;
const conditionalBlock = /^@(media|supports|layer)\b/i;
/** A style sheet has fewer rules than this, because the budget is smaller. */
const maxOrder = 1_000_000;
/**
 * The rank of inline styles. It is higher than the specificity of every selector. `!important` has a higher rank than
 * both.
 */
const inlineRank = 2e15;
const importantRank = 4e15;
/**
 * A nested rule of CSS contains the selectors of its parent rules, so that the length of the combined selector is
 * limited.
 */
const maxNestedSelector = 1000;

/** Parses the style sheets of a page and computes the style of its elements. */
export class StyleSheet {
  readonly #budget: ConversionBudget | undefined;
  /** Maps the id, class or element name in a selector, such as `.note`, to its rules. */
  readonly #rules = new Map<string, Rule[]>();
  #order = 0;

  constructor(budget?: ConversionBudget) {
    this.#budget = budget;
  }

  get isEmpty(): boolean {
    return this.#rules.size === 0;
  }

  /** Parses a style sheet. Blocks for print, small screens and other conditions are skipped. */
  read(sheet: string): void {
    const css = withoutComments(sheet.replace(/<!--|-->/g, ' '));
    const open: Block[] = [];
    let start = 0;
    for (const { 0: mark, index } of css.matchAll(token)) {
      if (mark.length > 1) continue;
      const text = css.slice(start, index).trim();
      start = index + 1;
      if (mark === '{') open.push(blockOf(text, open.at(-1)));
      else open.at(-1)?.body.push(text);
      if (mark === '}') this.#close(open.pop());
    }
    // The end of a style sheet closes all open blocks.
    open.at(-1)?.body.push(css.slice(start));
    while (open.length > 0) this.#close(open.pop());
  }

  /**
   * Returns the style of the last element of the path, including its inline style. The other elements of the path are
   * its ancestors.
   */
  styleOf(path: readonly SelectableElement[], inline: string | undefined): StyleDeclarations {
    const found = new Map<string, { value: string; rank: number }>();
    const add = (property: string, { value, isImportant }: Declaration, rank: number): void => {
      const ownRank = isImportant ? rank + importantRank : rank;
      if ((found.get(property)?.rank ?? 0) <= ownRank) found.set(property, { value, rank: ownRank });
    };
    for (const { selector, declarations, order } of this.#rulesFor(path)) {
      this.#budget?.rules.spend(declarations.size);
      const rank = selector.specificity * maxOrder + order;
      if (selector.isUncertain)
        add(conditionalDeclarationsKey, { value: textOf(declarations), isImportant: false }, rank);
      else for (const [property, declaration] of declarations) add(property, declaration, rank);
    }
    if (inline !== undefined) {
      for (const [property, declaration] of parseDeclarations(inline)) add(property, declaration, inlineRank);
    }
    return new Map(Array.from(found, ([property, { value }]) => [property, value]));
  }

  #rulesFor(path: readonly SelectableElement[]): Rule[] {
    const element = path.at(-1);
    if (element === undefined) return [];
    const id = element.attributes['id'];
    const keys = ['*', element.name, ...Array.from(element.classes, name => `.${name}`)];
    if (id !== undefined) keys.push(`#${id}`);
    const spend = (): void => this.#budget?.rules.spend(1);
    return keys.flatMap(key =>
      (this.#rules.get(key) ?? []).filter(({ selector }) => matchesSelector(selector, path, spend)),
    );
  }

  #close(block: Block | undefined): void {
    if (block?.selectors === undefined || block.isSkipped) return;
    const declarations = parseDeclarations(block.body.join(';'));
    if (declarations.size === 0) return;
    for (const selector of parseSelectors(block.selectors)) {
      this.#budget?.rules.spend(declarations.size);
      const rule: Rule = { selector, declarations, order: this.#order++ };
      const others = this.#rules.get(selector.key);
      if (others === undefined) this.#rules.set(selector.key, [rule]);
      else others.push(rule);
    }
  }
}

function textOf(declarations: ReadonlyMap<string, Declaration>): string {
  return Array.from(declarations, ([property, { value }]) => `${property}:${value}`).join(';');
}

/** Returns the block that starts after a prelude such as `p.note` or `@media screen`, inside its parent block. */
function blockOf(prelude: string, parent: Block | undefined): Block {
  const isSkipped = parent?.isSkipped === true;
  const outer = parent?.selectors;
  if (prelude.startsWith('@')) return { selectors: outer, isSkipped: isSkipped || !applies(prelude), body: [] };
  const selectors = outer === undefined ? prelude : nested(outer, prelude);
  return { selectors, isSkipped: isSkipped || selectors.length > maxNestedSelector, body: [] };
}

function nested(outer: string, inner: string): string {
  const scope = `:is(${outer})`;
  return inner.includes('&') ? inner.replaceAll('&', scope) : `${scope} ${inner}`;
}

/** Returns whether a media query list is true for every screen that is at least 1000 pixels wide. */
export function isScreenMedia(media: string): boolean {
  const queries = media.replace(minWidth, (feature, width: string) => (Number(width) <= pageWidth ? '' : feature));
  return queries.split(',').some(query => onScreen.test(query.trim()));
}

/** Returns whether the rules in a conditional block apply to a screen. */
function applies(prelude: string): boolean {
  const name = conditionalBlock.exec(prelude)?.[1]?.toLowerCase();
  if (name === 'media') return isScreenMedia(prelude.slice('@media'.length));
  return name === 'layer' || (name === 'supports' && !/^@supports\s+not\b/i.test(prelude));
}

/** Returns the values of declarations without their importance. */
export function getDeclarationValues(declarations: ReadonlyMap<string, Declaration>): StyleDeclarations {
  return new Map(Array.from(declarations, ([property, { value }]) => [property, value]));
}

/**
 * Parses declarations in order. A later declaration replaces an earlier one, unless only the earlier one is important.
 */
export function parseDeclarations(style: string): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const declaration of withoutComments(style).split(';')) {
    const colon = declaration.indexOf(':');
    if (colon === -1) continue;
    const property = physicalName(tidy(declaration.slice(0, colon)));
    if (!readProperties.has(property)) continue;
    const written = tidy(declaration.slice(colon + 1)).replace(calculated, '$1');
    const mark = written.indexOf('!');
    const isImportant = mark !== -1 && written.slice(mark + 1).trim() === 'important';
    if (!isImportant && (mark !== -1 || found.get(property)?.isImportant === true)) continue;
    const value = (isImportant ? written.slice(0, mark).trim() : written).slice(0, maxValue);
    if (knownValues.get(property)?.test(value) !== false) found.set(property, { value, isImportant });
  }
  return found;
}

/**
 * Returns the name of a CSS property without a vendor prefix. A logical name such as `inset-inline-start` becomes the
 * physical name for text from left to right, `left`.
 */
function physicalName(property: string): string {
  if (readProperties.has(property)) return property;
  return property
    .replace(/^-webkit-/, '')
    .replace('block-size', 'height')
    .replace('inline-size', 'width')
    .replace(/(?:inset-)?inline-start/, 'left')
    .replace(/(?:inset-)?block-start/, 'top');
}

/** Removes comments. An unclosed comment extends to the end, as CSS defines it. */
function withoutComments(css: string): string {
  return css.replace(/\/\*[^]*?(?:\*\/|$)/g, ' ');
}

/** Returns the text in lower case, without escapes and with single spaces. */
function tidy(text: string): string {
  return unescapeCss(text).replace(/\s+/g, ' ').trim().toLowerCase();
}
