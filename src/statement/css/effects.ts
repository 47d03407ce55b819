import type { StyleDeclarations } from './sheet.ts';

/** The white space that the CSS property `white-space` preserves: only line breaks, or line breaks and spaces. */
export type PreservedWhiteSpace = 'none' | 'lines' | 'all';

const blockDisplay =
  /^(?:block|flow-root|flex|grid|table|list-item|-webkit-box|table-(?:row|caption|(?:row|header|footer)-group))\b/;
const cssLength = /^([-+]?(?:\d+\.?\d*|\.\d+))(em|rem|ex|px|pt|%)$/;
/** Maps each CSS length unit to its approximate number of em. */
const emPerUnit: Readonly<Record<string, number>> = { em: 1, rem: 1, ex: 0.5, px: 1 / 16, pt: 1 / 12, '%': 0.0115 };
/**
 * Text that is moved up or down by a distance between these numbers, in em, is a superscript or subscript. A smaller
 * distance is not visible, and a larger one only moves the text to another place of the page.
 */
const [minRaise, maxRaise] = [0.15, 1];
/**
 * Text of normal size is not a superscript or subscript if it is moved by less than this number of em, which only
 * aligns it with its neighbours.
 */
const minShift = 0.2;
const smallSize =
  /^(?:smaller|x-small|xx-small|small|0?\.\d+r?em|[1-8]\d(?:\.\d+)?%|\d(?:\.\d+)?(?:px|pt)|1[01](?:\.\d+)?px)$/;

/** Returns whether the style displays an inline element as a block, on lines of its own. */
export function isBlockDisplay(style: StyleDeclarations): boolean {
  const display = style.get('display');
  return display !== undefined && blockDisplay.test(display);
}

/** Returns whether the style displays a block element inline, within the surrounding line of text. */
export function isInlineDisplay(style: StyleDeclarations): boolean {
  const display = style.get('display');
  return display === 'inline' || display === 'contents';
}

export function isStruckThrough(style: StyleDeclarations): boolean {
  return hasDecoration(style, 'line-through');
}

/** Returns whether the style draws a line above the text: by a decoration, or by a border only at the top. */
export function isOverlined(style: StyleDeclarations): boolean {
  if (hasDecoration(style, 'overline')) return true;
  return !isBlockDisplay(style) && /\b(?:solid|double)\b/.test(style.get('border-top') ?? '');
}

function hasDecoration(style: StyleDeclarations, line: string): boolean {
  return (
    style.get('text-decoration')?.includes(line) === true || style.get('text-decoration-line')?.includes(line) === true
  );
}

/**
 * Returns `SUP` for raised and `SUB` for lowered text. `isSmall` is true for an element whose name makes its text
 * smaller.
 */
export function superOrSubscriptOfStyle(style: StyleDeclarations, isSmall: boolean): 'SUP' | 'SUB' | undefined {
  const align = style.get('vertical-align') ?? style.get('font-variant-position') ?? '';
  const raise = raiseOf(style, align, isSmall || smallSize.test(style.get('font-size') ?? ''));
  if (Math.abs(raise) < minRaise || Math.abs(raise) > maxRaise) return undefined;
  return raise > 0 ? 'SUP' : 'SUB';
}

/** Returns the number of em by which the style raises the text. */
function raiseOf(style: StyleDeclarations, align: string, isSmall: boolean): number {
  if (align.startsWith('super')) return 0.4;
  if (align.startsWith('sub')) return -0.4;
  if (isSmall && /^(?:text-)?top/.test(align)) return 0.4;
  if (isSmall && /^(?:text-)?bottom/.test(align)) return -0.4;
  // `vertical-align` moves an inline block as a whole, which does not turn its text into a superscript or subscript.
  const aligned = style.has('display') ? 0 : ems(align);
  if (aligned !== 0) return aligned;
  if (style.get('position') !== 'relative') return 0;
  // If `top` and `bottom` are both given, a browser ignores `bottom`. Percentages depend on the parent and are unknown
  // here.
  const raise = -ems(style.get('top')) || ems(style.get('bottom'));
  return isSmall || Math.abs(raise) >= minShift ? raise : 0;
}

function ems(length = ''): number {
  const [, number, unit = ''] = cssLength.exec(length) ?? [];
  return number === undefined ? 0 : Number(number) * (emPerUnit[unit] ?? 0);
}

const keptSpaces: Readonly<Record<string, PreservedWhiteSpace>> = {
  pre: 'all',
  'pre-wrap': 'all',
  'break-spaces': 'all',
  'pre-line': 'lines',
  normal: 'none',
  nowrap: 'none',
  initial: 'none',
};

/** Returns the white space that the style preserves, or undefined if the style does not declare it. */
export function preservedWhiteSpaceOf(style: StyleDeclarations): PreservedWhiteSpace | undefined {
  return keptSpaces[style.get('white-space') ?? ''];
}
