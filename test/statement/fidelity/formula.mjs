// This module reads formulas that are elements: the TeX source next to a rendering, and <var> of AtCoder.
import { attribute, scriptOf, textOf } from './sight.mjs';

/** Returns the TeX of a formula element, or undefined for other elements. */
export function readFormula(node) {
  const name = node.tagName;
  const classes = attribute(node, 'class');
  // The renderer in markdown.mjs creates this element.
  if (name === 'x-tex') return textOf(node);
  if (name === 'var') return formulaOf(texOf(node));
  if (name === 'script' && attribute(node, 'type').startsWith('math/tex')) return textOf(node);
  if (name === 'math') return formulaOf(annotation(node));
  if (/(?:^|\s)katex(?:-display)?(?:\s|$)/.test(classes)) return formulaOf(annotation(node) ?? drawnLine(node));
  if (name === 'mjx-container') return formulaOf(copyText(node) ?? annotation(node));
  return undefined;
}

function formulaOf(tex) {
  return tex === undefined || tex.trim() === '' ? undefined : tex;
}

function annotation(node) {
  const found = find(node, each => each.tagName === 'annotation' && /tex/i.test(attribute(each, 'encoding')));
  return found && textOf(found);
}

/**
 * For a rendered formula without its source, the letters are used as TeX, if it has neither superscripts nor fractions.
 */
function drawnLine(node) {
  const isFlat =
    find(
      node,
      each =>
        each.attrs !== undefined &&
        (scriptOf(each) !== undefined || /\b(?:vlist|msupsub|mfrac|msqrt)\b/.test(attribute(each, 'class'))),
    ) === undefined;
  return isFlat ? textOf(node) : undefined;
}

/** Finds the copy of the source that MathJax keeps, with its delimiters. */
function copyText(node) {
  const found = find(node, each => each.attrs !== undefined && /\bmjx-copytext\b/.test(attribute(each, 'class')));
  if (found === undefined) return undefined;
  return textOf(found)
    .trim()
    .replace(/^(?:\\[([]|\$+)/, '')
    .replace(/(?:\\[)\]]|\$+)$/, '');
}

/** Returns text with superscripts and subscripts in TeX notation. */
function texOf(node) {
  return node.childNodes
    .map(child => {
      if (child.nodeName === '#text') return child.value;
      if (child.tagName === undefined) return '';
      const script = scriptOf(child);
      return script === undefined ? texOf(child) : `${script}{${texOf(child)}}`;
    })
    .join('');
}

function find(node, isWanted) {
  for (const child of node.childNodes ?? []) {
    const found = child.attrs !== undefined && isWanted(child) ? child : find(child, isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}
