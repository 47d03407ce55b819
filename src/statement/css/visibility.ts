import type { ElementProperties } from '../elements.ts';
import { type Attributes, emptyAttributes } from '../html/attributes.ts';
import { isTransparentColor, isWhiteColor, parseColor } from './color.ts';
import { hasColoredBackground, isHidingStyle, isProbablyHidingStyle } from './hiding.ts';
import type { SelectableElement } from './selector.ts';
import { getDeclarationValues, parseDeclarations, type StyleDeclarations, StyleSheet } from './sheet.ts';

// Bootstrap (AtCoder), Tailwind (LeetCode) and similar themes define these classes as hidden.
const hidingClass =
  /(?:^|\s)(?:hidden|d-none|sr-only|visually-hidden|visuallyhidden|screen-reader-text|MathJax_Preview|div-btn-copy|btn-copy|btn-clipboard|copy-button|input-output-copier)(?:\s|$)/;
const svgParts: ReadonlySet<string> = new Set('svg g text tspan textpath switch a'.split(' '));
/** Elements with these classes of online judges have a white background. */
const whiteClasses =
  /^\s*(?:(?:problem-statement|header|title|section-title|property-title|(?:input|output)-(?:specification|file)|(?:time|memory)-limit|sample-tests?|note|lang(?:-\w\w)?|part|io-style)(?:\s+|$))*$/;
/** These parts of a table contain text only in their cells, and a cell may have other colors than its table. */
const tableParts: ReadonlySet<string> = new Set('table thead tbody tfoot tr'.split(' '));
const colorProperty = /^(?:-webkit-text-fill-)?color$|^background/;
const noStyle: StyleDeclarations = new Map();
const noSheet = new StyleSheet();
const noClasses: ReadonlySet<string> = new Set();
/** Browsers add the elements <html> and <body> around every fragment. */
const pageElements: readonly SelectableElement[] = ['html', 'body'].map(name => selected(name, emptyAttributes));

/**
 * The visibility of an element's text. Suspicious text is probably invisible and is shown in a note. The property
 * `visibility` hides only text (`text-hidden`), because an element inside can be visible again.
 */
export type ElementVisibility = 'visible' | 'suspicious' | 'text-hidden' | 'hidden';

/** `all` hides an element with its content, and `text` only content whose `visibility` is not `visible`. */
export type HidingMode = 'none' | 'text' | 'all';
const visibilityIn = { none: 'visible', text: 'text-hidden', all: 'hidden' } as const;

/**
 * Tracks which open elements are hidden while a page is parsed. The depth of an element is the number of open elements
 * around it.
 */
export class VisibilityTracker {
  readonly #sheet: StyleSheet;
  /** The open elements with which selectors are compared. The array is empty if the page has no style sheet. */
  readonly #path: SelectableElement[] = [];
  readonly #depths: number[] = [];
  /** Contains the open elements that hide their text, and the visible ones inside `visibility: hidden`. */
  readonly #changes: { readonly depth: number; readonly mode: HidingMode }[] = [];
  #coloredAt = -1;
  /** Contains the colors of the open table parts, because their cells inherit them. */
  readonly #tables: { readonly depth: number; readonly colors: StyleDeclarations }[] = [];
  /** The style of the last entered element. */
  style: StyleDeclarations = noStyle;

  constructor(sheet: StyleSheet) {
    this.#sheet = sheet;
  }

  get isHiding(): boolean {
    return this.#mode !== 'none';
  }

  /** Returns whether all elements inside the current one are hidden. */
  get isHidingAll(): boolean {
    return this.#mode === 'all';
  }

  get #mode(): HidingMode {
    return this.#changes.at(-1)?.mode ?? 'none';
  }

  /** Enters the element at this depth and returns its visibility. */
  enter(name: string, attributes: Attributes, depth: number, isNeverSeen: boolean): ElementVisibility {
    const isBare = attributes === emptyAttributes && this.#sheet.isEmpty && this.#tables.length === 0;
    if (isBare && !isNeverSeen && name !== 'dialog' && name !== 'input') {
      this.style = noStyle;
      return visibilityIn[this.#mode];
    }
    const isOnColor = this.#coloredAt !== -1;
    this.style = this.#styleAt(name, attributes, depth);
    const style = this.#withTableColors(name, depth);
    const appearance = isNeverSeen ? 'hidden' : appearanceWith(name, attributes, style, isOnColor);
    const mode = appearance === 'hidden' ? 'all' : this.#modeWith(inheritedVisibilityOf(name, attributes, style));
    if (mode !== this.#mode) this.#changes.push({ depth, mode });
    if (mode !== 'none') return visibilityIn[mode];
    if (!isOnColor && (hasColoredBackground(this.style) || mayHaveBackground(attributes))) this.#coloredAt = depth;
    return appearance;
  }

  #modeWith(visibility: 'visible' | 'hidden' | undefined): HidingMode {
    if (visibility === undefined) return this.#mode;
    return visibility === 'hidden' ? 'text' : 'none';
  }

  /** Returns the style of an element with the colors of its table parts, which cells inherit. */
  #withTableColors(name: string, depth: number): StyleDeclarations {
    if (tableParts.has(name)) {
      const colors = new Map([...this.style].filter(([property]) => colorProperty.test(property)));
      if (colors.size === 0) return this.style;
      this.#tables.push({ depth, colors: new Map([...(this.#tables.at(-1)?.colors ?? []), ...colors]) });
      return new Map([...this.style].filter(([property]) => !colors.has(property)));
    }
    const colors = name === 'td' || name === 'th' || name === 'caption' ? this.#tables.at(-1)?.colors : undefined;
    if (colors === undefined) return this.style;
    const hasBackground = [...this.style.keys()].some(isBackground);
    const inherited = hasBackground ? [...colors].filter(([property]) => !isBackground(property)) : colors;
    return new Map([...inherited, ...this.style]);
  }

  leave(depth: number): void {
    if (this.#coloredAt === depth) this.#coloredAt = -1;
    if (this.#tables.at(-1)?.depth === depth) this.#tables.pop();
    if (this.#changes.at(-1)?.depth === depth) this.#changes.pop();
  }

  #styleAt(name: string, attributes: Attributes, depth: number): StyleDeclarations {
    if (this.#sheet.isEmpty) return inlineStyle(attributes['style']);
    let previous: SelectableElement | undefined;
    while ((this.#depths.at(-1) ?? -1) >= depth) {
      const isSibling = this.#depths.pop() === depth;
      const closed = this.#path.pop();
      if (isSibling) previous = closed;
    }
    this.#depths.push(depth);
    this.#path.push(selected(name, attributes, previous, (previous?.index ?? 0) + 1));
    return this.#sheet.styleOf([...pageElements, ...this.#path], attributes['style']);
  }
}

function isBackground(property: string): boolean {
  return property.startsWith('background');
}

/** Returns how visible an element is by its own properties, without its ancestors. */
export function visibilityOfElement(
  name: string,
  attributes: Attributes,
  sheet: StyleSheet = noSheet,
): ElementVisibility {
  const style = computeElementStyle(name, attributes, sheet);
  const appearance = appearanceWith(name, attributes, style, false);
  const isHidden = appearance !== 'hidden' && inheritedVisibilityOf(name, attributes, style) === 'hidden';
  return isHidden ? 'text-hidden' : appearance;
}

export function computeElementStyle(
  name: string,
  attributes: Attributes,
  sheet: StyleSheet = noSheet,
): StyleDeclarations {
  if (sheet.isEmpty) return inlineStyle(attributes['style']);
  return sheet.styleOf([...pageElements, selected(name, attributes)], attributes['style']);
}

function selected(name: string, attributes: Attributes, previous?: SelectableElement, index = 0): SelectableElement {
  const className = attributes['class'];
  const classes = className === undefined ? noClasses : new Set(className.split(/\s+/).filter(Boolean));
  return { name, attributes, classes, previous, index };
}

function inlineStyle(style: string | undefined): StyleDeclarations {
  if (style === undefined) return noStyle;
  return getDeclarationValues(parseDeclarations(style));
}

function appearanceWith(
  name: string,
  attributes: Attributes,
  style: StyleDeclarations,
  isOnColor: boolean,
): ElementVisibility {
  if (isHiddenByName(name, attributes, style)) return 'hidden';
  const { color } = attributes;
  if (color === undefined && style.size === 0) return 'visible';
  if (isHidingStyle(style)) return 'hidden';
  const onColor = isOnColor || mayHaveBackground(attributes);
  return isProbablyHidingStyle(style, onColor) || isWhiteFont(color, style, onColor) ? 'suspicious' : 'visible';
}

function isHiddenByName(name: string, attributes: Attributes, style: StyleDeclarations): boolean {
  const { class: className, hidden = attributes['popover'] } = attributes;
  // A style overrides the `hidden` attribute, as in browsers.
  if (hidden !== undefined && (style.get('display') ?? 'none') === 'none') return true;
  if (className !== undefined && hidingClass.test(className)) return true;
  if (name === 'input' && attributes['type'] !== 'checkbox') return true;
  if (name === 'dialog' && attributes['open'] === undefined) return true;
  if (!svgParts.has(name)) return false;
  return attributes['display'] === 'none' || attributes['opacity'] === '0';
}

/** Returns whether an element with hidden text is written, because it gives visible elements inside their format. */
export function keepsFormat({ treatment, kind, isBlock, literal }: ElementProperties): boolean {
  if (treatment !== 'node') return treatment === 'break';
  return literal !== undefined || (isBlock && kind !== 'LI' && kind !== 'HORIZONTAL');
}

/** Returns the blanks of hidden text. Hidden characters are blank on the page too. */
export function blanksOf(text: string): string {
  return text.replace(/\S+/g, ' ');
}

/** Returns the value of `visibility`, which elements inside inherit and can change. */
export function inheritedVisibilityOf(
  name: string,
  attributes: Attributes,
  style: StyleDeclarations,
): 'visible' | 'hidden' | undefined {
  const declared = style.get('visibility') ?? (svgParts.has(name) ? attributes['visibility'] : undefined);
  if (declared === 'hidden' || declared === 'collapse') return 'hidden';
  if (declared === 'visible' || declared === 'initial') return 'visible';
  // Bootstrap and Tailwind define these classes.
  const byClass = /(?:^|\s)(in)?visible(?:\s|$)/.exec(attributes['class'] ?? '');
  return byClass === null ? undefined : byClass[1] === undefined ? 'visible' : 'hidden';
}

/** Returns whether the color attribute of a <font> element is white on a white page. */
function isWhiteFont(color: string | undefined, style: StyleDeclarations, onColor: boolean): boolean {
  if (color === undefined || onColor || style.has('color')) return false;
  const parsed = parseColor(color.trim().toLowerCase());
  return parsed !== undefined && isWhiteColor(parsed) && !hasColoredBackground(style);
}

/**
 * Returns whether the element has a background that makes white text visible, or a class that may define one in another
 * style sheet.
 */
function mayHaveBackground({ bgcolor, background, class: className }: Attributes): boolean {
  if (background !== undefined) return true;
  const color = bgcolor === undefined ? undefined : parseColor(bgcolor.trim().toLowerCase());
  if (bgcolor !== undefined && (color === undefined || !(isWhiteColor(color) || isTransparentColor(color))))
    return true;
  return className !== undefined && className.trim() !== '' && !isWhiteClass(className);
}

function isWhiteClass(className: string): boolean {
  return className.length < 100 && whiteClasses.test(className);
}
