// This module reads inline code and samples.
import { oneLine, sampleText } from './flow.mjs';
import { mark } from './marks.mjs';
import { hasElement, textOf } from './sight.mjs';
import { findFormulas } from './tex.mjs';

export const codeNames = new Set(['code', 'tt', 'kbd', 'samp']);

/** Returns whether an element in a monospace font contains formulas. MathJax skips only `<code>`. */
function holdsFormulas(node, { singleDollar }) {
  if (node.tagName === 'code' || hasElement(node, ({ tagName }) => tagName === 'code' || tagName === 'br'))
    return false;
  return findFormulas(textOf(node), { singleDollar }).length > 0;
}

/** Reads an element in a monospace font as code, unless it contains a code element. */
export function readTypewritten(node, context) {
  if (hasElement(node, child => codeNames.has(child.tagName))) context.walkChildren(node, context);
  else readCode(node, context, false);
}

/** Reads a code element: one line is inline code, several lines are a sample. */
export function readCode(node, context, isSure = true) {
  // A sample inside a code element is read once, as a sample.
  const isText = hasElement(node, child => child.tagName === 'pre') || holdsFormulas(node, context);
  if (context.isCode || context.isPre || isText) {
    context.walkChildren(node, context);
    return;
  }
  const { flow, reading } = context;
  const start = flow.begin();
  if (!flow.isAfterCode(start) && textOf(node).trim() !== '') flow.raw(mark.codeEdge);
  context.walkChildren(node, { ...context, isCode: true });
  const text = flow.since(start).replaceAll(mark.codeEdge, '');
  const lines = text.split('\n').filter(line => oneLine(line) !== '');
  if (lines.length === 0) return;
  // Lines whose monospace font comes only from CSS may be ordinary text.
  const isSample = lines.length > 1 && !context.isCell && isSure;
  if (isSample) reading.samples.push(sampleText(text.replace(/^\n+|\n+$/g, '')));
  else if (flow.isAfterCode(start) && lines.length === 1) joinCode(reading.codes.at(-1), text);
  else
    for (const line of lines)
      reading.codes.push({ text: oneLine(line), before: '', last: line, isSure: isSure && !context.isScript });
  flow.raw(mark.codeEdge);
  flow.endCode();
}

/** Adjacent code elements count as one. If a space separates them, the output may keep them separate. */
function joinCode(code, text) {
  if (/\s$/.test(code.last) || /^\s/.test(text)) {
    code.before = `${code.text}${mark.join}`;
    code.last = text;
  } else code.last += text;
  code.text = code.before + oneLine(code.last);
}

export function readSample(node, context) {
  if (context.isPre || hasElement(node, child => child.tagName === 'table')) {
    context.walkChildren(node, context);
    return;
  }
  const { flow, reading } = context;
  const start = flow.begin();
  context.walkChildren(node, { ...context, isPre: true, isCode: false });
  for (const text of flow.since(start).split(mark.frame))
    if (text.replaceAll(mark.edge, '').trim() !== '') reading.samples.push(sampleText(text));
}
