export type Attributes = Readonly<Record<string, string | undefined>>;

// Bootstrap (AtCoder), Tailwind (LeetCode) and their like: names that every theme defines as "not on the page".
const HIDING_CLASS =
  /(?:^|\s)(?:hidden|invisible|d-none|sr-only|visually-hidden|MathJax_Preview|div-btn-copy|btn-copy|btn-clipboard|copy-button|input-output-copier)(?:\s|$)/;

const NOT_PAINTED =
  /(?:^|;)(?:display:none|visibility:(?:hidden|collapse)|content-visibility:hidden|opacity:(?:0?\.?0+%?|0?\.0\d*)(?![\d.])|font-size:(?:0(?![.\d])|[01]?(?:\.\d+)?px|0?\.0\d*|0?\.[012]\d*r?em|1px)|font:0(?![.\d])|color:transparent|-webkit-text-fill-color:transparent|transform:(?:scale[xy3d]*\(0(?![.\d])|translate[xy3d]*\(-\d{3})|filter:opacity\(0|clip-path:(?:inset\((?:50|100)%|circle\(0|polygon\(00)|clip:rect\((?:0|1px))/;
const OFF_SCREEN =
  /(?:^|;)(?:(?:left|top|right|bottom|margin-left|margin-top|margin-right|text-indent):-\d{3,}|(?:left|top):\d{5,})/;
const NO_ROOM = /(?:^|;)(?:max-)?(?:width|height):(?:0|1px)(?![.\d])/;
const CLIPPED = /(?:^|;)overflow(?:-[xy])?:(?:hidden|clip)/;
const COLOR = /(?:^|;)color:([^;]+)/;
const BACKGROUND = /(?:^|;)background(?:-color)?:([^;]+)/;
const WHITE =
  /^(?:white|#fffe?(?:fff|fefe)?|#ffff(?:ffff)?|#fefefe|rgba?\(255,255,255(?:,[\d.]+)?\)|hsl\(\d+,\d+%,100%\)|rgba\(.*,0\)|hsla\(.*,0\))$/;

/** Follows the walk through a page and tells what its reader does not see. Depths are numbers of open elements. */
export class Visibility {
  readonly #hidingSelectors = new Set<string>();
  #hiddenAt = -1;
  #colouredAt = -1;

  get isHiding(): boolean {
    return this.#hiddenAt !== -1;
  }

  /** Enters an element that has `depth` open ones around it; true when it is hidden. */
  enter(name: string, attributes: Attributes, depth: number, isNeverSeen: boolean): boolean {
    const isColoured = this.#colouredAt !== -1;
    if (isNeverSeen || isHidden(name, attributes, isColoured) || this.#isHiddenBySheet(attributes)) {
      this.#hiddenAt = depth;
      return true;
    }
    if (!isColoured && hasBackground(attributes)) this.#colouredAt = depth;
    return false;
  }

  /** Leaves the element at that depth; true when it was a hidden one or in one. */
  leave(depth: number): boolean {
    if (this.#colouredAt === depth) this.#colouredAt = -1;
    if (this.#hiddenAt === -1) return false;
    if (this.#hiddenAt === depth) this.#hiddenAt = -1;
    return true;
  }

  readSheet(sheet: string): void {
    for (const selector of hiddenSelectors(sheet)) this.#hidingSelectors.add(selector);
  }

  #isHiddenBySheet({ id, class: className }: Attributes): boolean {
    if (this.#hidingSelectors.size === 0) return false;
    if (id !== undefined && this.#hidingSelectors.has(`#${id}`)) return true;
    return className?.split(/\s+/, 50).some(token => this.#hidingSelectors.has(`.${token}`)) === true;
  }
}

/** Whether a reader of the page would not see the element. */
export function isHidden(name: string, attributes: Attributes, onColour: boolean): boolean {
  if (attributes['hidden'] !== undefined) return true;
  const { class: className, style, color } = attributes;
  if (className !== undefined && HIDING_CLASS.test(className)) return true;
  if (name === 'input' && attributes['type'] !== 'checkbox') return true;
  if (name === 'dialog' && attributes['open'] === undefined) return true;
  if (color !== undefined && !onColour && WHITE.test(color.trim().toLowerCase())) return true;
  return style !== undefined && isUnseen(plainStyle(style), onColour);
}

function hasBackground({ style, bgcolor, background }: Attributes): boolean {
  if (bgcolor !== undefined || background !== undefined) return true;
  return style !== undefined && /background/i.test(style);
}

// Only the first part is read: a style attribute longer than this is no style a person wrote.
function plainStyle(style: string): string {
  return style
    .slice(0, 2000)
    .toLowerCase()
    .replace(/\/\*.*?\*\/|!important|\s/g, '');
}

function isUnseen(style: string, onColour: boolean): boolean {
  if (NOT_PAINTED.test(style) || OFF_SCREEN.test(style)) return true;
  if (NO_ROOM.test(style) && CLIPPED.test(style)) return true;
  const color = COLOR.exec(style)?.[1];
  if (color === undefined) return false;
  const background = BACKGROUND.exec(style)?.[1];
  if (background !== undefined) return background === color;
  return !onColour && WHITE.test(color);
}

const HIDING_RULE = /display:none|visibility:hidden|opacity:0(?![.\d])|font-size:0/;

/** The class and id names (`.x`, `#x`) which a style sheet takes off the page; only plain selectors are read. */
function hiddenSelectors(sheet: string): string[] {
  const selectors: string[] = [];
  for (const rule of sheet.slice(0, 20_000).split('}')) {
    const [head = '', body = ''] = rule.split('{', 2);
    if (!HIDING_RULE.test(plainStyle(body))) continue;
    for (const selector of head.split(',')) {
      const name = /^\s*[a-z]*([.#][\w-]+)\s*$/i.exec(selector)?.[1];
      if (name !== undefined) selectors.push(name);
    }
  }
  return selectors;
}
