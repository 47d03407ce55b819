// This module finds hidden elements, superscripts and subscripts by name, attributes, style and class names of known
// judges.

const hiddenNames = new Set(
  'head script style template noscript title meta link base object embed audio video canvas select datalist button textarea input area map param source track col colgroup'.split(
    ' ',
  ),
);

/** The classes of copy buttons and of copies for screen readers. */
const hiddenClasses =
  /(?:^|\s)(?:btn-copy|div-btn-copy|input-output-copier|MathJax_Preview|MJX_Assistive_MathML|sr-only)(?:\s|$)/;

/** Matches styles that hide an element, also by its size, opacity or position. */
const hidingStyle =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0*(?:\.0+)?(?:%|;|\s*$)|font-size\s*:\s*0+(?![\d.])|(?:left|top|text-indent)\s*:\s*-\d{4})/i;

export function attribute(node, name) {
  return node.attrs.find(each => each.name === name)?.value ?? '';
}

export function hasAttribute(node, name) {
  return node.attrs.some(each => each.name === name);
}

export function hasElement(node, isWanted) {
  return node.childNodes.some(child => child.tagName !== undefined && (isWanted(child) || hasElement(child, isWanted)));
}

export function isHidden(node) {
  if (hiddenNames.has(node.tagName)) return !attribute(node, 'type').startsWith('math/tex');
  if (hasAttribute(node, 'hidden') || hiddenClasses.test(attribute(node, 'class'))) return true;
  return hidingStyle.test(attribute(node, 'style'));
}

export function isInline(node) {
  return /(?:^|[;\s])display\s*:\s*inline(?:-block)?\s*(?:;|$)/i.test(attribute(node, 'style'));
}

/** Returns whether the class name or the style of an element strikes its text through. */
export function isStruck(node) {
  return (
    /\btex-font-style-striked\b/.test(attribute(node, 'class')) ||
    /text-decoration(?:-line)?\s*:[^;]*line-through/i.test(attribute(node, 'style'))
  );
}

/** Returns whether only the CSS of an element, and not its name, sets a monospace font. */
export function isTypewritten(node) {
  if (node.tagName !== 'span' && node.tagName !== 'font') return false;
  return /monospace|courier|menlo|consolas|monaco/i.test(`${attribute(node, 'style')} ${attribute(node, 'face')}`);
}

/** Returns `^` for a superscript, `_` for a subscript, and undefined otherwise. */
export function scriptOf(node) {
  if (node.tagName === 'sup') return '^';
  if (node.tagName === 'sub') return '_';
  const style = attribute(node, 'style');
  if (/position\s*:\s*relative/i.test(style) && /(?:^|[;\s])top\s*:\s*-0?\.[2-9]\d*em/i.test(style)) return '^';
  if (/position\s*:\s*relative/i.test(style) && /(?:^|[;\s])bottom\s*:\s*-0?\.[2-9]\d*em/i.test(style)) return '_';
  const align = /(?:^|[;\s])vertical-align\s*:\s*(super|sub)\b/i.exec(attribute(node, 'style'))?.[1];
  if (align === undefined) return undefined;
  return align.toLowerCase() === 'super' ? '^' : '_';
}

/** Returns whether the element is a box with a border, which is not a part of the sample around it. */
export function isFramed(node) {
  return /(?:^|[;\s])border\s*:[^;]*(?:solid|dashed|dotted|double)/i.test(attribute(node, 'style'));
}

export function textOf(node) {
  if (node.nodeName === '#text') return node.value;
  return (node.childNodes ?? []).map(textOf).join('');
}
