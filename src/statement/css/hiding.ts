import { type Color, isSameColor, isTransparentColor, isWhiteColor, parseColor } from './color.ts';
import {
  conditionalDeclarationsKey,
  getDeclarationValues,
  parseDeclarations,
  type StyleDeclarations,
} from './sheet.ts';

// Text that is moved by more than this number of pixels is outside of the page. Smaller offsets are common in real
// layouts.
const minOffset = 900;
const maxOffset = 5000;
/**
 * Maps each CSS length unit to its approximate number of pixels, for a font size of 16 pixels and a page width of 1000.
 */
const pixelsPerUnit: ReadonlyMap<string, number> = new Map([
  ['em', 16],
  ['rem', 16],
  ['ch', 8],
  ['ex', 8],
  ['vw', 10],
  ['vh', 10],
  ['pt', 1.33],
  ['cm', 38],
]);
const cssLength = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)([a-z%]*)/;
const noSize = /^(?:scale(?:3d|x|y)?\( ?0(?:\.0+)?(?![.\d])|rotate[xy]\( ?-?90deg|matrix\( ?0 ?, ?0 ?, ?0 ?, ?0)/;
const cssFunction = /(?<![a-z0-9])[a-z0-9]+\([^()]*\)/g;
const noClip = /^(?:inset\( ?(?:50|100)%|circle\( ?0|polygon\( ?0 0)/;

/** Returns whether text with this style is certainly not rendered. */
export function isHidingStyle(style: StyleDeclarations): boolean {
  if (style.get('display') === 'none' || style.get('content-visibility') === 'hidden') return true;
  return hasNoSize(style) || isTransparent(style);
}

/**
 * Returns whether text with this style is probably invisible. `onColor` is true if an ancestor may have a background
 * that is not white.
 */
export function isProbablyHidingStyle(style: StyleDeclarations, onColor: boolean): boolean {
  const rule = style.get(conditionalDeclarationsKey);
  if (rule !== undefined) {
    const conditional = getDeclarationValues(parseDeclarations(rule));
    if (isHidingStyle(conditional) || /^(?:hidden|collapse)$/.test(conditional.get('visibility') ?? '')) return true;
  }
  const size = fontSizeOf(style);
  if (isTiny(size) || isTiny(`${style.get('zoom')}em`) || style.has('-webkit-text-security')) return true;
  return isOffScreen(style) || isClipped(style) || isFaint(style) || hasColorOfBackground(style, onColor);
}

function fontSizeOf(style: StyleDeclarations): string | undefined {
  return style.get('font-size') ?? /^(?:[a-z]+ )*([\d.]+[a-z%]*)/.exec(style.get('font') ?? '')?.[1];
}

function hasNoSize(style: StyleDeclarations): boolean {
  if (isZero(fontSizeOf(style)) || isZero(style.get('zoom')) || isZero(style.get('scale'))) return true;
  if (/^[xy] -?90deg/.test(style.get('rotate') ?? '')) return true;
  return (
    style
      .get('transform')
      ?.match(cssFunction)
      ?.some(change => noSize.test(change)) === true
  );
}

function isTiny(size = ''): boolean {
  const [, number, unit = ''] = cssLength.exec(size) ?? [];
  const value = Number(number);
  if (unit === 'em' || unit === 'rem') return value < 0.3;
  if (unit === '%') return value < 30;
  return unit === 'px' || unit === 'pt' ? value < 2 : value === 0;
}

function isOffScreen(style: StyleDeclarations): boolean {
  if (isFar(style.get('translate'))) return true;
  for (const change of style.get('transform')?.match(cssFunction) ?? []) {
    if (change.startsWith('translate') && isFar(change)) return true;
  }
  for (const side of ['left', 'right', 'top', 'bottom']) {
    const away = pixels(style.get(side), 10);
    if (away <= -minOffset || (away >= maxOffset && side !== 'bottom')) return true;
  }
  const margin = pixels(style.get('margin-left'), 5) + Math.max(0, pixels(style.get('padding-left'), 5));
  if (margin <= -minOffset) return true;
  return ['margin-top', 'margin-right', 'text-indent'].some(name => pixels(style.get(name), 5) <= -minOffset);
}

function isFar(lengths: string | undefined): boolean {
  return lengths?.split(/[\s,()]+/).some(length => Math.abs(pixels(length, 5)) >= minOffset) === true;
}

function isClipped(style: StyleDeclarations): boolean {
  if (noClip.test(style.get('clip-path') ?? '') || /^rect\( ?(?:0|1px)/.test(style.get('clip') ?? '')) return true;
  const overflow = style.get('overflow') ?? style.get('overflow-x') ?? style.get('overflow-y') ?? '';
  if (!/hidden|clip|auto|scroll/.test(overflow)) return false;
  if (style.get('text-indent') === '100%') return true;
  return ['width', 'height', 'max-width', 'max-height', 'line-height'].some(name => {
    const size = style.get(name);
    return size !== undefined && /^(?:0(?!\.?\d)|1px)/.test(size);
  });
}

function isTransparent(style: StyleDeclarations): boolean {
  if (opacityOf(style) === 0) return true;
  const color = colorOf(style);
  // Transparent text on a background image is visible, because the letters show the image.
  return color !== undefined && isTransparentColor(color) && !hasPicture(style);
}

function isFaint(style: StyleDeclarations): boolean {
  return opacityOf(style) < 0.1;
}

/** Returns the opacity of a style, or NaN if it declares none or has an animation, which may change it later. */
function opacityOf(style: StyleDeclarations): number {
  if (style.has('animation') || style.has('animation-name')) return Number.NaN;
  if (/(?:^|\s)opacity\( ?(?:0|\.0)(?:\.0\d*)?%? ?\)/.test(style.get('filter') ?? '')) return 0;
  const opacity = style.get('opacity') ?? '';
  return Math.max(0, Number.parseFloat(opacity) / (opacity.endsWith('%') ? 100 : 1));
}

function colorOf(style: StyleDeclarations): Color | undefined {
  return parseColor(style.get('-webkit-text-fill-color') ?? style.get('color') ?? '');
}

function hasColorOfBackground(style: StyleDeclarations, onColor: boolean): boolean {
  const color = colorOf(style);
  if (color === undefined) return false;
  const behind = style.get('background-color') ?? style.get('background');
  if (behind === undefined) return !onColor && !style.has('background-image') && isWhiteColor(color);
  if (behind === style.get('color')) return true;
  const background = parseColor(behind);
  if (background === undefined || style.has('background-image')) return false;
  if (isTransparentColor(background)) return !onColor && isWhiteColor(color);
  return isSameColor(color, background) || (isWhiteColor(color) && isWhiteColor(background));
}

function hasPicture(style: StyleDeclarations): boolean {
  return style.has('background-image') || /gradient|url/.test(style.get('background') ?? '');
}

/** Returns whether the style may add a background that is not white. */
export function hasColoredBackground(style: StyleDeclarations): boolean {
  if (style.has('background-image')) return true;
  const behind = style.get('background-color') ?? style.get('background');
  if (behind === undefined) return false;
  const color = parseColor(behind);
  return color === undefined || !(isTransparentColor(color) || isWhiteColor(color));
}

function isZero(text: string | undefined): boolean {
  return text !== undefined && Number.parseFloat(text) === 0;
}

function pixels(text: string | undefined, percent: number): number {
  const [, number = '0', unit = ''] = cssLength.exec(text ?? '') ?? [];
  return Number(number) * (unit === '%' ? percent : (pixelsPerUnit.get(unit) ?? 1));
}
