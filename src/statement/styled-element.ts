import { isInlineDisplay, isOverlined, isStruckThrough, keptSpaceOf, scriptOfStyle } from './css/effects.ts';
import type { Declarations } from './css/sheet.ts';
import { define, del, type Element, type ElementKind, elements, em, plain, sample, strong } from './elements.ts';

const sup = define({ kind: 'SUP', literal: 'script' });
const sub = define({ kind: 'SUB', literal: 'script' });
/** Text below a line, which is a formula: a conjugate, or the repeating digits of a fraction. */
export const overlined = define({ kind: 'FORMULA', literal: 'tex' });
/** A block whose line breaks are visible. */
const lines = define({ kind: 'BLOCK', literal: 'lines' });
/** A sample whose style replaces its line breaks by spaces. */
const collapsedSample = define({ kind: 'SAMPLE', literal: 'code' });
const numbered = elements.get('ol');
const bulleted = elements.get('ul');

type ByStyle = (name: string, style: Declarations) => Element | undefined;

/** Returns the element that replaces an element of each kind, or undefined if the style does not change the element. */
const byKind: Partial<Record<ElementKind, ByStyle>> = {
  STRONG: markByStyle,
  EM: markByStyle,
  CODE: scriptByStyle,
  BLOCK: blockByStyle,
  SAMPLE: (_, style) => (keptSpaceOf(style) === 'none' ? collapsedSample : undefined),
  UL: listByStyle,
  OL: listByStyle,
};

/**
 * Returns the element that has the same meaning as the style: some pages write emphasis, superscripts and lists as
 * styles. `name` is the name of the element.
 */
export function styledElement(element: Element, name: string, style: Declarations): Element {
  if (style.size === 0 || element.treatment !== 'node') return element;
  const replace = element.kind === undefined ? inlineByStyle : byKind[element.kind];
  return replace?.(name, style) ?? element;
}

function inlineByStyle(name: string, style: Declarations): Element | undefined {
  return markByStyle(name, style) ?? emphasisByStyle(style);
}

/** Returns the element of a mark that replaces emphasis, because the marks of both would be hard to read together. */
function markByStyle(name: string, style: Declarations): Element | undefined {
  if (isOverlined(style)) return overlined;
  return scriptByStyle(name, style) ?? (isStruckThrough(style) ? del : undefined);
}

function emphasisByStyle(style: Declarations): Element | undefined {
  if (/\b(?:bold|[6-9]00)\b/.test(style.get('font-weight') ?? '')) return strong;
  return style.get('font-style') === 'italic' ? em : undefined;
}

export function scriptByStyle(name: string, style: Declarations): Element | undefined {
  const script = scriptOfStyle(style, name === 'small');
  if (script === undefined) return undefined;
  return script === 'SUP' ? sup : sub;
}

function blockByStyle(name: string, style: Declarations): Element | undefined {
  if (isInlineDisplay(style)) return inlineByStyle(name, style) ?? plain;
  if (style.get('white-space') === 'pre') return sample;
  const kept = keptSpaceOf(style);
  return kept === 'all' || kept === 'lines' ? lines : undefined;
}

/** Returns a list with numbers if the style numbers its items, and a list with bullets if it removes the numbers. */
function listByStyle(_: string, style: Declarations): Element | undefined {
  const written = style.get('list-style-type') ?? style.get('list-style') ?? '';
  if (/\b(?:decimal|(?:lower|upper)-(?:alpha|latin|roman|greek))/.test(written)) return numbered;
  return /\b(?:none|disc|circle|square)\b/.test(written) ? bulleted : undefined;
}
