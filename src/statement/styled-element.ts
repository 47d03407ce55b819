import {
  isInlineDisplay,
  isOverlined,
  isStruckThrough,
  preservedWhiteSpaceOf,
  superOrSubscriptOfStyle,
} from './css/effects.ts';
import type { StyleDeclarations } from './css/sheet.ts';
import {
  defineElement,
  deletedElement,
  type ElementProperties,
  elementTable,
  emphasisElement,
  type MarkdownRole,
  plainElement,
  sampleElement,
  strongElement,
} from './elements.ts';

const sup = defineElement({ kind: 'SUP', literal: 'script' });
const sub = defineElement({ kind: 'SUB', literal: 'script' });
/** Text with a line above it, which is a formula: a conjugate, or the repeating digits of a fraction. */
export const overlinedFormulaElement = defineElement({ kind: 'FORMULA', literal: 'tex' });
/** A block of text whose CSS preserves line breaks. */
const lines = defineElement({ kind: 'BLOCK', literal: 'lines' });
/** A <pre> element whose CSS collapses line breaks into spaces. */
const collapsedSample = defineElement({ kind: 'SAMPLE', literal: 'code' });
const numbered = elementTable.get('ol');
const bulleted = elementTable.get('ul');

type ByStyle = (name: string, style: StyleDeclarations) => ElementProperties | undefined;

/** Maps the type of an element to the function that finds a replacement for it in its CSS. */
const byKind: Partial<Record<MarkdownRole, ByStyle>> = {
  STRONG: markByStyle,
  EM: markByStyle,
  CODE: chooseSuperOrSubscriptElement,
  BLOCK: blockByStyle,
  SAMPLE: (_, style) => (preservedWhiteSpaceOf(style) === 'none' ? collapsedSample : undefined),
  UL: listByStyle,
  OL: listByStyle,
};

/**
 * Returns the element with the same meaning as the CSS, because some pages write emphasis, superscripts and lists as
 * styles. `name` is the name of the original element.
 */
export function chooseElementForStyle(
  element: ElementProperties,
  name: string,
  style: StyleDeclarations,
): ElementProperties {
  if (style.size === 0 || element.treatment !== 'node') return element;
  const replace = element.kind === undefined ? inlineByStyle : byKind[element.kind];
  return replace?.(name, style) ?? element;
}

function inlineByStyle(name: string, style: StyleDeclarations): ElementProperties | undefined {
  return markByStyle(name, style) ?? emphasisByStyle(style);
}

/**
 * Returns the formatting that the CSS of a bold or italic element requires. It replaces the emphasis, because nested
 * marks of two types would be hard to read.
 */
function markByStyle(name: string, style: StyleDeclarations): ElementProperties | undefined {
  if (isOverlined(style)) return overlinedFormulaElement;
  return chooseSuperOrSubscriptElement(name, style) ?? (isStruckThrough(style) ? deletedElement : undefined);
}

function emphasisByStyle(style: StyleDeclarations): ElementProperties | undefined {
  if (/\b(?:bold|[6-9]00)\b/.test(style.get('font-weight') ?? '')) return strongElement;
  return style.get('font-style') === 'italic' ? emphasisElement : undefined;
}

export function chooseSuperOrSubscriptElement(name: string, style: StyleDeclarations): ElementProperties | undefined {
  const script = superOrSubscriptOfStyle(style, name === 'small');
  if (script === undefined) return undefined;
  return script === 'SUP' ? sup : sub;
}

function blockByStyle(name: string, style: StyleDeclarations): ElementProperties | undefined {
  if (isInlineDisplay(style)) return inlineByStyle(name, style) ?? plainElement;
  if (style.get('white-space') === 'pre') return sampleElement;
  const kept = preservedWhiteSpaceOf(style);
  return kept === 'all' || kept === 'lines' ? lines : undefined;
}

/** Returns a list with numbers if the style numbers its items, and a list with bullets if it removes the numbers. */
function listByStyle(_: string, style: StyleDeclarations): ElementProperties | undefined {
  const written = style.get('list-style-type') ?? style.get('list-style') ?? '';
  if (/\b(?:decimal|(?:lower|upper)-(?:alpha|latin|roman|greek))/.test(written)) return numbered;
  return /\b(?:none|disc|circle|square)\b/.test(written) ? bulleted : undefined;
}
