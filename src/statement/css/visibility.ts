import type { Budget } from '../budget.ts';
import { type Attributes, noAttributes } from '../html/attributes.ts';
import { isInvisible, isWhite, parseColor } from './color.ts';
import { hasColoredBackground, isInvisibleStyle } from './hiding.ts';
import { type Declarations, parseDeclarations, StyleSheet } from './sheet.ts';

// Classes that Bootstrap (AtCoder), Tailwind (LeetCode) and similar themes define as hidden.
const hidingClass =
  /(?:^|\s)(?:hidden|invisible|d-none|sr-only|visually-hidden|MathJax_Preview|div-btn-copy|btn-copy|btn-clipboard|copy-button|input-output-copier)(?:\s|$)/;
const svgParts: ReadonlySet<string> = new Set('svg g text tspan textpath switch a'.split(' '));
/** Classes of online judges that have a white background. */
const whiteClasses =
  /^\s*(?:(?:problem-statement|header|title|section-title|property-title|(?:input|output)-(?:specification|file)|(?:time|memory)-limit|sample-tests?|note|lang(?:-\w\w)?|part|io-style)(?:\s+|$))*$/;
const noStyle: Declarations = new Map();
const noSheet = new StyleSheet();

/** Tracks hidden elements while a page is read. A depth is the number of open elements. */
export class Visibility {
  readonly #sheet: StyleSheet;
  #hiddenAt = -1;
  #coloredAt = -1;
  /** The style of the last entered element. */
  style: Declarations = noStyle;

  constructor(budget: Budget) {
    this.#sheet = new StyleSheet(budget);
  }

  get isHiding(): boolean {
    return this.#hiddenAt !== -1;
  }

  /** Enters an element at that depth; returns true if it is hidden. */
  enter(name: string, attributes: Attributes, depth: number, isNeverSeen: boolean): boolean {
    if (attributes === noAttributes && this.#sheet.isEmpty && !isNeverSeen && name !== 'dialog' && name !== 'input') {
      this.style = noStyle;
      return false;
    }
    const isOnColor = this.#coloredAt !== -1;
    const style = styleOf(name, attributes, this.#sheet);
    this.style = style;
    if (isNeverSeen || isHiddenElement(name, attributes, style, isOnColor)) {
      this.#hiddenAt = depth;
      return true;
    }
    if (!isOnColor && (hasColoredBackground(style) || mayHaveBackground(attributes))) this.#coloredAt = depth;
    return false;
  }

  /** Leaves the element at that depth; returns true if it was hidden or inside a hidden one. */
  leave(depth: number): boolean {
    if (this.#coloredAt === depth) this.#coloredAt = -1;
    if (this.#hiddenAt === -1) return false;
    if (this.#hiddenAt === depth) this.#hiddenAt = -1;
    return true;
  }

  readSheet(sheet: string): void {
    this.#sheet.read(sheet);
  }
}

/** Whether a reader of the page does not see the element. */
export function isHidden(name: string, attributes: Attributes): boolean {
  return isHiddenElement(name, attributes, styleOf(name, attributes), false);
}

export function styleOf(
  name: string,
  { id, class: className, style }: Attributes,
  sheet: StyleSheet = noSheet,
): Declarations {
  if (style === undefined && sheet.isEmpty) return noStyle;
  const found = new Map<string, string>();
  if (style !== undefined) for (const [property, { value }] of parseDeclarations(style)) found.set(property, value);
  sheet.addTo(found, name, id, className === undefined ? [] : className.split(/\s+/).map(token => `.${token}`));
  return found;
}

function isHiddenElement(name: string, attributes: Attributes, style: Declarations, isOnColor: boolean): boolean {
  if (attributes['hidden'] !== undefined) return true;
  const { class: className, color } = attributes;
  if (className !== undefined && hidingClass.test(className)) return true;
  if (name === 'input' && attributes['type'] !== 'checkbox') return true;
  if (name === 'dialog' && attributes['open'] === undefined) return true;
  if (svgParts.has(name) && (attributes['display'] === 'none' || attributes['visibility'] === 'hidden')) return true;
  if (color === undefined && style.size === 0) return false;
  const onColor = isOnColor || mayHaveBackground(attributes);
  if (color !== undefined && !onColor && !style.has('color')) {
    const parsed = parseColor(color.trim().toLowerCase());
    if (parsed !== undefined && isWhite(parsed) && !hasColoredBackground(style)) return true;
  }
  return isInvisibleStyle(style, onColor);
}

/** Whether a background, or a class that may have one in another style sheet, makes white text legible. */
function mayHaveBackground({ bgcolor, background, class: className }: Attributes): boolean {
  if (background !== undefined) return true;
  const color = bgcolor === undefined ? undefined : parseColor(bgcolor.trim().toLowerCase());
  if (bgcolor !== undefined && (color === undefined || !(isWhite(color) || isInvisible(color)))) return true;
  return className !== undefined && className.trim() !== '' && !isWhiteClass(className);
}

function isWhiteClass(className: string): boolean {
  return className.length < 100 && whiteClasses.test(className);
}
