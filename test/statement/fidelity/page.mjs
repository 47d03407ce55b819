// This module reads the visible content of a page by category. parse5 builds the tree; the rules are those of HTML and
// of the known judges.
import { parse } from 'parse5';
import { codeNames, readCode, readSample, readTypewritten } from './code.mjs';
import { Flow, oneLine } from './flow.mjs';
import { readFormula } from './formula.mjs';
import { readDefinitions, readList, readLooseItem } from './lists.mjs';
import { joinScripts, mark } from './marks.mjs';
import {
  attribute,
  hasElement,
  isFramed,
  isHidden,
  isInline,
  isStruck,
  isTypewritten,
  scriptOf,
  textOf,
} from './sight.mjs';
import { readTable } from './tables.mjs';
import { findFormulas } from './tex.mjs';

/** The elements at whose start and end a line ends. */
const blocks = new Set(
  (
    'address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
    'footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext ' +
    'pre search section summary table tbody tfoot thead tr ul xmp'
  ).split(' '),
);

/** Functions for elements whose children are not read in the usual way. */
const readers = {
  ...readersOf('br', (_, { flow }) => flow.lineBreak()),
  ...readersOf('hr wbr rp', () => {}),
  ...readersOf('rt', (node, context) => readBetween('(', node, ')', context)),
  ...readersOf('q', (node, context) => readBetween('"', node, '"', context)),
  ...readersOf('del s strike', readStrike),
  ...readersOf('h1 h2 h3 h4 h5 h6', readHeading),
  ...readersOf('a', readLink),
  ...readersOf('img', readImage),
  ...readersOf([...codeNames].join(' '), readCode),
  ...readersOf('pre listing xmp plaintext', readSample),
  ...readersOf('ul ol menu dir', readList),
  ...readersOf('li', readLooseItem),
  ...readersOf('dl', readDefinitions),
  ...readersOf('table', readTable),
  ...readersOf('svg', readDrawing),
  ...readersOf('iframe', (_, context) => writeAside('iframe', context)),
};

function readersOf(names, read) {
  return Object.fromEntries(names.split(' ').map(name => [name, read]));
}

/**
 * Returns the reading of a page: its visible `lines` with marks for scripts and formulas, and its samples, codes,
 * tables, items, images, links and headings in order. Addresses are resolved against `base`. `singleDollar` states
 * whether `$x$` is a formula.
 */
export function readPage(html, { base, pageAddress, singleDollar }) {
  const reading = {
    samples: [],
    codes: [],
    tables: [],
    items: [],
    images: [],
    links: [],
    headings: [],
    names: new Set(),
  };
  const flow = new Flow();
  const modes = { lists: [], isCode: false, isPre: false, isCell: false, isScript: false };
  walkChildren(parse(html), { reading, flow, base, pageAddress, singleDollar, ...modes, walk, walkChildren });
  return { ...reading, lines: flow.lines().map(joinScripts) };
}

/** Formulas with delimiters may contain line breaks, as in MathJax, but no other elements. */
function walkChildren(node, context) {
  const children = node.childNodes ?? [];
  for (let at = 0; at < children.length; ) {
    let end = at;
    while (end < children.length && (isText(children[end]) || children[end].tagName === 'br')) end++;
    const fraction = fractionAt(children, at);
    if (fraction !== undefined) {
      context.flow.add(fraction);
      end = at + 3;
    } else if (end > at + 1) readText(children.slice(at, end).map(textOrBreak).join(''), context);
    else walk(children[at], context);
    at = Math.max(end, at + 1);
  }
}

/**
 * Returns the fraction for `<sup>1</sup>/<sub>2</sub>` on one line. If the first part is an exponent, it is not a
 * fraction.
 */
function fractionAt(children, at) {
  const [above, slash, below] = children.slice(at, at + 3);
  if (above?.tagName !== 'sup' || below?.tagName !== 'sub' || !/^[/⁄]$/.test(slash.value ?? '')) return undefined;
  const before = at === 0 ? '' : textOf(children[at - 1]).slice(-1);
  const parts = [textOf(above), textOf(below)];
  if (/[^\s\d([=<>+,-]/.test(before) || !parts.every(part => /^[\p{L}\p{N}]+$/u.test(part))) return undefined;
  return `${/\d/.test(before) ? ' ' : ''}${parts[0]}${slash.value}${parts[1]}`;
}

function isText(node) {
  return node.nodeName === '#text' || node.nodeName === '#comment';
}

function textOrBreak(node) {
  return node.tagName === 'br' ? mark.lineBreak : (node.value ?? '');
}

function walk(node, context) {
  if (node.nodeName === '#text') readText(node.value, context);
  else if (node.tagName === undefined) walkChildren(node, context);
  else if (!isHidden(node)) readElement(node, context);
}

function readElement(node, context) {
  const formula = readFormula(node);
  const script = scriptOf(node);
  if (formula !== undefined) {
    // MathJax shows such a formula on a line of its own.
    const isDisplay = node.tagName === 'mjx-container' && attribute(node, 'display') === 'true';
    if (isDisplay) breakLine(context);
    writeFormula(formula, context);
    if (isDisplay) breakLine(context);
  } else if (script !== undefined) readScript(node, script, context);
  else {
    const isBlock = blocks.has(node.tagName) && !isInline(node);
    if (isBlock) breakLine(context);
    if (context.isPre && isFramed(node)) readFramed(node, context);
    else (readers[node.tagName] ?? readerByStyle(node))(node, context);
    if (isBlock) breakLine(context);
  }
}

/** A box inside a sample ends it, and the text after the box begins the next one. */
function readFramed(node, context) {
  context.flow.raw(mark.frame);
  walkChildren(node, context);
  context.flow.raw(mark.frame);
}

function breakLine({ flow, isPre }) {
  if (isPre) flow.edge();
  else flow.breakLine();
}

/** Returns the function that reads an element, by the class names of known judges or by the font. */
function readerByStyle(node) {
  if (/\bsection-title\b/.test(attribute(node, 'class'))) return readHeading;
  if (/\btex-font-style-tt\b/.test(attribute(node, 'class'))) return readCode;
  if (isStruck(node)) return readStrike;
  return isTypewritten(node) ? readTypewritten : walkChildren;
}

function readText(text, context) {
  const { flow, isPre, isCode, singleDollar } = context;
  let at = 0;
  const found = isPre || isCode || !/[$\\]/.test(text) ? [] : findFormulas(text, { singleDollar });
  for (const { start, end, tex } of found) {
    writeText(text.slice(at, start), context);
    flow.formula(tex.replaceAll(mark.lineBreak, ' '));
    at = end;
  }
  writeText(text.slice(at), context);
}

function writeText(text, { flow, isPre }) {
  for (const [index, line] of text.split(mark.lineBreak).entries()) {
    if (index > 0) flow.lineBreak();
    if (isPre) flow.raw(line);
    else flow.add(line);
  }
}

/** Code contains no formulas, so that TeX in it is text. */
function writeFormula(tex, { flow, isPre, isCode }) {
  if (isPre) flow.raw(tex);
  else if (isCode) flow.add(tex);
  else flow.formula(tex);
}

function readScript(node, script, context) {
  const { flow } = context;
  const open = script === '^' ? mark.superOpen : mark.subOpen;
  const start = flow.begin();
  flow.wall();
  walkChildren(node, { ...context, isScript: true });
  flow.script(start, open);
  flow.wall();
}

function readBetween(before, node, after, context) {
  context.flow.add(before);
  walkChildren(node, context);
  context.flow.add(after);
}

/** Adjacent struck elements count as one, because a page shows them as one. */
function readStrike(node, context) {
  if (wordsOf(node).length > 0) context.flow.strike(() => walkChildren(node, context));
}

/** Reads the words of an SVG image, which are visible but have no position in the text. */
function readDrawing(node, context) {
  writeAside(wordsOf(node).join(' '), context);
}

/** Adds words that the output may contain in place of content that Markdown cannot represent. */
function writeAside(words, { flow, reading }) {
  flow.optional(words);
  reading.names.add(words);
}

function wordsOf(node) {
  if (node.nodeName === '#text') return node.value.trim() === '' ? [] : [node.value.trim()];
  return (node.childNodes ?? []).flatMap(wordsOf);
}

/** Reads a heading. If its end tag is missing, the blocks after its first text are not a part of the title. */
function readHeading(node, context) {
  const start = context.flow.begin();
  const end = node.childNodes.findIndex(
    (child, index) =>
      index > 0 && blocks.has(child.tagName) && wordsOf({ childNodes: node.childNodes.slice(0, index) }).length > 0,
  );
  const rest = end === -1 ? [] : node.childNodes.slice(end);
  walkChildren({ childNodes: end === -1 ? node.childNodes : node.childNodes.slice(0, end) }, context);
  const text = oneLine(context.flow.since(start));
  const holdsHeading = hasElement(node, ({ tagName }) => /^h[1-6]$/.test(tagName));
  // A sample cannot contain a heading.
  if (text !== '' && !context.isPre && !holdsHeading)
    context.reading.headings.push(`${/^h\d$/.test(node.tagName) ? node.tagName : 'h3'} ${text}`);
  if (rest.length > 0) context.flow.breakLine();
  walkChildren({ childNodes: rest }, context);
}

function readLink(node, context) {
  const start = context.flow.begin();
  walkChildren(node, context);
  const text = oneLine(context.flow.since(start));
  const href = attribute(node, 'href').trim();
  const address = resolved(href, context.base);
  // A link without an address is ignored. Links inside a sample and links to the same page are ignored as well, because
  // the output cannot contain them.
  const isAnchor = address.startsWith(`${context.pageAddress}#`);
  if (text !== '' && href !== '' && !context.isPre && !isAnchor && /^(https?|mailto|ftp):/.test(address))
    context.reading.links.push(`${text} → ${address}`);
}

const altEscape = /\\(?=[()[\]])/g;

function readImage(node, context) {
  const source = attribute(node, 'src').trim();
  // Alternative texts that were written for Markdown contain backslash escapes.
  const alt = attribute(node, 'alt').replaceAll(altEscape, '').replaceAll(/\s+/g, ' ').trim();
  // Inline data, local files and videos have no usable address, so that the output has words in their place.
  if (source === '' || /^(?!https?:)[a-z][a-z\d+.-]*:/i.test(source))
    writeAside(alt === '' && source !== '' ? '(picture)' : alt, context);
  else context.reading.images.push(`${alt} → ${resolved(source, context.base)}`);
}

function resolved(address, base) {
  const text = address.trim();
  try {
    // Markdown escapes some characters of an address. Addresses that differ only in such escapes are equal.
    return new URL(text, base).href.replace(/%(2[1489A-C]|3[BCE]|40|5[B-E]|60|7[B-E])/gi, escape =>
      decodeURIComponent(escape),
    );
  } catch {
    return text;
  }
}
