import { createMathElement, type MathElement, type RenderedElement } from './math-element.ts';

const topStyle = /(?:^|;)\s*top:\s*(-?[\d.]+)em/;
const heightStyle = /(?:^|;)\s*height:\s*(-?[\d.]+)em/;
/**
 * MathJax 2 draws the parts of these elements one above the other. If the text were copied in document order, the
 * formula would be wrong.
 */
const structures = /^(?:m(?:sub|sup|subsup|under|over|underover|frac|sqrt|root|table|multiscripts|enclose|phantom))$/;
const tokens: ReadonlySet<string> = new Set(['mi', 'mn', 'mo', 'mtext']);
/** Text that is moved vertically by less than this number of em counts as text on the baseline. */
const minShift = 0.05;

type Convert = (drawn: RenderedElement) => MathElement;

/**
 * Converts a formula in the HTML-CSS output of MathJax 2, which positions each part relative to the baseline by CSS.
 * Returns undefined for other kinds of output. Unknown structures become the element `unreadable`.
 */
export function convertMathJaxHtmlCss(drawn: RenderedElement, convert: Convert): MathElement | undefined {
  const [name = ''] = drawn.classes;
  if (tokens.has(name)) return createMathElement(name, [], textOf(drawn));
  const [box] = drawn.children;
  if (!structures.test(name) || box === undefined || !/position:\s*relative/.test(box.style)) return undefined;
  const parts = box.children.filter(({ style }) => /position:\s*absolute/.test(style));
  return structureOf(name, parts, convert) ?? createMathElement('unreadable', [], textOf(drawn));
}

function structureOf(name: string, parts: readonly RenderedElement[], convert: Convert): MathElement | undefined {
  const [first, second] = parts;
  if (first === undefined || name === 'mphantom') return undefined;
  if (name === 'msqrt') return createMathElement('msqrt', [convert(first)]);
  if (name === 'mroot' && parts.length === 4) {
    const [, , , degree] = parts;
    return createMathElement('mroot', [convert(first), ...(degree === undefined ? [] : [convert(degree)])]);
  }
  if (name === 'mfrac' && second !== undefined) {
    return createMathElement('mfrac', [convert(first), convert(second)], '', parts[2] ? {} : { linethickness: '0' });
  }
  return /^m(?:sub|sup|under|over)/.test(name) ? withScripts(first, parts.slice(1), convert) : undefined;
}

function withScripts(
  base: RenderedElement,
  scripts: readonly RenderedElement[],
  convert: Convert,
): MathElement | undefined {
  const level = shiftOf(base);
  if (level === undefined) return undefined;
  const shifted = scripts.map(part => ({ part, shift: (shiftOf(part) ?? 0) - level }));
  if (shifted.some(({ shift }) => Math.abs(shift) < minShift)) return undefined;
  const below = shifted.filter(({ shift }) => shift > 0).map(({ part }) => convert(part));
  const above = shifted.filter(({ shift }) => shift < 0).map(({ part }) => convert(part));
  if (below.length > 1 || above.length > 1) return undefined;
  if (above.length === 0) return createMathElement('msub', [convert(base), ...below]);
  if (below.length === 0) return createMathElement('mover', [convert(base), ...above]);
  return createMathElement('msubsup', [convert(base), ...below, ...above]);
}

/**
 * Returns the number of em by which a part is below the baseline, or undefined if its inline style does not define a
 * position.
 */
function shiftOf(part: RenderedElement): number | undefined {
  const top = topStyle.exec(part.style)?.[1];
  const strut = heightStyle.exec(part.children.at(-1)?.style ?? '')?.[1];
  return top === undefined || strut === undefined ? undefined : Number(top) + Number(strut);
}

function textOf({ text, children }: RenderedElement): string {
  return text + children.map(textOf).join('');
}
