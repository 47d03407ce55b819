import type { MarkdownRole } from '../elements.ts';
import type { StatementElement, StatementNode } from './node.ts';

const emphasis: ReadonlySet<MarkdownRole> = new Set(['STRONG', 'EM']);

/** Returns whether an element strikes its text through, by its style or by its type. */
export function isStrikethrough({ isStruck, nodeName }: StatementElement): boolean {
  return isStruck || nodeName === 'DEL';
}

/** Returns whether text in this element is struck through, by the element or by an inline element around it. */
export function isInStrikethrough(element: StatementElement): boolean {
  let node = element;
  while (!node.isBlockElement && !isStrikethrough(node)) node = node.parentNode;
  return isStrikethrough(node);
}

/** Returns whether the element is a table cell or inside one. A table cell can contain only lines. */
export function isInTableCell(element: StatementElement): boolean {
  let node = element;
  while (node.nodeName !== 'BODY' && node.nodeName !== 'CELL' && node.nodeName !== 'HEADCELL') node = node.parentNode;
  return node.nodeName !== 'BODY';
}

/** Returns whether a heading directly precedes the end of the element. */
export function isBelowHeading(element: StatementElement): boolean {
  return nodeBefore(element, ({ nodeName }) => nodeName !== 'BODY')?.nodeName === 'HEADING';
}

/**
 * Returns the superscript or subscript that directly precedes the end of the element. Bold text and emphasis without
 * visible text may be in between: `<b>10<sup>5</sup></b>7`.
 */
export function findScriptBefore(element: StatementElement): StatementElement | undefined {
  let last = nodeBefore(element, ({ nodeName }) => emphasis.has(nodeName));
  while (last?.nodeType === 1 && emphasis.has(last.nodeName)) last = last.childNodes.at(-1);
  return last?.nodeName === 'SUP' || last?.nodeName === 'SUB' ? last : undefined;
}

/** Returns the last child of the element. If the element is empty and may be skipped, returns the node before it. */
function nodeBefore(
  element: StatementElement,
  mayBeSkipped: (empty: StatementElement) => boolean,
): StatementNode | undefined {
  let node = element;
  let at = node.childNodes.length - 1;
  while (at < 0 && mayBeSkipped(node)) {
    node = node.parentNode;
    // The last child of the parent element is the empty element itself.
    at = node.childNodes.length - 2;
  }
  return node.childNodes[at];
}
